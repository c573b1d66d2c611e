// Commands about read models that are sent to a server.
import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { ulid } from 'ulid';
import { SqliteDocuments } from '#documents/sqlite/sqlite-documents';
import { SqliteEventStore } from '#event-store/sqlite/sqlite-event-store';
import { DataDirectoryLock } from '#runtime/data-directory-lock';
import { appendHistory } from '../bench/history.js';
import { LedgerProcess } from '../ledger-process.js';
import { ledger, ledgerJson, RunningLedger } from './ledger-program.scenario.js';

/** By then some thousand events are applied, and more are left. */
const LOG_BYTES_BEGUN = 4 * 1024 * 1024;
/** By then the program has looked for a server. */
const LOOKED_MS = 1_500;

describe('ledger projections, sent to a server', () => {
  let directory: string;
  let file: string;
  let server: LedgerProcess;
  const environment = { LOG_LEVEL: 'info' };

  before(async () => {
    directory = mkdtempSync(join(tmpdir(), 'projections-commands-'));
    file = join(directory, 'ledger.sock');
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

  it('reaches the server that replaced a killed one, and only by its own user', async () => {
    const former = await generation();
    await server.end('SIGKILL');
    assert.ok(existsSync(file), 'the killed server left its socket');
    server = await LedgerProcess.start({ directory, environment });
    const { code, stderr } = await ledger(['projections', 'rebuild'], { directory });
    assert.deepEqual([code, stderr], [0, '']);
    assert.equal(statSync(file).mode & 0o777, 0o600);
    assert.equal(await generation(), former + 1);
  });

  it('is not lost when another one is given at the same time', async () => {
    const former = await generation();
    const [rebuilt, dropped] = await Promise.all([
      ledger(['projections', 'rebuild'], { directory }),
      ledger(['projections', 'drop'], { directory }),
    ]);
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
    await pause(LOOKED_MS);
    lock.release();
    const { code, stderr } = await running.ended();
    assert.equal(code, 0, stderr);
    assert.ok((await generation()) > former);
    assert.ok(!existsSync(file));
  });

  it('says so when what holds the directory does not respond', async () => {
    const lock = DataDirectoryLock.take(directory);
    const { code, stderr } = await ledger(['projections', 'rebuild'], { directory });
    lock.release();
    assert.equal(code, 1);
    assert.match(stderr, /^ledger: The data directory is in use, but its server does not respond\. .*\n$/);
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
