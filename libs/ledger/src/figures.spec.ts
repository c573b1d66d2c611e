import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Command } from './commands.js';
import { expense, firstMonth, hugeExpense, idOf, income, Scenario } from './ledger.scenario.js';

const GREATEST = Number.MAX_SAFE_INTEGER;

const create = (month: string): Command => ({ type: 'CreateMonth', month, newIds: [] });
const open = (item: string, openingBalance: number, month = '2026-01'): Command => ({
  type: 'OpenFund',
  month,
  itemId: idOf(item),
  openingBalance,
});

describe('the worked example', () => {
  it('comes out with exactly its numbers', () => {
    const scenario = new Scenario().given(
      firstMonth('2026-01', { Income: { Pay: 500000 }, Everything: { Food: 60000, Car: 5000 } }),
      open('Car', 20000),
      expense('Expense', { Food: 3000, Car: 1500 }),
      income('Refund', { Food: 500 }),
    );
    const food = scenario.item('2026-01', 'Food');
    assert.deepEqual([food.spent, food.remaining, food.received], [2500, 57500, 0]);
    const car = scenario.item('2026-01', 'Car');
    assert.deepEqual([car.carryIn, car.ending, car.remaining], [20000, 23500, 23500]);
    assert.equal(scenario.figures('2026-01').leftToBudget, 435000);
    assert.deepEqual(scenario.figures('2026-01').center, { planned: 65000, spent: 4000, remaining: 81000 });

    scenario.when(create('2026-02')).thenChangedMonths('2026-02');
    const february = scenario.item('2026-02', 'Car');
    assert.deepEqual([february.carryIn, february.planned, february.ending], [23500, 5000, 28500]);

    scenario
      .when({ type: 'UpdateFundBalance', month: '2026-02', itemId: idOf('Car'), balance: 30000 })
      .thenEvents({
        type: 'FundBalanceUpdated',
        data: { month: '2026-02', itemId: idOf('Car'), amount: 1500 },
      })
      .thenChangedMonths('2026-02');

    const harvested = scenario
      .when({ type: 'HarvestItem', month: '2026-01', itemId: idOf('Food') })
      .only('ItemHarvested');
    assert.deepEqual([harvested.before, harvested.after], [60000, 2500]);
    assert.equal(harvested.before - harvested.after, 57500);
    assert.equal(scenario.figures('2026-01').leftToBudget, 492500);

    scenario.when({ type: 'DeleteTransaction', id: idOf('Expense') }).thenChangedMonths('2026-01', '2026-02');
    assert.equal(scenario.item('2026-01', 'Car').ending, 25000);
    assert.equal(scenario.item('2026-02', 'Car').ending, 31500);
  });
});

describe('figures of a month', () => {
  it('count income the other way round', () => {
    const scenario = new Scenario().given(
      firstMonth('2026-01', { Income: { Pay: 100, Gift: 0 }, Living: { Food: 10 } }),
      income('A', { Pay: 130 }),
      expense('B', { Gift: 7 }),
    );
    assert.deepEqual(scenario.item('2026-01', 'Pay'), {
      planned: 100,
      spent: 0,
      received: 130,
      remaining: -30,
      carryIn: null,
      ending: null,
    });
    assert.equal(scenario.item('2026-01', 'Gift').received, -7);
    assert.deepEqual(scenario.figures('2026-01').groups.get(idOf('Income')), {
      planned: 100,
      spent: 0,
      received: 123,
      remaining: -23,
    });
    assert.deepEqual(scenario.figures('2026-01').center, { planned: 10, spent: 0, remaining: 10 });
  });

  it('of an income item without activity are 0, never −0', () => {
    const scenario = new Scenario().given(firstMonth('2026-01', { Income: { Pay: 0 } }));
    assert.deepEqual(scenario.item('2026-01', 'Pay'), {
      planned: 0,
      spent: 0,
      received: 0,
      remaining: 0,
      carryIn: null,
      ending: null,
    });
    assert.deepEqual(scenario.figures('2026-01').leftToBudget, 0);
  });

  it('add up over the groups', () => {
    const scenario = new Scenario().given(
      firstMonth('2026-01', { Income: { Pay: 100 }, One: { A: 1, B: 2 }, Two: { C: 4 }, None: {} }),
      expense('T', { A: 10, C: 40 }),
      open('B', 1000),
    );
    const { groups, center, leftToBudget } = scenario.figures('2026-01');
    assert.deepEqual(groups.get(idOf('One')), { planned: 3, spent: 10, received: 0, remaining: -9 + 1002 });
    assert.deepEqual(groups.get(idOf('Two')), { planned: 4, spent: 40, received: 0, remaining: -36 });
    assert.deepEqual(groups.get(idOf('None')), { planned: 0, spent: 0, received: 0, remaining: 0 });
    assert.deepEqual(center, { planned: 7, spent: 50, remaining: 957 });
    assert.equal(leftToBudget, 93);
  });
});

describe('months with a changed figure', () => {
  const scenario = (): Scenario =>
    new Scenario().given(
      firstMonth('2026-01', { Income: { Pay: 100 }, One: { A: 1, B: 2 } }),
      create('2026-02'),
      create('2026-03'),
    );

  it('are none for names, notes, orders, favourites, colours and what is untracked', () => {
    const quiet: Command[] = [
      { type: 'ChangeItem', itemId: idOf('A'), name: 'Z', favorite: true },
      { type: 'ChangeGroup', groupId: idOf('One'), changes: { name: 'Z', color: '#000000' } },
      { type: 'PlanItem', month: '2026-01', itemId: idOf('A'), note: 'x' },
      { type: 'OrderItems', month: '2026-01', groupId: idOf('One'), itemIds: [idOf('B'), idOf('A')] },
      expense('T', {}),
    ];
    for (const command of quiet) scenario().when(command).thenDone().thenChangedMonths();
  });

  it('count figures that appear and go', () => {
    scenario()
      .when({ type: 'RemoveItem', month: '2026-02', itemId: idOf('A') })
      .thenChangedMonths('2026-02');
    scenario()
      .when({ type: 'AddGroup', month: '2026-02', groupId: idOf('G'), name: 'G' })
      .thenChangedMonths('2026-02');
    // Its remaining stays the same, but now it carries in and ends.
    scenario()
      .given({ type: 'ResetMonth', month: '2026-01', mode: 'zero', newIds: [] })
      .when(open('A', 0))
      .thenChangedMonths('2026-01', '2026-02', '2026-03');
  });

  it('are each named once, oldest first, with only those later ones that a fund really reaches', () => {
    scenario()
      .given(open('A', 0))
      .when(expense('T', { A: 1, B: 1 }, { budgetMonth: '2026-02' }))
      .thenChangedMonths('2026-02', '2026-03');
    scenario()
      .given(open('A', 0), { type: 'RemoveItem', month: '2026-03', itemId: idOf('A') })
      .when(expense('T', { A: 1 }, { budgetMonth: '2026-01' }))
      .thenChangedMonths('2026-01', '2026-02');
  });
});

describe('a figure out of range', () => {
  const full = (): Scenario =>
    new Scenario().given(
      firstMonth('2026-01', { Income: { Pay: 0 }, One: { A: 0, B: 0 }, Two: { C: 0 } }),
      hugeExpense('T', { A: GREATEST - 10 }, '2026-01'),
    );

  it('is refused where an item, a group or the middle of the month would reach it', () => {
    full()
      .when(expense('U', { A: 11 }))
      .thenRefused('figure_out_of_range');
    full()
      .when(expense('U', { B: 11 }))
      .thenRefused('figure_out_of_range');
    full()
      .when(expense('U', { C: 11 }))
      .thenRefused('figure_out_of_range');
    full()
      .when(expense('U', { C: 10 }))
      .thenDone();
  });

  it('is refused where what remains or what is left to budget would reach it', () => {
    const refunded = new Scenario().given(firstMonth('2026-01', { Income: { Pay: 0 }, One: { A: 0 } }), {
      type: 'TransactionCreated',
      data: { id: idOf('T'), content: income('T', { A: GREATEST - 10 }).content },
    });
    const plan = (planned: number): Command => ({
      type: 'PlanItem',
      month: '2026-01',
      itemId: idOf('A'),
      planned,
    });
    refunded.when(plan(11)).thenRefused('figure_out_of_range');
    refunded.when(plan(10)).thenDone();
    const planned = new Scenario().given(
      firstMonth('2026-01', { Income: { Pay: 0 }, One: { A: GREATEST - 10 }, Two: { B: 0 } }),
    );
    planned.when({ ...plan(11), itemId: idOf('B') } as Command).thenRefused('figure_out_of_range');
  });

  it('changes nothing when it is refused', () => {
    const scenario = full();
    const { household } = scenario;
    scenario.when(expense('U', { A: 11 })).thenRefused('figure_out_of_range');
    assert.equal(scenario.household, household);
    assert.equal(scenario.transactions.size, 1);
  });

  it('is refused where only a later month would reach it', () => {
    const scenario = new Scenario().given(
      firstMonth('2026-01', { Income: {}, One: { A: 0 } }),
      open('A', 0),
      create('2026-02'),
      hugeExpense('T', { A: GREATEST - 10 }, '2026-02'),
    );
    scenario.when(expense('U', { A: 11 }, { budgetMonth: '2026-01' })).thenRefused('figure_out_of_range');
    scenario.when(expense('U', { A: 10 }, { budgetMonth: '2026-01' })).thenDone();
  });

  it('is refused for the difference that an adjustment would have to be', () => {
    const scenario = new Scenario().given(firstMonth('2026-01', { Income: {}, One: { A: 0 } }), open('A', 0));
    scenario.given(hugeExpense('T', { A: GREATEST }, '2026-01'));
    scenario
      .when({ type: 'UpdateFundBalance', month: '2026-01', itemId: idOf('A'), balance: 1 })
      .thenRefused('figure_out_of_range');
    scenario.when({ type: 'UpdateFundBalance', month: '2026-01', itemId: idOf('A'), balance: 0 }).thenDone();
    assert.equal(scenario.item('2026-01', 'A').ending, 0);
  });

  it('is none where a sum only leaves the range on its way', () => {
    const scenario = new Scenario().given(
      firstMonth('2026-01', { Income: {}, One: { A: 0, B: 0, C: 0, D: 0 } }),
      hugeExpense('T', { A: GREATEST }, '2026-01'),
      {
        type: 'TransactionCreated',
        data: { id: idOf('U'), content: income('U', { C: GREATEST }).content },
      },
    );
    // A and B together are out of range, C brings the sum back.
    scenario.when(expense('V', { B: 5 })).thenDone();
    assert.equal(scenario.figures('2026-01').groups.get(idOf('One'))!.spent, 5);
    assert.equal(scenario.figures('2026-01').center.remaining, -5);
  });

  it('is none where a balance only leaves the range on its way', () => {
    const scenario = new Scenario().given(
      firstMonth('2026-01', { Income: {}, One: { A: 100 } }),
      hugeExpense('T', { A: GREATEST }, '2026-01'),
    );
    // What was brought in and the plan together are out of range, the spending brings the ending back.
    scenario.when(open('A', GREATEST)).thenDone();
    assert.equal(scenario.item('2026-01', 'A').ending, 100);
  });
});
