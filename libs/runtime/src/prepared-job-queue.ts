import { JobQueue, type JobHandler, type NewJob, type QueueStats } from '#storage/jobs/job-queue';

/**
 * A job queue whose jobs and schedules begin when everything that they need is there: before, each of them would fail
 * on missing collections and wait until it is repeated.
 */
export class PreparedJobQueue extends JobQueue {
  constructor(
    private readonly jobs: JobQueue,
    private readonly prepared: Promise<void>,
  ) {
    super();
  }

  enqueue(job: NewJob): Promise<void> {
    return this.jobs.enqueue(job);
  }

  process(queue: string, handler: JobHandler, options: { readonly concurrency: number }): void {
    void this.prepared.then(() => this.jobs.process(queue, handler, options));
  }

  schedule(name: string, everyMs: number, handler: () => Promise<void>): void {
    void this.prepared.then(() => this.jobs.schedule(name, everyMs, handler));
  }

  stats(queue: string): Promise<QueueStats> {
    return this.jobs.stats(queue);
  }

  ping(): Promise<void> {
    return this.jobs.ping();
  }

  close(): Promise<void> {
    return this.jobs.close();
  }
}
