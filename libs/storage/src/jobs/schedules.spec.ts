import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import type { JobTrouble } from './job-queue.js';
import { Schedules } from './schedules.js';

const EVERY_MS = 1_000;
const turn = (): Promise<void> => new Promise(resolve => setImmediate(resolve));

/** A schedule of which the test says when time passes, and when a run ends. */
function scheduled(context: TestContext, claim: () => Promise<boolean> = async () => true) {
  context.mock.timers.enable({ apis: ['setTimeout'] });
  const troubles: JobTrouble[] = [];
  const schedules = new Schedules(claim, trouble => troubles.push(trouble));
  const ends: ((error?: Error) => void)[] = [];
  const handler = (): Promise<void> =>
    new Promise((resolve, reject) => {
      ends.push(error => (error === undefined ? resolve() : reject(error)));
    });
  schedules.add('sweep', EVERY_MS, handler);
  const pass = async (): Promise<void> => {
    context.mock.timers.tick(EVERY_MS);
    await turn();
  };
  return { schedules, troubles, ends, pass };
}

describe('a schedule', () => {
  it('runs at once and again in its time, each run after the one before has ended', async context => {
    const { ends, pass } = scheduled(context);
    for (let run = 1; run <= 3; run += 1) {
      await pass();
      await pass();
      assert.equal(ends.length, run);
      ends.at(-1)?.();
      await turn();
      assert.equal(ends.length, run, 'its time is not there yet');
    }
  });

  it('goes on after a run that failed, which is reported', async context => {
    const { ends, troubles, pass } = scheduled(context);
    await pass();
    ends[0]?.(new Error('the store is away'));
    await turn();
    await pass();
    assert.equal(ends.length, 2);
    assert.deepEqual(troubles, [
      { kind: 'schedule-failed', name: 'sweep', reason: 'Error: the store is away' },
    ]);
  });

  it('does not run where another process has this turn, and asks again the next time', async context => {
    const turns = [false, true];
    const { ends, pass } = scheduled(context, async () => turns.shift() ?? false);
    await pass();
    assert.equal(ends.length, 0);
    await pass();
    assert.equal(ends.length, 1);
  });

  it('stops when the run under way has ended, and does not run any more', async context => {
    const { schedules, ends, pass } = scheduled(context);
    await pass();
    let stopped = false;
    const stopping = schedules.stop().then(() => (stopped = true));
    await turn();
    assert.ok(!stopped);
    ends[0]?.();
    await stopping;
    await pass();
    assert.equal(ends.length, 1);
  });

  it('does not run any more where it stopped between two runs', async context => {
    const { schedules, ends, pass } = scheduled(context);
    await pass();
    ends[0]?.();
    await turn();
    await schedules.stop();
    await pass();
    assert.equal(ends.length, 1);
  });
});
