import { randomUUID } from 'node:crypto';
import { GroupCommit } from '#sqlite/group-commit';
import type { Database } from '#sqlite/open-database';
import { describeUnavailable, isUnavailable } from '#sqlite/unavailable';
import { endsWithin, withinDeadline } from '../deadline.js';
import {
  CLOSE_MS_MAX,
  ENQUEUE_MS_MAX,
  FORGET_PARKED,
  FORGET_PARKED_EVERY_MS,
  JobQueue,
  JobsUnavailable,
  LEASE_MS,
  RETRY_POLICY,
  checkConcurrency,
  checkName,
  checkedJob,
  isPermanent,
  reasonOf,
  retryDelayMs,
  type Job,
  type JobHandler,
  type JobQueueOptions,
  type JobTrouble,
  type NewJob,
  type ParkedJob,
  type QueueStats,
  type RetryPolicy,
} from '../job-queue.js';
import { Schedules } from '../schedules.js';
import * as table from './jobs-table.js';

/** How long a queue rests after its file could not be read or written. */
const STORE_RETRY_MS = 1_000;
/** How long a queue sleeps at most before it looks at the clock, which may be set. */
const SLEEP_MS_MAX = 60_000;
/** How many times a lease is renewed before it would end. */
const RENEWALS_PER_LEASE = 3;

export interface SqliteJobQueueOptions extends JobQueueOptions {
  readonly file: string;
}

interface Worker {
  readonly queue: string;
  readonly handler: JobHandler;
  readonly concurrency: number;
  /** By the id of the job. */
  readonly running: Map<string, Promise<void>>;
  timer: NodeJS.Timeout | undefined;
  claiming: boolean;
  /** Something changed while jobs were being claimed. */
  again: boolean;
}

/** Owners in this process that are at work. */
const livingOwners = new Set<string>();

/**
 * Jobs in a SQLite file, run by the process that queues them. An enqueued job wakes its queue at once.
 *
 * Commits are not synced one by one (`NORMAL`), which the port allows: duties are recorded elsewhere first.
 */
export class SqliteJobQueue extends JobQueue {
  private readonly group: GroupCommit;
  private readonly owner = `${process.pid}.${randomUUID()}`;
  private readonly workers = new Map<string, Worker>();
  private readonly schedules: Schedules;
  private readonly retry: RetryPolicy;
  private readonly leaseMs: number;
  private readonly closeMs: number;
  private readonly report: (trouble: JobTrouble) => void;
  private readonly renewal: NodeJS.Timeout;
  private closed: Promise<void> | undefined;

  /** @throws DatabaseRefused */
  constructor({ file, retry, leaseMs, closeMs, report }: SqliteJobQueueOptions) {
    super();
    this.retry = retry ?? RETRY_POLICY;
    this.leaseMs = leaseMs ?? LEASE_MS;
    this.closeMs = closeMs ?? CLOSE_MS_MAX;
    this.report = report ?? (() => undefined);
    this.group = new GroupCommit({ file, open: () => table.openJobFile(file, false) });
    livingOwners.add(this.owner);
    table.releaseDead(this.group.reader(), isAlive, Date.now());
    this.schedules = new Schedules(() => Promise.resolve(true), this.report);
    this.renewal = setInterval(() => void this.renewLeases(), this.leaseMs / RENEWALS_PER_LEASE);
    this.renewal.unref();
  }

  async enqueue(job: NewJob): Promise<void> {
    const data = checkedJob(job);
    this.requireOpen();
    const { queue, id, notBefore } = job;
    const now = Date.now();
    const due = Math.max(now, notBefore ?? now);
    const write = this.write(db => table.insertJob(db, { queue, id, data, due }));
    await withinDeadline(write, ENQUEUE_MS_MAX, 'the job file did not take the job in time');
    const worker = this.workers.get(queue);
    if (worker !== undefined) void this.pump(worker);
  }

  process(queue: string, handler: JobHandler, { concurrency }: { readonly concurrency: number }): void {
    checkName(queue);
    checkConcurrency(concurrency);
    if (this.workers.has(queue)) throw new RangeError(`queue ${queue} has a handler already`);
    if (this.workers.size === 0)
      this.schedules.add(FORGET_PARKED, FORGET_PARKED_EVERY_MS, () => this.forgetParked());
    const worker: Worker = {
      queue,
      handler,
      concurrency,
      running: new Map(),
      timer: undefined,
      claiming: false,
      again: false,
    };
    this.workers.set(queue, worker);
    void this.pump(worker);
  }

  schedule(name: string, everyMs: number, handler: () => Promise<void>): void {
    this.schedules.add(name, everyMs, handler);
  }

  async stats(queue: string): Promise<QueueStats> {
    return this.read(db => table.countJobs(db, queue));
  }

  async parked(queue: string, limit: number): Promise<ParkedJob[]> {
    return this.read(db => table.listParked(db, queue, limit));
  }

  async ping(): Promise<void> {
    this.read(db => {
      this.group.requireHealth();
      db.prepare('SELECT 1 FROM jobs LIMIT 1').get();
    });
  }

  close(): Promise<void> {
    this.closed ??= this.finish();
    return this.closed;
  }

  private async forgetParked(): Promise<void> {
    await this.write(db => table.forgetParked(db, Date.now()));
  }

  private get closing(): boolean {
    return this.closed !== undefined;
  }

  private async finish(): Promise<void> {
    const workers = [...this.workers.values()];
    for (const worker of workers) clearTimeout(worker.timer);
    const runs = workers.flatMap(worker => [...worker.running.values()]);
    await endsWithin(Promise.all([...runs, this.schedules.stop()]), this.closeMs);
    clearInterval(this.renewal);
    livingOwners.delete(this.owner);
    await this.group.close();
  }

  /** Starts jobs while there are any due and hands free, then sleeps until the next one is due. */
  private async pump(worker: Worker): Promise<void> {
    if (worker.claiming) {
      worker.again = true;
      return;
    }
    worker.claiming = true;
    clearTimeout(worker.timer);
    try {
      do {
        worker.again = false;
        await this.claim(worker);
      } while (worker.again && worker.running.size < worker.concurrency && !this.closing);
    } catch (error) {
      this.report({ kind: 'store', reason: reasonOf(error) });
      this.sleep(worker, STORE_RETRY_MS);
    } finally {
      worker.claiming = false;
    }
  }

  /** @throws JobsUnavailable */
  private async claim(worker: Worker): Promise<void> {
    const { queue } = worker;
    const limit = worker.concurrency - worker.running.size;
    if (limit === 0 || this.closing) return;
    const { jobs, next } = await this.write(db => {
      const now = Date.now();
      const running = [...worker.running.keys()];
      const claim = { queue, owner: this.owner, now, leaseEnd: now + this.leaseMs, limit, running };
      const claimed = table.claimJobs(db, claim);
      const ids = claimed.map(job => job.id);
      return { jobs: claimed, next: table.nextDue(db, queue, [...running, ...ids]) };
    });
    // Claimed while closing: they stay claimed by an owner that no longer lives, so the next one runs them.
    if (this.closing) return;
    for (const job of jobs) this.start(worker, job);
    // With every hand busy the end of a job wakes the queue.
    if (jobs.length < limit && next !== null) this.sleep(worker, next - Date.now());
  }

  private sleep(worker: Worker, forMs: number): void {
    if (this.closing) return;
    clearTimeout(worker.timer);
    worker.timer = setTimeout(() => void this.pump(worker), Math.min(Math.max(forMs, 0), SLEEP_MS_MAX));
    worker.timer.unref();
  }

  private start(worker: Worker, job: Job): void {
    const run = this.run(worker, job).finally(() => {
      worker.running.delete(job.id);
      if (!this.closing) void this.pump(worker);
    });
    worker.running.set(job.id, run);
  }

  /** Never rejects: a result that cannot be recorded leaves the job to the end of its lease. */
  private async run({ queue, handler }: Worker, job: Job): Promise<void> {
    const run = { queue, id: job.id, owner: this.owner };
    try {
      const failure = await this.attempt(handler, job);
      if (failure === undefined) await this.write(db => table.removeDone(db, run));
      else await this.recordFailure(run, job, failure.error);
    } catch (error) {
      this.report({ kind: 'store', reason: reasonOf(error) });
    }
  }

  private async attempt(handler: JobHandler, job: Job): Promise<{ error: unknown } | undefined> {
    // It ran as often as it may, and each time its process died.
    if (job.attempt > this.retry.attemptsMax)
      return { error: new Error('its process died in every attempt') };
    try {
      await handler(job);
      return undefined;
    } catch (error) {
      return { error };
    }
  }

  private async recordFailure(run: table.Run, { id, attempt }: Job, error: unknown): Promise<void> {
    const reason = reasonOf(error);
    const isLast = attempt >= this.retry.attemptsMax || isPermanent(error);
    await this.write(db => {
      const now = Date.now();
      if (isLast) table.park(db, run, reason, now);
      else table.postpone(db, run, now + retryDelayMs(this.retry, attempt));
    });
    this.report({ kind: isLast ? 'parked' : 'attempt-failed', queue: run.queue, id, attempt, reason });
  }

  private async renewLeases(): Promise<void> {
    const { owner } = this;
    const runs = [...this.workers.values()].flatMap(({ queue, running }) =>
      Array.from(running.keys(), id => ({ queue, id, owner })),
    );
    if (runs.length === 0) return;
    try {
      await this.write(db => {
        for (const run of runs) table.extendLease(db, run, Date.now() + this.leaseMs);
      });
    } catch (error) {
      this.report({ kind: 'store', reason: reasonOf(error) });
    }
  }

  /** @throws JobsUnavailable */
  private requireOpen(): void {
    if (this.closing) throw new JobsUnavailable('the job queue is closing');
  }

  /** @throws JobsUnavailable */
  private async write<T>(job: (db: Database) => T): Promise<T> {
    try {
      return await this.group.run(job);
    } catch (error) {
      throw unavailable(error);
    }
  }

  /** @throws JobsUnavailable */
  private read<T>(query: (db: Database) => T): T {
    this.requireOpen();
    try {
      this.group.requireFile();
      return query(this.group.reader());
    } catch (error) {
      this.group.noteReadError(error);
      throw unavailable(error);
    }
  }
}

function unavailable(error: unknown): unknown {
  if (!isUnavailable(error)) return error;
  return new JobsUnavailable(`the job file: ${describeUnavailable(error)}`, { cause: error });
}

/** Whether the process of an owner still runs; owners are `PID.RANDOM`. */
function isAlive(owner: string): boolean {
  const pid = Number(owner.split('.')[0]);
  if (pid === process.pid) return livingOwners.has(owner);
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: it runs, under another user.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
