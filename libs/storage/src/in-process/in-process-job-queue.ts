import { within } from '#concurrency/within';
import {
  CLOSE_MS_MAX,
  JobQueue,
  JobsUnavailable,
  PARKED_JOBS_MAX,
  PARKED_MS_MAX,
  RETRY_POLICY,
  checkJob,
  checkName,
  isPermanent,
  reasonOf,
  retryDelayMs,
  type Job,
  type JobHandler,
  type JobQueueOptions,
  type NewJob,
  type QueueStats,
} from '../jobs/job-queue.js';
import { Schedules } from '../jobs/schedules.js';

/** The most jobs that a queue holds; what is refused beyond it, a sweep queues again. */
export const JOBS_MAX = 20_000;

interface Worker {
  readonly handler: JobHandler;
  readonly concurrency: number;
}

interface Queue {
  readonly name: string;
  /** The ids of all jobs that are pending or running. */
  readonly ids: Set<string>;
  /** In the order in which they run. */
  readonly ready: Job[];
  readonly running: Set<Promise<void>>;
  /** When each was given up, in milliseconds since the epoch, in that order. */
  readonly parked: Map<string, number>;
  worker: Worker | null;
}

/** Jobs in the memory of the process that runs them. They are gone when it ends. */
export class InProcessJobQueue extends JobQueue {
  private readonly queues = new Map<string, Queue>();
  private readonly schedules: Schedules;
  private readonly options: Required<JobQueueOptions>;
  private closed: Promise<void> | undefined;

  constructor({
    retry = RETRY_POLICY,
    closeMs = CLOSE_MS_MAX,
    report = () => undefined,
  }: JobQueueOptions = {}) {
    super();
    this.options = { retry, closeMs, report };
    this.schedules = new Schedules(() => Promise.resolve(true), report);
  }

  async enqueue(job: NewJob): Promise<void> {
    checkJob(job);
    this.requireOpen();
    const queue = this.queue(job.queue);
    if (queue.ids.has(job.id)) return;
    if (queue.ids.size >= JOBS_MAX) throw new JobsUnavailable(`the queue holds ${JOBS_MAX} jobs already`);
    queue.parked.delete(job.id);
    queue.ids.add(job.id);
    this.run(queue, { id: job.id, attempt: 1 });
  }

  process(name: string, handler: JobHandler, { concurrency }: { readonly concurrency: number }): void {
    checkName(name);
    const queue = this.queue(name);
    if (queue.worker !== null) throw new RangeError(`queue ${name} has a handler already`);
    queue.worker = { handler, concurrency };
    this.runReady(queue);
  }

  schedule(name: string, everyMs: number, handler: () => Promise<void>): void {
    this.schedules.add(name, everyMs, handler);
  }

  async stats(name: string): Promise<QueueStats> {
    this.requireOpen();
    const { ids, running, parked } = forgetParked(this.queue(name));
    return { pending: ids.size - running.size, running: running.size, parked: parked.size };
  }

  async ping(): Promise<void> {
    this.requireOpen();
  }

  close(): Promise<void> {
    this.closed ??= this.finish();
    return this.closed;
  }

  private async finish(): Promise<void> {
    const running = [...this.queues.values()].flatMap(queue => [...queue.running]);
    await within(
      Promise.allSettled([...running, this.schedules.stop()]),
      this.options.closeMs,
      () => undefined,
    );
  }

  private queue(name: string): Queue {
    let queue = this.queues.get(name);
    if (queue === undefined) {
      queue = { name, ids: new Set(), ready: [], running: new Set(), parked: new Map(), worker: null };
      this.queues.set(name, queue);
    }
    return queue;
  }

  private run(queue: Queue, job: Job): void {
    queue.ready.push(job);
    this.runReady(queue);
  }

  private runReady(queue: Queue): void {
    const { worker, ready, running } = queue;
    if (worker === null) return;
    while (running.size < worker.concurrency && this.closed === undefined) {
      const job = ready.shift();
      if (job === undefined) return;
      const run = this.attempt(queue, worker.handler, job).finally(() => {
        running.delete(run);
        this.runReady(queue);
      });
      running.add(run);
    }
  }

  /** Never rejects. */
  private async attempt(queue: Queue, handler: JobHandler, job: Job): Promise<void> {
    try {
      await handler(job);
      queue.ids.delete(job.id);
    } catch (error) {
      this.retryOrPark(queue, job, error);
    }
  }

  private retryOrPark(queue: Queue, { id, attempt }: Job, error: unknown): void {
    const { retry, report } = this.options;
    const reason = reasonOf(error);
    const isLast = attempt >= retry.attemptsMax || isPermanent(error);
    if (isLast) {
      queue.ids.delete(id);
      queue.parked.set(id, Date.now());
      forgetParked(queue);
    } else {
      const again = { id, attempt: attempt + 1 };
      setTimeout(() => this.run(queue, again), retryDelayMs(retry, attempt)).unref();
    }
    report({ kind: isLast ? 'parked' : 'attempt-failed', queue: queue.name, id, attempt, reason });
  }

  /** @throws JobsUnavailable */
  private requireOpen(): void {
    if (this.closed !== undefined) throw new JobsUnavailable('the job queue is closing');
  }
}

/** Forgets parked jobs that are over the bounds. */
function forgetParked(queue: Queue): Queue {
  const { parked } = queue;
  const oldest = Date.now() - PARKED_MS_MAX;
  for (const [id, parkedAt] of parked) {
    if (parked.size <= PARKED_JOBS_MAX && parkedAt >= oldest) break;
    parked.delete(id);
  }
  return queue;
}
