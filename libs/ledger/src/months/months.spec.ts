import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Command } from '../commands.js';
import { budgetOf } from '../household.js';
import { expense, firstMonth, idOf, income, Scenario, splitsOf } from '../ledger.scenario.js';
import { BUDGETS_MAX, ITEMS_PER_MONTH_MAX, PLACES_MAX } from '../limits.js';
import { DEFAULT_TEMPLATE } from './month-commands.js';

const TEMPLATE = DEFAULT_TEMPLATE.map(({ name, items }) => [name, ...items]);

function createMonth(scenario: Scenario, month: string): Command {
  return { type: 'CreateMonth', month, newIds: scenario.freshIds() };
}

function replace(scenario: Scenario, month: string): Command {
  return { type: 'ResetMonth', month, mode: 'replace', newIds: scenario.freshIds() };
}

const zero = (month: string): Command => ({ type: 'ResetMonth', month, mode: 'zero', newIds: [] });

function january(): Scenario {
  return new Scenario().given(
    firstMonth('2026-01', { Income: { Pay: 500000 }, Living: { Food: 60000, Fun: 0 }, Cars: { Car: 5000 } }),
  );
}

describe('creating the first month', () => {
  it('lays out the default template, all planned 0', () => {
    const scenario = new Scenario();
    const data = scenario.when(createMonth(scenario, '2026-01')).only('MonthCreated');
    assert.equal(data.copiedFrom, null);
    assert.deepEqual(scenario.layout('2026-01'), TEMPLATE);
    assert.ok(data.layout.every(({ items }) => items.every(({ planned }) => planned === 0)));
    assert.equal(new Set([...data.newGroups, ...data.newItems].map(({ id }) => id)).size, 26);
    assert.deepEqual(
      data.newGroups.map(({ isIncome }) => isIncome),
      DEFAULT_TEMPLATE.map((_, i) => i === 0),
    );
    assert.ok(data.newItems.every(({ kind, name }) => kind === (name === 'Paycheck' ? 'income' : 'expense')));
    assert.equal(new Set(data.newGroups.map(({ color }) => color)).size, DEFAULT_TEMPLATE.length);
  });

  it('keeps when it was made', () => {
    const scenario = new Scenario();
    scenario.given(createMonth(scenario, '2026-01'));
    assert.equal(scenario.budget('2026-01').createdAt, scenario.events[0]!.at);
  });

  it('is refused for a month that exists', () => {
    const scenario = january();
    scenario.when(createMonth(scenario, '2026-01')).thenRefused('month_exists');
  });

  it('is refused beyond a century of months', () => {
    const scenario = new Scenario();
    const month = (index: number): string =>
      `${2000 + Math.floor(index / 12)}-${String((index % 12) + 1).padStart(2, '0')}`;
    for (let i = 0; i < BUDGETS_MAX; i++) scenario.given(firstMonth(month(i), { Income: {} }));
    scenario.given(expense('T', {}, { budgetMonth: month(BUDGETS_MAX) }));
    scenario
      .when(createMonth(scenario, month(BUDGETS_MAX)))
      .thenRefused('household_full', { limit: 'months', max: BUDGETS_MAX });
    scenario.when(createMonth(scenario, month(7))).thenRefused('month_exists');
    scenario.when(replace(scenario, month(7))).thenDone();
  });

  it('is refused where all months together would hold too many items, as everything that adds one', () => {
    const names = Array.from({ length: ITEMS_PER_MONTH_MAX - 1 }, (_, n) => `I${n}`);
    const living = Object.fromEntries(names.map(name => [name, 0]));
    const scenario = new Scenario();
    const count = PLACES_MAX / ITEMS_PER_MONTH_MAX;
    for (let i = 0; i < count; i++)
      scenario.given(firstMonth(`${2000 + i}-01`, { Income: { Pay: 0 }, Living: living }));
    const full = { limit: 'places', max: PLACES_MAX };
    scenario.when(createMonth(scenario, '2999-01')).thenRefused('household_full', full);
    const [month, itemId, groupId] = ['2000-01', idOf('I0'), idOf('Living')];
    scenario.when({ type: 'RemoveItem', month, itemId }).thenDone();
    const place: Command = { type: 'PlaceItem', month, groupId, itemId, planned: 0, note: null };
    scenario.when(place).thenDone();
    const name = 'New';
    const add: Command = { ...place, type: 'AddItem', itemId: idOf(name), name };
    scenario.given({ type: 'RemoveItem', month, itemId }, add);
    scenario.given(
      { type: 'RemoveItem', month, itemId: idOf('I1') },
      firstMonth('2998-01', { Income: { Pay: 0 } }),
    );
    scenario.when(place).thenRefused('household_full', full);
    scenario.when(replace(scenario, '2998-01')).thenRefused('household_full', full);
  });

  it('takes in a month whose untracked transactions came before it', () => {
    const scenario = new Scenario().given(expense('T', {}, { amount: 700 }));
    assert.equal(budgetOf(scenario.household, '2026-01'), null);
    scenario.given(createMonth(scenario, '2026-01'));
    assert.equal(scenario.household.months[0]!.live, 1);
    assert.equal(scenario.household.untracked.count, 1);
  });
});

describe('creating a later month', () => {
  it('copies groups, items, their order and plans of the latest earlier month, nothing else', () => {
    const scenario = january().given(
      { type: 'PlanItem', month: '2026-01', itemId: idOf('Food'), note: 'from the market' },
      { type: 'OpenFund', month: '2026-01', itemId: idOf('Car'), openingBalance: 20000 },
      { type: 'UpdateFundBalance', month: '2026-01', itemId: idOf('Car'), balance: 26000 },
      { type: 'OrderGroups', month: '2026-01', groupIds: [idOf('Cars'), idOf('Living')] },
      { type: 'OrderItems', month: '2026-01', groupId: idOf('Living'), itemIds: [idOf('Fun'), idOf('Food')] },
      expense('T', { Food: 100 }),
    );
    scenario.when(createMonth(scenario, '2026-03')).thenEvents({
      type: 'MonthCreated',
      data: {
        month: '2026-03',
        copiedFrom: '2026-01',
        newGroups: [],
        newItems: [],
        layout: [
          { groupId: idOf('Income'), items: [{ itemId: idOf('Pay'), planned: 500000 }] },
          { groupId: idOf('Cars'), items: [{ itemId: idOf('Car'), planned: 5000 }] },
          {
            groupId: idOf('Living'),
            items: [
              { itemId: idOf('Fun'), planned: 0 },
              { itemId: idOf('Food'), planned: 60000 },
            ],
          },
        ],
      },
    });
    const food = scenario.budget('2026-03').items.get(idOf('Food'));
    assert.deepEqual(food, { planned: 60000, note: null, adjustments: [], activity: 0, carryIn: null });
    const car = scenario.budget('2026-03').items.get(idOf('Car'));
    assert.deepEqual(car, { planned: 5000, note: null, adjustments: [], activity: 0, carryIn: 26000 });
  });

  it('between two copies the earlier one, and its funds flow into the later one', () => {
    const scenario = january().given({
      type: 'OpenFund',
      month: '2026-01',
      itemId: idOf('Car'),
      openingBalance: 0,
    });
    scenario.given(createMonth(scenario, '2026-03'));
    scenario.given({ type: 'PlanItem', month: '2026-03', itemId: idOf('Car'), planned: 7 });
    assert.equal(scenario.item('2026-03', 'Car').carryIn, 5000);
    const decision = scenario.when(createMonth(scenario, '2026-02'));
    assert.equal(decision.only('MonthCreated').copiedFrom, '2026-01');
    decision.thenChangedMonths('2026-02', '2026-03');
    assert.equal(scenario.item('2026-02', 'Car').planned, 5000);
    assert.equal(scenario.item('2026-03', 'Car').carryIn, 10000);
  });

  it('before every other lays out the template again, with the identities that there are', () => {
    const scenario = new Scenario();
    scenario.given(createMonth(scenario, '2026-02'));
    const data = scenario.when(createMonth(scenario, '2026-01')).only('MonthCreated');
    assert.equal(data.copiedFrom, null);
    assert.deepEqual([data.newGroups, data.newItems], [[], []]);
    assert.deepEqual(
      data.layout.map(({ groupId }) => groupId),
      scenario.budget('2026-02').groups.map(({ groupId }) => groupId),
    );
  });
});

describe('the default template on identities that exist', () => {
  it('uses the income group whatever its name is now, and an item of it', () => {
    const scenario = new Scenario().given(
      firstMonth('2026-02', { Earnings: { paycheck: 1 }, Income: { Paycheck: 2 } }),
    );
    const data = scenario.when(createMonth(scenario, '2026-01')).only('MonthCreated');
    assert.deepEqual(data.layout[0], {
      groupId: idOf('Earnings'),
      items: [{ itemId: idOf('paycheck'), planned: 0 }],
    });
    assert.ok(!data.newGroups.some(({ isIncome }) => isIncome));
  });

  it('never takes the income group for another group of its name', () => {
    const scenario = new Scenario().given(firstMonth('2026-02', { Giving: { Charity: 1 } }));
    const data = scenario.when(createMonth(scenario, '2026-01')).only('MonthCreated');
    assert.equal(data.layout[0]!.groupId, idOf('Giving'));
    const giving = data.newGroups.find(({ name }) => name === 'Giving');
    assert.ok(giving && !giving.isIncome);
    assert.ok(data.newItems.some(({ name, kind }) => name === 'Charity' && kind === 'expense'));
  });

  it('compares names without case and takes the oldest', () => {
    const scenario = new Scenario().given(
      firstMonth('2026-02', {
        Income: {},
        FOOD: { groceries: 1, Groceries: 2 },
        Food: { Restaurants: 3 },
      }),
    );
    const data = scenario.when(createMonth(scenario, '2026-01')).only('MonthCreated');
    const food = data.layout[5]!;
    assert.equal(food.groupId, idOf('FOOD'));
    assert.equal(food.items[0]!.itemId, idOf('groceries'));
    // Restaurants counts in the other group of that name.
    assert.ok(data.newItems.some(({ id, name }) => id === food.items[1]!.itemId && name === 'Restaurants'));
  });

  it('brings back groups and items that are in no month now', () => {
    const scenario = new Scenario().given(
      firstMonth('2026-02', { Income: { Paycheck: 1 }, Food: { Groceries: 1 }, Giving: { Charity: 1 } }),
      { type: 'RemoveGroup', month: '2026-02', groupId: idOf('Food') },
      { type: 'RemoveItem', month: '2026-02', itemId: idOf('Charity') },
      { type: 'RemoveItem', month: '2026-02', itemId: idOf('Paycheck') },
    );
    const data = scenario.when(createMonth(scenario, '2026-01')).only('MonthCreated');
    const ids = data.layout.flatMap(({ groupId, items }) => [groupId, ...items.map(({ itemId }) => itemId)]);
    for (const name of ['Food', 'Groceries', 'Charity', 'Paycheck'])
      assert.ok(ids.includes(idOf(name)), name);
  });

  it('does not take an item that was renamed, but one that was given the name', () => {
    const scenario = new Scenario().given(
      firstMonth('2026-02', { Income: {}, Food: { Groceries: 1, Shop: 1 } }),
      { type: 'ChangeItem', itemId: idOf('Groceries'), name: 'Market' },
      { type: 'ChangeItem', itemId: idOf('Shop'), name: 'Groceries' },
    );
    const data = scenario.when(createMonth(scenario, '2026-01')).only('MonthCreated');
    assert.equal(data.layout[5]!.items[0]!.itemId, idOf('Shop'));
  });

  it('counts an item in the group in which it was last laid out', () => {
    const scenario = new Scenario().given(
      firstMonth('2026-02', { Income: {}, Food: { Groceries: 1 }, Shops: {} }),
      { type: 'OrderItems', month: '2026-02', groupId: idOf('Shops'), itemIds: [idOf('Groceries')] },
    );
    const data = scenario.when(createMonth(scenario, '2026-01')).only('MonthCreated');
    assert.equal(data.layout[5]!.groupId, idOf('Food'));
    assert.notEqual(data.layout[5]!.items[0]!.itemId, idOf('Groceries'));
  });

  it('does not count an item as laid out anew because another one joined it', () => {
    const scenario = new Scenario().given(
      firstMonth('2026-02', { Income: {}, Food: { Groceries: 1 }, Shops: {} }),
    );
    scenario.given(
      createMonth(scenario, '2026-03'),
      { type: 'OrderItems', month: '2026-03', groupId: idOf('Shops'), itemIds: [idOf('Groceries')] },
      {
        type: 'AddItem',
        month: '2026-02',
        groupId: idOf('Food'),
        itemId: idOf('Bread'),
        name: 'Bread',
        planned: 0,
        note: null,
      },
    );
    const data = scenario.when(createMonth(scenario, '2026-01')).only('MonthCreated');
    assert.notEqual(data.layout[5]!.items[0]!.itemId, idOf('Groceries'));
  });
});

describe('resetting a month to zero', () => {
  it('sets every plan to 0 and leaves all else', () => {
    const scenario = january().given(
      { type: 'PlanItem', month: '2026-01', itemId: idOf('Food'), note: 'keep' },
      { type: 'OpenFund', month: '2026-01', itemId: idOf('Car'), openingBalance: 20000 },
      { type: 'UpdateFundBalance', month: '2026-01', itemId: idOf('Car'), balance: 26000 },
      expense('T', { Food: 100, Car: 50 }),
    );
    scenario.given(createMonth(scenario, '2026-02'));
    scenario
      .when(zero('2026-01'))
      .thenEvents({
        type: 'MonthZeroed',
        data: {
          month: '2026-01',
          planned: [
            [idOf('Pay'), 500000],
            [idOf('Food'), 60000],
            [idOf('Car'), 5000],
          ],
        },
      })
      .thenChangedMonths('2026-01', '2026-02');
    const { items } = scenario.budget('2026-01');
    assert.ok([...items.values()].every(({ planned }) => planned === 0));
    assert.equal(items.get(idOf('Food'))!.note, 'keep');
    assert.equal(items.get(idOf('Food'))!.activity, 100);
    assert.equal(items.get(idOf('Car'))!.adjustments.length, 1);
    assert.equal(scenario.item('2026-02', 'Car').carryIn, 20000 + 1000 - 50);
    assert.equal(scenario.transaction('T').splits.length, 2);
  });

  it('records nothing where all plans are 0', () => {
    january().given(zero('2026-01')).when(zero('2026-01')).thenNothing();
  });

  it('needs the month', () => {
    january().when(zero('2026-02')).thenRefused('not_found', { resource: 'month' });
  });
});

describe('resetting a month by replacing it', () => {
  it('untracks every transaction of the month and copies the latest earlier month again', () => {
    const scenario = january().given(
      { type: 'OpenFund', month: '2026-01', itemId: idOf('Car'), openingBalance: 20000 },
      { type: 'ChangeItem', itemId: idOf('Car'), fundTarget: 900 },
    );
    scenario.given(
      createMonth(scenario, '2026-02'),
      createMonth(scenario, '2026-03'),
      { type: 'PlanItem', month: '2026-02', itemId: idOf('Food'), planned: 1, note: 'gone' },
      { type: 'UpdateFundBalance', month: '2026-02', itemId: idOf('Car'), balance: 0 },
      { type: 'RemoveItem', month: '2026-02', itemId: idOf('Fun') },
      expense('A', { Food: 300, Car: 200 }, { budgetMonth: '2026-02' }),
      income('B', { Pay: 1000, Food: 50 }, { budgetMonth: '2026-02' }),
      expense('C', { Food: 77 }, { budgetMonth: '2026-02' }),
      { type: 'DeleteTransaction', id: idOf('C') },
      expense('D', {}, { budgetMonth: '2026-02' }),
      expense('E', { Food: 9 }, { budgetMonth: '2026-01' }),
    );
    const decision = scenario.when(replace(scenario, '2026-02'));
    const data = decision.only('MonthReplaced');
    assert.deepEqual(data.untracked, {
      transactionIds: [idOf('A'), idOf('B')],
      activity: [
        [idOf('Food'), 250],
        [idOf('Car'), 200],
        [idOf('Pay'), -1000],
      ],
    });
    assert.equal(data.taken.copiedFrom, '2026-01');
    const takenCar = data.taken.groups[2]!.items[0]!;
    assert.deepEqual([takenCar.itemId, takenCar.planned], [idOf('Car'), 5000]);
    assert.deepEqual(
      takenCar.adjustments.map(({ amount, term }) => [amount, term]),
      [[-30000, 0]],
    );
    assert.deepEqual(data.taken.groups[1]!.items, [
      { itemId: idOf('Food'), planned: 1, note: 'gone', adjustments: [] },
    ]);
    decision.thenChangedMonths('2026-02', '2026-03');

    assert.deepEqual(scenario.layout('2026-02'), scenario.layout('2026-01'));
    assert.equal(scenario.item('2026-02', 'Food').planned, 60000);
    assert.equal(scenario.item('2026-02', 'Food').spent, 0);
    assert.equal(scenario.budget('2026-02').items.get(idOf('Food'))!.note, null);
    assert.equal(scenario.item('2026-02', 'Car').carryIn, 25000);
    assert.equal(scenario.item('2026-02', 'Car').ending, 30000);
    assert.equal(scenario.item('2026-03', 'Car').carryIn, 30000);
    assert.equal(scenario.household.items.get(idOf('Car'))!.fundTarget, 900);
    assert.equal(scenario.household.untracked.count, 3);
    assert.deepEqual(scenario.transaction('A').splits, []);
    assert.deepEqual(scenario.transaction('C').splits, splitsOf({ Food: 77 }));
    assert.deepEqual(scenario.transaction('E').splits, splitsOf({ Food: 9 }));
  });

  it('lays out the template where no month is earlier, and keeps the opening balance of a fund', () => {
    const scenario = new Scenario();
    scenario.given(createMonth(scenario, '2026-01'));
    const charity = [...scenario.household.items.values()].find(({ name }) => name === 'Charity')!.id;
    scenario.given(
      { type: 'PlanItem', month: '2026-01', itemId: charity, planned: 500 },
      { type: 'OpenFund', month: '2026-01', itemId: charity, openingBalance: 4000 },
      { type: 'RemoveGroup', month: '2026-01', groupId: scenario.budget('2026-01').groups[3]!.groupId },
    );
    const data = scenario.when(replace(scenario, '2026-01')).only('MonthReplaced');
    assert.deepEqual([data.copiedFrom, data.newGroups, data.newItems], [null, [], []]);
    assert.deepEqual(scenario.layout('2026-01'), TEMPLATE);
    const figures = scenario.figures('2026-01').items.get(charity)!;
    assert.deepEqual([figures.planned, figures.carryIn, figures.ending], [0, 4000, 4000]);
  });

  it('copies an earlier month that was made since', () => {
    const scenario = new Scenario();
    scenario.given(createMonth(scenario, '2026-02'), createMonth(scenario, '2026-01'));
    assert.equal(scenario.budget('2026-02').copiedFrom, null);
    scenario.given(replace(scenario, '2026-02'));
    assert.equal(scenario.budget('2026-02').copiedFrom, '2026-01');
  });

  it('keeps when the month was made', () => {
    const scenario = january();
    const { createdAt } = scenario.budget('2026-01');
    scenario.given(replace(scenario, '2026-01'));
    assert.equal(scenario.budget('2026-01').createdAt, createdAt);
  });

  it('records nothing where that changes nothing', () => {
    const scenario = january();
    scenario.given(createMonth(scenario, '2026-02'), expense('D', {}, { budgetMonth: '2026-02' }));
    scenario.when(replace(scenario, '2026-02')).thenNothing();
  });

  it('that only takes away splits that cancel out leaves the month at its revision', () => {
    const scenario = january();
    scenario.given(
      createMonth(scenario, '2026-02'),
      expense('A', { Food: 5 }, { budgetMonth: '2026-02' }),
      income('B', { Food: 5 }, { budgetMonth: '2026-02' }),
    );
    const { revision } = scenario.budget('2026-02');
    const decision = scenario.when(replace(scenario, '2026-02'));
    assert.equal(decision.only('MonthReplaced').untracked.transactionIds.length, 2);
    decision.thenChangedMonths();
    assert.equal(scenario.household.untracked.count, 2);
    assert.equal(scenario.budget('2026-02').revision, revision);
  });

  it('needs the month', () => {
    const scenario = january();
    scenario.when(replace(scenario, '2026-02')).thenRefused('not_found', { resource: 'month' });
  });
});
