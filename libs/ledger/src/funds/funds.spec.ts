import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Command } from '../commands.js';
import { expense, firstMonth, idOf, income, Scenario, USER } from '../ledger.scenario.js';
import { ADJUSTMENTS_PER_MONTH_MAX } from '../limits.js';

/** January to March; the fund-to-be plans 10, 20 and 30. */
function threeMonths(): Scenario {
  const scenario = new Scenario().given(
    firstMonth('2026-01', { Income: { Pay: 500 }, Living: { Food: 60 }, Cars: { Car: 10 } }),
  );
  return scenario.given(create('2026-02'), plan('2026-02', 20), create('2026-03'), plan('2026-03', 30));
}

const create = (month: string): Command => ({ type: 'CreateMonth', month, newIds: [] });
const plan = (month: string, planned: number): Command => ({
  type: 'PlanItem',
  month,
  itemId: idOf('Car'),
  planned,
});
const open = (month: string, openingBalance: number, item = 'Car'): Command => ({
  type: 'OpenFund',
  month,
  itemId: idOf(item),
  openingBalance,
});
const end: Command = { type: 'ChangeItem', itemId: idOf('Car'), endFund: true };
const balance = (month: string, amount: number, item = 'Car'): Command => ({
  type: 'UpdateFundBalance',
  month,
  itemId: idOf(item),
  balance: amount,
});
const remove = (month: string): Command => ({ type: 'RemoveItem', month, itemId: idOf('Car') });
const place = (month: string, planned: number): Command => ({
  type: 'PlaceItem',
  month,
  groupId: idOf('Cars'),
  itemId: idOf('Car'),
  planned,
  note: null,
});

/** Carry-in and ending of the fund in every month that has it. */
function chain(scenario: Scenario): Record<string, [number | null, number | null]> {
  return Object.fromEntries(
    scenario.household.months
      .filter(({ budget }) => budget?.items.has(idOf('Car')))
      .map(({ month }) => {
        const { carryIn, ending } = scenario.item(month, 'Car');
        return [month, [carryIn, ending]];
      }),
  );
}

describe('making an item a fund', () => {
  it('carries the balance into this month and on into every later one', () => {
    const scenario = threeMonths().given(expense('A', { Car: 4 }));
    scenario
      .when(open('2026-01', 100))
      .thenEvents({
        type: 'FundOpened',
        data: { month: '2026-01', itemId: idOf('Car'), openingBalance: 100, term: 0 },
      })
      .thenChangedMonths('2026-01', '2026-02', '2026-03');
    assert.deepEqual(chain(scenario), {
      '2026-01': [100, 106],
      '2026-02': [106, 126],
      '2026-03': [126, 156],
    });
    assert.equal(scenario.item('2026-03', 'Car').remaining, 156);
    assert.deepEqual(scenario.household.fundBalances.get(idOf('Car')), {
      month: '2026-03',
      ending: 156,
      revision: 6,
    });
  });

  it('leaves earlier months as they are: there it is a regular item', () => {
    const scenario = threeMonths();
    scenario.when(open('2026-02', -100)).thenChangedMonths('2026-02', '2026-03');
    assert.deepEqual(chain(scenario), {
      '2026-01': [null, null],
      '2026-02': [-100, -80],
      '2026-03': [-80, -50],
    });
    assert.equal(scenario.item('2026-01', 'Car').remaining, 10);
    scenario.when(balance('2026-01', 5)).thenRefused('not_a_fund');
    scenario.when(plan('2026-01', 99)).thenChangedMonths('2026-01');
    scenario.when(expense('B', { Car: 3 })).thenChangedMonths('2026-01');
  });

  it('is refused for an income item and for a fund, in whatever month', () => {
    threeMonths()
      .when(open('2026-01', 0, 'Pay'))
      .thenRefused('income_item');
    const scenario = threeMonths().given(open('2026-02', 0));
    scenario.when(open('2026-02', 0)).thenRefused('already_a_fund');
    scenario.when(open('2026-01', 0)).thenRefused('already_a_fund');
  });

  it('needs the month, and the item in it', () => {
    const scenario = threeMonths().given(remove('2026-01'));
    scenario.when(open('2026-04', 0)).thenRefused('not_found', { resource: 'month' });
    scenario.when(open('2026-01', 0)).thenRefused('not_found', { resource: 'item' });
  });
});

describe('the chain of carry-ins', () => {
  it('lets every change flow into later months', () => {
    const scenario = threeMonths().given(open('2026-01', 100));
    scenario.when(plan('2026-01', 11)).thenChangedMonths('2026-01', '2026-02', '2026-03');
    assert.deepEqual(chain(scenario)['2026-03'], [131, 161]);
    scenario
      .when(expense('A', { Car: 6 }, { budgetMonth: '2026-02' }))
      .thenChangedMonths('2026-02', '2026-03');
    assert.deepEqual(chain(scenario)['2026-03'], [125, 155]);
    scenario
      .when(income('B', { Car: 1 }, { budgetMonth: '2026-02' }))
      .thenChangedMonths('2026-02', '2026-03');
    assert.deepEqual(chain(scenario)['2026-03'], [126, 156]);
    scenario.when({ type: 'DeleteTransaction', id: idOf('A') }).thenChangedMonths('2026-02', '2026-03');
    assert.deepEqual(chain(scenario)['2026-03'], [132, 162]);
    scenario.when(expense('C', { Car: 2 }, { budgetMonth: '2026-03' })).thenChangedMonths('2026-03');
  });

  it('skips months that do not have the item', () => {
    const scenario = threeMonths().given(open('2026-01', 100));
    scenario.when(remove('2026-02')).thenChangedMonths('2026-02', '2026-03');
    assert.deepEqual(chain(scenario), { '2026-01': [100, 110], '2026-03': [110, 140] });
    scenario.when(place('2026-02', 5)).thenChangedMonths('2026-02', '2026-03');
    assert.deepEqual(chain(scenario), {
      '2026-01': [100, 110],
      '2026-02': [110, 115],
      '2026-03': [115, 145],
    });
  });

  it('starts again from the opening balance where the opening month no longer has the item', () => {
    const scenario = threeMonths().given(open('2026-01', 100), remove('2026-01'));
    assert.deepEqual(chain(scenario), { '2026-02': [100, 120], '2026-03': [120, 150] });
    scenario.given(place('2026-01', 1));
    assert.deepEqual(chain(scenario), {
      '2026-01': [100, 101],
      '2026-02': [101, 121],
      '2026-03': [121, 151],
    });
  });

  it('does not reach back before the opening month when the item is put there', () => {
    const scenario = threeMonths().given(remove('2026-01'), open('2026-02', 100), remove('2026-02'));
    scenario.when(place('2026-01', 77)).thenChangedMonths('2026-01');
    assert.deepEqual(chain(scenario), { '2026-01': [null, null], '2026-03': [100, 130] });
  });

  it('goes on with no month that has the item, and counts again when one gets it', () => {
    const scenario = threeMonths().given(open('2026-02', 100), remove('2026-02'), remove('2026-03'));
    assert.deepEqual(scenario.household.fundBalances.get(idOf('Car')), {
      month: null,
      ending: null,
      revision: 7,
    });
    scenario.given(place('2026-03', 3));
    assert.deepEqual(chain(scenario)['2026-03'], [100, 103]);
    assert.deepEqual(scenario.household.fundBalances.get(idOf('Car')), {
      month: '2026-03',
      ending: 103,
      revision: 8,
    });
  });

  it('passes through a month made in a gap', () => {
    const scenario = new Scenario().given(
      firstMonth('2026-01', { Income: {}, Cars: { Car: 10 } }),
      create('2026-05'),
      open('2026-01', 100),
    );
    scenario.when(create('2026-03')).thenChangedMonths('2026-03', '2026-05');
    assert.deepEqual(chain(scenario)['2026-05'], [120, 130]);
  });

  it('of a group that is removed ends there as well', () => {
    const scenario = threeMonths().given(open('2026-01', 100), expense('A', { Car: 4 }));
    scenario.given({ type: 'RemoveGroup', month: '2026-01', groupId: idOf('Cars') });
    assert.deepEqual(chain(scenario)['2026-02'], [100, 120]);
  });
});

describe('months whose figures only seem to change', () => {
  it('keep their revision when a transaction moves between two earlier months', () => {
    const scenario = threeMonths().given(open('2026-01', 100), expense('A', { Car: 4 }));
    const { revision } = scenario.budget('2026-03');
    const balanceRevision = scenario.household.fundBalances.get(idOf('Car'))!.revision;
    scenario
      .when({ type: 'ChangeTransaction', id: idOf('A'), changes: { budgetMonth: '2026-02' } })
      .thenChangedMonths('2026-01', '2026-02');
    assert.equal(scenario.budget('2026-03').revision, revision);
    assert.equal(scenario.household.fundBalances.get(idOf('Car'))!.revision, balanceRevision);
  });

  it('keep their revision when a month that added nothing to the fund loses it', () => {
    const scenario = threeMonths().given(open('2026-01', 100), expense('A', { Car: 10 }));
    const { revision } = scenario.budget('2026-02');
    scenario.when(remove('2026-01')).thenChangedMonths('2026-01');
    assert.equal(scenario.budget('2026-02').revision, revision);
  });
});

describe('updating the balance of a fund', () => {
  it('records the difference as an adjustment, which is not spending', () => {
    const scenario = threeMonths().given(open('2026-01', 100), expense('A', { Car: 4 }));
    scenario
      .when(balance('2026-01', 90))
      .thenEvents({
        type: 'FundBalanceUpdated',
        data: { month: '2026-01', itemId: idOf('Car'), amount: -16 },
      })
      .thenChangedMonths('2026-01', '2026-02', '2026-03');
    assert.equal(scenario.item('2026-01', 'Car').spent, 4);
    const at = scenario.events.at(-1)!;
    assert.deepEqual(scenario.budget('2026-01').items.get(idOf('Car'))!.adjustments, [
      { amount: -16, at: at.at, by: USER, eventId: at.id, term: 0 },
    ]);
    scenario.given(balance('2026-01', -5));
    assert.deepEqual(chain(scenario)['2026-03'], [15, 45]);
  });

  it('records nothing for a difference of 0', () => {
    threeMonths().given(open('2026-01', 100)).when(balance('2026-02', 130)).thenNothing();
  });

  it('is refused for an item that is no fund, income included', () => {
    threeMonths().when(balance('2026-01', 5)).thenRefused('not_a_fund');
    threeMonths()
      .when(balance('2026-01', 5, 'Pay'))
      .thenRefused('not_a_fund');
    threeMonths().given(open('2026-01', 0), end).when(balance('2026-01', 5)).thenRefused('not_a_fund');
  });

  it('is refused where the month has all the adjustments that it can hold', () => {
    const scenario = threeMonths().given(open('2026-01', 0));
    for (let i = 0; i < ADJUSTMENTS_PER_MONTH_MAX; i++) scenario.given(balance('2026-01', i));
    scenario.when(balance('2026-01', 5)).thenRefused('month_full', {
      limit: 'adjustments',
      max: ADJUSTMENTS_PER_MONTH_MAX,
      month: '2026-01',
    });
    scenario.when(balance('2026-02', 5)).thenDone();
  });

  it('needs the month, and the item in it', () => {
    const scenario = threeMonths().given(open('2026-01', 0), remove('2026-02'));
    scenario.when(balance('2026-04', 0)).thenRefused('not_found', { resource: 'month' });
    scenario.when(balance('2026-02', 0)).thenRefused('not_found', { resource: 'item' });
  });
});

describe('ending a fund', () => {
  it('makes it a regular item in every month: opening balance and adjustments no longer count', () => {
    const scenario = threeMonths().given(
      open('2026-01', 100),
      balance('2026-02', 500),
      { type: 'ChangeItem', itemId: idOf('Car'), fundTarget: 900 },
      expense('A', { Car: 4 }),
    );
    scenario
      .when(end)
      .thenEvents({
        type: 'FundEnded',
        data: { itemId: idOf('Car'), openedIn: '2026-01', openingBalance: 100, term: 0, target: 900 },
      })
      .thenChangedMonths('2026-01', '2026-02', '2026-03');
    const none = [null, null];
    assert.deepEqual(chain(scenario), { '2026-01': none, '2026-02': none, '2026-03': none });
    assert.equal(scenario.item('2026-01', 'Car').remaining, 6);
    assert.equal(scenario.item('2026-02', 'Car').remaining, 20);
    const { fund, fundTarget } = scenario.household.items.get(idOf('Car'))!;
    assert.deepEqual([fund, fundTarget], [null, null]);
    assert.equal(scenario.household.fundBalances.get(idOf('Car'))!.ending, null);
  });

  it('does nothing on an item that is no fund', () => {
    threeMonths().when(end).thenNothing();
  });

  it('together with other changes records both, the target only once', () => {
    threeMonths()
      .given(open('2026-01', 1), { type: 'ChangeItem', itemId: idOf('Car'), fundTarget: 900 })
      .when({
        type: 'ChangeItem',
        itemId: idOf('Car'),
        name: 'Auto',
        favorite: true,
        fundTarget: null,
        endFund: true,
      })
      .thenEvents(
        {
          type: 'ItemChanged',
          data: {
            itemId: idOf('Car'),
            before: { name: 'Car', favorite: false },
            after: { name: 'Auto', favorite: true },
          },
        },
        {
          type: 'FundEnded',
          data: { itemId: idOf('Car'), openedIn: '2026-01', openingBalance: 1, term: 0, target: 900 },
        },
      );
  });

  it('moves the revision of the target only where there was one', () => {
    const without = threeMonths().given(open('2026-01', 1), end);
    assert.equal(without.household.items.get(idOf('Car'))!.targetRevision, -1);
    const target: Command = { type: 'ChangeItem', itemId: idOf('Car'), fundTarget: 900 };
    const having = threeMonths().given(open('2026-01', 1), target, end);
    assert.equal(having.household.items.get(idOf('Car'))!.targetRevision, 7);
  });

  it('and making it one again never counts the adjustments of its earlier time', () => {
    const scenario = threeMonths().given(open('2026-01', 100), balance('2026-02', 500), end);
    scenario.when(open('2026-02', 7)).thenEvents({
      type: 'FundOpened',
      data: { month: '2026-02', itemId: idOf('Car'), openingBalance: 7, term: 1 },
    });
    assert.deepEqual(chain(scenario), {
      '2026-01': [null, null],
      '2026-02': [7, 27],
      '2026-03': [27, 57],
    });
    scenario.given(balance('2026-02', 28));
    assert.deepEqual(chain(scenario)['2026-02'], [7, 28]);
    assert.deepEqual(chain(scenario)['2026-03'], [28, 58]);
    scenario.given(end, open('2026-01', 1));
    assert.deepEqual(chain(scenario), { '2026-01': [1, 11], '2026-02': [11, 31], '2026-03': [31, 61] });
  });
});
