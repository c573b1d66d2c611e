import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import type { MonthView } from '#projections/month-document';
import {
  groupNamed,
  itemNamed,
  ok,
  useService,
  type Household,
  type TransactionAnswer,
} from './household.scenario.js';

/** Two months of one household, with every figure worked out by hand, step by step. */
describe('the worked example', () => {
  const service = useService();
  let home: Household;
  let expense: TransactionAnswer;
  let refund: TransactionAnswer;
  let food = '';
  let car = '';

  before(async () => {
    home = await service.household();
    const january = await home.createMonth('2026-01');
    const plans: Record<string, number> = { Paycheck: 500000, Groceries: 60000, Car: 5000 };
    for (const [name, planned] of Object.entries(plans)) {
      ok(await home.patch(`/months/2026-01/items/${itemNamed(january, name).id}`, { planned }));
    }
    food = itemNamed(january, 'Groceries').id;
    car = itemNamed(january, 'Car').id;
    ok(await home.post(`/months/2026-01/items/${car}/fund`, { current_balance: 20000 }));
    const splits = [
      { item_id: food, amount: 3000 },
      { item_id: car, amount: 1500 },
    ];
    expense = await home.spend({ amount: 4500, splits });
    refund = await home.spend({ type: 'income', amount: 500, splits: [{ item_id: food, amount: 500 }] });
  });

  it('counts a refund against what was spent', async () => {
    const groceries = itemNamed(await home.month('2026-01'), 'Groceries');
    assert.equal(groceries.spent, 2500);
    assert.equal(groceries.remaining, 57500);
  });

  it('carries the fund', async () => {
    const item = itemNamed(await home.month('2026-01'), 'Car');
    assert.equal(item.is_fund, true);
    assert.deepEqual(item.fund, { carry_in: 20000, adjustments: [], ending: 23500 });
    assert.equal(item.remaining, 23500);
  });

  it('sums up the month', async () => {
    const january = await home.month('2026-01');
    assert.equal(january.left_to_budget, 435000);
    assert.deepEqual(january.center, { planned: 65000, spent: 4000, remaining: 81000 });
    const { totals } = groupNamed(january, 'Food');
    assert.deepEqual(totals, { planned: 60000, spent: 2500, received: 0, remaining: 57500 });
  });

  it('answers each write of a transaction with the month as it then was', async () => {
    assert.deepEqual(
      expense.months.map(month => [month.month, month.center.spent]),
      [['2026-01', 4500]],
    );
    assert.deepEqual(refund.months, [await home.month('2026-01')]);
  });

  it('carries into the next month, which a balance update corrects', async () => {
    const february = await home.createMonth('2026-02');
    assert.equal(february.copied_from, '2026-01');
    const item = itemNamed(february, 'Car');
    assert.equal(item.planned, 5000);
    assert.deepEqual(item.fund, { carry_in: 23500, adjustments: [], ending: 28500 });
    const updated = ok(
      await home.post<MonthView>(`/months/2026-02/items/${car}/fund-balance`, { current_balance: 30000 }),
    );
    const { adjustments, ending } = itemNamed(updated, 'Car').fund!;
    assert.equal(ending, 30000);
    assert.deepEqual(
      adjustments.map(({ amount, by }) => ({ amount, by })),
      [{ amount: 1500, by: home.user.id }],
    );
    assert.equal(itemNamed(updated, 'Car').spent, 0);
  });

  it('harvests what remains of a regular item', async () => {
    const harvest = ok(
      await home.post<{ month: MonthView; harvested: number; previous_planned: number }>(
        `/months/2026-01/items/${food}/harvest`,
      ),
    );
    assert.deepEqual(Object.keys(harvest).sort(), ['harvested', 'month', 'previous_planned']);
    assert.equal(harvest.harvested, 57500);
    assert.equal(harvest.previous_planned, 60000);
    assert.equal(itemNamed(harvest.month, 'Groceries').planned, 2500);
    assert.equal(harvest.month.left_to_budget, 492500);
  });

  it('changes every later month with a deletion, and answers all of them', async () => {
    const deleted = ok(await home.delete<TransactionAnswer>(`/transactions/${expense.transaction.id}`));
    assert.equal(deleted.transaction.status, 'deleted');
    assert.deepEqual(
      deleted.months.map(month => [month.month, itemNamed(month, 'Car').fund!.ending]),
      [
        ['2026-01', 25000],
        ['2026-02', 31500],
      ],
    );
    assert.deepEqual(deleted.months, [await home.month('2026-01'), await home.month('2026-02')]);
  });
});
