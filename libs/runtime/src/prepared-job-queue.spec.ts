import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import pino from 'pino';
import { DocumentsUnavailable } from '#storage/documents/documents';
import { JobQueue } from '#storage/jobs/job-queue';
import { Preparation, preparedJobQueue } from './preparation.js';

/** Notes what is begun. */
class NotedJobQueue extends JobQueue {
  readonly begun: string[] = [];
  process = (queue: string): void => void this.begun.push(queue);
  schedule = (name: string): void => void this.begun.push(name);
  enqueue = (): Promise<void> => Promise.resolve(void this.begun.push('enqueued'));
  stats = (): never => assert.fail();
  ping = (): Promise<void> => Promise.resolve();
  close = (): Promise<void> => Promise.resolve();
}

describe('a job queue on servers that come up late', () => {
  it('begins jobs and schedules when everything is prepared, and takes jobs before', async () => {
    let isUp = false;
    const preparation = new Preparation(
      async () => {
        if (!isUp) throw new DocumentsUnavailable('MongoDB is not up');
      },
      pino({ level: 'silent' }),
    );
    const noted = new NotedJobQueue();
    const queue = preparedJobQueue(noted, preparation.done);
    await preparation.begin();
    queue.process('mails', () => Promise.resolve(), { concurrency: 1 });
    queue.schedule('sweep', 1_000, () => Promise.resolve());
    await queue.enqueue({ queue: 'mails', id: 'a' });
    assert.deepEqual(noted.begun, ['enqueued']);
    assert.equal(preparation.waitsFor(), 'MongoDB is not up');
    isUp = true;
    await preparation.done;
    assert.deepEqual(noted.begun, ['enqueued', 'mails', 'sweep']);
    assert.equal(preparation.waitsFor(), null);
    await preparation.stop();
  });
});
