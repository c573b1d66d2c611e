import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { LedgerEvent, LedgerEventType, RecordedLedgerEvent, TransactionContent } from '#ledger/events';
import { SCHEMA_VERSIONS } from '#ledger/upcasters';
import { summaryOf, type PresentNames } from './activity-summary.js';

const NAMES: PresentNames = {
  user: id => (id === 'ada' ? 'Ada' : undefined),
  group: id => ({ food: 'Food', travel: 'Travel' })[id],
  item: id => ({ fuel: 'Fuel', car: 'Car' })[id],
  merchant: id => (id === 'known' ? 'Costco' : undefined),
};

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
const month = '2026-01';
const laidOut = { month, copiedFrom: null, newGroups: [], newItems: [], layout: [] };
const nothing = { transactionIds: [], activity: [] };
const one = { transactionIds: ['t'], activity: [] };
const two = { transactionIds: ['t', 'u'], activity: [] };
const taken = { itemId: 'fuel', planned: 0, note: null, adjustments: [] };

const retracked = { ...nothing, takenBy: 'e' };
const adjustment = { amount: 5, at: '', by: 'ada', eventId: 'e', term: 0 };

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
    'laid 2026-01 out again, which untracked 2 transactions',
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
    'made Car no favourite any more and took the target of Car away',
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
    { type: 'ItemsOrdered', data: { month, groupId: 'food', before: [], after: [] } },
    'ordered the items of Food in 2026-01',
  ],
  [
    { type: 'FundOpened', data: { month, itemId: 'car', openingBalance: -20_000, term: 0 } },
    'made Car a fund in 2026-01 with −200.00',
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
    'recorded an income of 45.00 from Costco, untracked',
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
    'changed the expense at Costco: type to income, amount from 45.00 to 0.05, date to 2026-02-01, ' +
      'merchant to Aldi, budget month to 2026-02, splits to none, note, location',
  ],
  [
    {
      type: 'TransactionChanged',
      data: { id: 'known', before: content, after: { ...content, date: '2026-01-16' } },
    },
    'changed the expense at Costco: date to 2026-01-16',
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
    'changed the expense at Costco: splits',
  ],
  [
    { type: 'TransactionDeleted', data: { id: 'known', type: 'expense', budgetMonth: month, splits: [] } },
    'deleted the expense at Costco of 2026-01',
  ],
  [
    {
      type: 'TransactionRestored',
      data: { id: 'other', type: 'income', budgetMonth: month, splits: [], dropped: [] },
    },
    'restored the income of 2026-01',
  ],
  [
    { type: 'MonthRemoved', data: { month, createdAt: '', taken: { copiedFrom: null, groups: [] } } },
    'took 2026-01 away',
  ],
  [
    {
      type: 'LayoutPutBack',
      data: { month, copiedFrom: null, groups: [], taken: { copiedFrom: null, groups: [] }, retracked },
    },
    'brought the former layout of 2026-01 back',
  ],
  [
    { type: 'GroupPutBack', data: { month, groupId: 'unknown', index: 0, items: [], retracked } },
    'brought a group back into 2026-01',
  ],
  [
    { type: 'ItemPutBack', data: { month, groupId: 'g', index: 0, item: taken, retracked } },
    'brought Fuel back into 2026-01',
  ],
  [
    {
      type: 'FundReopened',
      data: { itemId: 'fuel', openedIn: month, openingBalance: 0, term: 0, target: null },
    },
    'made Fuel the fund that it had been',
  ],
  [
    { type: 'AdjustmentRemoved', data: { month, itemId: 'fuel', index: 0, adjustment } },
    'took a correction of Fuel in 2026-01 back',
  ],
  [
    { type: 'AdjustmentPutBack', data: { month, itemId: 'fuel', index: 0, adjustment } },
    'brought a correction of Fuel in 2026-01 back',
  ],
  [
    {
      type: 'CommandUndone',
      data: {
        undoes: 'e',
        events: [
          { type: 'MonthRemoved', data: { month, createdAt: '', taken: { copiedFrom: null, groups: [] } } },
        ],
      },
    },
    'undid a change: took 2026-01 away',
  ],
];

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
    const missing = (Object.keys(SCHEMA_VERSIONS) as LedgerEventType[]).filter(type => !told.has(type));
    assert.deepEqual(missing, []);
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
