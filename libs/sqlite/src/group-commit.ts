import { statSync } from 'node:fs';
import { closeDatabase, type Database } from './open-database.js';
import {
  SqliteUnavailable,
  breaksHandle,
  describeUnavailable,
  isBusy,
  isUnavailable,
  sqliteCode,
} from './unavailable.js';

/** The most jobs that share one commit; the others follow in the next one. */
export const JOBS_PER_COMMIT_MAX = 512;
/** The most jobs that wait; beyond it new ones are refused as unavailable. */
export const QUEUED_JOBS_MAX = 20_000;
/** The most bytes that wait, as far as jobs declare them. */
const QUEUED_BYTES_MAX = 64 * 1024 * 1024;
/** How long a job waits for a lock that another process holds. */
export const LOCK_WAIT_MS_MAX = 5_000;
/** How long a commit that failed is told by `requireHealth`, unless one has succeeded since. */
const FAILURE_TOLD_MS = 5_000;
const LOCK_RETRY_MS_FIRST = 2;
const LOCK_RETRY_MS_MAX = 100;

interface GroupCommitOptions {
  readonly file: string;
  /**
   * Opens the file; called by the constructor, and again when the handle is broken or the file was replaced.
   * Statements prepared on an earlier handle, and whatever was cached from it, are void then.
   */
  readonly open: () => Database;
  /** A transaction has begun, so that no other connection can write until it ends. Must not write itself. */
  readonly began?: (db: Database) => void;
  /** A transaction is durable, its jobs are about to be answered, and no other one has begun. Must not throw. */
  readonly committed?: () => void;
  /** A transaction was rolled back: whatever the jobs noted outside the database in this turn is void. */
  readonly rolledBack?: () => void;
  /** Instead of `LOCK_WAIT_MS_MAX`. */
  readonly lockWaitMsMax?: number;
  /** Instead of `FAILURE_TOLD_MS`. */
  readonly failureToldMs?: number;
}

interface JobOptions {
  /**
   * The job's own errors (all but SQLite's) are thrown before it writes anything. Without this promise such an
   * error costs a second run of the whole batch.
   */
  readonly refusesFirst?: boolean;
  /** Counts against `QUEUED_BYTES_MAX`. */
  readonly bytes?: number;
}

/**
 * A write. It may run several times, and only the writes of its last run stay, so it changes nothing but the
 * database and what `rolledBack` forgets. It must not begin or end transactions.
 */
export type Job<T> = (db: Database) => T;

interface QueuedJob {
  readonly run: Job<unknown>;
  readonly refusesFirst: boolean;
  readonly bytes: number;
  readonly queuedAt: number;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

type Outcome = { readonly value: unknown } | { readonly error: unknown };

/** A job broke its batch: the batch is rolled back and runs again with a savepoint around each job. */
class BatchSpoilt extends Error {
  override readonly name = 'BatchSpoilt';
}

/**
 * Writes of one turn of the event loop in one transaction, so that many of them share one sync to the disk.
 *
 * Each job's promise settles after the commit. A job that throws gets its error and does not touch the others.
 * While the file is locked by another process the jobs wait, at most `LOCK_WAIT_MS_MAX`. Whatever fails, the
 * next batch begins afresh, on a new handle if need be.
 */
export class GroupCommit {
  private handle: Database;
  private identity: string;
  private broken = false;
  /** Why the latest commit failed, and when; null when it did not. */
  private failure: { readonly reason: SqliteUnavailable; readonly at: number } | null = null;
  private queue: QueuedJob[] = [];
  private queuedBytes = 0;
  private wake: NodeJS.Immediate | NodeJS.Timeout | undefined;
  private lockRetryMs = LOCK_RETRY_MS_FIRST;
  private closed: Promise<void> | undefined;
  private drained: (() => void) | undefined;
  private commitCount = 0;

  /** @throws DatabaseRefused */
  constructor(private readonly options: GroupCommitOptions) {
    this.handle = options.open();
    this.identity = fileIdentity(options.file);
  }

  /** Transactions committed so far. */
  get commits(): number {
    return this.commitCount;
  }

  /** Jobs that wait for their commit. */
  get queued(): number {
    return this.queue.length;
  }

  /** Queues a job. @throws SqliteUnavailable, or what the job throws */
  run<T>(job: Job<T>, { refusesFirst = false, bytes = 0 }: JobOptions = {}): Promise<T> {
    if (this.closed !== undefined) return Promise.reject(new SqliteUnavailable('the database is closing'));
    const refusal = queueRefusal(this.queue.length, this.queuedBytes, bytes);
    if (refusal !== null) return Promise.reject(refusal);
    return new Promise<T>((resolve, reject) => {
      this.queuedBytes += bytes;
      this.queue.push({
        run: job,
        refusesFirst,
        bytes,
        queuedAt: performance.now(),
        resolve: value => resolve(value as T),
        reject,
      });
      this.wake ??= setImmediate(this.flush);
    });
  }

  /**
   * The handle for reading; a statement may wait for nothing longer than `BUSY_TIMEOUT_MS`.
   * @throws SqliteUnavailable when it is broken or closed and the file cannot be opened anew
   */
  reader(): Database {
    if (this.broken) this.reopen();
    if (!this.handle.isOpen) throw new SqliteUnavailable('the database is closed');
    return this.handle;
  }

  /** Tells of an error met while reading, so that a broken handle is replaced. */
  noteReadError(error: unknown): void {
    if (breaksHandle(error)) this.broken = true;
  }

  /** @throws SqliteUnavailable when the file is gone, replaced by one that cannot be opened, or not readable */
  requireFile(): void {
    const identity = fileIdentity(this.options.file);
    if (identity !== this.identity) this.broken = true;
    this.reader();
  }

  /**
   * For those who decide whether work is to be sent here. A full disk shows in nothing but commits that fail; since
   * none may come while it is told, it is told for a while only.
   * @throws SqliteUnavailable as `requireFile`, and when the latest commit failed within `FAILURE_TOLD_MS`
   */
  requireHealth(): void {
    this.requireFile();
    const { failureToldMs = FAILURE_TOLD_MS } = this.options;
    if (this.failure !== null && performance.now() - this.failure.at < failureToldMs)
      throw this.failure.reason;
  }

  /** Commits what is queued, then closes the handle. New jobs are refused. */
  close(): Promise<void> {
    this.closed ??= this.drain();
    return this.closed;
  }

  private async drain(): Promise<void> {
    if (this.queue.length > 0) await new Promise<void>(resolve => (this.drained = resolve));
    closeDatabase(this.handle);
  }

  private readonly flush = (): void => {
    this.wake = undefined;
    let batch: QueuedJob[] = [];
    try {
      this.requireFile();
      this.begin();
      batch = this.take();
      const outcomes = this.runBatch(batch);
      this.handle.exec('COMMIT');
      this.commitCount += 1;
      this.lockRetryMs = LOCK_RETRY_MS_FIRST;
      this.failure = null;
      this.answer(batch, outcomes);
    } catch (error) {
      this.abandon(batch, error);
    }
    this.continue();
  };

  private answer(batch: readonly QueuedJob[], outcomes: readonly Outcome[]): void {
    try {
      this.options.committed?.();
    } finally {
      settle(batch, outcomes);
    }
  }

  /** Goes on with what is still queued: at once, or after a pause while another process holds the lock. */
  private continue(): void {
    if (this.queue.length === 0) this.drained?.();
    else if (this.lockRetryMs === LOCK_RETRY_MS_FIRST) this.wake ??= setImmediate(this.flush);
    else this.wake ??= setTimeout(this.flush, this.lockRetryMs);
  }

  private begin(): void {
    this.handle.exec('BEGIN IMMEDIATE');
    this.options.began?.(this.handle);
  }

  private take(): QueuedJob[] {
    const batch =
      this.queue.length <= JOBS_PER_COMMIT_MAX ? this.queue : this.queue.slice(0, JOBS_PER_COMMIT_MAX);
    this.queue = batch === this.queue ? [] : this.queue.slice(JOBS_PER_COMMIT_MAX);
    for (const job of batch) this.queuedBytes -= job.bytes;
    return batch;
  }

  private runBatch(batch: readonly QueuedJob[]): Outcome[] {
    try {
      return batch.map(job => this.runBare(job));
    } catch (error) {
      if (!(error instanceof BatchSpoilt)) throw error;
    }
    this.handle.exec('ROLLBACK');
    this.options.rolledBack?.();
    this.begin();
    return batch.map(job => this.runInSavepoint(job));
  }

  private runBare(job: QueuedJob): Outcome {
    try {
      return { value: job.run(this.handle) };
    } catch (error) {
      if (isUnavailable(error)) throw error;
      if (job.refusesFirst && sqliteCode(error) === undefined) return { error };
      throw new BatchSpoilt('a job failed after writing');
    }
  }

  private runInSavepoint(job: QueuedJob): Outcome {
    this.handle.exec('SAVEPOINT job');
    try {
      const value = job.run(this.handle);
      this.handle.exec('RELEASE job');
      return { value };
    } catch (error) {
      if (isUnavailable(error)) throw error;
      this.handle.exec('ROLLBACK TO job; RELEASE job');
      return { error };
    }
  }

  /** Nothing of the batch was committed. */
  private abandon(batch: QueuedJob[], error: unknown): void {
    this.rollback();
    if (breaksHandle(error)) this.broken = true;
    if (isBusy(error)) {
      this.queue = [...batch, ...this.queue];
      for (const job of batch) this.queuedBytes += job.bytes;
      this.lockRetryMs = Math.min(this.lockRetryMs * 2, LOCK_RETRY_MS_MAX);
      this.rejectQueued(error, performance.now() - (this.options.lockWaitMsMax ?? LOCK_WAIT_MS_MAX));
      return;
    }
    const reason = isUnavailable(error) ? unavailable(error) : error;
    // Whether the file is there is looked at anew whenever somebody asks.
    if (reason instanceof SqliteUnavailable && sqliteCode(error) !== undefined) this.failed(reason);
    for (const job of batch) job.reject(reason);
    if (batch.length === 0) this.rejectQueued(error, Number.POSITIVE_INFINITY);
  }

  private failed(reason: SqliteUnavailable): void {
    this.failure = { reason, at: performance.now() };
  }

  /** Rejects the jobs that were queued up to a time; the queue is in the order of time. */
  private rejectQueued(error: unknown, queuedUpTo: number): void {
    let count = this.queue.findIndex(job => job.queuedAt > queuedUpTo);
    if (count === -1) count = this.queue.length;
    const rejected = this.queue.slice(0, count);
    this.queue = this.queue.slice(count);
    for (const job of rejected) {
      this.queuedBytes -= job.bytes;
      job.reject(isUnavailable(error) ? unavailable(error) : error);
    }
    if (this.queue.length === 0) this.lockRetryMs = LOCK_RETRY_MS_FIRST;
  }

  private rollback(): void {
    try {
      // On some errors SQLite has rolled back by itself.
      if (this.handle.isOpen && this.handle.isTransaction) this.handle.exec('ROLLBACK');
    } catch {
      this.broken = true;
    }
    this.options.rolledBack?.();
  }

  /** @throws SqliteUnavailable, DatabaseRefused */
  private reopen(): void {
    if (this.closed !== undefined && !this.handle.isOpen)
      throw new SqliteUnavailable('the database is closed');
    const identity = fileIdentity(this.options.file);
    if (this.handle.isOpen) this.handle.close();
    this.handle = this.options.open();
    this.identity = identity;
    this.broken = false;
    this.options.rolledBack?.();
  }
}

/**
 * Why one more write may not wait behind others; null where it may. Behind none it may be of any size.
 * @param jobs how many wait
 * @param bytes how many these have
 * @param more bytes of the one
 */
export function queueRefusal(jobs: number, bytes: number, more: number): SqliteUnavailable | null {
  const fits = jobs < QUEUED_JOBS_MAX && (bytes === 0 || bytes + more <= QUEUED_BYTES_MAX);
  return fits ? null : new SqliteUnavailable('too many writes are waiting');
}

function settle(batch: readonly QueuedJob[], outcomes: readonly Outcome[]): void {
  for (const [index, job] of batch.entries()) {
    const outcome = outcomes[index];
    if (outcome === undefined) continue;
    if ('error' in outcome) job.reject(outcome.error);
    else job.resolve(outcome.value);
  }
}

/**
 * Which file the name stands for. A removed or replaced file would take writes without complaint and lose them.
 * @throws SqliteUnavailable
 */
function fileIdentity(file: string): string {
  try {
    const found = statSync(file);
    if (found.size > 0) return `${found.dev}:${found.ino}`;
  } catch (error) {
    throw new SqliteUnavailable('the database file was removed', { cause: error });
  }
  throw new SqliteUnavailable('the database file was emptied');
}

function unavailable(error: unknown): SqliteUnavailable {
  if (error instanceof SqliteUnavailable) return error;
  return new SqliteUnavailable(describeUnavailable(error), { cause: error });
}
