import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { Contention } from './contention.js';

interface Races {
  /** Whether the next command of a household waits. */
  waits(household: string): Promise<boolean>;
  lose(household: string): Promise<void>;
  pass(milliseconds: number): void;
}

/** Races by a clock that stands still, in which every wait is drawn to be none. */
function races(context: TestContext): Races {
  let now = 0;
  context.mock.method(performance, 'now', () => now);
  const drawn = context.mock.method(Math, 'random', () => 0).mock;
  const contention = new Contention();
  return {
    waits: async household => {
      const before = drawn.callCount();
      await contention.giveWay(household);
      return drawn.callCount() > before;
    },
    lose: household => contention.waitAfterRace(household, 0, 0),
    pass: milliseconds => (now += milliseconds),
  };
}

describe('races for a household', () => {
  it('make its next commands give way for two seconds, and those of no other', async context => {
    const { waits, lose, pass } = races(context);
    assert.equal(await waits('A'), false);
    await lose('A');
    assert.equal(await waits('A'), true);
    assert.equal(await waits('B'), false);
    pass(1_999);
    assert.equal(await waits('A'), true);
    await lose('A');
    pass(1_999);
    assert.equal(await waits('A'), true, 'the latest counts');
    pass(1);
    assert.equal(await waits('A'), false);
  });

  it('are remembered of a thousand households', async context => {
    const { waits, lose } = races(context);
    const households = Array.from({ length: 1_001 }, (_, at) => `${at}`);
    await Promise.all(households.map(lose));
    assert.equal(await waits('0'), false, 'the first one is forgotten');
    assert.equal(await waits('1'), true);
    assert.equal(await waits('1000'), true);
  });
});
