// Read models are rebuilt by the program that operators use, while the server answers queries and commands, is killed
// in the middle, and comes up again. Every acknowledged write must be seen by the next read all the time.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { monotonicFactory } from 'ulid';
import { HouseholdComparison } from '#engine/verify/household-comparison';
import { readProgress } from '#engine/rebuild/rebuild';
import { LedgerDatabase } from '#storage/sqlite/ledger-database';
import { SERVICE_COLLECTIONS } from '#runtime/ledger-runtime';
import { readActiveVersion, type ActiveVersion } from '#engine/versions/active-version';
import { HouseholdStreams } from '#engine/households/household-streams';
import { collectionsOf, readModelsOf } from '#engine/households/read-models';
import {
  createMonth,
  envelope,
  everyDocument,
  expense,
  freshId,
  CommandStreams,
} from '#engine/households/streams.scenario';
import { ledgerProcess, RunningLedger } from '../cli/ledger-program.scenario.js';
import { LedgerProcess } from '../ledger-process.js';

const OTHER_HOUSEHOLDS = 12;
const EVENTS_EACH = 400;
const WRITERS = 3;
/** Longer than anything takes on a busy machine; waiting ends with the condition. */
const WAIT_MS_MAX = 120_000;

describe('a rebuild beside a running server', () => {
  let directory: string;
  let server: LedgerProcess;
  let token: string;
  let household: string;
  const others: string[] = [];

  before(async () => {
    directory = mkdtempSync(join(tmpdir(), 'rebuild-'));
    server = await LedgerProcess.start({ directory });
    token = await server.signUp(directory);
    const me = await server.call('GET', '/me', { token });
    household = String(me.body['default_household_id']);
    await server.call('POST', '/months/2026-01', { token });
    await server.end('SIGTERM');
    others.push(...(await history(directory)));
    server = await LedgerProcess.start({ directory });
    await server.ready();
  });
  after(async () => {
    await server.end('SIGTERM');
    rmSync(directory, { recursive: true, force: true });
  });

  it('replaces the read models while queries and commands go on', async () => {
    const load = new HttpLoad(() => server, token);
    await load.proceed(20);
    const { code, stdout, stderr } = await ledgerProcess(['projections', 'rebuild'], { directory });
    assert.equal(code, 0, stderr);
    assert.match(
      stdout,
      /^The read models are rebuilt as version 2: [\d,]+ events applied, \d+ households verified, in \d.* (s|min)\.$/m,
    );
    await load.proceed(20);
    await load.stop();
    assert.deepEqual(load.wrong, []);
    const { active, rebuild, beside, dropping } = await activeIn(directory);
    assert.equal(active, 2);
    assert.deepEqual([rebuild, beside, dropping], [null, null, []]);
    const status = await ledgerProcess(['projections', 'status'], { directory });
    assert.match(status.stdout, /^Version +2\n/);
  });

  it('goes on after the server was killed in the middle', async () => {
    const load = new HttpLoad(() => server, token);
    await load.proceed(10);
    const running = new RunningLedger(['projections', 'rebuild', '--json'], { directory });
    await inTheMiddle(directory);
    load.pause();
    await server.end('SIGKILL');
    const { rebuild } = await activeIn(directory);
    assert.ok(rebuild, 'it was killed before the end');
    const { stdout: status } = await ledgerProcess(['projections', 'status'], { directory });
    assert.match(
      status,
      /^Rebuilding +version 3, [a-z]+: [\d,]+ events? applied, \d+ households? verified$/m,
    );
    server = await LedgerProcess.start({ directory });
    load.resume();
    const { code, stdout, stderr } = await running.ended();
    assert.equal(code, 0, stderr);
    assert.equal((JSON.parse(stdout) as { id: string }).id, rebuild.id);
    await load.proceed(20);
    await load.stop();
    assert.deepEqual(load.wrong, []);
    assert.equal((await activeIn(directory)).active, 3);
  });

  it('is gone on with by the program when the server died and does not come again', async () => {
    const running = new RunningLedger(['projections', 'rebuild', '--json'], { directory });
    await inTheMiddle(directory);
    await server.end('SIGKILL');
    const { rebuild } = await activeIn(directory);
    assert.ok(rebuild, 'it was killed before the end');
    try {
      await running.until(() => running.stdout !== '');
    } finally {
      running.child.kill('SIGKILL');
    }
    const { id, state } = JSON.parse((await running.ended()).stdout) as { id: string; state: string };
    assert.deepEqual([id, state], [rebuild.id, 'done']);
    server = await LedgerProcess.start({ directory });
    await server.ready();
    assert.equal((await activeIn(directory)).active, 4);
  });

  it('works without a server, and leaves documents that are what the events say, byte for byte', async () => {
    assert.equal(await server.end('SIGTERM'), 0);
    const before = await contents(directory);
    const { code, stdout, stderr } = await ledgerProcess(['projections', 'rebuild', '--json'], { directory });
    assert.equal(code, 0, stderr);
    assert.equal((JSON.parse(stdout) as { state: string }).state, 'done');
    const present = await contents(directory);
    assert.equal((await activeIn(directory)).active, 5);
    assert.deepEqual(present, before);
    assert.ok(present.size > 100);
    await assertRight(directory, [household, ...others]);
    server = await LedgerProcess.start({ directory });
    await server.ready();
    const load = new HttpLoad(() => server, token);
    await load.proceed(5);
    await load.stop();
    assert.deepEqual(load.wrong, []);
  });
});

/** Households with a history that gives a rebuild something to do. */
async function history(directory: string): Promise<string[]> {
  const { eventStore: store, documents } = LedgerDatabase.open({ directory });
  const models = readModelsOf(1);
  await documents.ensure(HouseholdStreams.collections(models));
  const streams = new CommandStreams(store, documents, models);
  const households = Array.from({ length: OTHER_HOUSEHOLDS }, freshId);
  await Promise.all(
    households.map(async id => {
      await streams.execute(id, createMonth('2026-01'), envelope());
      for (let i = 1; i < EVENTS_EACH; i++) {
        await streams.execute(id, expense(freshId(), { merchant: `Shop ${i % 20}` }), envelope());
      }
    }),
  );
  await streams.settle();
  await documents.close();
  await store.close();
  return households;
}

/** Posts transactions and reads each one back at once. */
class HttpLoad {
  private readonly ulid = monotonicFactory();
  private stopped = false;
  private paused = false;
  private answered = 0;
  private readonly working: Promise<void>[];
  readonly wrong: string[] = [];

  constructor(
    private readonly server: () => LedgerProcess,
    private readonly token: string,
  ) {
    this.working = Array.from({ length: WRITERS }, () => this.work());
  }

  /** From now on, a server that does not answer is no fault. */
  pause(): void {
    this.paused = true;
  }

  resume(): void {
    this.paused = false;
  }

  async proceed(answers: number): Promise<void> {
    const wanted = this.answered + answers;
    for (const deadline = Date.now() + WAIT_MS_MAX; this.answered < wanted; await pause(5)) {
      assert.ok(Date.now() < deadline, `only ${this.answered} of ${wanted}: ${this.wrong.join('; ')}`);
    }
  }

  async stop(): Promise<void> {
    this.stopped = true;
    await Promise.all(this.working);
  }

  private async work(): Promise<void> {
    while (!this.stopped) {
      const id = this.ulid();
      const { token } = this;
      const body = { id, type: 'expense', amount: 100, date: '2026-01-10', merchant: 'Bakery', splits: [] };
      try {
        const written = await this.server().call('POST', '/transactions', { token, body });
        if (written.status !== 201) this.note(`post ${written.status}`);
        else {
          const read = await this.server().call('GET', `/transactions/${id}`, { token });
          const list = await this.server().call('GET', '/transactions?view=untracked', { token });
          if (read.status !== 200) this.note(`get ${read.status}`);
          if (!JSON.stringify(list.body['transactions'] ?? []).includes(id)) this.note(`list without ${id}`);
          this.answered++;
        }
      } catch (error) {
        this.note(String(error));
      }
      await pause(5);
    }
  }

  private note(what: string): void {
    // A killed server answers nothing for a while, and then 503 until it is prepared.
    if (this.paused || /fetch failed|503/.test(what)) return;
    this.wrong.push(what);
  }
}

async function inTheMiddle(directory: string): Promise<void> {
  const { documents } = LedgerDatabase.open({ directory, readOnly: true });
  await documents.ensure(SERVICE_COLLECTIONS);
  const former = (await readProgress(documents))?.id;
  for (const deadline = Date.now() + WAIT_MS_MAX; ; await pause(2)) {
    const progress = await readProgress(documents);
    if (progress && progress.id !== former && progress.state === 'running') break;
    assert.ok(Date.now() < deadline, 'a rebuild began');
  }
  await documents.close();
}

async function activeIn(directory: string): Promise<ActiveVersion> {
  const { documents } = LedgerDatabase.open({ directory, readOnly: true });
  await documents.ensure(SERVICE_COLLECTIONS);
  const pointer = await readActiveVersion(documents);
  await documents.close();
  return pointer;
}

async function contents(directory: string): Promise<Map<string, string>> {
  const { documents } = LedgerDatabase.open({ directory, readOnly: true });
  await documents.ensure(SERVICE_COLLECTIONS);
  const models = readModelsOf((await readActiveVersion(documents)).active);
  await documents.ensure(collectionsOf(models));
  const found = await everyDocument(documents, models);
  await documents.close();
  return found;
}

async function assertRight(directory: string, households: readonly string[]): Promise<void> {
  const { eventStore: store, documents } = LedgerDatabase.open({ directory, readOnly: true });
  await documents.ensure(SERVICE_COLLECTIONS);
  const models = readModelsOf((await readActiveVersion(documents)).active);
  await documents.ensure(collectionsOf(models));
  for (const id of households) {
    const comparison = new HouseholdComparison(store, documents, models, id);
    for await (const difference of comparison.differences()) assert.fail(JSON.stringify(difference));
    assert.ok(comparison.documents > 0, id);
  }
  await documents.close();
  await store.close();
}
