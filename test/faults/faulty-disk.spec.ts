// The whole server on embedded stores while its disk is full, or while one of its files is gone or something else: what
// it cannot do answers 503, the rest goes on, it heals without a restart, and nothing that it answered is lost.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { appendFileSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { LedgerProcess, type Answer } from '../ledger-process.js';
import { assertUnavailable, Budget, freshId, retried } from '../processes/budget.scenario.js';

/** The size of the disk that is filled. */
const DISK_MEBIBYTES = 24;
/** A full disk still has room in the last page of a file; so many commands do not. */
const COMMANDS_MAX = 2_000;
const REFUSALS = 20;

/** A server with a budget, and every transaction that it said it recorded. */
class Witness {
  readonly recorded = new Set<string>();
  /** Refused ones: they may have been recorded none the less. */
  readonly refused = new Set<string>();

  private constructor(
    readonly server: LedgerProcess,
    readonly budget: Budget,
  ) {}

  static async start(directory: string): Promise<Witness> {
    const server = await LedgerProcess.start({ directory });
    const budget = await Budget.begin(server, await server.signUp(directory));
    const witness = new Witness(server, budget);
    for (let count = 0; count < 20; count++) assert.equal((await witness.spend()).status, 201);
    return witness;
  }

  async spend(id: string = freshId()): Promise<Answer> {
    const answer = await this.budget.spend(this.server, id);
    if (answer.status < 300) this.recorded.add(id);
    else {
      assertUnavailable(answer);
      this.refused.add(id);
    }
    return answer;
  }

  /** Any other call: it succeeds, or is told to come again. */
  async call(method: string, path: string, body?: object): Promise<Answer> {
    const { token } = this.budget;
    const answer = await this.server.call(method, path, { token, ...(body && { body }) });
    if (answer.status >= 300) assertUnavailable(answer);
    return answer;
  }

  async becomes(path: string, status: number): Promise<void> {
    const { server } = this;
    await server.until(
      async () => (await fetch(`${server.url}${path}`)).status === status,
      `to answer ${status}`,
    );
  }

  /** What readiness says is wrong. */
  async failingChecks(): Promise<string[]> {
    const { checks } = (await (await fetch(`${this.server.url}/health/ready`)).json()) as {
      readonly checks: readonly { readonly name: string; readonly status: string }[];
    };
    return checks.filter(({ status }) => status !== 'ok').map(({ name }) => name);
  }

  /** Repeats what was refused, and holds what is there against what was answered; also after another start. */
  async confirm(directory: string): Promise<void> {
    for (const id of this.refused) {
      const answer = await retried(this.server, () => this.budget.spend(this.server, id));
      assert.ok(answer.status < 300, JSON.stringify(answer.body));
      this.recorded.add(id);
    }
    await this.server.ready();
    await this.compare(this.server);
    assert.equal(await this.server.end('SIGTERM'), 0);
    const again = await LedgerProcess.start({ directory });
    await again.ready();
    await this.compare(again);
    assert.equal(await again.end('SIGTERM'), 0);
  }

  private async compare(server: LedgerProcess): Promise<void> {
    const listed = await this.budget.transactionIds(server);
    assert.deepEqual([...listed].sort(), [...this.recorded].sort());
    assert.equal(await this.budget.spentTransactions(server), this.recorded.size);
  }
}

describe('a disk without room, or without a file', () => {
  let directory: string;
  let mounted: string | null = null;
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'faulty-'));
  });
  afterEach(() => {
    if (mounted !== null) spawnSync('umount', ['--lazy', mounted]);
    mounted = null;
    rmSync(directory, { recursive: true, force: true });
  });

  it('refuses commands while the disk is full, reads on, and heals by itself', async () => {
    const disk = join(directory, 'disk');
    mkdirSync(disk);
    const size = `size=${DISK_MEBIBYTES}m`;
    if (spawnSync('mount', ['-t', 'tmpfs', '-o', size, 'tmpfs', disk]).status !== 0) {
      console.log('SKIPPED: the server on a full disk (no right to mount a small one)');
      return;
    }
    mounted = disk;
    const witness = await Witness.start(disk);
    const { server, budget } = witness;
    fill(join(disk, 'filler'));
    for (let count = 0; witness.refused.size < REFUSALS; count++) {
      assert.ok(count < COMMANDS_MAX, 'the disk did not become full');
      await witness.spend();
      fill(join(disk, 'filler'));
    }
    const month = await budget.get(server, '/months/2026-01');
    assert.ok(month.headers.get('etag'));
    const household = await until503(() => witness.call('POST', '/households', { name: 'No room' }));
    assertUnavailable(household);
    assert.ok((await witness.failingChecks()).includes('documents'));
    await until503(() => witness.spend());
    assert.ok((await witness.failingChecks()).includes('event store'));
    await witness.becomes('/health/ready', 503);
    await witness.becomes('/health/live', 200);
    rmSync(join(disk, 'filler'));
    assert.equal((await retried(server, () => budget.spend(server, freshIdOf(witness)))).status, 201);
    assert.equal(
      (await retried(server, () => witness.call('POST', '/households', { name: 'Room' }))).status,
      201,
    );
    await witness.confirm(disk);
  });

  /** What must be refused while the file is away, and which check says so. */
  const FILES = [
    { name: 'ledger.db', check: 'event store', refused: 'spend' },
    { name: 'ledger.db', check: 'documents', refused: 'household' },
  ] as const;
  const CALLS = {
    spend: (witness: Witness) => witness.spend(),
    household: (witness: Witness) => witness.call('POST', '/households', { name: 'Elsewhere' }),
    list: (witness: Witness) => witness.call('GET', '/transactions?view=tracked'),
  };

  for (const { name, check, refused } of FILES) {
    for (const fault of ['gone', 'something else'] as const) {
      it(`refuses a ${refused}, and heals, after its file was ${fault}`, async () => {
        const witness = await Witness.start(directory);
        await witness.server.ready();
        const moved = fault === 'gone' ? [name] : [name, `${name}-wal`, `${name}-shm`];
        for (const file of moved) renameSync(join(directory, file), join(directory, `${file}.elsewhere`));
        if (fault === 'something else') writeFileSync(join(directory, name), 'no database '.repeat(2_000));
        await witness.becomes('/health/ready', 503);
        assert.ok((await witness.failingChecks()).includes(check));
        assertUnavailable(await until503(() => CALLS[refused](witness)));
        for (let count = 0; count < 10; count++) await witness.spend();
        for (const call of Object.values(CALLS)) await call(witness);
        for (const file of moved) renameSync(join(directory, `${file}.elsewhere`), join(directory, file));
        await witness.becomes('/health/ready', 200);
        await witness.confirm(directory);
      });
    }
  }
});

/** An id that counts as refused until it is known to be recorded. */
function freshIdOf(witness: Witness): string {
  const id = freshId();
  witness.refused.add(id);
  return id;
}

async function until503(call: () => Promise<Answer>): Promise<Answer> {
  for (let count = 0; count < COMMANDS_MAX; count++) {
    const answer = await call();
    if (answer.status === 503) return answer;
  }
  throw new Error('it was never refused');
}

/** Takes all the room that is left. */
function fill(file: string): void {
  for (let bytes = 1024 * 1024; bytes >= 4_096;) {
    try {
      appendFileSync(file, Buffer.alloc(bytes));
    } catch (error) {
      assert.equal((error as NodeJS.ErrnoException).code, 'ENOSPC');
      bytes /= 4;
    }
  }
}
