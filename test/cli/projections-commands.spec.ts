// Commands about read models that are sent to a server.
import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { ulid } from 'ulid';
import { LEDGER_FILE, LedgerDatabase } from '#storage/sqlite/ledger-database';
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
    ledgerJson<{ version: number; rebuild: object | null }>(['projections', 'status'], { directory });
  const version = async (): Promise<number> => (await status()).version;

  it('reaches the server that replaced a killed one, and only by its own user', async () => {
    const former = await version();
    await server.end('SIGKILL');
    assert.ok(existsSync(file), 'the killed server left its socket');
    server = await LedgerProcess.start({ directory, environment });
    const { code, stderr } = await ledger(['projections', 'rebuild'], { directory });
    assert.deepEqual([code, stderr], [0, '']);
    assert.equal(statSync(file).mode & 0o777, 0o600);
    assert.equal(await version(), former + 1);
  });

  it('joins the rebuild that is asked for at the same time', async () => {
    const former = await version();
    const rebuilds = [1, 2].map(() =>
      ledgerJson<{ id: string; version: number; seconds: number }>(['projections', 'rebuild'], { directory }),
    );
    const [one, other] = await Promise.all(rebuilds);
    const rebuilt = new Set([one!.id, other!.id]).size;
    assert.equal(await version(), former + rebuilt, 'a second one begins only after the first has ended');
    assert.ok(one!.version > former && one!.seconds >= 0);
  });

  it('refuses to cancel a rebuild where none is running', async () => {
    const { code, stderr } = await ledger(['projections', 'give-up'], { directory });
    assert.deepEqual([code, stderr], [1, 'ledger: No rebuild is running.\n']);
  });

  it('is done by the program when what held the directory ends without a look', async () => {
    assert.equal(await server.end('SIGTERM'), 0);
    const former = await version();
    const lock = DataDirectoryLock.take(directory);
    const running = new RunningLedger(['projections', 'rebuild'], { directory });
    await pause(LOOKED_MS);
    lock.release();
    const { code, stderr } = await running.ended();
    assert.equal(code, 0, stderr);
    assert.ok((await version()) > former);
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
    const store = LedgerDatabase.open({ directory }).eventStore;
    const householdIds = Array.from({ length: 5 }, () => ulid());
    const history = { userId: ulid(), eventsPerHousehold: 6_000, mix: 'created', months: 12 } as const;
    await appendHistory(store, { householdIds, ...history });
    await store.close();
    const running = new RunningLedger(['projections', 'rebuild'], { directory });
    const log = join(directory, `${LEDGER_FILE}-wal`);
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
