import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { EVENTS, type LedgerEvent, type LedgerEventType, type RecordedLedgerEvent } from '#ledger/events';
import type { TransactionContent } from '#ledger/transactions/transaction-record';
import { presentNames, summaryOf } from './activity-summary.js';
import type { TransactionDocument } from './transaction-document.js';

const content: TransactionContent = {
  type: 'expense',
  amount: 4500,
  date: '2026-01-15',
  merchant: 'Costco',
  note: null,
  budgetMonth: '2026-01',
  splits: [{ itemId: 'fuel', amount: 4500 }],
  location: null,
};
/** What transactions say now: one has changed since. */
const documents: readonly TransactionDocument[] = [
  {
    key: 'H|known',
    revision: 9,
    record: { ...stored(content), amount: 9_900, merchant: 'Bakery' },
  },
];
const NAMES = namesIn(2);
const month = '2026-01';
const laidOut = { month, copiedFrom: null, newGroups: [], newItems: [], layout: [] };
const nothing = { transactionIds: [], activity: [] };
const one = { transactionIds: ['t'], activity: [] };
const two = { transactionIds: ['t', 'u'], activity: [] };
const taken = { itemId: 'fuel', planned: 0, note: null, adjustments: [] };

const retracked = { ...nothing, takenBy: 'e' };
const adjustment = { amount: 5, at: '', by: 'ada', eventId: 'e', term: 0 };

const deletion = {
  type: 'TransactionDeleted',
  data: { id: 'known', type: 'expense', budgetMonth: month, splits: [], amount: 1_250, merchant: 'Baker' },
} as const;

const CASES: readonly (readonly [LedgerEvent, string])[] = [
  [{ type: 'MonthCreated', data: laidOut }, 'created 2026-01 from the template'],
  [
    { type: 'MonthCreated', data: { ...laidOut, copiedFrom: '2025-12' } },
    'created 2026-01 as a copy of 2025-12',
  ],
  [{ type: 'MonthZeroed', data: { month, planned: [] } }, 'set every plan of 2026-01 to 0'],
  [
    {
      type: 'MonthReplaced',
      data: { ...laidOut, taken: { copiedFrom: null, groups: [] }, untracked: two },
    },
    'reset 2026-01 to the template, which untracked 2 transactions',
  ],
  [
    {
      type: 'GroupAdded',
      data: { month, group: { id: 'travel', name: 'Trips', color: '#000000', isIncome: false } },
    },
    'added the group Travel to 2026-01',
  ],
  [
    {
      type: 'GroupAdded',
      data: { month, group: { id: 'new', name: 'Pets', color: '#000000', isIncome: false } },
    },
    'added the group Pets to 2026-01',
  ],
  [{ type: 'GroupPlaced', data: { month, groupId: 'food' } }, 'put the group Food into 2026-01'],
  [
    { type: 'GroupChanged', data: { groupId: 'food', before: { name: 'Eat' }, after: { name: 'Food' } } },
    'renamed the group Eat to Food',
  ],
  [
    {
      type: 'GroupChanged',
      data: { groupId: 'food', before: { color: '#000000' }, after: { color: '#ffffff' } },
    },
    'gave the group Food another colour',
  ],
  [
    {
      type: 'GroupChanged',
      data: {
        groupId: 'food',
        before: { name: 'Eat', color: '#000000' },
        after: { name: 'Food', color: '#ffffff' },
      },
    },
    'renamed the group Eat to Food and gave it another colour',
  ],
  [
    { type: 'GroupRemoved', data: { month, groupId: 'food', index: 1, taken: [], untracked: one } },
    'deleted the group Food from 2026-01, which untracked one transaction',
  ],
  [{ type: 'GroupsOrdered', data: { month, before: [], after: [] } }, 'ordered the groups of 2026-01'],
  [
    {
      type: 'ItemAdded',
      data: {
        month,
        groupId: 'food',
        item: { id: 'new', name: 'New', kind: 'expense' },
        planned: 5,
        note: null,
      },
    },
    'added New to 2026-01, planning 0.05',
  ],
  [
    { type: 'ItemPlaced', data: { month, groupId: 'food', itemId: 'fuel', planned: 0, note: null } },
    'put Fuel into 2026-01',
  ],
  [
    { type: 'ItemChanged', data: { itemId: 'fuel', before: { name: 'Gas' }, after: { name: 'Fuel' } } },
    'renamed Gas to Fuel',
  ],
  [
    {
      type: 'ItemChanged',
      data: {
        itemId: 'car',
        before: { favorite: false, fundTarget: null },
        after: { favorite: true, fundTarget: 100_000 },
      },
    },
    'made Car a favourite and set the target of Car to 1000.00',
  ],
  [
    {
      type: 'ItemChanged',
      data: {
        itemId: 'car',
        before: { favorite: true, fundTarget: 1 },
        after: { favorite: false, fundTarget: null },
      },
    },
    'removed Car from the favourites and removed the target of Car',
  ],
  [
    { type: 'ItemPlanned', data: { month, itemId: 'fuel', before: 0, after: 60_000 } },
    'planned 600.00 for Fuel in 2026-01 instead of 0.00',
  ],
  [
    { type: 'ItemNoted', data: { month, itemId: 'fuel', before: null, after: 'Cheap' } },
    'wrote a note on Fuel in 2026-01',
  ],
  [
    { type: 'ItemNoted', data: { month, itemId: 'fuel', before: 'Cheap', after: null } },
    'cleared the note on Fuel in 2026-01',
  ],
  [
    { type: 'ItemNoted', data: { month, itemId: 'gone', before: 'Cheap', after: 'Dear' } },
    'changed the note on an item in 2026-01',
  ],
  [
    { type: 'ItemHarvested', data: { month, itemId: 'fuel', before: 60_000, after: 2_500 } },
    'harvested 575.00 from Fuel in 2026-01',
  ],
  [
    { type: 'ItemRemoved', data: { month, groupId: 'food', index: 0, taken, untracked: nothing } },
    'deleted Fuel from 2026-01',
  ],
  [
    {
      type: 'ItemRemoved',
      data: { month, groupId: 'food', index: 0, taken: { ...taken, planned: 60_000 }, untracked: one },
    },
    'deleted Fuel from 2026-01, with 600.00 planned, which untracked one transaction',
  ],
  [
    { type: 'ItemsOrdered', data: { month, groupId: 'food', before: [], after: [] } },
    'ordered the items of Food in 2026-01',
  ],
  [
    { type: 'FundOpened', data: { month, itemId: 'car', openingBalance: -20_000, term: 0 } },
    'made Car a fund in 2026-01 with a balance of −200.00',
  ],
  [
    { type: 'FundEnded', data: { itemId: 'car', openedIn: month, openingBalance: 1, term: 0, target: null } },
    'ended the fund Car',
  ],
  [
    { type: 'FundBalanceUpdated', data: { month, itemId: 'car', amount: 1_500 } },
    'corrected the balance of Car in 2026-01 by 15.00',
  ],
  [{ type: 'TransactionCreated', data: { id: 'known', content } }, 'recorded an expense of 45.00 at Costco'],
  [
    {
      type: 'TransactionCreated',
      data: { id: 'known', content: { ...content, type: 'income', splits: [] } },
    },
    'recorded income of 45.00 from Costco, untracked',
  ],
  [
    {
      type: 'TransactionChanged',
      data: {
        id: 'known',
        before: content,
        after: {
          type: 'income',
          amount: 5,
          date: '2026-02-01',
          merchant: 'Aldi',
          note: 'Milk',
          budgetMonth: '2026-02',
          splits: [],
          location: { lat: 0, lng: 0, accuracyM: 1 },
        },
      },
    },
    'changed the expense of 45.00 at Costco: type to income, amount to 0.05, date to 2026-02-01, ' +
      'merchant to Aldi, budget month to 2026-02, splits to none, note, location',
  ],
  [
    {
      type: 'TransactionChanged',
      data: { id: 'known', before: content, after: { ...content, date: '2026-01-16' } },
    },
    'changed the expense of 45.00 at Costco: date to 2026-01-16',
  ],
  [
    {
      type: 'TransactionChanged',
      data: {
        id: 'known',
        before: content,
        after: { ...content, splits: [{ itemId: 'car', amount: 4500 }] },
      },
    },
    'changed the expense of 45.00 at Costco: splits',
  ],
  [deletion, 'deleted the expense of 12.50 at Baker'],
  [
    { type: 'TransactionDeleted', data: { id: 'known', type: 'expense', budgetMonth: month, splits: [] } },
    'deleted the expense of 99.00 at Bakery',
  ],
  [
    {
      type: 'TransactionRestored',
      data: { id: 'known', type: 'income', budgetMonth: month, splits: [], dropped: [] },
    },
    'restored the income of 99.00 from Bakery',
  ],
  [
    {
      type: 'TransactionRestored',
      data: { id: 'other', type: 'expense', budgetMonth: month, splits: [], dropped: [] },
    },
    'restored an expense of 2026-01',
  ],
  [
    { type: 'MonthRemoved', data: { month, createdAt: '', taken: { copiedFrom: null, groups: [] } } },
    'deleted 2026-01',
  ],
  [
    {
      type: 'LayoutPutBack',
      data: { month, copiedFrom: null, groups: [], taken: { copiedFrom: null, groups: [] }, retracked },
    },
    'restored the former layout of 2026-01',
  ],
  [
    { type: 'GroupPutBack', data: { month, groupId: 'unknown', index: 0, items: [], retracked } },
    'restored a group in 2026-01',
  ],
  [
    {
      type: 'ItemPutBack',
      data: {
        month,
        groupId: 'g',
        index: 0,
        item: { ...taken, planned: 1 },
        retracked: { ...two, takenBy: 'e' },
      },
    },
    'restored Fuel in 2026-01, with 0.01 planned, which tracked 2 transactions again',
  ],
  [
    {
      type: 'FundReopened',
      data: { itemId: 'fuel', openedIn: month, openingBalance: 0, term: 0, target: null },
    },
    'made Fuel a fund again',
  ],
  [
    { type: 'AdjustmentRemoved', data: { month, itemId: 'fuel', index: 0, adjustment } },
    'removed a correction of the balance of Fuel in 2026-01 by 0.05',
  ],
  [
    { type: 'AdjustmentPutBack', data: { month, itemId: 'fuel', index: 0, adjustment } },
    'restored a correction of the balance of Fuel in 2026-01 by 0.05',
  ],
  [undoing(deletion), 'deleted the expense of 12.50 at Baker (undid its addition)'],
  [
    undoing({ type: 'TransactionRestored', data: { ...deletion.data, dropped: [] } }),
    'restored the expense of 12.50 at Baker (undid its deletion)',
  ],
  [
    undoing({
      type: 'TransactionChanged',
      data: { id: 'known', before: content, after: { ...content, amount: 1 } },
    }),
    'changed the expense of 45.00 at Costco: amount to 0.01 (undid an earlier change)',
  ],
  [
    undoing({
      type: 'MonthRemoved',
      data: { month, createdAt: '', taken: { copiedFrom: null, groups: [] } },
    }),
    'deleted 2026-01 (undid its creation)',
  ],
  [
    undoing(planned('fuel', 50_000), {
      type: 'ItemNoted',
      data: { month, itemId: 'fuel', before: 'a', after: null },
    }),
    'planned 500.00 for Fuel in 2026-01 instead of 0.00 and cleared the note on Fuel in 2026-01 ' +
      '(undid an earlier change)',
  ],
  [undoing(planned('fuel', 1), planned('car', 2)), 'changed 2 plans in 2026-01 (undid an earlier change)'],
  [
    undoing(
      { type: 'ItemsOrdered', data: { month, groupId: 'food', before: [], after: [] } },
      { type: 'ItemsOrdered', data: { month, groupId: 'travel', before: [], after: [] } },
    ),
    'ordered the items of 2026-01 (undid an earlier change)',
  ],
];

function undoing(...events: readonly LedgerEvent[]): LedgerEvent {
  return { type: 'CommandUndone', data: { undoes: 'e', events } };
}

function planned(itemId: string, after: number): LedgerEvent {
  return { type: 'ItemPlanned', data: { month, itemId, before: 0, after } };
}

function stored({ type, amount, date, merchant, splits }: TransactionContent): TransactionDocument['record'] {
  return { type, amount, date, merchant, splits, createdAt: '2026-01-15T12:00:00.000Z', createdBy: 'ada' };
}

/** @param decimals of the currency */
function namesIn(decimals: number): ReturnType<typeof presentNames> {
  const group = (id: string, name: string) => ({
    id,
    name,
    color: '#000000',
    is_income: false,
    color_revision: 0,
  });
  const item = (id: string, name: string) => {
    const rest = { kind: 'expense', is_fund: false, fund_target: null, months: 1 } as const;
    return { id, name, ...rest, favorite_revision: 0, target_revision: 0 };
  };
  const identities = {
    groups: [group('food', 'Food'), group('travel', 'Travel')],
    items: [item('fuel', 'Fuel'), item('car', 'Car')],
  };
  return presentNames(identities, documents, new Map([['ada', 'Ada']]), decimals);
}

function recorded(event: LedgerEvent, by = 'ada'): RecordedLedgerEvent {
  return { ...event, id: 'e', revision: 0, at: '2026-01-15T12:00:00.000Z', by };
}

describe('summaryOf', () => {
  it('says in one sentence what any event means', () => {
    for (const [event, phrase] of CASES) {
      assert.equal(summaryOf([recorded(event)], NAMES), `Ada ${phrase}.`);
    }
  });

  it('knows every type of event', () => {
    const told = new Set(CASES.map(([{ type }]) => type));
    const missing = (Object.keys(EVENTS) as LedgerEventType[]).filter(type => !told.has(type));
    assert.deepEqual(missing, []);
  });

  it('says amounts in the currency of the household', () => {
    const summaries = [0, 2, 3].map(decimals => summaryOf([recorded(deletion)], namesIn(decimals)));
    assert.deepEqual(summaries, [
      'Ada deleted the expense of 1250 at Baker.',
      'Ada deleted the expense of 12.50 at Baker.',
      'Ada deleted the expense of 1.250 at Baker.',
    ]);
  });

  it('stays short however much one command did', () => {
    const many = Array.from({ length: 8 }, () => recorded(deletion));
    const summary = summaryOf(many, NAMES);
    assert.equal(summary.split('deleted').length - 1, 5);
    assert.match(summary, /, deleted the expense of 12\.50 at Baker and made 3 more changes\.$/);
  });

  it('counts the transactions of a batch', () => {
    const created = (id: string): LedgerEvent => ({ type: 'TransactionCreated', data: { id, content } });
    const changed = (id: string): LedgerEvent => {
      return { type: 'TransactionChanged', data: { id, before: content, after: { ...content, note: 'x' } } };
    };
    const summary = (...events: readonly LedgerEvent[]): string =>
      summaryOf(
        events.map(event => recorded(event)),
        NAMES,
      );
    assert.equal(summary(created('a'), created('b')), 'Ada recorded 2 transactions.');
    const mixed = [created('a'), deletion, changed('b'), changed('c'), changed('b')];
    assert.equal(summary(...mixed), 'Ada recorded one transaction, deleted one and changed 2.');
    assert.match(
      summary(created('a'), changed('a')),
      /^Ada recorded an expense of .* and changed the expense of /,
    );
    const undone = (...events: readonly LedgerEvent[]): string =>
      summary({ type: 'CommandUndone', data: { undoes: 'e', events } });
    const back = (id: string): LedgerEvent => ({ ...deletion, data: { ...deletion.data, id } });
    assert.equal(undone(back('b'), back('a')), 'Ada deleted 2 transactions (undid their addition).');
    assert.equal(
      undone(back('b'), changed('a')),
      'Ada deleted one transaction and changed one (undid an earlier change).',
    );
  });

  it('joins what one command did, and names nobody who is not known', () => {
    const planned = recorded(
      { type: 'ItemPlanned', data: { month, itemId: 'fuel', before: 0, after: 5 } },
      'nobody',
    );
    const noted = recorded({ type: 'ItemNoted', data: { month, itemId: 'fuel', before: null, after: 'a' } });
    assert.equal(
      summaryOf([planned, noted], NAMES),
      'Somebody planned 0.05 for Fuel in 2026-01 instead of 0.00 and wrote a note on Fuel in 2026-01.',
    );
  });
});
