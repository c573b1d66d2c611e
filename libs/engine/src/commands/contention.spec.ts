import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { Contention } from './household-commands.js';

interface Races {
  /** Whether the next command of a household gives way. */
  givesWay(household: string): boolean;
  lose(household: string): Promise<void>;
  pass(milliseconds: number): void;
}

/** Races by a clock that stands still, in which every wait is drawn to be none. */
function races(context: TestContext): Races {
  let now = 0;
  context.mock.method(performance, 'now', () => now);
  context.mock.method(Math, 'random', () => 0);
  const contention = new Contention();
  return {
    givesWay: household => contention.wasLostLately(household),
    lose: household => contention.waitAfterRace(household, 0, 0),
    pass: milliseconds => (now += milliseconds),
  };
}

describe('races for a household', () => {
  it('make its next commands give way for two seconds, and those of no other', async context => {
    const { givesWay, lose, pass } = races(context);
    assert.equal(givesWay('A'), false);
    await lose('A');
    assert.equal(givesWay('A'), true);
    assert.equal(givesWay('B'), false);
    pass(1_999);
    assert.equal(givesWay('A'), true);
    await lose('A');
    pass(1_999);
    assert.equal(givesWay('A'), true, 'the latest counts');
    pass(1);
    assert.equal(givesWay('A'), false);
  });

  it('are remembered of a thousand households', async context => {
    const { givesWay, lose } = races(context);
    const households = Array.from({ length: 1_001 }, (_, at) => `${at}`);
    await Promise.all(households.map(lose));
    assert.equal(givesWay('0'), false, 'the first one is forgotten');
    assert.equal(givesWay('1'), true);
    assert.equal(givesWay('1000'), true);
  });

  it('are followed by a wait that is longer where it took longer to lose', async context => {
    context.mock.method(Math, 'random', () => 0.5);
    context.mock.timers.enable({ apis: ['setTimeout'] });
    const contention = new Contention();
    for (const [tookMs, wait] of [
      [5, 10],
      [100, 50],
      [10_000, 125],
    ] as const) {
      let isOver = false;
      const over = contention.waitAfterRace('A', 0, tookMs).then(() => (isOver = true));
      context.mock.timers.tick(wait - 1);
      await turn();
      assert.equal(isOver, false);
      context.mock.timers.tick(1);
      await over;
    }
  });
});
