import { StreamDeleted, WrongExpectedRevision } from '../event-store/event-store.js';
import { writeAppend } from './appends.js';
import { Connection, OpenHandle } from './connection.js';
import { EventTable } from './event-table.js';
import { openLedgerFile } from './ledger-file.js';
import type { Database } from './open-database.js';
import type { Job, Outcome, Run } from './storage-jobs.js';
import { describeUnavailable, isBusy, isUnavailable, sqliteCode } from './unavailable.js';

/** How long a batch waits for a lock that another process holds. */
export const LOCK_WAIT_MS_MAX = 5_000;
const LOCK_RETRY_MS = 20;
/** What the thread reads are mostly the pages that it changes. */
const CACHE_BYTES = 24 * 1024 * 1024;
const DUPLICATE = /^UNIQUE constraint failed: (.*)$/;

/** Writes batches of jobs, each batch in one durable transaction. A job that fails does not touch the others. */
export class BatchWriter {
  private readonly handle: OpenHandle;
  private connection!: Connection;
  private events!: EventTable;

  /** @throws DatabaseRefused */
  constructor(
    file: string,
    private readonly lockWaitMsMax = LOCK_WAIT_MS_MAX,
  ) {
    this.handle = new OpenHandle({ file, open: () => this.open(file) });
  }

  /** Returns when the batch is on the disk, or was not written. */
  write(jobs: readonly Job[]): readonly Outcome[] {
    const deadline = performance.now() + this.lockWaitMsMax;
    for (;;) {
      try {
        return this.commit(jobs);
      } catch (error) {
        this.rollback();
        this.handle.note(error);
        if (isBusy(error) && performance.now() < deadline) sleep(LOCK_RETRY_MS);
        else return jobs.map(() => failureOf(error));
      }
    }
  }

  close(): void {
    this.handle.close();
  }

  private open(file: string): Database {
    const db = openLedgerFile({ file, openInOtherThread: true, cacheBytes: CACHE_BYTES });
    this.connection = new Connection(db);
    this.events = new EventTable(db);
    return db;
  }

  private commit(jobs: readonly Job[]): readonly Outcome[] {
    this.handle.requireFile();
    const { db } = this.connection;
    db.exec('BEGIN IMMEDIATE');
    const outcomes = jobs.map(job => this.runInSavepoint(job));
    db.exec('COMMIT');
    if (!jobs.some(({ truncates }) => truncates)) return outcomes;
    const truncated = this.truncateLog();
    return outcomes.map(outcome => (outcome.kind === 'written' ? { ...outcome, truncated } : outcome));
  }

  /** @returns false where another connection reads */
  private truncateLog(): boolean {
    const [busy] = this.connection.rows({ sql: 'PRAGMA wal_checkpoint(TRUNCATE)', values: [] })[0] ?? [];
    return busy === 0;
  }

  private rollback(): void {
    const { db } = this.connection;
    // On some errors SQLite has rolled back by itself.
    if (db.isOpen && db.isTransaction) db.exec('ROLLBACK');
  }

  private runInSavepoint(job: Job): Outcome {
    const { db } = this.connection;
    db.exec('SAVEPOINT job');
    try {
      const outcome = this.run(job);
      db.exec('RELEASE job');
      return outcome;
    } catch (error) {
      if (isUnavailable(error)) throw error;
      db.exec('ROLLBACK TO job; RELEASE job');
      return failureOf(error);
    }
  }

  private run({ append, runs }: Job): Outcome {
    const position = append === null ? 0 : writeAppend(this.events, append);
    return { kind: 'written', position, changes: runs.map(each => this.runEach(each)) };
  }

  private runEach({ sql, width, values }: Run): number {
    const statement = this.connection.statement(sql);
    if (width === values.length) return statement.run(...values).changes;
    let changes = 0;
    for (let at = 0; at < values.length; at += width) {
      changes += statement.run(...values.slice(at, at + width)).changes;
    }
    return changes;
  }
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
