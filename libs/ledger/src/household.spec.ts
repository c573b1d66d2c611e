import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { changedMonthStates, NO_HOUSEHOLD, type Household, type MonthState } from './household.js';

function state(month: string, live = 0): MonthState {
  return { month, live, budget: null };
}

function of(...months: readonly MonthState[]): Household {
  return { ...NO_HOUSEHOLD, months };
}

describe(changedMonthStates.name, () => {
  const [january, february, march] = [state('2026-01'), state('2026-02'), state('2026-03')];

  it('leaves out what is shared', () => {
    assert.deepEqual(changedMonthStates(of(january, february), of(january, february)), []);
  });

  it('gives what has changed, in its order', () => {
    const [newer, newest] = [state('2026-01', 1), state('2026-03', 1)];
    const changed = changedMonthStates(of(january, february, march), of(newer, february, newest));
    assert.deepEqual(changed, [newer, newest]);
  });

  it('gives what is there alone, wherever it comes in', () => {
    assert.deepEqual(changedMonthStates(of(february), of(january, february, march)), [january, march]);
    assert.deepEqual(changedMonthStates(of(january, march), of(january, february, march)), [february]);
  });

  it('passes over what the other has alone', () => {
    assert.deepEqual(changedMonthStates(of(january, february, march), of(march)), []);
    assert.deepEqual(changedMonthStates(of(january, february), of(february, march)), [march]);
  });
});
