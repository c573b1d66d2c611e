import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { TransactionRecord } from '#ledger/transactions/transaction-record';
import {
  recordOf,
  transactionDocument,
  transactionIndexFields,
  type TransactionDocument,
} from './transaction-document.js';

const CREATED = '2026-01-15T08:00:00.000Z';
const LATER = '2026-01-16T08:00:00.000Z';

const plain: TransactionRecord = {
  id: 'T1',
  type: 'expense',
  amount: 1_250,
  date: '2026-01-15',
  merchant: 'Costco',
  note: null,
  budgetMonth: '2026-01',
  splits: [{ itemId: 'I1', amount: 1_250 }],
  location: null,
  revision: 7,
  createdRevision: 7,
  createdAt: CREATED,
  createdBy: 'U1',
  updatedAt: CREATED,
  updatedBy: null,
  deletedAt: null,
  taken: null,
};

const changed: TransactionRecord = {
  ...plain,
  note: 'for the party',
  budgetMonth: '2026-02',
  splits: [],
  location: { lat: 1, lng: 2, accuracyM: 3 },
  revision: 12,
  updatedAt: LATER,
  updatedBy: 'U2',
  deletedAt: LATER,
  taken: { eventId: 'E1', splits: plain.splits },
};

/** As it is read back. */
function stored(record: TransactionRecord): TransactionDocument {
  return JSON.parse(JSON.stringify(transactionDocument('H', record))) as TransactionDocument;
}

describe('the document of a transaction', () => {
  it('holds of what was never touched again only what it does not say already', () => {
    assert.deepEqual(stored(plain), {
      key: 'H|T1',
      revision: 7,
      record: {
        type: 'expense',
        amount: 1_250,
        date: '2026-01-15',
        merchant: 'Costco',
        splits: [{ itemId: 'I1', amount: 1_250 }],
        createdAt: CREATED,
        createdBy: 'U1',
      },
    });
  });

  it('gives the whole record back', () => {
    for (const record of [plain, changed]) assert.deepEqual(recordOf(stored(record)), record);
  });

  it('gives it back of a document that holds everything, too', () => {
    for (const record of [plain, changed]) {
      const whole = { key: 'H|T1', revision: record.revision, record } as unknown as TransactionDocument;
      assert.deepEqual(recordOf(whole), record);
      assert.deepEqual(transactionIndexFields(whole), transactionIndexFields(stored(record)));
    }
  });

  it('is found by its month, its items and its state', () => {
    const fields = { household: 'H', sort: '2026-01-15|T1', merchant_folded: 'costco', amount: 1_250 };
    assert.deepEqual(transactionIndexFields(stored(plain)), {
      ...fields,
      view: 'tracked',
      live: true,
      tags: ['2026-01', 'I1'],
    });
    const moved = { ...plain, budgetMonth: '2026-02' };
    assert.deepEqual(transactionIndexFields(stored(moved)).tags, ['2026-02', 'I1']);
    const deleted = { ...fields, view: 'deleted', live: null, tags: [] };
    assert.deepEqual(transactionIndexFields(stored(changed)), deleted);
  });
});
