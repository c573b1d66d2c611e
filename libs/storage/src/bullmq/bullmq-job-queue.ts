import { Queue, UnrecoverableError, Worker, type Job as BullJob, type JobsOptions } from 'bullmq';
import type { Redis } from 'ioredis';
import { within } from '#concurrency/within';
import {
  CLOSE_MS_MAX,
  ENQUEUE_MS_MAX,
  JobQueue,
  JobsUnavailable,
  PARKED_JOBS_MAX,
  PARKED_MS_MAX,
  RETRY_POLICY,
  checkName,
  checkJob,
  isPermanent,
  reasonOf,
  retryDelayMs,
  type JobHandler,
  type JobQueueOptions,
  type NewJob,
  type QueueStats,
} from '../jobs/job-queue.js';
import { Schedules } from '../jobs/schedules.js';
import {
  PatientRedis,
  failFastRedis,
  redisAddress,
  redisUnavailable,
  sentenceOf,
} from './redis-connection.js';

/** Begins the name of every key in Redis. */
const KEY_PREFIX = 'ledger';
/** BullMQ keeps a stream of events per queue, which is not read here. */
const EVENTS_KEPT_MAX = 100;
/** Job ids share BullMQ's key space with its own keys (`delayed`, `meta`, …) and must not be integers. */
const ID_PREFIX = 'job-';
/** How often dead processes are looked for, at the least. */
const STALLED_LOOK_MS_MAX = 5_000;
/** A running job whose process was silent for this long is run again. */
const LEASE_MS = 15_000;
/** The housekeeping that removes parked jobs, and how often it runs. */
const FORGET_PARKED = 'forget-parked';
export const FORGET_PARKED_EVERY_MS = 3_600_000;
/** How long a worker rests after Redis failed it. */
const WORKER_RETRY_MS = 500;
/** BullMQ ends jobs as well as connections in order; after that they are cut. */
const FREE_MS_MAX = 1_000;
/** How long Redis keeps what a ping writes. */
const PING_KEPT_MS = 1_000;
/** BullMQ orders jobs that wait by their time in milliseconds, with room for so many of the same. */
const SCORES_A_MS = 0x1000;
/** The most failures that are remembered as reported. */
const REPORTED_MAX = 20;
/** A schedule's claim ends a little before the next run is due, so that its own timer finds it free. */
const CLAIM_PART_OF_PERIOD = 0.9;

export interface BullmqJobQueueOptions extends JobQueueOptions {
  /** `redis://` or `rediss://`, with credentials where Redis asks for them. */
  readonly url: string;
  readonly prefix?: string;
  readonly leaseMs?: number;
}

const DEFAULTS = {
  prefix: KEY_PREFIX,
  retry: RETRY_POLICY,
  leaseMs: LEASE_MS,
  closeMs: CLOSE_MS_MAX,
  report: () => undefined,
};

/**
 * Jobs in Redis by BullMQ, run by whichever process has a worker for the queue.
 *
 * What requests wait for goes over a connection that fails fast; BullMQ's own `add` would hang for as long as
 * Redis is away, and a `Queue` made meanwhile never recovers, so one is made only when Redis answers.
 * Redis should run with `maxmemory-policy noeviction`, else it may drop jobs under memory pressure.
 */
export class BullmqJobQueue extends JobQueue {
  private readonly address: string;
  private readonly options: Required<Omit<BullmqJobQueueOptions, 'url'>>;
  private readonly redis: Redis;
  /** Settled once the first attempt to connect has ended, however it ended. */
  private readonly firstAttempt: Promise<void>;
  private readonly openWorkerRedis: () => PatientRedis;
  private workerRedis: PatientRedis | undefined;
  private readonly queues = new Map<string, Promise<Queue>>();
  private readonly workers = new Map<string, Worker>();
  private readonly running = new Set<Promise<void>>();
  private readonly schedules: Schedules;
  private lastFailure = 'not connected';
  /** What was reported since Redis last answered. */
  private readonly reported = new Set<string>();
  private closed: Promise<void> | undefined;

  /** Begins to connect; Redis may come later. @throws StoreUrlError */
  constructor({ url, ...options }: BullmqJobQueueOptions) {
    super();
    this.address = redisAddress(url);
    this.options = { ...DEFAULTS, ...options };
    this.redis = failFastRedis(url);
    this.redis.on('error', error => this.noteFailure(error));
    this.redis.on('ready', () => this.reported.clear());
    this.firstAttempt = new Promise(resolve => {
      for (const event of ['ready', 'close', 'end']) this.redis.once(event, () => resolve());
    });
    // A closure, so that no property of this object holds the password.
    this.openWorkerRedis = () => new PatientRedis(url);
    this.schedules = new Schedules((name, everyMs) => this.claimSchedule(name, everyMs), this.options.report);
  }

  async enqueue(job: NewJob): Promise<void> {
    checkJob(job);
    await this.ask(async () => this.add(await this.queue(job.queue), job));
  }

  process(queue: string, handler: JobHandler, { concurrency }: { readonly concurrency: number }): void {
    checkName(queue);
    if (this.workers.has(queue)) throw new RangeError(`queue ${queue} has a handler already`);
    if (this.workers.size === 0)
      this.schedules.add(FORGET_PARKED, FORGET_PARKED_EVERY_MS, () => this.forgetParked());
    const worker = new Worker(queue, job => this.track(handler, job), {
      connection: this.connectionOfWorkers(),
      prefix: this.options.prefix,
      concurrency,
      lockDuration: this.options.leaseMs,
      // It looks twice before it takes a process for dead.
      stalledInterval: Math.min(this.options.leaseMs, STALLED_LOOK_MS_MAX),
      // A job whose process died is run again as often as one that failed.
      maxStalledCount: this.options.retry.attemptsMax,
      runRetryDelay: WORKER_RETRY_MS,
      settings: { backoffStrategy: attempt => retryDelayMs(this.options.retry, attempt) },
    });
    worker.on('error', error => this.noteFailure(error));
    worker.on('failed', (job, error) => {
      if (job !== undefined) this.reportFailure(queue, job, error);
    });
    this.workers.set(queue, worker);
  }

  schedule(name: string, everyMs: number, handler: () => Promise<void>): void {
    this.schedules.add(name, everyMs, handler);
  }

  async stats(name: string): Promise<QueueStats> {
    return this.ask(async () => {
      const queue = await this.queue(name);
      const counts = await queue.getJobCounts('wait', 'delayed', 'active', 'failed');
      const { wait = 0, delayed = 0, active = 0, failed = 0 } = counts;
      return { pending: wait + delayed, running: active, parked: failed };
    });
  }

  /** With a write, since a Redis that is full, or a replica, answers everything else. */
  async ping(): Promise<void> {
    await this.ask(() => this.redis.set(`${this.options.prefix}:ping`, '1', 'PX', PING_KEPT_MS));
  }

  close(): Promise<void> {
    this.closed ??= this.finish();
    return this.closed;
  }

  private async finish(): Promise<void> {
    const stopped = this.schedules.stop();
    // Takes no more jobs; waits for running ones and records how they ended.
    const closed = [...this.workers.values()].map(worker => worker.close());
    // Settled: a job that fails ends the wait for itself alone.
    await within(Promise.allSettled([...this.running, stopped]), this.options.closeMs, () => undefined);
    const queues = [...this.queues.values()].map(async queue => (await queue).close());
    await within(Promise.allSettled([...closed, ...queues]), FREE_MS_MAX, () => undefined);
    this.workerRedis?.cut();
    this.redis.disconnect();
  }

  private async add(queue: Queue, { id }: NewJob): Promise<void> {
    const jobId = ID_PREFIX + id;
    // BullMQ keeps a parked job under its id and ignores a new one. Asked first: afterwards the new one may be parked.
    const state = await queue.getJobState(jobId);
    if (state === 'failed') await queue.remove(jobId);
    if (state === 'delayed' && (await this.isDueTooLate(queue, jobId))) {
      await (await queue.getJob(jobId))?.promote();
    }
    await queue.add(queue.name, {}, { ...this.jobOptions(), jobId });
  }

  /** Whether a job waits longer than any may: it was put there before the clock was set back. */
  private async isDueTooLate(queue: Queue, jobId: string): Promise<boolean> {
    const score = await this.redis.zscore(queue.toKey('delayed'), jobId);
    return Number(score) / SCORES_A_MS > Date.now() + RETRY_POLICY.delayMsMax;
  }

  /** BullMQ forgets old ones by itself only where another one is given up. */
  private async forgetParked(): Promise<void> {
    for (const name of this.workers.keys()) {
      await this.ask(async () => (await this.queue(name)).clean(PARKED_MS_MAX, PARKED_JOBS_MAX, 'failed'));
    }
  }

  private jobOptions(): JobsOptions {
    return {
      attempts: this.options.retry.attemptsMax,
      backoff: { type: 'custom' },
      removeOnComplete: true,
      removeOnFail: { count: PARKED_JOBS_MAX, age: PARKED_MS_MAX / 1_000 },
      stackTraceLimit: 0,
    };
  }

  private track(handler: JobHandler, job: BullJob): Promise<void> {
    const run = this.run(handler, job).finally(() => this.running.delete(run));
    this.running.add(run);
    return run;
  }

  /** BullMQ stores the message of what is thrown, so that is all that an error is. */
  private async run(handler: JobHandler, { id, attemptsStarted }: BullJob): Promise<void> {
    try {
      await handler({ id: ownId(id), attempt: attemptsStarted });
    } catch (error) {
      const reason = reasonOf(error);
      throw isPermanent(error) ? new UnrecoverableError(reason) : new Error(reason);
    }
  }

  private reportFailure(queue: string, job: BullJob, error: Error): void {
    const kind = job.finishedOn === undefined ? 'attempt-failed' : 'parked';
    this.options.report({
      kind,
      queue,
      id: ownId(job.id),
      attempt: job.attemptsStarted,
      reason: error.message,
    });
  }

  private async claimSchedule(name: string, everyMs: number): Promise<boolean> {
    const claimMs = Math.max(1, Math.floor(everyMs * CLAIM_PART_OF_PERIOD));
    const key = `${this.options.prefix}:schedule:${name}`;
    return (await this.ask(() => this.redis.set(key, '1', 'PX', claimMs, 'NX'))) === 'OK';
  }

  /** Runs commands over the connection that fails fast. @throws JobsUnavailable */
  private async ask<T>(commands: () => Promise<T>): Promise<T> {
    const answer = async (): Promise<T> => {
      await this.requireConnection();
      return commands();
    };
    try {
      return await within(answer(), ENQUEUE_MS_MAX, () => {
        throw new JobsUnavailable(`Redis at ${this.address} does not answer`);
      });
    } catch (error) {
      throw redisUnavailable(this.address, error);
    }
  }

  private async requireConnection(): Promise<void> {
    if (this.closed !== undefined) throw new JobsUnavailable('the job queue is closing');
    if (this.redis.status !== 'ready') await this.firstAttempt;
    if (this.redis.status === 'ready') return;
    throw redisUnavailable(this.address, new Error(this.lastFailure));
  }

  /** BullMQ's queue, made when it is first needed and Redis answers; forgotten again where that fails. */
  private queue(name: string): Promise<Queue> {
    let opening = this.queues.get(name);
    if (opening === undefined) {
      checkName(name);
      opening = this.openQueue(name);
      this.queues.set(name, opening);
      opening.catch(() => this.queues.delete(name));
    }
    return opening;
  }

  private async openQueue(name: string): Promise<Queue> {
    const queue = new Queue(name, {
      connection: this.redis,
      prefix: this.options.prefix,
      streams: { events: { maxLen: EVENTS_KEPT_MAX } },
    });
    queue.on('error', error => this.noteFailure(error));
    try {
      await queue.waitUntilReady();
      return queue;
    } catch (error) {
      await queue.close();
      throw error;
    }
  }

  private connectionOfWorkers(): PatientRedis {
    if (this.workerRedis === undefined) {
      this.workerRedis = this.openWorkerRedis();
      this.workerRedis.on('error', error => this.noteFailure(error));
    }
    return this.workerRedis;
  }

  /** Reports a failure once an outage, not for every attempt to reconnect. */
  private noteFailure(error: Error): void {
    const reason = sentenceOf(error);
    this.lastFailure = reason;
    if (this.reported.has(reason) || this.closed !== undefined) return;
    if (this.reported.size >= REPORTED_MAX) this.reported.clear();
    this.reported.add(reason);
    this.options.report({ kind: 'store', reason: `Redis at ${this.address}: ${reason}` });
  }
}

function ownId(jobId = ''): string {
  return jobId.slice(ID_PREFIX.length);
}
