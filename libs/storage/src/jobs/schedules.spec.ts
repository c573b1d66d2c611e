import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { until } from '../../../../test/until.js';
import type { JobTrouble } from './job-queue.js';
import { Schedules } from './schedules.js';

const EVERY_MS = 20;

/** A schedule of which the test says when a run ends. */
function scheduled(context: TestContext, claim: () => Promise<boolean> = async () => true) {
  const troubles: JobTrouble[] = [];
  const schedules = new Schedules(claim, trouble => troubles.push(trouble));
  const ends: ((error?: Error) => void)[] = [];
  const handler = (): Promise<void> =>
    new Promise((resolve, reject) => {
      ends.push(error => (error === undefined ? resolve() : reject(error)));
    });
  schedules.add('sweep', EVERY_MS, handler);
  context.after(() => {
    for (const end of ends) end();
    return schedules.stop();
  });
  const begun = (runs: number): Promise<void> => until(() => ends.length === runs, `run ${runs}`);
  return { schedules, troubles, ends, begun };
}

describe('a schedule', () => {
  it('runs at once and again in its time, each run after the one before has ended', async context => {
    const { ends, begun } = scheduled(context);
    for (let run = 1; run <= 3; run += 1) {
      await begun(run);
      await pause(2 * EVERY_MS);
      assert.equal(ends.length, run, 'the run before has not ended');
      ends.at(-1)?.();
    }
  });

  it('goes on after a run that failed, which is reported', async context => {
    const { ends, troubles, begun } = scheduled(context);
    await begun(1);
    ends[0]?.(new Error('the store is away'));
    await begun(2);
    assert.deepEqual(troubles, [
      { kind: 'schedule-failed', name: 'sweep', reason: 'Error: the store is away' },
    ]);
  });

  it('does not run where another process has this turn, and asks again the next time', async context => {
    const turns = [false, true];
    const { begun } = scheduled(context, async () => turns.shift() ?? false);
    await begun(1);
    assert.deepEqual(turns, []);
  });

  it('stops when the run under way has ended, and does not run any more', async context => {
    const { schedules, ends, begun } = scheduled(context);
    await begun(1);
    let stopped = false;
    const stopping = schedules.stop().then(() => (stopped = true));
    await pause(0);
    assert.ok(!stopped);
    ends[0]?.();
    await stopping;
    await pause(2 * EVERY_MS);
    assert.equal(ends.length, 1);
  });

  it('does not run any more where it stopped between two runs', async context => {
    const { schedules, ends, begun } = scheduled(context);
    await begun(1);
    ends[0]?.();
    await schedules.stop();
    await pause(2 * EVERY_MS);
    assert.equal(ends.length, 1);
  });
});
