// Commands about read models that are handed to a server: none is lost, and none is done when nobody expects it.
import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { ulid } from 'ulid';
import { SqliteDocuments } from '#documents/sqlite/sqlite-documents';
import { SqliteEventStore } from '#event-store/sqlite/sqlite-event-store';
import { DataDirectoryLock } from '#runtime/data-directory-lock';
import { appendHistory } from '../bench/history.js';
import { LedgerProcess } from '../ledger-process.js';
import { ledger, ledgerJson, RunningLedger } from './ledger-program.scenario.js';

/** By then some thousand events are applied, and more are left. */
const LOG_BYTES_BEGUN = 4 * 1024 * 1024;

describe('ledger projections, handed to a server', () => {
  let directory: string;
  let file: string;
  let server: LedgerProcess;
  const environment = { LOG_LEVEL: 'info' };

  before(async () => {
    directory = mkdtempSync(join(tmpdir(), 'projections-commands-'));
    file = join(directory, 'projections-command.json');
    server = await LedgerProcess.start({ directory, environment });
    const token = await server.signUp(directory);
    await server.call('POST', '/months/2026-01', { token });
  });
  after(async () => {
    await server.end('SIGKILL');
    rmSync(directory, { recursive: true, force: true });
  });

  const status = () =>
    ledgerJson<{ generation: number; rebuild: object | null }>(['projections', 'status'], { directory });
  const generation = async (): Promise<number> => (await status()).generation;

  it('is taken back when the program is interrupted', async () => {
    server.child.kill('SIGSTOP');
    const running = new RunningLedger(['projections', 'rebuild'], { directory });
    await running.until(() => existsSync(file));
    running.child.kill('SIGINT');
    assert.equal((await running.ended()).code, 1);
    assert.ok(!existsSync(file));
    server.child.kill('SIGCONT');
  });

  it('is not done by a server that starts later', async () => {
    const former = await generation();
    await server.end('SIGKILL');
    const command = { command: 'rebuild', projection: null, household: null, to: null };
    writeFileSync(file, JSON.stringify({ id: 'left', writtenAt: Date.now(), command }));
    server = await LedgerProcess.start({ directory, environment });
    await server.until(async () => !existsSync(file), 'to discard the command');
    await server.until(async () => server.said.includes('a command was discarded'), 'to say so');
    const { generation: live, rebuild } = await status();
    assert.deepEqual([live, rebuild], [former, null]);
  });

  it('is not lost when another one is given at the same time', async () => {
    const former = await generation();
    // Else it may have taken the command before that was seen.
    server.child.kill('SIGSTOP');
    const rebuild = new RunningLedger(['projections', 'rebuild'], { directory });
    try {
      await rebuild.until(() => existsSync(file));
    } finally {
      server.child.kill('SIGCONT');
    }
    const dropped = await ledger(['projections', 'drop'], { directory });
    const rebuilt = await rebuild.ended();
    assert.equal(rebuilt.code, 0, rebuilt.stderr);
    assert.equal(await generation(), former + 1);
    if (dropped.code !== 0) assert.match(dropped.stderr, /A rebuild is running/);
  });

  it('says where there is nothing to drop', async () => {
    assert.equal((await ledger(['projections', 'rebuild'], { directory })).code, 0);
    const said: string[] = [];
    for (let times = 0; times < 2; times++) {
      said.push((await ledger(['projections', 'drop'], { directory })).stdout);
    }
    assert.match(said[0]!, /^Removed all read models except the live ones\.$/m);
    assert.match(said[1]!, /^Nothing to remove/m);
  });

  it('tells of a moment only where one was asked for', async () => {
    assert.equal((await ledger(['projections', 'rebuild'], { directory })).code, 0);
    const of = (...args: string[]) =>
      ledgerJson<{ inspected: string[] }>(['projections', ...args], { directory });
    assert.equal((await of('rebuild', '--to', '2026-01-31')).inspected.length, 1);
    assert.deepEqual((await of('roll-back')).inspected, []);
  });

  it('is done by the program when what held the directory ends without a look', async () => {
    assert.equal(await server.end('SIGTERM'), 0);
    const former = await generation();
    const lock = DataDirectoryLock.take(directory);
    const running = new RunningLedger(['projections', 'rebuild'], { directory });
    try {
      await running.until(() => existsSync(file));
    } finally {
      lock.release();
    }
    const { code, stderr } = await running.ended();
    assert.equal(code, 0, stderr);
    assert.ok((await generation()) > former);
    assert.ok(!existsSync(file));
  });
});

describe('ledger projections, done by the program', () => {
  it('says when it is interrupted that the work is not ended, and takes it up again', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'projections-interrupted-'));
    const store = SqliteEventStore.open({ file: join(directory, 'events.db') });
    const householdIds = Array.from({ length: 5 }, () => ulid());
    const history = { userId: ulid(), eventsPerHousehold: 6_000, mix: 'created', months: 12 } as const;
    await appendHistory(store, { householdIds, ...history });
    await store.close();
    await SqliteDocuments.open({ directory }).close();
    const running = new RunningLedger(['projections', 'rebuild'], { directory });
    const log = join(directory, 'views.db-wal');
    await running.until(() => (statSync(log, { throwIfNoEntry: false })?.size ?? 0) > LOG_BYTES_BEGUN);
    running.child.kill('SIGINT');
    const { code, stderr } = await running.ended();
    assert.equal(code, 1);
    assert.match(stderr, /^ledger: The work is not cancelled\. .* run the same command again\. /m);
    const again = await ledger(['projections', 'rebuild'], { directory });
    assert.deepEqual([again.code, again.stderr], [0, '']);
    rmSync(directory, { recursive: true });
  });
});
