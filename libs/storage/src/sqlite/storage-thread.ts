import { Worker } from 'node:worker_threads';
import { StreamDeleted, WrongExpectedRevision, type EventTexts } from '../event-store/event-store.js';
import type { LedgerHandle, Stored } from './ledger-file.js';
import { SqliteUnavailable } from './unavailable.js';

const PROGRAM = new URL('./storage-program.js', import.meta.url);
/** The most jobs, and characters of them, that share one commit; the others follow in the next one. */
const JOBS_PER_COMMIT_MAX = 512;
const LENGTH_PER_COMMIT_MAX = 8 * 1024 * 1024;
/** The most jobs that wait, and characters of them; beyond it new ones are refused as unavailable. */
const QUEUED_JOBS_MAX = 20_000;
const QUEUED_LENGTH_MAX = 64 * 1024 * 1024;
/** How long a commit that failed is told by `requireHealth`, unless one has succeeded since. */
const FAILURE_TOLD_MS = 5_000;
/** The most that the thread's new objects may take, in MiB. */
const YOUNG_GENERATION_MIB = 16;

/** One statement, run for each row of values. */
export interface Run {
  readonly sql: string;
  /** How many values a row has; a statement without any runs once. */
  readonly width: number;
  /** The rows one behind the other. */
  readonly values: readonly Stored[];
}

/** Events for a stream, decided as `EventStore` says; without any, its deletion. */
export interface Append {
  readonly stream: string;
  readonly expected: number;
  readonly events: readonly { readonly id: string; readonly type: string }[];
  /** JSON of the events, in their order. */
  readonly texts: readonly EventTexts[];
}

/** What is written together or not at all: first the events, then the statements. */
export interface Job {
  readonly append: Append | null;
  readonly runs: readonly Run[];
  /** Empties the log afterwards, in which what was removed from the file is still to be found. */
  readonly truncates?: true;
}

export type Outcome =
  /**
   * `position` of the last event that was appended; `changes`: rows that each run wrote; `truncated`: whether the log was
   * emptied.
   */
  | {
      readonly kind: 'written';
      readonly position: number;
      readonly changes: readonly number[];
      readonly truncated?: boolean;
    }
  | { readonly kind: 'wrong-revision'; readonly actual: number }
  | { readonly kind: 'deleted' }
  /** A unique index holds the values already. `columns` as SQLite names them. */
  | { readonly kind: 'duplicate'; readonly columns: string }
  | { readonly kind: 'unavailable'; readonly reason: string; readonly code: number | undefined }
  | { readonly kind: 'bug'; readonly message: string; readonly stack: string | undefined };

/** Two texts of a unique index collided. */
export class DuplicateColumns extends Error {
  override readonly name = 'DuplicateColumns';
  constructor(readonly columns: string) {
    super(`unique constraint of ${columns}`);
  }
}

export type Written = Extract<Outcome, { readonly kind: 'written' }>;

/** A ledger's file that is open, as its documents and its events see it. */
export interface OpenLedger {
  readonly reader: LedgerHandle;
  /** Every write is refused. */
  readonly readOnly: boolean;
  /** Resolves when the job is on the disk. @throws as `StorageThread.run` */
  write(job: Job): Promise<Written>;
  /** @throws SqliteUnavailable, DatabaseRefused */
  requireHealth(): void;
  close(): Promise<void>;
}

interface QueuedJob {
  readonly job: Job;
  readonly length: number;
  readonly resolve: (written: Written) => void;
  readonly reject: (error: Error) => void;
}

/**
 * The thread that writes a ledger's file. Jobs that wait while it commits share the next commit, and so one sync to the
 * disk. It is started when it is needed, and again where it has ended.
 */
export class StorageThread {
  private worker: Worker | null = null;
  private queue: QueuedJob[] = [];
  private queuedLength = 0;
  /** What the thread has and has not answered yet. */
  private inFlight: QueuedJob[] = [];
  private wake: NodeJS.Immediate | undefined;
  private closing: Promise<void> | undefined;
  private drained: (() => void) | undefined;
  /** Why the latest commit failed, and when; null when it did not. */
  private failure: { readonly reason: SqliteUnavailable; readonly at: number } | null = null;
  private commitCount = 0;

  constructor(private readonly file: string) {}

  /** Transactions committed so far: many jobs share one. */
  get commits(): number {
    return this.commitCount;
  }

  /**
   * Resolves when the job is on the disk.
   * @throws SqliteUnavailable, WrongExpectedRevision, StreamDeleted, DuplicateColumns
   */
  run(job: Job): Promise<Written> {
    if (this.closing) return Promise.reject(new SqliteUnavailable('the database is closing'));
    const length = lengthOf(job);
    const fits = this.queue.length < QUEUED_JOBS_MAX && this.queuedLength + length <= QUEUED_LENGTH_MAX;
    // Behind none it may be of any size.
    if (!fits && this.queue.length > 0)
      return Promise.reject(new SqliteUnavailable('too many writes are waiting'));
    return new Promise((resolve, reject) => {
      this.queue.push({ job, length, resolve, reject });
      this.queuedLength += length;
      if (this.inFlight.length === 0) this.wake ??= setImmediate(this.send);
    });
  }

  /** A full disk shows in nothing but commits that fail. @throws SqliteUnavailable while the latest commit failed lately */
  requireHealth(): void {
    if (this.failure && performance.now() - this.failure.at < FAILURE_TOLD_MS) throw this.failure.reason;
  }

  /** Commits what is queued, then ends the thread. New jobs are refused. */
  close(): Promise<void> {
    this.closing ??= this.drain();
    return this.closing;
  }

  private async drain(): Promise<void> {
    if (this.queue.length + this.inFlight.length > 0)
      await new Promise<void>(resolve => (this.drained = resolve));
    const { worker } = this;
    if (worker === null) return;
    const ended = new Promise(resolve => worker.once('exit', resolve));
    worker.ref();
    worker.postMessage('close');
    await ended;
  }

  private readonly send = (): void => {
    this.wake = undefined;
    if (this.inFlight.length > 0) return;
    this.inFlight = this.take();
    if (this.inFlight.length === 0) return;
    try {
      this.worker ??= this.start();
      // An idle thread keeps no program from ending.
      this.worker.ref();
      this.worker.postMessage(this.inFlight.map(({ job }) => job));
    } catch (error) {
      this.fail(error instanceof Error ? error.message : String(error));
    }
  };

  private take(): QueuedJob[] {
    let [count, length] = [0, 0];
    for (const job of this.queue) {
      if (count === JOBS_PER_COMMIT_MAX || (count > 0 && length + job.length > LENGTH_PER_COMMIT_MAX)) break;
      count += 1;
      length += job.length;
    }
    this.queuedLength -= length;
    return this.queue.splice(0, count);
  }

  private start(): Worker {
    const worker = new Worker(PROGRAM, {
      workerData: this.file,
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_GENERATION_MIB },
    });
    let reason = 'the storage thread has ended';
    worker.on('message', (outcomes: readonly Outcome[]) => this.answered(outcomes));
    worker.on('error', error => (reason = `the storage thread failed: ${error.message}`));
    worker.on('exit', () => {
      this.worker = null;
      this.fail(reason);
    });
    return worker;
  }

  private answered(outcomes: readonly Outcome[]): void {
    const jobs = this.inFlight;
    this.inFlight = [];
    this.worker?.unref();
    this.commitCount += 1;
    this.failure = null;
    // First, so that the thread goes on while the answers are dealt with.
    this.send();
    for (const [at, { job, resolve, reject }] of jobs.entries()) {
      const outcome = outcomes[at]!;
      if (outcome.kind === 'written') resolve(outcome);
      else reject(this.errorOf(job, outcome));
    }
    this.continue();
  }

  private errorOf({ append }: Job, outcome: Exclude<Outcome, Written>): Error {
    switch (outcome.kind) {
      case 'wrong-revision':
        return new WrongExpectedRevision(append!.stream, append!.expected, outcome.actual);
      case 'deleted':
        return new StreamDeleted(append!.stream);
      case 'duplicate':
        return new DuplicateColumns(outcome.columns);
      case 'unavailable': {
        const reason = new SqliteUnavailable(outcome.reason);
        // Whether the file is there is looked at whenever somebody asks.
        if (outcome.code !== undefined) this.failure = { reason, at: performance.now() };
        return reason;
      }
      case 'bug': {
        const error = new Error(outcome.message);
        if (outcome.stack !== undefined) error.stack = outcome.stack;
        return error;
      }
    }
  }

  private fail(reason: string): void {
    const jobs = this.inFlight;
    this.inFlight = [];
    for (const { reject } of jobs) reject(new SqliteUnavailable(reason));
    if (this.queue.length > 0) this.wake ??= setImmediate(this.send);
    this.continue();
  }

  private continue(): void {
    if (this.queue.length + this.inFlight.length === 0) this.drained?.();
  }
}

function lengthOf({ append, runs }: Job): number {
  let length = 0;
  for (const { data, metadata } of append?.texts ?? []) length += data.length + metadata.length;
  for (const { values } of runs) {
    for (const value of values) if (typeof value === 'string') length += value.length;
  }
  return length;
}
