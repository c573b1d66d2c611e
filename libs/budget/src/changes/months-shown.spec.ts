import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { DecodedEvent } from '#ledger/event-codec';
import { evolve } from '#ledger/events';
import { NO_HOUSEHOLD, type Household } from '#ledger/household';
import type { PastHouseholds } from '#engine/households/past-households';
import { firstMonth, idOf, Scenario } from '../../../ledger/src/ledger.scenario.js';
import { MonthsShown } from './months-shown.js';

describe('the months that a command changed, told late', () => {
  it('are right also where one command in between was told in time', async () => {
    const { events } = new Scenario().given(
      firstMonth('2026-01', { Income: {}, Food: { Bread: 1 } }),
      { type: 'ChangeItem', itemId: idOf('Bread'), name: 'Rolls' },
      { type: 'CreateMonth', month: '2026-02', newIds: [] },
      { type: 'ChangeItem', itemId: idOf('Bread'), name: 'Buns' },
      { type: 'RemoveItem', month: '2026-01', itemId: idOf('Bread') },
    );
    const after = (revision: number): Household => evolve(NO_HOUSEHOLD, events.slice(0, revision + 1));
    const past = { atRevision: async (_: string, revision: number) => after(revision) };
    const shown = new MonthsShown(past as unknown as PastHouseholds, 'HOUSEHOLD');
    const told = (revision: number, present: number): Promise<readonly string[]> =>
      shown.of([events[revision] as unknown as DecodedEvent], after(present));
    assert.deepEqual(await told(1, 2), ['2026-01']);
    assert.deepEqual(await told(2, 2), ['2026-02']);
    assert.deepEqual(await told(3, 4), ['2026-01', '2026-02']);
  });
});
