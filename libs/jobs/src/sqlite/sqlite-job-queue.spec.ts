import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { GroupCommit } from '#sqlite/group-commit';
import { SqliteUnavailable } from '#sqlite/unavailable';
import { jobQueueContract, until } from '../job-queue.contract.js';
import { JobsUnavailable, PARKED_JOBS_MAX, PARKED_MS_MAX, type Job } from '../job-queue.js';
import { SqliteJobQueue, type SqliteJobQueueOptions } from './sqlite-job-queue.js';

const DAY_MS = 86_400_000;
const PATIENCE_MS = 120_000;
/** So many are queued within the time that each of them has, on a busy machine too. */
const QUEUED_AT_ONCE = 50;

class Store {
  private readonly directory = mkdtempSync(join(tmpdir(), 'jobs-'));
  private readonly opened: SqliteJobQueue[] = [];
  readonly file = join(this.directory, 'jobs.db');

  readonly open = (options: Partial<SqliteJobQueueOptions> = {}): SqliteJobQueue => {
    const queue = new SqliteJobQueue({ file: this.file, ...options });
    this.opened.push(queue);
    return queue;
  };

  readonly openUnreachable = (): SqliteJobQueue => {
    const queue = this.open();
    renameSync(this.file, `${this.file}.away`);
    return queue;
  };

  readonly dispose = async (): Promise<void> => {
    await Promise.all(this.opened.map(queue => queue.close()));
    rmSync(this.directory, { recursive: true });
  };
}

jobQueueContract('sqlite', async () => new Store());

describe('sqlite job queue', () => {
  let store: Store;

  beforeEach(() => {
    store = new Store();
  });
  afterEach(() => store.dispose());

  it('runs a job at once that a killed process had begun', { timeout: PATIENCE_MS }, async () => {
    const child = fork(new URL('killed-worker.fixture.js', import.meta.url), [store.file]);
    await once(child, 'message');
    child.kill('SIGKILL');
    await once(child, 'exit');
    // With a lease of half an hour only the death of its owner frees the job.
    const jobs = store.open({ leaseMs: 1_800_000 });
    const attempts: number[] = [];
    jobs.process('mail', async ({ attempt }) => void attempts.push(attempt), { concurrency: 1 });
    await until(() => attempts.length === 1, 'the second run');
    assert.deepEqual(attempts, [2]);
  });

  it('answers no ping while its file cannot be written, and goes on reading', async context => {
    const jobs = store.open();
    const health = context.mock.method(GroupCommit.prototype, 'requireHealth', () => {
      throw new SqliteUnavailable('the disk is full');
    });
    await assert.rejects(jobs.ping(), (error: unknown) => {
      return error instanceof JobsUnavailable && error.message === 'the job file: the disk is full';
    });
    assert.deepEqual(await jobs.parked('mail', 1), []);
    health.mock.restore();
    await jobs.ping();
  });

  it('gives a job up whose process died in every attempt', { timeout: PATIENCE_MS }, async () => {
    const retry = { attemptsMax: 2, firstDelayMs: 1, delayMsMax: 1 };
    for (let death = 1; death <= retry.attemptsMax; death += 1) {
      const child = fork(new URL('killed-worker.fixture.js', import.meta.url), [store.file]);
      await once(child, 'message');
      child.kill('SIGKILL');
      await once(child, 'exit');
    }
    const jobs = store.open({ retry });
    let runs = 0;
    jobs.process('mail', async () => void (runs += 1), { concurrency: 1 });
    await until(async () => (await jobs.stats('mail')).parked === 1, 'the parked job');
    assert.equal(runs, 0);
  });

  it('forgets the oldest parked jobs beyond the bound', { timeout: PATIENCE_MS }, async () => {
    const jobs = store.open({ retry: { attemptsMax: 1, firstDelayMs: 1, delayMsMax: 1 } });
    let failures = 0;
    jobs.process(
      'mail',
      async () => {
        failures += 1;
        throw new Error('no');
      },
      { concurrency: 8 },
    );
    const count = PARKED_JOBS_MAX + 20;
    const ids = Array.from({ length: count }, (_, index) => `j${index}`);
    while (ids.length > 0) {
      const some = ids.splice(0, QUEUED_AT_ONCE);
      await Promise.all(some.map(id => jobs.enqueue({ queue: 'mail', id, data: {} })));
    }
    await until(async () => failures === count && (await jobs.stats('mail')).running === 0, 'all failures');
    assert.deepEqual(await jobs.stats('mail'), { pending: 0, running: 0, parked: PARKED_JOBS_MAX });
    const listed = await jobs.parked('mail', count);
    assert.ok(!listed.some(job => job.id === 'j0'));
  });

  it('forgets jobs that were given up too long ago as soon as it works', async context => {
    const then = Date.now() - PARKED_MS_MAX - 1;
    const clock = context.mock.method(Date, 'now', () => then);
    const before = store.open({ retry: { attemptsMax: 1, firstDelayMs: 1, delayMsMax: 1 } });
    before.process('mail', () => Promise.reject(new Error('no')), { concurrency: 1 });
    await before.enqueue({ queue: 'mail', id: 'old', data: {} });
    await until(async () => (await before.stats('mail')).parked === 1, 'the job to be given up');
    await before.close();
    clock.mock.restore();
    const jobs = store.open();
    assert.equal((await jobs.stats('mail')).parked, 1);
    jobs.process('mail', () => Promise.resolve(), { concurrency: 1 });
    await until(async () => (await jobs.stats('mail')).parked === 0, 'it to be forgotten');
  });

  it('tries a job again in time where the clock was set back meanwhile', async context => {
    const tomorrow = Date.now() + DAY_MS;
    const clock = context.mock.method(Date, 'now', () => tomorrow);
    const retry = { attemptsMax: 3, firstDelayMs: 1, delayMsMax: 2 };
    const jobs = store.open({ retry, report: () => clock.mock.restore() });
    const attempts: number[] = [];
    const failOnce = async ({ attempt }: Job): Promise<void> => {
      attempts.push(attempt);
      if (attempt === 1) throw new Error('try again');
    };
    jobs.process('mail', failOnce, { concurrency: 1 });
    await jobs.enqueue({ queue: 'mail', id: 'a', data: {} });
    await until(() => attempts.length === 2, 'the second attempt');
  });

  it('runs a job that was never tried in time, too, where the clock was set back', async context => {
    const tomorrow = Date.now() + DAY_MS;
    const clock = context.mock.method(Date, 'now', () => tomorrow);
    const jobs = store.open();
    await jobs.enqueue({ queue: 'mail', id: 'a', data: {} });
    clock.mock.restore();
    const runs: string[] = [];
    jobs.process('mail', async ({ id }) => void runs.push(id), { concurrency: 1 });
    await until(() => runs.length === 1, 'the run');
  });

  it('runs a job again whose end could not be recorded', { timeout: PATIENCE_MS }, async () => {
    const jobs = store.open({
      leaseMs: 200,
      report: () => {
        if (!existsSync(store.file)) renameSync(`${store.file}.away`, store.file);
      },
    });
    const attempts: number[] = [];
    jobs.process(
      'mail',
      async ({ attempt }) => {
        attempts.push(attempt);
        if (attempt === 1) renameSync(store.file, `${store.file}.away`);
      },
      { concurrency: 1 },
    );
    await jobs.enqueue({ queue: 'mail', id: 'a', data: {} });
    await until(() => attempts.length === 2, 'the second run');
    await until(async () => (await jobs.stats('mail')).running === 0, 'rest');
    assert.deepEqual(await jobs.stats('mail'), { pending: 0, running: 0, parked: 0 });
  });

  it('goes on by itself when its file is back', { timeout: PATIENCE_MS }, async () => {
    const jobs = store.open();
    const runs: string[] = [];
    jobs.process('mail', async ({ id }) => void runs.push(id), { concurrency: 1 });
    renameSync(store.file, `${store.file}.away`);
    await assert.rejects(jobs.enqueue({ queue: 'mail', id: 'lost', data: {} }));
    renameSync(`${store.file}.away`, store.file);
    await jobs.enqueue({ queue: 'mail', id: 'kept', data: {} });
    await until(() => runs.length === 1, 'the run');
    assert.deepEqual(runs, ['kept']);
  });
});
