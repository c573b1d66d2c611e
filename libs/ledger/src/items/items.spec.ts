import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Command } from '../commands.js';
import { expense, firstMonth, idOf, income, Scenario, splitsOf } from '../ledger.scenario.js';
import { ITEMS_PER_MONTH_MAX, NOTES_LENGTH_PER_MONTH_MAX } from '../limits.js';

function twoMonths(): Scenario {
  const scenario = new Scenario().given(
    firstMonth('2026-01', {
      Income: { Pay: 500, Bonus: 0 },
      Living: { Food: 60, Fun: 1 },
      Cars: { Car: 50 },
      Empty: {},
    }),
  );
  return scenario.given({ type: 'CreateMonth', month: '2026-02', newIds: [] });
}

const add = (name: string, group = 'Living', month = '2026-01'): Command => ({
  type: 'AddItem',
  month,
  groupId: idOf(group),
  itemId: idOf(name),
  name,
  planned: 12,
  note: 'new',
});
const place = (name: string, group = 'Living', month = '2026-01'): Command => ({
  type: 'PlaceItem',
  month,
  groupId: idOf(group),
  itemId: idOf(name),
  planned: 7,
  note: null,
});
const remove = (name: string, month = '2026-01'): Command => ({
  type: 'RemoveItem',
  month,
  itemId: idOf(name),
});
const plan = (name: string, change: { planned?: number; note?: string | null }): Command => ({
  type: 'PlanItem',
  month: '2026-01',
  itemId: idOf(name),
  ...change,
});
const order = (group: string, ...names: string[]): Command => ({
  type: 'OrderItems',
  month: '2026-01',
  groupId: idOf(group),
  itemIds: names.map(idOf),
});
const harvest = (name: string, month = '2026-01'): Command => ({
  type: 'HarvestItem',
  month,
  itemId: idOf(name),
});
const openFund = (name: string, month = '2026-01'): Command => ({
  type: 'OpenFund',
  month,
  itemId: idOf(name),
  openingBalance: 0,
});

describe('adding an item', () => {
  it('appends it to the group, in this month only', () => {
    const scenario = twoMonths();
    scenario
      .when(add('Pets'))
      .thenEvents({
        type: 'ItemAdded',
        data: {
          month: '2026-01',
          groupId: idOf('Living'),
          item: { id: idOf('Pets'), name: 'Pets', kind: 'expense' },
          planned: 12,
          note: 'new',
        },
      })
      .thenChangedMonths('2026-01');
    assert.deepEqual(scenario.layout('2026-01')[1], ['Living', 'Food', 'Fun', 'Pets']);
    assert.deepEqual(scenario.layout('2026-02')[1], ['Living', 'Food', 'Fun']);
    assert.equal(scenario.budget('2026-01').items.get(idOf('Pets'))!.note, 'new');
  });

  it('follows the kind of the group', () => {
    assert.equal(twoMonths().when(add('Gift', 'Income')).only('ItemAdded').item.kind, 'income');
  });

  it('makes a new identity also where the name is taken', () => {
    const scenario = twoMonths().given({ ...add('Food'), itemId: idOf('Food two') } as Command);
    assert.deepEqual(scenario.layout('2026-01')[1], ['Living', 'Food', 'Fun', 'Food']);
  });

  it('needs the month, and the group in it', () => {
    const scenario = twoMonths().given({ type: 'RemoveGroup', month: '2026-01', groupId: idOf('Cars') });
    scenario.when(add('X', 'Cars', '2026-03')).thenRefused('not_found', { resource: 'month' });
    scenario.when(add('X', 'Cars')).thenRefused('not_found', { resource: 'group' });
  });

  it('is refused where the month is full of items or notes', () => {
    const scenario = twoMonths();
    for (let i = 5; i < ITEMS_PER_MONTH_MAX; i++) scenario.given({ ...add(`I${i}`), note: null } as Command);
    const full = { limit: 'items', max: ITEMS_PER_MONTH_MAX, month: '2026-01' };
    scenario.when(add('X')).thenRefused('month_full', full);
    scenario
      .given(add('X', 'Living', '2026-02'))
      .when(place('X'))
      .thenRefused('month_full', full);
    const noted = twoMonths().given(plan('Food', { note: 'n'.repeat(NOTES_LENGTH_PER_MONTH_MAX - 2) }));
    const tooLong = { limit: 'notes', max: NOTES_LENGTH_PER_MONTH_MAX, month: '2026-01' };
    noted.when(add('X')).thenRefused('month_full', tooLong);
    const placed = { ...place('X'), note: 'new' } as Command;
    noted
      .given(add('X', 'Living', '2026-02'))
      .when(placed)
      .thenRefused('month_full', tooLong);
    noted.when({ ...placed, note: 'ok' } as Command).thenDone();
  });
});

describe('placing an item that the household already has', () => {
  it('appends it to the group', () => {
    const scenario = twoMonths().given(add('Pets', 'Living', '2026-02'));
    scenario.when(place('Pets', 'Cars')).thenEvents({
      type: 'ItemPlaced',
      data: { month: '2026-01', groupId: idOf('Cars'), itemId: idOf('Pets'), planned: 7, note: null },
    });
    assert.equal(scenario.groupOf('2026-01', 'Pets'), 'Cars');
    assert.equal(scenario.groupOf('2026-02', 'Pets'), 'Living');
  });

  it('brings back an item that is in no month any more', () => {
    const scenario = twoMonths().given(remove('Food'), remove('Food', '2026-02'), place('Food'));
    assert.deepEqual(scenario.layout('2026-01')[1], ['Living', 'Fun', 'Food']);
    assert.deepEqual(scenario.budget('2026-01').items.get(idOf('Food')), {
      planned: 7,
      note: null,
      adjustments: [],
      activity: 0,
      carryIn: null,
    });
  });

  it('is refused in a month that has it, in whatever group', () => {
    twoMonths().when(place('Food', 'Cars')).thenRefused('already_in_month');
  });

  it('is refused in a group of the other kind', () => {
    const scenario = twoMonths().given(remove('Food'), remove('Bonus'));
    scenario.when(place('Food', 'Income')).thenRefused('kind_mismatch');
    scenario.when(place('Bonus', 'Living')).thenRefused('kind_mismatch');
  });

  it('needs the month, the group in it and the item', () => {
    const scenario = twoMonths();
    scenario.when(place('Food', 'Cars', '2026-03')).thenRefused('not_found', { resource: 'month' });
    scenario.when(place('Food', 'Nowhere')).thenRefused('not_found', { resource: 'group' });
    scenario.when(place('Nothing')).thenRefused('not_found', { resource: 'item' });
  });
});

describe('changing what an item is', () => {
  const change = (name: string, changes: object): Command => ({
    type: 'ChangeItem',
    itemId: idOf(name),
    ...changes,
  });

  it('renames it in every month', () => {
    const scenario = twoMonths();
    scenario.when(change('Food', { name: 'Meals' })).thenEvents({
      type: 'ItemChanged',
      data: { itemId: idOf('Food'), before: { name: 'Food' }, after: { name: 'Meals' } },
    });
    assert.equal(scenario.layout('2026-02')[1]![1], 'Meals');
  });

  it('keeps favourites in the order in which they were made', () => {
    const scenario = twoMonths().given(
      change('Fun', { favorite: true }),
      change('Pay', { favorite: true }),
      change('Food', { favorite: true }),
      change('Fun', { favorite: false }),
    );
    assert.deepEqual(scenario.household.favorites, ['Pay', 'Food'].map(idOf));
    scenario.when(change('Fun', { favorite: true })).thenEvents({
      type: 'ItemChanged',
      data: { itemId: idOf('Fun'), before: { favorite: false }, after: { favorite: true } },
    });
    assert.deepEqual(scenario.household.favorites, ['Pay', 'Food', 'Fun'].map(idOf));
    scenario.when(change('Pay', { favorite: true })).thenNothing();
    assert.deepEqual(scenario.household.favorites, ['Pay', 'Food', 'Fun'].map(idOf));
  });

  it('gives a fund a target, and clears it', () => {
    const scenario = twoMonths().given(openFund('Car'));
    scenario.when(change('Car', { fundTarget: 900 })).thenEvents({
      type: 'ItemChanged',
      data: { itemId: idOf('Car'), before: { fundTarget: null }, after: { fundTarget: 900 } },
    });
    assert.equal(scenario.household.items.get(idOf('Car'))!.fundTarget, 900);
    scenario.when(change('Car', { fundTarget: 900 })).thenNothing();
    scenario.given(change('Car', { fundTarget: 0 }));
    assert.equal(scenario.household.items.get(idOf('Car'))!.fundTarget, 0);
    scenario.given(change('Car', { fundTarget: null }));
    assert.equal(scenario.household.items.get(idOf('Car'))!.fundTarget, null);
  });

  it('refuses a target on an item that is no fund, or by this call becomes none', () => {
    twoMonths()
      .when(change('Food', { fundTarget: 5 }))
      .thenRefused('not_a_fund');
    twoMonths()
      .when(change('Pay', { fundTarget: 0 }))
      .thenRefused('not_a_fund');
    twoMonths()
      .given(openFund('Car'))
      .when(change('Car', { fundTarget: 5, endFund: true }))
      .thenRefused('not_a_fund');
    twoMonths()
      .when(change('Food', { fundTarget: null }))
      .thenNothing();
  });

  it('records all changes of one call in one event, and nothing where nothing changes', () => {
    const all = { name: 'Auto', favorite: true, fundTarget: 5 };
    twoMonths()
      .given(openFund('Car'))
      .when(change('Car', all))
      .thenEvents({
        type: 'ItemChanged',
        data: {
          itemId: idOf('Car'),
          before: { name: 'Car', favorite: false, fundTarget: null },
          after: all,
        },
      });
    twoMonths()
      .when(change('Food', { name: 'Food', favorite: false }))
      .thenNothing();
    twoMonths().when(change('Food', {})).thenNothing();
  });

  it('notes when favourite and target last changed, apart from the name', () => {
    const scenario = twoMonths().given(
      openFund('Car'),
      change('Car', { favorite: true }),
      change('Car', { fundTarget: 5 }),
      change('Car', { name: 'Auto' }),
    );
    const { favoriteRevision, targetRevision } = scenario.household.items.get(idOf('Car'))!;
    assert.deepEqual([favoriteRevision, targetRevision], [3, 4]);
  });

  it('needs an item that is in a month', () => {
    const gone = twoMonths().given(remove('Food'), remove('Food', '2026-02'));
    gone.when(change('Food', { name: 'X' })).thenRefused('not_found', { resource: 'item' });
    gone.when(change('Nothing', { name: 'X' })).thenRefused('not_found', { resource: 'item' });
    twoMonths()
      .given(remove('Food'))
      .when(change('Food', { name: 'X' }))
      .thenDone();
  });
});

describe('planning an item in a month', () => {
  it('changes its plan and note there only', () => {
    const scenario = twoMonths();
    scenario
      .when(plan('Food', { planned: 80, note: 'more' }))
      .thenEvents(
        { type: 'ItemPlanned', data: { month: '2026-01', itemId: idOf('Food'), before: 60, after: 80 } },
        { type: 'ItemNoted', data: { month: '2026-01', itemId: idOf('Food'), before: null, after: 'more' } },
      )
      .thenChangedMonths('2026-01');
    assert.equal(scenario.item('2026-02', 'Food').planned, 60);
    assert.equal(scenario.figures('2026-01').leftToBudget, 500 - 80 - 1 - 50);
  });

  it('records what really changes, and nothing where nothing does', () => {
    const scenario = twoMonths().given(plan('Food', { note: 'more' }));
    scenario
      .when(plan('Food', { planned: 60, note: null }))
      .thenEvents({
        type: 'ItemNoted',
        data: { month: '2026-01', itemId: idOf('Food'), before: 'more', after: null },
      })
      .thenChangedMonths();
    scenario.when(plan('Food', { planned: 60, note: null })).thenNothing();
    scenario.when(plan('Food', {})).thenNothing();
  });

  it('is refused where the notes of the month would be too long together', () => {
    const half = NOTES_LENGTH_PER_MONTH_MAX / 2;
    const scenario = twoMonths().given(
      plan('Food', { note: 'n'.repeat(half) }),
      plan('Fun', { note: 'n'.repeat(half) }),
    );
    scenario.when(plan('Fun', { note: 'n'.repeat(half + 1) })).thenRefused('month_full');
    scenario.when(plan('Car', { note: 'n' })).thenRefused('month_full');
    scenario.given(plan('Food', { note: 'm'.repeat(half) }), plan('Fun', { note: 'short' }));
    scenario.when(plan('Car', { note: 'n' })).thenDone();
  });

  it('counts a character of a note once, however it is encoded', () => {
    const scenario = twoMonths().given(plan('Food', { note: '😀'.repeat(NOTES_LENGTH_PER_MONTH_MAX - 1) }));
    scenario.when(plan('Car', { note: '😀' })).thenDone();
    scenario.when(plan('Car', { note: 'no' })).thenRefused('month_full');
  });

  it('needs the month, and the item in it', () => {
    const scenario = twoMonths().given(remove('Food'));
    const inMarch = { ...plan('Food', { planned: 1 }), month: '2026-03' } as Command;
    scenario.when(inMarch).thenRefused('not_found', { resource: 'month' });
    scenario.when(plan('Food', { planned: 60 })).thenRefused('not_found', { resource: 'item' });
  });
});

describe('removing an item from a month', () => {
  it('untracks its transactions there, drops its plan and note, and leaves other months', () => {
    const scenario = twoMonths().given(
      plan('Food', { note: 'gone' }),
      expense('A', { Food: 30, Car: 5 }),
      income('B', { Food: 10 }),
      expense('C', { Car: 7 }),
      expense('D', { Food: 8 }),
      { type: 'DeleteTransaction', id: idOf('D') },
      expense('E', { Food: 9 }, { budgetMonth: '2026-02' }),
    );
    scenario
      .when(remove('Food'))
      .thenEvents({
        type: 'ItemRemoved',
        data: {
          month: '2026-01',
          groupId: idOf('Living'),
          index: 0,
          among: [idOf('Food'), idOf('Fun')],
          taken: { itemId: idOf('Food'), planned: 60, note: 'gone', adjustments: [] },
          untracked: {
            transactionIds: [idOf('A'), idOf('B')],
            activity: [
              [idOf('Food'), 20],
              [idOf('Car'), 5],
            ],
          },
        },
      })
      .thenChangedMonths('2026-01');
    assert.deepEqual(scenario.layout('2026-01')[1], ['Living', 'Fun']);
    assert.equal(scenario.item('2026-01', 'Car').spent, 7);
    assert.equal(scenario.item('2026-02', 'Food').spent, 9);
    assert.equal(scenario.household.untracked.count, 2);
    assert.deepEqual(scenario.transaction('D').splits, splitsOf({ Food: 8 }));
  });

  it('sums exactly what it takes away, also where the sum on the way is out of range', () => {
    const great = Number.MAX_SAFE_INTEGER;
    const scenario = twoMonths().given(
      { type: 'TransactionCreated', data: { id: idOf('A'), content: expense('A', { Food: great }).content } },
      { type: 'TransactionCreated', data: { id: idOf('B'), content: income('B', { Food: great }).content } },
      {
        type: 'TransactionCreated',
        data: { id: idOf('C'), content: expense('C', { Food: great - 1 }).content },
      },
    );
    // Looked up in another order, the same transactions add up beyond the range on the way.
    const [a, b, c] = ['A', 'B', 'C'].map(name => scenario.transaction(name));
    scenario.transactions.clear();
    for (const record of [a!, c!, b!]) scenario.transactions.set(record.id, record);
    const { activity } = scenario.when(remove('Food')).only('ItemRemoved').untracked;
    assert.deepEqual(activity, [[idOf('Food'), great - 1]]);
  });

  it('takes the last item of the income group as well', () => {
    const scenario = twoMonths().given(remove('Pay'), remove('Bonus'));
    assert.deepEqual(scenario.layout('2026-01')[0], ['Income']);
  });

  it('needs the month, and the item in it', () => {
    const scenario = twoMonths().given(remove('Food'));
    scenario.when(remove('Food', '2026-03')).thenRefused('not_found', { resource: 'month' });
    scenario.when(remove('Food')).thenRefused('not_found', { resource: 'item' });
  });
});

describe('ordering items', () => {
  it('orders the items of a group in a month', () => {
    const scenario = twoMonths();
    scenario
      .when(order('Living', 'Fun', 'Food'))
      .thenEvents({
        type: 'ItemsOrdered',
        data: {
          month: '2026-01',
          groupId: idOf('Living'),
          before: [{ groupId: idOf('Living'), itemIds: [idOf('Food'), idOf('Fun')] }],
          after: [idOf('Fun'), idOf('Food')],
        },
      })
      .thenChangedMonths();
    assert.deepEqual(scenario.layout('2026-01')[1], ['Living', 'Fun', 'Food']);
    assert.deepEqual(scenario.layout('2026-02')[1], ['Living', 'Food', 'Fun']);
  });

  it('moves items in from other groups, with all they have', () => {
    const scenario = twoMonths().given(plan('Car', { note: 'blue' }), expense('A', { Car: 5 }));
    scenario
      .when(order('Living', 'Car', 'Food', 'Fun'))
      .thenEvents({
        type: 'ItemsOrdered',
        data: {
          month: '2026-01',
          groupId: idOf('Living'),
          before: [
            { groupId: idOf('Living'), itemIds: [idOf('Food'), idOf('Fun')] },
            { groupId: idOf('Cars'), itemIds: [idOf('Car')] },
          ],
          after: ['Car', 'Food', 'Fun'].map(idOf),
        },
      })
      .thenChangedMonths('2026-01');
    assert.deepEqual(scenario.layout('2026-01').slice(1), [
      ['Living', 'Car', 'Food', 'Fun'],
      ['Cars'],
      ['Empty'],
    ]);
    assert.equal(scenario.figures('2026-01').groups.get(idOf('Living'))!.planned, 111);
    assert.equal(scenario.item('2026-01', 'Car').spent, 5);
    assert.equal(scenario.budget('2026-01').items.get(idOf('Car'))!.note, 'blue');
    assert.deepEqual(scenario.layout('2026-02')[2], ['Cars', 'Car']);
  });

  it('records nothing where the order stays, and takes the empty list for an empty group', () => {
    twoMonths()
      .when(order('Living', 'Food', 'Fun'))
      .thenNothing();
    twoMonths().when(order('Empty')).thenNothing();
  });

  it('refuses first an item that is not in the month', () => {
    const scenario = twoMonths().given(remove('Car'));
    scenario
      .when(order('Living', 'Pay', 'Car'))
      .thenRefused('item_not_in_month', { item_id: idOf('Car'), month: '2026-01' });
  });

  it('refuses then an item of the other kind', () => {
    twoMonths().when(order('Living', 'Pay')).thenRefused('kind_mismatch');
    twoMonths()
      .when(order('Income', 'Pay', 'Bonus', 'Food'))
      .thenRefused('kind_mismatch');
  });

  it('refuses last a list without all items of the group', () => {
    twoMonths()
      .when(order('Living', 'Car', 'Food'))
      .thenRefused('order_mismatch', { missing: [idOf('Fun')], unexpected: [] });
    twoMonths()
      .when(order('Living'))
      .thenRefused('order_mismatch', { missing: [idOf('Food'), idOf('Fun')], unexpected: [] });
  });

  it('needs the month, and the group in it', () => {
    const scenario = twoMonths().given({ type: 'RemoveGroup', month: '2026-01', groupId: idOf('Empty') });
    const inMarch = { ...order('Empty'), month: '2026-03' } as Command;
    scenario.when(inMarch).thenRefused('not_found', { resource: 'month' });
    scenario.when(order('Empty', 'Nothing')).thenRefused('not_found', { resource: 'group' });
  });
});

describe('harvesting an item', () => {
  it('sets the plan to what was spent, and planning the former amount undoes it', () => {
    const scenario = twoMonths().given(expense('A', { Food: 25 }));
    scenario
      .when(harvest('Food'))
      .thenEvents({
        type: 'ItemHarvested',
        data: { month: '2026-01', itemId: idOf('Food'), before: 60, after: 25 },
      })
      .thenChangedMonths('2026-01');
    assert.equal(scenario.item('2026-01', 'Food').remaining, 0);
    assert.equal(scenario.figures('2026-01').leftToBudget, 500 - 25 - 51);
    scenario.given(plan('Food', { planned: 60 }));
    assert.equal(scenario.item('2026-01', 'Food').remaining, 35);
    assert.equal(scenario.figures('2026-01').leftToBudget, 500 - 111);
  });

  it('plans 0 where more was refunded than spent', () => {
    const scenario = twoMonths().given(income('A', { Food: 25 }));
    assert.equal(scenario.item('2026-01', 'Food').spent, -25);
    scenario.when(harvest('Food')).thenEvents({
      type: 'ItemHarvested',
      data: { month: '2026-01', itemId: idOf('Food'), before: 60, after: 0 },
    });
    assert.equal(scenario.item('2026-01', 'Food').remaining, 25);
  });

  it('refuses where nothing remains, or only what was refunded', () => {
    const reason = { reason: 'nothing_remaining' };
    twoMonths()
      .given(expense('A', { Food: 60 }))
      .when(harvest('Food'))
      .thenRefused('not_harvestable', reason);
    twoMonths()
      .given(expense('A', { Food: 61 }))
      .when(harvest('Food'))
      .thenRefused('not_harvestable', reason);
    twoMonths()
      .given(plan('Food', { planned: 0 }), income('A', { Food: 5 }))
      .when(harvest('Food'))
      .thenRefused('not_harvestable', reason);
    twoMonths().given(harvest('Food')).when(harvest('Food')).thenRefused('not_harvestable', reason);
  });

  it('refuses an income item and a fund, but not a fund before its opening month', () => {
    twoMonths().when(harvest('Pay')).thenRefused('not_harvestable', { reason: 'income' });
    const scenario = twoMonths().given(openFund('Car', '2026-02'));
    scenario.when(harvest('Car', '2026-02')).thenRefused('not_harvestable', { reason: 'fund' });
    scenario.when(harvest('Car')).thenDone();
  });

  it('needs the month, and the item in it', () => {
    const scenario = twoMonths().given(remove('Food'));
    scenario.when(harvest('Food', '2026-03')).thenRefused('not_found', { resource: 'month' });
    scenario.when(harvest('Food')).thenRefused('not_found', { resource: 'item' });
  });
});
