import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Household } from '#ledger/household';
import { expense, firstMonth, idOf, Scenario } from '#ledger/ledger.scenario';
import { monthDocument, type MonthDocument } from './month-document.js';

const MONTH = '2026-01';

function scenario(): Scenario {
  return new Scenario().given(
    firstMonth(MONTH, {
      Income: { Pay: 500_000 },
      Living: { Food: 60_000, Rent: 90_000 },
      Fun: { Books: 3_000 },
    }),
    expense('First', { Food: 1_000 }),
  );
}

function shown(scenario: Scenario): MonthDocument {
  return monthDocument('H', scenario.household, scenario.budget(MONTH));
}

function readAnew(household: Household): Household {
  const months = household.months.map(({ budget, ...state }) => {
    const items = budget && new Map(structuredClone([...budget.items]));
    return {
      ...state,
      budget: budget && { ...budget, groups: structuredClone(budget.groups), items: items! },
    };
  });
  return { ...structuredClone({ ...household, months: [] }), months };
}

describe('the document of a month', () => {
  it('shares with the one before it the groups of which nothing has changed', () => {
    const household = scenario();
    const before = shown(household);
    const after = shown(household.given(expense('Second', { Food: 500 })));
    assert.equal(after.groups[0], before.groups[0]);
    assert.equal(after.groups[2], before.groups[2]);
    assert.deepEqual([before.groups[1]!.totals.spent, after.groups[1]!.totals.spent], [1_000, 1_500]);
    assert.deepEqual([before.center.spent, after.center.spent], [1_000, 1_500]);
  });

  it('shows of a fund the corrections since it was made one, and of another item none', () => {
    const [food, fund] = [idOf('Food'), { type: 'OpenFund', month: MONTH, itemId: idOf('Food') } as const];
    const household = scenario().given(
      { ...fund, openingBalance: 700 },
      { type: 'UpdateFundBalance', month: MONTH, itemId: food, balance: 1_234 },
      { type: 'ChangeItem', itemId: food, endFund: true },
    );
    const fundOf = (): unknown => shown(household).groups[1]!.items[0]!.fund;
    assert.equal(fundOf(), null);
    household.given(
      { ...fund, openingBalance: 0 },
      { type: 'UpdateFundBalance', month: MONTH, itemId: food, balance: 60_000 },
    );
    const { at, by } = household.events.at(-1)!;
    assert.deepEqual(fundOf(), { carry_in: 0, adjustments: [{ amount: 1_000, at, by }], ending: 60_000 });
  });

  it('is what it would be without one before it, whatever changes', () => {
    const household = scenario();
    const [food, books] = [idOf('Food'), idOf('Books')];
    const steps = [
      { type: 'OpenFund', month: MONTH, itemId: food, openingBalance: 700 },
      { type: 'UpdateFundBalance', month: MONTH, itemId: food, balance: 1_234 },
      { type: 'PlanItem', month: MONTH, itemId: books, planned: 4_000 },
      { type: 'PlanItem', month: MONTH, itemId: books, note: 'for the summer' },
      expense('Third', { Books: 250, Rent: 90_000 }),
      { type: 'OrderItems', month: MONTH, groupId: idOf('Living'), itemIds: [idOf('Rent'), food] },
      { type: 'RemoveItem', month: MONTH, itemId: idOf('Rent') },
      { type: 'OrderItems', month: MONTH, groupId: idOf('Fun'), itemIds: [books, food] },
      { type: 'ResetMonth', month: MONTH, mode: 'zero', newIds: [] },
    ] as const;
    for (const step of steps) {
      shown(household);
      household.given(step);
      // A state that was read again shares nothing with any other.
      const anew = readAnew(household.household);
      const budget = anew.months.find(({ month }) => month === MONTH)!.budget!;
      assert.deepEqual(shown(household), monthDocument('H', anew, budget), step.type);
    }
  });
});
