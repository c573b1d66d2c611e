import type { Worker } from 'node:worker_threads';
import { startDatabaseThread } from '#sqlite/database-thread';
import { queueRefusal } from '#sqlite/group-commit';
import { SqliteUnavailable } from '#sqlite/unavailable';
import {
  columnsOf,
  resultOf,
  type AppendOutcome,
  type ThreadAnswer,
  type ThreadRequest,
} from './append-messages.js';
import type { ToldAppend } from './appended-batch.js';
import type { Written } from './appends.js';
import type { Committed } from './event-log.js';

/**
 * The thread has at most this many batches: enough that it need not wait while the process that hands them over does
 * something else, and few enough that appends gather meanwhile and share a commit.
 */
export const FLIGHTS_MAX = 2;
/** The most appends that cross to the thread at once. */
const BATCH_APPENDS_MAX = 512;
/** The same in length of their texts; a batch ends with the append that takes it beyond. */
const BATCH_SIZE_MAX = 4 * 1024 * 1024;
/** The most that new objects of the thread may take, in MiB: what it is sent is written at once. */
const YOUNG_GENERATION_MIB = 12;
const PROGRAM = new URL('./append-thread-program.js', import.meta.url);

interface Waiting {
  readonly append: ToldAppend;
  readonly resolve: (written: Written) => void;
  readonly reject: (error: Error) => void;
}

interface HealthQuestion {
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

/**
 * Appends in a thread of its own, so that no request waits for SQLite's pages and the disk. The first append starts it,
 * or the first question about its health. One that ends between two of its jobs is started again in the same way;
 * whether the appends that it had were written is then not known. One that is ended in the middle of a job takes the
 * process with it: SQLite's binding aborts.
 */
export class AppendThread {
  private worker: Worker | null = null;
  private queue: Waiting[] = [];
  /** What the thread has and has not answered, the oldest first. */
  private flights: (readonly Waiting[])[] = [];
  private questions: HealthQuestion[] = [];
  private waitingAppends = 0;
  private waitingSize = 0;
  private wake: NodeJS.Immediate | undefined;
  private commitCount = 0;
  private closed: Promise<void> | undefined;
  private drained: (() => void) | undefined;

  /** @param committed is told of appends that are durable, in the order of the store, before they are answered */
  constructor(
    private readonly file: string,
    private readonly committed: (appends: readonly Committed<ToldAppend>[]) => void,
  ) {}

  /** Durable commits of the present thread. */
  get commits(): number {
    return this.commitCount;
  }

  /** Nothing waits for its answer: what is in the file and was not told here, another process has written. */
  get isIdle(): boolean {
    return this.waitingAppends === 0;
  }

  /** @throws WrongExpectedRevision, SqliteUnavailable */
  append(append: ToldAppend): Promise<Written> {
    if (this.closed !== undefined) return Promise.reject(new SqliteUnavailable('the database is closing'));
    const refusal = queueRefusal(this.waitingAppends, this.waitingSize, append.size);
    if (refusal !== null) return Promise.reject(refusal);
    return new Promise((resolve, reject) => {
      this.waitingAppends += 1;
      this.waitingSize += append.size;
      this.queue.push({ append, resolve, reject });
      this.sendSoon();
    });
  }

  /** Resolves when the thread answers that it is well. @throws SqliteUnavailable */
  health(): Promise<void> {
    if (this.closed !== undefined) return Promise.reject(new SqliteUnavailable('the database is closing'));
    return new Promise((resolve, reject) => {
      const failure = this.post({ kind: 'health' });
      if (failure === null) this.questions.push({ resolve, reject });
      else reject(failure);
    });
  }

  /** Writes what waits, then ends the thread. New appends are refused. */
  close(): Promise<void> {
    this.closed ??= this.drain();
    return this.closed;
  }

  private async drain(): Promise<void> {
    if (!this.isIdle) await new Promise<void>(resolve => (this.drained = resolve));
    const { worker } = this;
    if (worker === null) return;
    const ended = new Promise<void>(resolve => worker.once('exit', () => resolve()));
    // It has nothing to do any more: ended from here, it is in no job.
    if (this.post({ kind: 'close' }) !== null) void worker.terminate();
    await ended;
  }

  private sendSoon(): void {
    if (this.flights.length < FLIGHTS_MAX) this.wake ??= setImmediate(this.send);
  }

  private readonly send = (): void => {
    this.wake = undefined;
    if (this.queue.length === 0 || this.flights.length >= FLIGHTS_MAX) return;
    const batch = this.take();
    const failure = this.post({ kind: 'append', columns: columnsOf(batch.map(({ append }) => append)) });
    if (failure === null) this.flights.push(batch);
    else this.lose(batch, failure);
    if (this.queue.length > 0) this.sendSoon();
  };

  private take(): readonly Waiting[] {
    let count = 0;
    for (let size = 0; count < this.queue.length && count < BATCH_APPENDS_MAX && size < BATCH_SIZE_MAX;) {
      size += this.queue[count]!.append.size;
      count += 1;
    }
    const batch = this.queue;
    this.queue = batch.splice(count);
    return batch;
  }

  /** @returns why it could not be sent; then the thread, if there is one, knows nothing of it */
  private post(request: ThreadRequest): SqliteUnavailable | null {
    try {
      this.worker ??= this.start();
      this.worker.postMessage(request);
      return null;
    } catch (cause) {
      return new SqliteUnavailable('the thread that writes events cannot be reached', { cause });
    }
  }

  private start(): Worker {
    return startDatabaseThread<ThreadAnswer>({
      program: PROGRAM,
      workerData: this.file,
      name: 'the thread that writes events',
      youngGenerationMib: YOUNG_GENERATION_MIB,
      answered: answer => this.answered(answer),
      ended: (worker, reason) => {
        if (this.worker !== worker) return;
        this.worker = null;
        this.loseAll(new SqliteUnavailable(reason));
      },
    });
  }

  private answered(answer: ThreadAnswer): void {
    if (answer.kind === 'health') {
      const question = this.questions.shift();
      if (answer.unavailable === null) question?.resolve();
      else question?.reject(new SqliteUnavailable(answer.unavailable));
      return;
    }
    this.commitCount = answer.commits;
    const batch = this.flights.shift() ?? [];
    // The next batch is on its way while this one is answered.
    this.send();
    this.settle(batch, answer.outcomes);
  }

  private settle(batch: readonly Waiting[], outcomes: readonly AppendOutcome[]): void {
    const results: (Written | Error)[] = [];
    const committed: Committed<ToldAppend>[] = [];
    for (const [at, { append }] of batch.entries()) {
      const result = resultOf(append, outcomes[at]);
      results.push(result);
      if (!(result instanceof Error)) committed.push({ append, written: result });
    }
    try {
      this.committed(committed);
    } finally {
      for (const [at, waiting] of batch.entries()) {
        this.release(waiting);
        const result = results[at]!;
        if (result instanceof Error) waiting.reject(result);
        else waiting.resolve(result);
      }
      if (this.isIdle) this.drained?.();
    }
  }

  /** Nobody answers what the thread had, nor what waits for it. */
  private loseAll(reason: SqliteUnavailable): void {
    const lost = [...this.flights.flat(), ...this.queue];
    const questions = this.questions;
    [this.flights, this.queue, this.questions] = [[], [], []];
    for (const { reject } of questions) reject(reason);
    this.lose(lost, reason);
  }

  private lose(lost: readonly Waiting[], reason: SqliteUnavailable): void {
    for (const waiting of lost) {
      this.release(waiting);
      waiting.reject(reason);
    }
    if (this.isIdle) this.drained?.();
  }

  private release({ append }: Waiting): void {
    this.waitingAppends -= 1;
    this.waitingSize -= append.size;
  }
}
