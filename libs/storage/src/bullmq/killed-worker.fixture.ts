import { BullmqJobQueue } from './bullmq-job-queue.js';

/** Begins a job of the Redis and prefix given, says so, and never ends it: the test kills this process. */
const [, , url = '', prefix = ''] = process.argv;
const jobs = new BullmqJobQueue({ url, prefix, leaseMs: 500 });
jobs.process(
  'mail',
  () => {
    process.send?.('started');
    return new Promise(() => undefined);
  },
  { concurrency: 1 },
);
await jobs.enqueue({ queue: 'mail', id: 'a' });
