import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Command } from '../commands.js';
import { expense, firstMonth, idOf, income, Scenario, splitsOf } from '../ledger.scenario.js';
import { GROUPS_PER_MONTH_MAX, IDENTITIES_MAX } from '../limits.js';
import { nextColor } from './group-commands.js';

function twoMonths(): Scenario {
  const scenario = new Scenario().given(
    firstMonth('2026-01', { Income: { Pay: 500 }, Living: { Food: 60, Fun: 1 }, Cars: { Car: 50 } }),
  );
  return scenario.given({ type: 'CreateMonth', month: '2026-02', newIds: [] });
}

/** Two groups and so many items that this is how many there are; February has only the income group. */
function manyIdentities(count: number): Scenario {
  const items = Object.fromEntries(Array.from({ length: count - 2 }, (_, i) => [`I${i}`, 0]));
  const layout = [{ groupId: idOf('Income'), items: [] }];
  return new Scenario().given(firstMonth('2026-01', { Income: {}, Many: items }), {
    type: 'MonthCreated',
    data: { month: '2026-02', copiedFrom: null, newGroups: [], newItems: [], layout },
  });
}

const add = (name: string, color?: string): Command => ({
  type: 'AddGroup',
  month: '2026-02',
  groupId: idOf(name),
  name,
  ...(color !== undefined && { color }),
});
const place = (month: string, name: string): Command => ({ type: 'PlaceGroup', month, groupId: idOf(name) });
const remove = (name: string, month = '2026-01'): Command => ({
  type: 'RemoveGroup',
  month,
  groupId: idOf(name),
});
const order = (...names: string[]): Command => ({
  type: 'OrderGroups',
  month: '2026-01',
  groupIds: names.map(idOf),
});

describe('adding a group', () => {
  it('appends it without items, in this month only', () => {
    const scenario = twoMonths();
    scenario.when(add('Pets', '#abcdef')).thenEvents({
      type: 'GroupAdded',
      data: {
        month: '2026-02',
        group: { id: idOf('Pets'), name: 'Pets', color: '#abcdef', isIncome: false },
      },
    });
    assert.deepEqual(scenario.layout('2026-02').at(-1), ['Pets']);
    assert.equal(scenario.layout('2026-01').length, 3);
  });

  it('without a colour takes the next of the palette', () => {
    const scenario = twoMonths();
    assert.equal(scenario.when(add('Pets')).only('GroupAdded').group.color, nextColor(3));
    assert.equal(scenario.when(add('More')).only('GroupAdded').group.color, nextColor(4));
    assert.notEqual(nextColor(3), nextColor(4));
    assert.match(nextColor(1_000_003), /^#[0-9a-f]{6}$/);
  });

  it('makes a new identity also where the name is taken', () => {
    const scenario = twoMonths();
    scenario.given({ ...add('Living'), groupId: idOf('Living two') } as Command);
    assert.deepEqual(
      scenario.layout('2026-02').map(([name]) => name),
      ['Income', 'Living', 'Cars', 'Living'],
    );
  });

  it('needs the month', () => {
    twoMonths()
      .when({ ...add('Pets'), month: '2026-03' } as Command)
      .thenRefused('not_found', { resource: 'month' });
  });

  it('is refused where the month is full', () => {
    const scenario = twoMonths();
    for (let i = 3; i < GROUPS_PER_MONTH_MAX; i++) scenario.given(add(`G${i}`));
    const full = { limit: 'groups', max: GROUPS_PER_MONTH_MAX, month: '2026-02' };
    scenario.when(add('One more')).thenRefused('month_full', full);
    const elsewhere = { ...add('One more'), month: '2026-01' } as Command;
    scenario.given(elsewhere).when(place('2026-02', 'One more')).thenRefused('month_full', full);
  });

  it('is refused where the household has made as many groups and items as it may', () => {
    const full = { limit: 'identities', max: IDENTITIES_MAX };
    const scenario = manyIdentities(IDENTITIES_MAX - 1).given(add('Last'));
    scenario.when(add('Beyond')).thenRefused('household_full', full);
    scenario
      .when({
        type: 'AddItem',
        month: '2026-02',
        groupId: idOf('Last'),
        itemId: idOf('Beyond'),
        name: 'Beyond',
        planned: 0,
        note: null,
      })
      .thenRefused('household_full', full);
    scenario.when(place('2026-02', 'Many')).thenDone();
  });

  it('leaves no room for more identities than that in a template either', () => {
    const almost = manyIdentities(IDENTITIES_MAX - 5);
    almost
      .when({ type: 'CreateMonth', month: '2025-12', newIds: almost.freshIds() })
      .thenRefused('household_full');
    const enough = manyIdentities(IDENTITIES_MAX - 25);
    enough.when({ type: 'CreateMonth', month: '2025-12', newIds: enough.freshIds() }).thenDone();
    assert.equal(enough.household.groups.size + enough.household.items.size, IDENTITIES_MAX);
  });
});

describe('placing a group that the household already has', () => {
  it('appends it without items', () => {
    const scenario = twoMonths().given(add('Pets'));
    scenario.when(place('2026-01', 'Pets')).thenEvents({
      type: 'GroupPlaced',
      data: { month: '2026-01', groupId: idOf('Pets') },
    });
    assert.deepEqual(scenario.layout('2026-01').at(-1), ['Pets']);
  });

  it('brings back a group that is in no month any more', () => {
    const scenario = twoMonths().given(remove('Cars'), remove('Cars', '2026-02'), place('2026-01', 'Cars'));
    assert.deepEqual(scenario.layout('2026-01').at(-1), ['Cars']);
  });

  it('is refused in a month that has it, the income group included', () => {
    twoMonths().when(place('2026-01', 'Cars')).thenRefused('already_in_month');
    twoMonths().when(place('2026-01', 'Income')).thenRefused('already_in_month');
  });

  it('needs the month and the group', () => {
    twoMonths().when(place('2026-03', 'Nowhere')).thenRefused('not_found', { resource: 'month' });
    twoMonths().when(place('2026-01', 'Nowhere')).thenRefused('not_found', { resource: 'group' });
  });
});

describe('changing a group', () => {
  const change = (name: string, changes: { name?: string; color?: string }): Command => ({
    type: 'ChangeGroup',
    groupId: idOf(name),
    changes,
  });

  it('changes its name and colour in every month', () => {
    const scenario = twoMonths();
    scenario.when(change('Living', { name: 'Home', color: '#ffffff' })).thenEvents({
      type: 'GroupChanged',
      data: {
        groupId: idOf('Living'),
        before: { name: 'Living', color: '#123456' },
        after: { name: 'Home', color: '#ffffff' },
      },
    });
    assert.deepEqual(scenario.household.groups.get(idOf('Living')), {
      id: idOf('Living'),
      name: 'Home',
      color: '#ffffff',
      isIncome: false,
      months: 2,
      colorRevision: 2,
    });
  });

  it('records what really changes, and nothing where nothing does', () => {
    twoMonths()
      .when(change('Living', { name: 'Living', color: '#ffffff' }))
      .thenEvents({
        type: 'GroupChanged',
        data: { groupId: idOf('Living'), before: { color: '#123456' }, after: { color: '#ffffff' } },
      });
    twoMonths()
      .when(change('Living', { name: 'Living', color: '#123456' }))
      .thenNothing();
    twoMonths().when(change('Living', {})).thenNothing();
  });

  it('keeps the colour at its revision when the name changes', () => {
    const scenario = twoMonths().given(change('Living', { name: 'Home' }));
    assert.equal(scenario.household.groups.get(idOf('Living'))!.colorRevision, 0);
  });

  it('may rename the income group', () => {
    const scenario = twoMonths().given(change('Income', { name: 'Earnings' }));
    assert.equal(scenario.layout('2026-01')[0]![0], 'Earnings');
  });

  it('needs a group that is in a month', () => {
    const gone = twoMonths().given(remove('Cars'), remove('Cars', '2026-02'));
    gone.when(change('Cars', { name: 'X' })).thenRefused('not_found', { resource: 'group' });
    gone.when(change('Nowhere', { name: 'X' })).thenRefused('not_found', { resource: 'group' });
  });
});

describe('removing a group from a month', () => {
  it('untracks the transactions with a split on one of its items and leaves other months', () => {
    const scenario = twoMonths().given(
      { type: 'PlanItem', month: '2026-01', itemId: idOf('Fun'), note: 'note' },
      expense('A', { Food: 30, Car: 5 }),
      income('B', { Fun: 10 }),
      expense('C', { Car: 7 }),
      expense('D', { Food: 8 }),
      { type: 'DeleteTransaction', id: idOf('D') },
      expense('E', { Food: 9 }, { budgetMonth: '2026-02' }),
    );
    scenario
      .when(remove('Living'))
      .thenEvents({
        type: 'GroupRemoved',
        data: {
          month: '2026-01',
          groupId: idOf('Living'),
          index: 1,
          among: ['Income', 'Living', 'Cars'].map(idOf),
          taken: [
            { itemId: idOf('Food'), planned: 60, note: null, adjustments: [] },
            { itemId: idOf('Fun'), planned: 1, note: 'note', adjustments: [] },
          ],
          untracked: {
            transactionIds: [idOf('A'), idOf('B')],
            activity: [
              [idOf('Food'), 30],
              [idOf('Car'), 5],
              [idOf('Fun'), -10],
            ],
          },
        },
      })
      .thenChangedMonths('2026-01');
    assert.deepEqual(scenario.layout('2026-01'), [
      ['Income', 'Pay'],
      ['Cars', 'Car'],
    ]);
    assert.equal(scenario.layout('2026-02').length, 3);
    assert.equal(scenario.item('2026-01', 'Car').spent, 7);
    assert.equal(scenario.household.untracked.count, 2);
    assert.deepEqual(scenario.transaction('A').splits, []);
    assert.deepEqual(scenario.transaction('D').splits, splitsOf({ Food: 8 }));
    assert.deepEqual(scenario.transaction('E').splits, splitsOf({ Food: 9 }));
  });

  it('takes an empty group away as well', () => {
    const scenario = twoMonths().given(add('Pets'));
    const data = scenario.when(remove('Pets', '2026-02')).only('GroupRemoved');
    assert.deepEqual([data.index, data.taken, data.untracked.transactionIds], [3, [], []]);
  });

  it('is refused for the income group', () => {
    twoMonths().when(remove('Income')).thenRefused('income_group');
  });

  it('needs the month, and the group in it', () => {
    const scenario = twoMonths().given(add('Pets'));
    scenario.when(remove('Living', '2026-03')).thenRefused('not_found', { resource: 'month' });
    scenario.when(remove('Pets')).thenRefused('not_found', { resource: 'group' });
  });
});

describe('ordering groups', () => {
  it('orders the groups after income', () => {
    const scenario = twoMonths();
    scenario
      .when(order('Cars', 'Living'))
      .thenEvents({
        type: 'GroupsOrdered',
        data: {
          month: '2026-01',
          before: [idOf('Living'), idOf('Cars')],
          after: [idOf('Cars'), idOf('Living')],
        },
      })
      .thenChangedMonths();
    assert.deepEqual(
      scenario.layout('2026-01').map(([name]) => name),
      ['Income', 'Cars', 'Living'],
    );
    assert.equal(scenario.layout('2026-02')[1]![0], 'Living');
  });

  it('records nothing where the order stays', () => {
    twoMonths().when(order('Living', 'Cars')).thenNothing();
  });

  it('takes the empty list for a month without other groups', () => {
    twoMonths().given(remove('Living'), remove('Cars')).when(order()).thenNothing();
  });

  it('refuses a list that is not exactly the groups of the month', () => {
    twoMonths()
      .when(order('Cars', 'Nowhere'))
      .thenRefused('order_mismatch', { missing: [idOf('Living')], unexpected: [idOf('Nowhere')] });
    twoMonths()
      .when(order())
      .thenRefused('order_mismatch', { missing: [idOf('Living'), idOf('Cars')], unexpected: [] });
  });

  it('refuses a list with the income group', () => {
    twoMonths()
      .when(order('Income', 'Living', 'Cars'))
      .thenRefused('income_group');
  });

  it('needs the month', () => {
    twoMonths()
      .when({ ...order('Cars'), month: '2026-03' } as Command)
      .thenRefused('not_found', { resource: 'month' });
  });
});
