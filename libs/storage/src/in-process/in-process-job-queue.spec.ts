import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { jobQueueContract, until, type JobQueueHarness } from '../jobs/job-queue.contract.js';
import { JobsUnavailable, PARKED_JOBS_MAX, PARKED_MS_MAX, type JobQueueOptions } from '../jobs/job-queue.js';
import { InProcessJobQueue, JOBS_MAX } from './in-process-job-queue.js';

class Harness implements JobQueueHarness {
  private readonly opened: InProcessJobQueue[] = [];

  readonly open = (options: JobQueueOptions = {}): InProcessJobQueue => {
    const queue = new InProcessJobQueue(options);
    this.opened.push(queue);
    return queue;
  };

  readonly dispose = async (): Promise<void> => {
    await Promise.all(this.opened.map(queue => queue.close()));
  };
}

jobQueueContract('in process', async () => new Harness());

describe('the job queue in a process', () => {
  /** A queue that gives up every job at once. */
  function refusing(context: TestContext): InProcessJobQueue {
    const jobs = new InProcessJobQueue({ retry: { attemptsMax: 1, firstDelayMs: 1, delayMsMax: 1 } });
    context.after(() => jobs.close());
    jobs.process('mail', () => Promise.reject(new Error('no')), { concurrency: 8 });
    return jobs;
  }

  it('takes no more jobs than it has room for, and takes them again afterwards', async context => {
    const jobs = new InProcessJobQueue();
    context.after(() => jobs.close());
    const enqueue = (id: string): Promise<void> => jobs.enqueue({ queue: 'mail', id });
    for (let id = 0; id < JOBS_MAX; id += 1) await enqueue(`j${id}`);
    await assert.rejects(enqueue('more'), JobsUnavailable);
    await enqueue('j0');
    jobs.process('mail', () => Promise.resolve(), { concurrency: 1 });
    await until(async () => (await jobs.stats('mail')).pending === 0, 'all of them');
    await enqueue('more');
  });

  it('forgets the oldest parked jobs beyond the bound', async context => {
    const jobs = refusing(context);
    for (let id = 0; id < PARKED_JOBS_MAX + 20; id += 1) {
      await jobs.enqueue({ queue: 'mail', id: `j${id}` });
    }
    const left = async (): Promise<number> => {
      const { pending, running } = await jobs.stats('mail');
      return pending + running;
    };
    await until(async () => (await left()) === 0, 'all to be given up');
    assert.deepEqual(await jobs.stats('mail'), { pending: 0, running: 0, parked: PARKED_JOBS_MAX });
  });

  it('forgets jobs that were given up too long ago', async context => {
    const jobs = refusing(context);
    await jobs.enqueue({ queue: 'mail', id: 'old' });
    await until(async () => (await jobs.stats('mail')).parked === 1, 'the job to be given up');
    const later = Date.now() + PARKED_MS_MAX + 1;
    context.mock.method(Date, 'now', () => later);
    assert.equal((await jobs.stats('mail')).parked, 0);
  });
});
