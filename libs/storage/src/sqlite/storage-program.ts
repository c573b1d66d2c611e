// The thread's side of `StorageThread`.
import { parentPort, workerData } from 'node:worker_threads';
import { StreamDeleted, WrongExpectedRevision } from '../event-store/event-store.js';
import { writeAppend } from './appends.js';
import { LedgerHandle, type Connection } from './ledger-file.js';
import type { Job, Outcome, Run } from './storage-thread.js';
import { describeUnavailable, isBusy, isUnavailable, sqliteCode } from './unavailable.js';

/** What the thread reads are mostly the pages that it changes. */
const CACHE_BYTES = 24 * 1024 * 1024;

/** How long a batch waits for a lock that another process holds. */
const LOCK_WAIT_MS_MAX = 5_000;
const LOCK_RETRY_MS = 20;
const DUPLICATE = /^UNIQUE constraint failed: (.*)$/;

const port = parentPort;
if (port === null) throw new Error('this program is started as a thread');
const handle = new LedgerHandle({
  file: String(workerData),
  openInOtherThread: true,
  cacheBytes: CACHE_BYTES,
});

port.on('message', (jobs: readonly Job[] | 'close') => {
  if (jobs !== 'close') return port.postMessage(writeBatch(jobs));
  handle.close();
  port.close();
});

/**
 * Writes a batch of jobs in one durable transaction. A job that fails does not touch the others.
 * @returns when the batch is on the disk, or was not written
 */
function writeBatch(jobs: readonly Job[]): readonly Outcome[] {
  const deadline = performance.now() + LOCK_WAIT_MS_MAX;
  for (;;) {
    try {
      handle.requireFile();
      return handle.use(connection => commit(connection, jobs));
    } catch (error) {
      if (isBusy(error) && performance.now() < deadline) sleep(LOCK_RETRY_MS);
      else return jobs.map(() => failureOf(error));
    }
  }
}

/** A job failed after it had written. */
class BatchSpoilt extends Error {}

function commit(connection: Connection, jobs: readonly Job[]): readonly Outcome[] {
  let outcomes: readonly Outcome[];
  try {
    outcomes = inTransaction(connection, jobs, runBare);
  } catch (error) {
    if (!(error instanceof BatchSpoilt)) throw error;
    outcomes = inTransaction(connection, jobs, runInSavepoint);
  }
  if (!jobs.some(({ truncates }) => truncates)) return outcomes;
  const truncated = truncateLog(connection);
  return outcomes.map(outcome => (outcome.kind === 'written' ? { ...outcome, truncated } : outcome));
}

function inTransaction(
  connection: Connection,
  jobs: readonly Job[],
  run: (connection: Connection, job: Job) => Outcome,
): readonly Outcome[] {
  const { db } = connection;
  db.exec('BEGIN IMMEDIATE');
  try {
    const outcomes = jobs.map(job => run(connection, job));
    db.exec('COMMIT');
    return outcomes;
  } catch (error) {
    // On some errors SQLite has rolled back by itself.
    if (db.isOpen && db.isTransaction) db.exec('ROLLBACK');
    throw error;
  }
}

/** Without a savepoint, for which SQLite would copy each page before it changes: twice the time of a large put. */
function runBare(connection: Connection, job: Job): Outcome {
  try {
    return runJob(connection, job);
  } catch (error) {
    // Decided before anything was written.
    if (error instanceof WrongExpectedRevision || error instanceof StreamDeleted) return failureOf(error);
    if (isUnavailable(error)) throw error;
    throw new BatchSpoilt();
  }
}

function runInSavepoint(connection: Connection, job: Job): Outcome {
  const { db } = connection;
  db.exec('SAVEPOINT job');
  try {
    const outcome = runJob(connection, job);
    db.exec('RELEASE job');
    return outcome;
  } catch (error) {
    if (isUnavailable(error)) throw error;
    db.exec('ROLLBACK TO job; RELEASE job');
    return failureOf(error);
  }
}

function runJob(connection: Connection, { append, runs }: Job): Outcome {
  const position = append === null ? 0 : writeAppend(connection, append);
  return { kind: 'written', position, changes: runs.map(run => runEach(connection, run)) };
}

function runEach(connection: Connection, { sql, width, values }: Run): number {
  const statement = connection.statement(sql);
  if (width === values.length) return statement.run(...values).changes;
  let changes = 0;
  for (let at = 0; at < values.length; at += width) {
    changes += statement.run(...values.slice(at, at + width)).changes;
  }
  return changes;
}

/** @returns false where another connection reads */
function truncateLog(connection: Connection): boolean {
  const [busy] = connection.row({ sql: 'PRAGMA wal_checkpoint(TRUNCATE)', values: [] }) ?? [];
  return busy === 0;
}

function failureOf(error: unknown): Outcome {
  if (error instanceof WrongExpectedRevision) return { kind: 'wrong-revision', actual: error.actual };
  if (error instanceof StreamDeleted) return { kind: 'deleted' };
  if (isUnavailable(error))
    return { kind: 'unavailable', reason: describeUnavailable(error), code: sqliteCode(error) };
  const { message, stack } = error instanceof Error ? error : new Error(String(error));
  const columns = DUPLICATE.exec(message)?.[1];
  return columns === undefined ? { kind: 'bug', message, stack } : { kind: 'duplicate', columns };
}

/** Blocks the thread, which has nothing else to do. */
function sleep(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}
