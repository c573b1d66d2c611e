import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import type { Month } from './values.js';
import { histories, live } from './histories.scenario.js';
import { fundIn, type Household } from './household.js';
import { firstMonth, idOf, Scenario } from './ledger.scenario.js';
import { touchedMonths, touchesByLayout } from './events.js';
import { propertyRuns } from '../../../test/property-runs.js';

/** What a client is shown of each month, joined names included. */
function shownMonths({ months, groups, items, favorites }: Household): Map<Month, unknown> {
  const shown = new Map<Month, unknown>();
  for (const { month, budget } of months) {
    if (!budget) continue;
    const { revision: _revision, ...content } = budget;
    const identities = [...budget.items.keys()].map(id => {
      const item = items.get(id)!;
      return [item.name, favorites.includes(id), fundIn(item, month) && item.fundTarget];
    });
    const headings = budget.groups.map(({ groupId }) => [
      groups.get(groupId)!.name,
      groups.get(groupId)!.color,
    ]);
    shown.set(month, [content, headings, identities]);
  }
  return shown;
}

describe('the months that an event touches', () => {
  it('and those of changed figures are all that show something else', () => {
    fc.assert(
      fc.property(histories(60), wishes => {
        for (const { before, after, events, months, command } of live(wishes).steps) {
          const told = new Set([...months, ...events.flatMap(event => touchedMonths(after, event))]);
          const was = shownMonths(before);
          for (const [month, shown] of shownMonths(after)) {
            if (told.has(month)) continue;
            assert.ok(isDeepStrictEqual(shown, was.get(month)), `${command.type} in ${month} is not told`);
          }
        }
      }),
      { numRuns: propertyRuns(100) },
    );
  });

  it('follow from the event alone, unless it touches by layout', () => {
    fc.assert(
      fc.property(histories(60), wishes => {
        const { steps } = live(wishes);
        const nothing = steps[0]!.before;
        for (const { after, events } of steps) {
          for (const event of events.filter(each => !touchesByLayout(each))) {
            assert.deepEqual(touchedMonths(nothing, event), touchedMonths(after, event));
          }
        }
      }),
      { numRuns: propertyRuns(50) },
    );
  });

  it('are those that have what it names, of a fund from its opening month on, and all of an undone command', () => {
    const { household } = new Scenario().given(
      firstMonth('2026-01', { Income: {}, One: { A: 1 }, Two: { B: 1 } }),
      { type: 'CreateMonth', month: '2026-02', newIds: [] },
      { type: 'RemoveItem', month: '2026-02', itemId: idOf('A') },
      { type: 'CreateMonth', month: '2026-03', newIds: [] },
    );
    const all = ['2026-01', '2026-02', '2026-03'];
    const one = {
      type: 'ItemChanged',
      data: { itemId: idOf('A'), before: { name: 'Z' }, after: { name: 'A' } },
    } as const;
    const group = { type: 'GroupChanged', data: { groupId: idOf('One'), before: {}, after: {} } } as const;
    const fund = {
      itemId: idOf('B'),
      openedIn: '2026-02',
      openingBalance: 0,
      term: 1,
      target: null,
    } as const;
    assert.deepEqual(touchedMonths(household, one), ['2026-01']);
    assert.deepEqual(touchedMonths(household, group), all);
    assert.deepEqual(touchedMonths(household, { type: 'FundEnded', data: fund }), all.slice(1));
    assert.deepEqual(touchedMonths(household, { type: 'FundReopened', data: fund }), all.slice(1));
    const ended = { type: 'FundEnded', data: { ...fund, itemId: idOf('A'), openedIn: '2026-01' } } as const;
    assert.deepEqual(touchedMonths(household, ended), ['2026-01']);
    const undone = { type: 'CommandUndone', data: { undoes: 'x', events: [one, group] } } as const;
    assert.deepEqual(touchedMonths(household, undone), ['2026-01', ...all]);
    const deleted = {
      type: 'TransactionDeleted',
      data: { id: idOf('T'), type: 'expense', budgetMonth: '2026-01', splits: [] },
    } as const;
    assert.deepEqual(touchedMonths(household, deleted), []);
  });

  it('are those that show it as a fund where its target alone was changed', () => {
    const itemId = idOf('A');
    const { household, events } = new Scenario().given(
      firstMonth('2026-01', { Income: {}, One: { A: 1 } }),
      { type: 'CreateMonth', month: '2026-02', newIds: [] },
      { type: 'OpenFund', month: '2026-02', itemId, openingBalance: 0 },
      { type: 'CreateMonth', month: '2026-03', newIds: [] },
      { type: 'ChangeItem', itemId, favorite: true, fundTarget: 100 },
      { type: 'ChangeItem', itemId, fundTarget: 200 },
    );
    const [both, target] = events.slice(-2);
    assert.deepEqual(touchedMonths(household, both!), ['2026-01', '2026-02', '2026-03']);
    assert.deepEqual(touchedMonths(household, target!), ['2026-02', '2026-03']);
  });
});
