import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import {
  JobsUnavailable,
  type Job,
  type JobQueue,
  type JobQueueOptions,
  type JobTrouble,
} from './job-queue.js';

/** The queues of one test. */
export interface JobQueueHarness {
  open(options?: JobQueueOptions): JobQueue;
  /** Closes whatever was opened and removes what they stored. */
  dispose(): Promise<void>;
}

/** Longer than anything here takes on a busy machine; waiting ends with the condition. */
const WAIT_MS_MAX = 60_000;
/** A job so slow is cut when it is not awaited: longer than a queue takes to free its connections. */
const SLOW_JOB_MS = 1_500;
/** Retries without a pause that a test would have to sit out. */
const QUICK = { attemptsMax: 3, firstDelayMs: 4, delayMsMax: 10 };

/** Resolves when the condition holds. @throws AssertionError after `WAIT_MS_MAX` */
export async function until(condition: () => boolean | Promise<boolean>, what: string): Promise<void> {
  const deadline = performance.now() + WAIT_MS_MAX;
  while (!(await condition())) {
    assert.ok(performance.now() < deadline, `waited in vain for ${what}`);
    await new Promise(resolve => setTimeout(resolve, 3));
  }
}

/** A promise that the test settles. */
export function gate(): { readonly opened: Promise<void>; readonly open: () => void } {
  let open = (): void => undefined;
  const opened = new Promise<void>(resolve => (open = resolve));
  return { opened, open };
}

/** What every job queue must do. */
export function jobQueueContract(adapter: string, start: () => Promise<JobQueueHarness>): void {
  describe(`job queue contract: ${adapter}`, () => {
    let harness: JobQueueHarness;

    beforeEach(async () => {
      harness = await start();
    });
    afterEach(() => harness.dispose());

    /** A queue object whose store has answered: the first call connects as well, for which a busy machine has too little time. */
    async function opened(options?: JobQueueOptions): Promise<JobQueue> {
      const jobs = harness.open(options);
      const answers = (): Promise<boolean> =>
        jobs.stats('mail').then(
          () => true,
          () => false,
        );
      await until(answers, 'the store');
      return jobs;
    }

    it('runs each job once', async () => {
      const jobs = await opened();
      const runs: Job[] = [];
      jobs.process('mail', async job => void runs.push(job), { concurrency: 1 });
      await jobs.enqueue({ queue: 'mail', id: 'a' });
      await jobs.enqueue({ queue: 'mail', id: 'b' });
      await until(() => runs.length === 2, 'two runs');
      assert.deepEqual(runs, [
        { id: 'a', attempt: 1 },
        { id: 'b', attempt: 1 },
      ]);
      await until(async () => (await jobs.stats('mail')).running === 0, 'rest');
      assert.deepEqual(await jobs.stats('mail'), { pending: 0, running: 0, parked: 0 });
    });

    it('keeps one job an id while it is pending or running, and takes the id again when it is done', async () => {
      const jobs = await opened();
      const release = gate();
      const runs: string[] = [];
      for (let times = 0; times < 2; times++) await jobs.enqueue({ queue: 'mail', id: 'a' });
      assert.equal((await jobs.stats('mail')).pending, 1);
      jobs.process(
        'mail',
        async job => {
          runs.push(job.id);
          await release.opened;
        },
        { concurrency: 2 },
      );
      await until(() => runs.length === 1, 'the run');
      await jobs.enqueue({ queue: 'mail', id: 'a' });
      assert.deepEqual(await jobs.stats('mail'), { pending: 0, running: 1, parked: 0 });
      release.open();
      await until(async () => (await jobs.stats('mail')).running === 0, 'the end of the run');
      await jobs.enqueue({ queue: 'mail', id: 'a' });
      await until(() => runs.length === 2, 'the second run');
      assert.deepEqual(runs, ['a', 'a']);
    });

    it('tries again after a failure, and says so', async () => {
      const troubles: JobTrouble[] = [];
      const jobs = await opened({ retry: QUICK, report: trouble => troubles.push(trouble) });
      const attempts: number[] = [];
      jobs.process(
        'mail',
        async ({ attempt }) => {
          attempts.push(attempt);
          if (attempt < 3) throw new Error('the server\nis busy');
        },
        { concurrency: 1 },
      );
      await jobs.enqueue({ queue: 'mail', id: 'a' });
      await until(() => attempts.length === 3, 'three attempts');
      assert.deepEqual(attempts, [1, 2, 3]);
      assert.deepEqual(
        troubles,
        [1, 2].map(attempt => ({
          kind: 'attempt-failed',
          queue: 'mail',
          id: 'a',
          attempt,
          reason: 'Error: the server is busy',
        })),
      );
      await until(async () => (await jobs.stats('mail')).running === 0, 'rest');
      assert.deepEqual(await jobs.stats('mail'), { pending: 0, running: 0, parked: 0 });
    });

    it('waits between attempts', async () => {
      const jobs = await opened({ retry: { attemptsMax: 2, firstDelayMs: 400, delayMsMax: 400 } });
      const times: number[] = [];
      jobs.process(
        'mail',
        async () => {
          times.push(performance.now());
          throw new Error('busy');
        },
        { concurrency: 1 },
      );
      await jobs.enqueue({ queue: 'mail', id: 'a' });
      await until(() => times.length === 2, 'two attempts');
      // Half of the pause is jitter. One millisecond is what clocks round.
      assert.ok(Number(times[1]) - Number(times[0]) >= 199);
    });

    it('parks a job after its last attempt, and starts it again when it is queued again', async () => {
      const troubles: JobTrouble[] = [];
      const jobs = await opened({ retry: QUICK, report: trouble => troubles.push(trouble) });
      const attempts: number[] = [];
      let works = false;
      jobs.process(
        'mail',
        async ({ attempt }) => {
          attempts.push(attempt);
          if (!works) throw new RangeError('no such mailbox');
        },
        { concurrency: 1 },
      );
      await jobs.enqueue({ queue: 'mail', id: 'a' });
      await until(async () => (await jobs.stats('mail')).parked === 1, 'the parked job');
      assert.deepEqual(attempts, [1, 2, 3]);
      // The store may count it as parked before this process is told.
      await until(() => troubles.at(-1)?.kind === 'parked', 'the report');
      assert.deepEqual(await jobs.stats('mail'), { pending: 0, running: 0, parked: 1 });

      works = true;
      await jobs.enqueue({ queue: 'mail', id: 'a' });
      await until(() => attempts.length === 4, 'the fresh start');
      assert.equal(attempts[3], 1);
      await until(async () => (await jobs.stats('mail')).running === 0, 'rest');
      assert.deepEqual(await jobs.stats('mail'), { pending: 0, running: 0, parked: 0 });
    });

    it('parks a job at once when its failure is permanent', async () => {
      const jobs = await opened({ retry: QUICK });
      let attempts = 0;
      jobs.process(
        'mail',
        async () => {
          attempts += 1;
          throw Object.assign(new Error('no such mailbox'), { permanent: true });
        },
        { concurrency: 1 },
      );
      await jobs.enqueue({ queue: 'mail', id: 'a' });
      await until(async () => (await jobs.stats('mail')).parked === 1, 'the parked job');
      assert.equal(attempts, 1);
      // Some of many are parked before the call that queued them has ended: none is begun again by that.
      for (let id = 0; id < 100; id += 1) await jobs.enqueue({ queue: 'mail', id: `b${id}` });
      await until(async () => (await jobs.stats('mail')).parked === 101, 'all of them parked');
      assert.equal(attempts, 101);
    });

    it('runs as many jobs at once as it may, and no more', async () => {
      const jobs = await opened();
      const release = gate();
      let running = 0;
      let most = 0;
      let done = 0;
      jobs.process(
        'mail',
        async () => {
          running += 1;
          most = Math.max(most, running);
          await release.opened;
          running -= 1;
          done += 1;
        },
        { concurrency: 3 },
      );
      await Promise.all(
        Array.from({ length: 8 }, (_, index) => jobs.enqueue({ queue: 'mail', id: `j${index}` })),
      );
      await until(() => running === 3, 'three at once');
      assert.deepEqual(await jobs.stats('mail'), { pending: 5, running: 3, parked: 0 });
      release.open();
      await until(() => done === 8, 'all');
      assert.equal(most, 3);
    });

    it('keeps queues apart', async () => {
      const jobs = await opened();
      const runs: string[] = [];
      jobs.process('mail', async ({ id }) => void runs.push(`mail ${id}`), { concurrency: 1 });
      await jobs.enqueue({ queue: 'other', id: 'a' });
      await jobs.enqueue({ queue: 'mail', id: 'a' });
      await until(() => runs.length === 1, 'the run');
      assert.deepEqual(runs, ['mail a']);
      assert.deepEqual(await jobs.stats('other'), { pending: 1, running: 0, parked: 0 });
    });

    it('runs a schedule again and again, and survives a failing run', async () => {
      const troubles: JobTrouble[] = [];
      const report = (trouble: JobTrouble): void => void troubles.push(trouble);
      const jobs = await opened({ report });
      let runs = 0;
      jobs.schedule('sweep', 20, async () => {
        runs += 1;
        if (runs === 1) throw new Error('not yet');
      });
      await until(() => runs >= 3, 'three runs');
      assert.deepEqual(troubles, [{ kind: 'schedule-failed', name: 'sweep', reason: 'Error: not yet' }]);
      assert.throws(() => jobs.schedule('sweep', 20, async () => undefined), RangeError);
    });

    it('closes after running jobs have ended, and takes no more', async () => {
      const jobs = await opened();
      const started = gate();
      const release = gate();
      const ended: string[] = [];
      jobs.process(
        'mail',
        async ({ id }) => {
          started.open();
          await release.opened;
          ended.push(id);
        },
        { concurrency: 1 },
      );
      await jobs.enqueue({ queue: 'mail', id: 'a' });
      await jobs.enqueue({ queue: 'mail', id: 'b' });
      await started.opened;
      const closed = jobs.close().then(() => ended.push('closed'));
      await assert.rejects(jobs.enqueue({ queue: 'mail', id: 'c' }), JobsUnavailable);
      release.open();
      await closed;
      assert.deepEqual(ended, ['a', 'closed']);
    });

    it('waits for the other jobs when one fails while it closes', async () => {
      const jobs = await opened({ closeMs: WAIT_MS_MAX });
      const started: string[] = [];
      const release = gate();
      const ended: string[] = [];
      jobs.process(
        'mail',
        async ({ id }) => {
          started.push(id);
          await release.opened;
          if (id === 'failing') throw new Error('refused');
          await pause(SLOW_JOB_MS);
          ended.push(id);
        },
        { concurrency: 2 },
      );
      for (const id of ['failing', 'slow']) await jobs.enqueue({ queue: 'mail', id });
      await until(() => started.length === 2, 'both runs');
      const closed = jobs.close().then(() => ended.push('closed'));
      release.open();
      await closed;
      assert.deepEqual(ended, ['slow', 'closed']);
    });

    it('does not wait for ever for a job when it closes', async () => {
      const jobs = await opened({ closeMs: 20 });
      const started = gate();
      const never = gate();
      jobs.process(
        'mail',
        async () => {
          started.open();
          await never.opened;
        },
        { concurrency: 1 },
      );
      await jobs.enqueue({ queue: 'mail', id: 'a' });
      await started.opened;
      await jobs.close();
      never.open();
    });

    it('takes any id, also one that a store uses for itself', async () => {
      const jobs = await opened();
      const runs: string[] = [];
      const ids = ['delayed', 'meta', 'wait', '12', '0', '__proto__'];
      for (const id of ids) await jobs.enqueue({ queue: 'mail', id });
      assert.equal((await jobs.stats('mail')).pending, ids.length);
      jobs.process('mail', async ({ id }) => void runs.push(id), { concurrency: 1 });
      await until(() => runs.length === ids.length, 'all runs');
      assert.deepEqual(runs, ids);
    });

    it('answers a ping', async () => {
      await harness.open().ping();
    });

    it('refuses what no store could keep', async () => {
      const jobs = await opened();
      for (const job of [
        { queue: 'mail', id: 'a:b' },
        { queue: 'mail', id: '' },
        { queue: 'mail', id: 'x'.repeat(121) },
        { queue: 'Mail', id: 'a' },
        { queue: 'a:b', id: 'a' },
      ]) {
        await assert.rejects(jobs.enqueue(job), RangeError);
      }
      const handler = async (): Promise<void> => undefined;
      jobs.process('mail', handler, { concurrency: 1 });
      assert.throws(() => jobs.process('mail', handler, { concurrency: 1 }), RangeError);
      assert.throws(() => jobs.schedule('sweep', 0, handler), RangeError);
    });
  });
}
