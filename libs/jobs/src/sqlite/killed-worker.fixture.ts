import { SqliteJobQueue } from './sqlite-job-queue.js';

/** Begins a job of the file given as argument, says so, and never ends it: the test kills this process. */
const [, , file = ''] = process.argv;
const jobs = new SqliteJobQueue({ file });
jobs.process(
  'mail',
  () => {
    process.send?.('started');
    return new Promise(() => undefined);
  },
  { concurrency: 1 },
);
await jobs.enqueue({ queue: 'mail', id: 'a', data: {} });
