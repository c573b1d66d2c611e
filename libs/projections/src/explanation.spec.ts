import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { RecordedLedgerEvent } from '#ledger/events';
import { histories, live } from '#ledger/histories.scenario';
import type { Budget } from '#ledger/household';
import { expense, firstMonth, idOf, income, Scenario } from '#ledger/ledger.scenario';
import {
  addsUp,
  areExact,
  carryingMonth,
  explainItem,
  explainMonth,
  plansSetBy,
  type ExplainedFigure,
  type SettingEvents,
} from './explanation.js';
import { propertyRuns } from '../../../test/property-runs.js';

const GREATEST = Number.MAX_SAFE_INTEGER;
const MONTH = '2026-01';
const CAR = idOf('Car');

/** The last events that set what is planned in a month, and the last that made an item a fund. */
function settingEvents(
  events: readonly RecordedLedgerEvent[],
  budget: Budget,
  itemId: string,
): SettingEvents {
  const plans = new Map<string, RecordedLedgerEvent>();
  for (const event of events) {
    for (const [id, planned] of plansSetBy(event, budget.month)) {
      if (budget.items.get(id)?.planned === planned) plans.set(id, event);
    }
  }
  const opening = events.findLast(event => event.type === 'FundOpened' && event.data.itemId === itemId);
  return { plans, opening: opening ?? null };
}

/** Every event that an explanation names as the one that planned something. */
function planning(figures: readonly ExplainedFigure[], events: readonly RecordedLedgerEvent[]) {
  const named = figures
    .flatMap(({ terms }) => terms)
    .filter(({ term }) => term.startsWith('planned'))
    .flatMap(({ sources }) => sources.map(({ id }) => id));
  return events.filter(({ id }) => named.includes(id));
}

function explained({ household, events, transactions }: Scenario, budget: Budget, itemId: string) {
  const records = [...transactions.values()].filter(
    ({ budgetMonth, deletedAt, splits }) =>
      budgetMonth === budget.month && deletedAt === null && splits.some(split => split.itemId === itemId),
  );
  return explainItem(household, budget, itemId, records, settingEvents(events, budget, itemId));
}

/** A figure's terms that have sources: the amount and the label of each of these. */
function told(figures: readonly ExplainedFigure[], name: string): unknown[] {
  const { terms } = figures.find(({ figure }) => figure === name)!;
  return terms
    .filter(({ sources }) => sources.length > 0)
    .map(({ term, sources }) => [term, ...sources.map(({ amount, label }) => [amount, label])]);
}

function figure(value: number, ...amounts: number[]): Parameters<typeof addsUp>[0] {
  return [
    { figure: 'spent', value, terms: amounts.map(amount => ({ term: 'expenses', amount, sources: [] })) },
  ];
}

describe('an explanation', () => {
  it('adds up for every item of every month, whatever happened', () => {
    fc.assert(
      fc.property(histories(50), history => {
        const { scenario } = live(history);
        const { household, events } = scenario;
        for (const budget of household.months.flatMap(({ budget }) => budget ?? [])) {
          const { leftToBudget, items } = scenario.figures(budget.month);
          const [left] = explainMonth(household, budget, settingEvents(events, budget, ''));
          assert.equal(left!.value, leftToBudget);
          assert.ok(addsUp([left!]), 'left_to_budget');
          for (const [itemId, figures] of items) {
            const all = explained(scenario, budget, itemId);
            assert.ok(addsUp(all), JSON.stringify(all));
            for (const { data } of planning(all, events)) {
              assert.ok('month' in data && data.month === budget.month);
            }
            const { planned, spent, received, remaining, carryIn, ending } = figures;
            const ofFund = carryIn === null ? [] : [carryIn, ending];
            assert.deepEqual(
              all.map(({ value }) => value),
              [planned, spent, received, remaining, ...ofFund],
            );
          }
        }
      }),
      { numRuns: propertyRuns(50) },
    );
  });

  it('tells of a fund what it carries in, its plan, its corrections and what used it up', () => {
    const household = new Scenario().given(
      firstMonth(MONTH, { Income: { Pay: 500 }, Living: { Food: 100, Car: 200 } }),
      { type: 'OpenFund', month: MONTH, itemId: CAR, openingBalance: 700 },
      { type: 'UpdateFundBalance', month: MONTH, itemId: CAR, balance: 1_000 },
      { type: 'ChangeItem', itemId: CAR, endFund: true },
      { type: 'OpenFund', month: MONTH, itemId: CAR, openingBalance: -300 },
      { type: 'UpdateFundBalance', month: MONTH, itemId: CAR, balance: 5 },
      expense('First', { Car: 50, Food: 5 }, { merchant: 'Garage' }),
      income('Second', { Car: 20 }, { merchant: 'Insurance' }),
    );
    const figures = explained(household, household.budget(MONTH), CAR);
    const parts = [
      ['opening_balance', [-300, 'Opening balance']],
      ['planned', [200, 'Planned']],
      ['adjustments', [105, 'Adjustment']],
      ['expenses', [-50, 'Garage']],
      ['refunds', [20, 'Insurance']],
    ];
    assert.deepEqual(told(figures, 'ending'), parts);
    assert.deepEqual(told(figures, 'remaining'), parts);
    assert.deepEqual(told(figures, 'carry_in'), parts.slice(0, 1));
    assert.deepEqual(told(figures, 'spent'), [
      ['expenses', [50, 'Garage']],
      ['refunds', [-20, 'Insurance']],
    ]);
  });

  it('carries in from the latest earlier month that has the fund', () => {
    const household = new Scenario().given(
      firstMonth(MONTH, { Income: {}, Living: { Car: 200 } }),
      { type: 'CreateMonth', month: '2026-02', newIds: [] },
      { type: 'CreateMonth', month: '2026-03', newIds: [] },
      { type: 'OpenFund', month: MONTH, itemId: CAR, openingBalance: 700 },
    );
    const from = (): string | null =>
      carryingMonth(household.household, '2026-03', household.household.items.get(CAR)!);
    assert.equal(from(), '2026-02');
    household.given({ type: 'RemoveItem', month: '2026-02', itemId: CAR });
    assert.equal(from(), MONTH);
    household.given({ type: 'RemoveItem', month: MONTH, itemId: CAR });
    assert.equal(from(), null);
    household.given(
      { type: 'ChangeItem', itemId: CAR, endFund: true },
      { type: 'PlaceItem', month: MONTH, groupId: idOf('Living'), itemId: CAR, planned: 1, note: null },
      { type: 'OpenFund', month: '2026-03', itemId: CAR, openingBalance: 1 },
    );
    assert.equal(from(), null, 'no month before it was made a fund');
  });

  it('adds up where its terms make its figure', () => {
    assert.ok(addsUp(figure(0)));
    assert.ok(addsUp(figure(-2, 1, -3)));
    assert.ok(!addsUp(figure(1, 1, -3)));
  });

  it('adds up to the cent, also where a sum leaves the range on the way', () => {
    assert.ok(addsUp(figure(3, GREATEST, GREATEST, 3, -GREATEST, -GREATEST)));
    assert.ok(!addsUp(figure(2, GREATEST, GREATEST, 3, -GREATEST, -GREATEST)));
  });

  it('does not add up with a term that is out of range, and is not exact', () => {
    assert.ok(!addsUp(figure(0, Number.NaN)));
    assert.ok(areExact(figure(-2, 1, -3)));
    assert.ok(!areExact([...figure(-2, 1, -3), ...figure(0, Number.NaN)]));
  });
});
