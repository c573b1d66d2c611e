import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { decide, neededFacts, type Command } from '../commands.js';
import { NO_FACTS, type Changes } from '../command-declaration.js';
import { statusOf, type TransactionContent } from './transaction-record.js';
import type { Household } from '../household.js';
import { expense, firstMonth, idOf, income, Scenario, splitsOf, withLive } from '../ledger.scenario.js';
import { TRANSACTIONS_PER_MONTH_MAX } from '../limits.js';
import { Refusal } from '../refusal.js';

function twoMonths(): Scenario {
  return new Scenario().given(
    firstMonth('2026-01', { Income: { Pay: 500 }, Living: { Food: 60, Fun: 1 }, Cars: { Car: 50 } }),
    { type: 'CreateMonth', month: '2026-02', newIds: [] },
  );
}

const change = (name: string, changes: Changes<TransactionContent>): Command => ({
  type: 'ChangeTransaction',
  id: idOf(name),
  changes,
});
const remove = (name: string): Command => ({ type: 'DeleteTransaction', id: idOf(name) });
const restore = (name: string): Command => ({ type: 'RestoreTransaction', id: idOf(name) });
const removeItem = (name: string, month = '2026-01'): Command => ({
  type: 'RemoveItem',
  month,
  itemId: idOf(name),
});
const placeItem = (name: string): Command => ({
  type: 'PlaceItem',
  month: '2026-01',
  groupId: idOf('Living'),
  itemId: idOf(name),
  planned: 0,
  note: null,
});

/** A transaction of Food 30 and Fun 20 that was restored after Fun had left the month: partly split. */
function partlySplit(): Scenario {
  return twoMonths().given(
    expense('T', { Food: 30, Fun: 20 }),
    remove('T'),
    removeItem('Fun'),
    restore('T'),
    placeItem('Fun'),
  );
}

/** The same of Food 30, Fun 20 and Car 10, of which Food and Fun are left. */
function partlySplitInTwo(): Scenario {
  return twoMonths().given(
    expense('T', { Food: 30, Fun: 20, Car: 10 }),
    remove('T'),
    removeItem('Car'),
    restore('T'),
  );
}

describe('creating a transaction', () => {
  it('records what was said and counts on its items', () => {
    const scenario = twoMonths();
    const content: Partial<TransactionContent> = {
      merchant: 'Costco',
      note: 'weekly',
      location: { lat: 1.5, lng: -2.25, accuracyM: 10 },
    };
    const command = expense('T', { Food: 30, Car: 20 }, content);
    scenario
      .when(command)
      .thenEvents({ type: 'TransactionCreated', data: { id: idOf('T'), content: command.content } })
      .thenChangedMonths('2026-01');
    assert.equal(scenario.item('2026-01', 'Food').spent, 30);
    assert.equal(scenario.household.untracked.count, 0);
    assert.equal(statusOf(scenario.transaction('T')), 'tracked');
  });

  it('without splits is untracked and changes no month, also where the month does not exist', () => {
    const scenario = twoMonths();
    scenario.when(expense('T', {})).thenDone().thenChangedMonths();
    scenario
      .when(expense('U', {}, { budgetMonth: '2030-12' }))
      .thenDone()
      .thenChangedMonths();
    assert.equal(scenario.household.untracked.count, 2);
    assert.equal(statusOf(scenario.transaction('U')), 'untracked');
  });

  it('needs the month of its splits, before all else about them', () => {
    twoMonths()
      .when(expense('T', { Nothing: 30 }, { budgetMonth: '2026-03', amount: 31 }))
      .thenRefused('not_found', { resource: 'month' });
  });

  it('refuses splits that do not add up to the amount', () => {
    twoMonths()
      .when(expense('T', { Food: 30, Fun: 20 }, { amount: 51 }))
      .thenRefused('splits_total_mismatch', { amount: 51, splits_total: 50 });
  });

  it('refuses an item that is not in the budget month', () => {
    twoMonths()
      .given(removeItem('Fun'))
      .when(expense('T', { Food: 30, Fun: 20 }))
      .thenRefused('item_not_in_month', { item_id: idOf('Fun'), month: '2026-01' });
    twoMonths()
      .given(removeItem('Fun'))
      .when(expense('T', { Fun: 20 }, { budgetMonth: '2026-02' }))
      .thenDone();
  });

  it('takes splits on items of either kind', () => {
    const scenario = twoMonths().given(expense('T', { Pay: 7 }), income('U', { Pay: 100, Food: 5 }));
    assert.equal(scenario.item('2026-01', 'Pay').received, 93);
    assert.equal(scenario.item('2026-01', 'Food').spent, -5);
  });
});

describe('looking a new transaction up', () => {
  it('is needed but where its id is greater than every earlier one', () => {
    const scenario = twoMonths().given(expense('M', {}), expense('K', {}), remove('M'));
    const needs = (name: string): boolean =>
      neededFacts(scenario.household, expense(name, {})).transactionIds !== undefined;
    assert.deepEqual(['A', 'K', 'L', 'M', 'N'].map(needs), [true, true, true, true, false]);
  });
});

describe('posting a transaction again', () => {
  const posted = expense('T', { Food: 30, Fun: 20 }, { note: 'n' });

  it('records nothing for what was first posted, whatever became of it since', () => {
    twoMonths().given(posted).when(posted).thenNothing();
    twoMonths()
      .given(posted, change('T', { merchant: 'Other', splits: [] }))
      .when(posted)
      .thenNothing();
    twoMonths().given(posted, remove('T')).when(posted).thenNothing();
    twoMonths()
      .given(posted, removeItem('Food'), change('T', { budgetMonth: '2026-09' }))
      .when(posted)
      .thenNothing();
  });

  it('is refused for anything else, also for what it has become, before any check of month or items', () => {
    const scenario = twoMonths().given(posted, change('T', { merchant: 'Other' }));
    const other = { ...posted, content: { ...posted.content, merchant: 'Other' } };
    scenario.when(other).thenRefused('transaction_id_conflict');
    scenario
      .when({ ...posted, content: { ...posted.content, budgetMonth: '2026-09', amount: 3 } })
      .thenRefused('transaction_id_conflict');
  });

  it('compares every field', () => {
    const scenario = twoMonths().given(posted);
    const others: Partial<TransactionContent>[] = [
      { type: 'income' },
      { amount: 51 },
      { date: '2026-01-16' },
      { merchant: 'corner shop' },
      { note: null },
      { budgetMonth: '2026-02' },
      { splits: splitsOf({ Food: 20, Fun: 30 }) },
      { splits: [] },
      { location: { lat: 0, lng: 0, accuracyM: 0 } },
    ];
    for (const other of others) {
      scenario
        .when({ ...posted, content: { ...posted.content, ...other } })
        .thenRefused('transaction_id_conflict');
    }
  });
});

describe('changing a transaction', () => {
  it('changes only what is given', () => {
    const scenario = twoMonths().given(expense('T', { Food: 30 }));
    const before = expense('T', { Food: 30 }).content;
    const changes = { merchant: 'Other', note: 'x', location: { lat: 1, lng: 2, accuracyM: 3 } };
    scenario
      .when(change('T', changes))
      .thenEvents({
        type: 'TransactionChanged',
        data: { id: idOf('T'), before, after: { ...before, ...changes } },
      })
      .thenChangedMonths();
    scenario.given(change('T', { note: null, location: null }));
    assert.deepEqual([scenario.transaction('T').note, scenario.transaction('T').location], [null, null]);
  });

  it('records nothing where it changes nothing', () => {
    const scenario = twoMonths().given(expense('T', { Food: 30 }));
    scenario.when(change('T', {})).thenNothing();
    scenario.when(change('T', expense('T', { Food: 30 }).content)).thenNothing();
  });

  it('of the amount alone sets a single split to the whole amount', () => {
    const scenario = twoMonths().given(expense('T', { Food: 30 }));
    scenario.when(change('T', { amount: 45 })).thenChangedMonths('2026-01');
    assert.deepEqual(scenario.transaction('T').splits, splitsOf({ Food: 45 }));
    assert.equal(scenario.item('2026-01', 'Food').spent, 45);
    scenario.given(change('T', { splits: [] }));
    scenario.when(change('T', { amount: 50 })).thenChangedMonths();
    assert.deepEqual(scenario.transaction('T').splits, []);
  });

  it('of the amount alone is refused with several splits', () => {
    const scenario = twoMonths().given(expense('T', { Food: 30, Fun: 20 }));
    scenario
      .when(change('T', { amount: 45 }))
      .thenRefused('splits_total_mismatch', { amount: 45, splits_total: 50 });
    scenario.when(change('T', { amount: 45, splits: splitsOf({ Food: 45 }) })).thenDone();
  });

  it('refuses splits that do not add up, or whose item is not in the month', () => {
    const scenario = twoMonths().given(expense('T', { Food: 30 }), removeItem('Fun'));
    scenario
      .when(change('T', { splits: splitsOf({ Food: 29 }) }))
      .thenRefused('splits_total_mismatch', { amount: 30, splits_total: 29 });
    scenario
      .when(change('T', { amount: 31, splits: splitsOf({ Food: 30 }) }))
      .thenRefused('splits_total_mismatch', { amount: 31, splits_total: 30 });
    scenario
      .when(change('T', { splits: splitsOf({ Fun: 30 }) }))
      .thenRefused('item_not_in_month', { item_id: idOf('Fun'), month: '2026-01' });
  });

  it('of the splits tracks and untracks', () => {
    const scenario = twoMonths().given(expense('T', {}));
    assert.equal(scenario.household.untracked.count, 1);
    scenario.when(change('T', { splits: splitsOf({ Food: 1000 }) })).thenChangedMonths('2026-01');
    assert.equal(scenario.household.untracked.count, 0);
    scenario.when(change('T', { splits: [] })).thenChangedMonths('2026-01');
    assert.equal(scenario.household.untracked.count, 1);
    assert.equal(scenario.item('2026-01', 'Food').spent, 0);
  });

  it('of the splits needs the month', () => {
    const scenario = twoMonths().given(expense('T', {}, { budgetMonth: '2026-03' }));
    scenario
      .when(change('T', { splits: splitsOf({ Food: 1000 }) }))
      .thenRefused('not_found', { resource: 'month' });
  });

  it('of the type turns what counted', () => {
    const scenario = twoMonths().given(expense('T', { Food: 30 }));
    scenario.when(change('T', { type: 'income' })).thenChangedMonths('2026-01');
    assert.equal(scenario.item('2026-01', 'Food').spent, -30);
  });

  it('of the date does not move the budget month', () => {
    const scenario = twoMonths().given(expense('T', { Food: 30 }));
    scenario.when(change('T', { date: '2026-02-01' })).thenChangedMonths();
    assert.equal(scenario.transaction('T').budgetMonth, '2026-01');
  });

  it('is refused on a deleted one and on one that does not exist', () => {
    const scenario = twoMonths().given(expense('T', { Food: 30 }), remove('T'));
    scenario.when(change('T', { splits: splitsOf({ Nothing: 1 }) })).thenRefused('transaction_deleted');
    scenario.when(change('T', {})).thenRefused('transaction_deleted');
    scenario.when(change('U', { note: 'x' })).thenRefused('not_found', { resource: 'transaction' });
  });
});

describe('moving a transaction to another budget month', () => {
  it('keeps the splits where every item is in it, and changes both months', () => {
    const scenario = twoMonths().given(expense('T', { Food: 30, Car: 20 }));
    scenario.when(change('T', { budgetMonth: '2026-02' })).thenChangedMonths('2026-01', '2026-02');
    assert.equal(scenario.item('2026-01', 'Food').spent, 0);
    assert.equal(scenario.item('2026-02', 'Food').spent, 30);
    assert.deepEqual(
      scenario.household.months.map(({ live }) => live),
      [0, 1],
    );
  });

  it('is refused where an item is not in it, or where it does not exist', () => {
    const scenario = twoMonths().given(expense('T', { Food: 30, Car: 20 }), removeItem('Car', '2026-02'));
    scenario
      .when(change('T', { budgetMonth: '2026-02' }))
      .thenRefused('item_not_in_month', { item_id: idOf('Car'), month: '2026-02' });
    scenario
      .when(change('T', { budgetMonth: '2026-03' }))
      .thenRefused('item_not_in_month', { item_id: idOf('Food'), month: '2026-03' });
    scenario
      .when(change('T', { budgetMonth: '2026-03', splits: splitsOf({ Food: 50 }) }))
      .thenRefused('not_found', { resource: 'month' });
    scenario.when(change('T', { budgetMonth: '2026-02', splits: splitsOf({ Food: 50 }) })).thenDone();
  });

  it('goes anywhere without splits, and the untracked count stays as it was', () => {
    const scenario = twoMonths().given(expense('T', {}), expense('U', { Food: 30 }));
    const { untracked } = scenario.household;
    scenario.when(change('T', { budgetMonth: '2031-01' })).thenChangedMonths();
    assert.deepEqual(scenario.household.untracked, untracked);
    scenario
      .when(change('U', { budgetMonth: '2031-01', splits: [] }))
      .thenDone()
      .thenChangedMonths('2026-01');
    assert.equal(scenario.household.untracked.count, 2);
  });

  it('keeps a partly split one as it is', () => {
    const scenario = partlySplit();
    scenario.when(change('T', { budgetMonth: '2026-02' })).thenChangedMonths('2026-01', '2026-02');
    assert.deepEqual(scenario.transaction('T').splits, splitsOf({ Food: 30 }));
  });
});

describe('deleting a transaction', () => {
  it('takes its splits out of the figures and keeps them', () => {
    const scenario = twoMonths().given(expense('T', { Food: 30 }));
    scenario
      .when(remove('T'))
      .thenEvents({
        type: 'TransactionDeleted',
        data: {
          id: idOf('T'),
          type: 'expense',
          budgetMonth: '2026-01',
          splits: splitsOf({ Food: 30 }),
          amount: 30,
          merchant: 'Corner shop',
        },
      })
      .thenChangedMonths('2026-01');
    const record = scenario.transaction('T');
    assert.deepEqual(
      [record.deletedAt, record.splits, statusOf(record)],
      [record.updatedAt, splitsOf({ Food: 30 }), 'deleted'],
    );
    assert.equal(scenario.item('2026-01', 'Food').spent, 0);
    assert.equal(scenario.household.months[0]!.live, 0);
  });

  it('counts an untracked one no more', () => {
    const scenario = twoMonths().given(expense('T', {}));
    scenario.when(remove('T')).thenChangedMonths();
    assert.equal(scenario.household.untracked.count, 0);
    scenario.given(restore('T'));
    assert.equal(scenario.household.untracked.count, 1);
  });

  it('of a deleted one records nothing', () => {
    twoMonths()
      .given(expense('T', { Food: 30 }), remove('T'))
      .when(remove('T'))
      .thenNothing();
  });

  it('needs the transaction', () => {
    twoMonths().when(remove('T')).thenRefused('not_found', { resource: 'transaction' });
    twoMonths().when(restore('T')).thenRefused('not_found', { resource: 'transaction' });
  });
});

describe('restoring a transaction', () => {
  it('brings it back with its splits', () => {
    const scenario = twoMonths().given(expense('T', { Food: 30, Fun: 20 }), remove('T'));
    const splits = splitsOf({ Food: 30, Fun: 20 });
    scenario
      .when(restore('T'))
      .thenEvents({
        type: 'TransactionRestored',
        data: {
          id: idOf('T'),
          type: 'expense',
          budgetMonth: '2026-01',
          splits,
          amount: 50,
          merchant: 'Corner shop',
          dropped: [],
        },
      })
      .thenChangedMonths('2026-01');
    assert.equal(scenario.transaction('T').deletedAt, null);
    assert.equal(scenario.item('2026-01', 'Fun').spent, 20);
  });

  it('drops the splits whose item is no longer in the month', () => {
    const scenario = twoMonths().given(expense('T', { Food: 30, Fun: 20 }), remove('T'), removeItem('Fun'));
    const { splits, dropped } = scenario.when(restore('T')).only('TransactionRestored');
    assert.deepEqual([splits, dropped], [splitsOf({ Food: 30 }), splitsOf({ Fun: 20 })]);
    assert.equal(statusOf(scenario.transaction('T')), 'tracked');
    assert.equal(scenario.household.untracked.count, 0);
  });

  it('leaves it untracked where none is left', () => {
    const scenario = twoMonths().given(expense('T', { Fun: 20 }), remove('T'), removeItem('Fun'));
    scenario.when(restore('T')).thenChangedMonths();
    assert.equal(statusOf(scenario.transaction('T')), 'untracked');
    assert.equal(scenario.household.untracked.count, 1);
  });

  it('keeps a split whose item left the month and came back', () => {
    const scenario = twoMonths().given(expense('T', { Fun: 20 }), remove('T'), removeItem('Fun'), {
      ...placeItem('Fun'),
    });
    scenario.given(restore('T'));
    assert.deepEqual(scenario.transaction('T').splits, splitsOf({ Fun: 20 }));
  });

  it('of a live one records nothing', () => {
    twoMonths()
      .given(expense('T', { Food: 30 }))
      .when(restore('T'))
      .thenNothing();
  });
});

describe('a transaction that is partly split', () => {
  it('stays so when something else changes', () => {
    const scenario = partlySplit().given(change('T', { merchant: 'Other', type: 'income', note: 'x' }));
    assert.deepEqual(scenario.transaction('T').splits, splitsOf({ Food: 30 }));
    scenario.when(change('T', { splits: splitsOf({ Food: 30 }), note: 'y' })).thenDone();
    scenario.when(change('T', { amount: 50 })).thenNothing();
  });

  it('is checked again when its amount or splits change', () => {
    const scenario = partlySplit();
    scenario
      .when(change('T', { splits: splitsOf({ Food: 31 }) }))
      .thenRefused('splits_total_mismatch', { amount: 50, splits_total: 31 });
    scenario.given(change('T', { amount: 60 }));
    assert.deepEqual(scenario.transaction('T').splits, splitsOf({ Food: 60 }));
    const inTwo = partlySplitInTwo();
    inTwo
      .when(change('T', { amount: 61 }))
      .thenRefused('splits_total_mismatch', { amount: 61, splits_total: 50 });
    inTwo.when(change('T', { amount: 50 })).thenDone();
  });

  it('can be deleted and restored again', () => {
    const scenario = partlySplit().given(remove('T'), restore('T'));
    assert.deepEqual(scenario.transaction('T').splits, splitsOf({ Food: 30 }));
    assert.equal(scenario.item('2026-01', 'Food').spent, 30);
  });
});

describe('a transaction that another command untracked', () => {
  it('loses all its splits, keeps what was taken and by which event, until splits are set again', () => {
    const scenario = twoMonths().given(expense('T', { Food: 30, Fun: 20 }), removeItem('Fun'));
    const record = scenario.transaction('T');
    assert.equal(statusOf(record), 'untracked');
    assert.deepEqual(record.taken, {
      eventId: scenario.events.at(-1)!.id,
      splits: splitsOf({ Food: 30, Fun: 20 }),
    });
    assert.equal(scenario.item('2026-01', 'Food').spent, 0);
    scenario.given(change('T', { merchant: 'Other' }));
    assert.deepEqual(scenario.transaction('T').taken, record.taken);
    scenario.given(change('T', { splits: splitsOf({ Food: 50 }) }));
    assert.equal(scenario.transaction('T').taken, null);
  });
});

describe('a month full of transactions', () => {
  const full = {
    limit: 'transactions',
    max: TRANSACTIONS_PER_MONTH_MAX,
    month: '2026-02',
  };
  const refusedAsFull = (household: Household, command: Command, transaction: Scenario | null): void => {
    const facts = transaction ? transaction.factsOf(command) : NO_FACTS;
    assert.throws(
      () => decide(household, command, facts),
      (error: unknown) => {
        assert.ok(error instanceof Refusal);
        assert.deepEqual([error.code, error.details], ['month_full', full]);
        return true;
      },
    );
  };

  it('takes no further one by creation, restore or move', () => {
    const scenario = twoMonths().given(
      expense('T', { Food: 30 }),
      expense('U', { Food: 30 }, { budgetMonth: '2026-02' }),
      remove('U'),
    );
    const household = withLive(scenario.household, '2026-02', TRANSACTIONS_PER_MONTH_MAX);
    refusedAsFull(household, expense('V', {}, { budgetMonth: '2026-02' }), null);
    refusedAsFull(household, expense('V', { Food: 1 }, { budgetMonth: '2026-02' }), null);
    refusedAsFull(household, restore('U'), scenario);
    refusedAsFull(household, change('T', { budgetMonth: '2026-02' }), scenario);
    assert.equal(decide(household, expense('V', {}), NO_FACTS).length, 1);
    const last = withLive(household, '2026-02', TRANSACTIONS_PER_MONTH_MAX - 1);
    assert.equal(decide(last, expense('V', {}, { budgetMonth: '2026-02' }), NO_FACTS).length, 1);
  });

  it('still lets its own change', () => {
    const scenario = twoMonths().given(expense('T', { Food: 30 }, { budgetMonth: '2026-02' }));
    const household = withLive(scenario.household, '2026-02', TRANSACTIONS_PER_MONTH_MAX);
    const command = change('T', { amount: 31 });
    assert.equal(decide(household, command, scenario.factsOf(command)).length, 1);
    const repeated = expense('T', { Food: 30 }, { budgetMonth: '2026-02' });
    assert.equal(decide(household, repeated, scenario.factsOf(repeated)).length, 0);
  });
});
