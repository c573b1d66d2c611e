import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { TransactionRecord } from '#ledger/transactions/transaction-record';
import { UnknownIdentity } from './month-document.js';
import { transactionView, usersOf } from './transaction-document.js';

const record: TransactionRecord = {
  id: 'T',
  type: 'expense',
  amount: 5,
  date: '2026-01-15',
  merchant: 'Shop',
  note: null,
  budgetMonth: '2026-01',
  splits: [{ itemId: 'I', amount: 5 }],
  location: { lat: 1, lng: 2, accuracyM: 3 },
  revision: 4,
  createdRevision: 4,
  createdAt: '2026-01-15T08:00:00.000Z',
  createdBy: 'U1',
  updatedAt: '2026-01-15T08:00:00.000Z',
  updatedBy: null,
  deletedAt: null,
  taken: null,
};
const items = new Map([['I', 'Fuel']]);
const users = new Map([['U1', 'Ada']]);

describe('transactionView', () => {
  it('joins names and renames fields', () => {
    const view = transactionView(record, items, users);
    assert.deepEqual(view.splits, [{ item_id: 'I', amount: 5, item_name: 'Fuel' }]);
    assert.deepEqual(view.location, { lat: 1, lng: 2, accuracy_m: 3 });
    assert.deepEqual([view.status, view.created_by_name], ['tracked', 'Ada']);
    assert.deepEqual([view.updated_by, view.updated_by_name], [null, null]);
  });

  it('has a name for users who are not known any more, and a status for each state', () => {
    const deleted = { ...record, updatedBy: 'U2', deletedAt: '2026-01-16T08:00:00.000Z' };
    const view = transactionView(deleted, items, users);
    assert.deepEqual([view.updated_by, view.updated_by_name, view.status], ['U2', '', 'deleted']);
    assert.equal(view.splits.length, 1);
    assert.equal(transactionView({ ...record, splits: [] }, items, users).status, 'untracked');
  });

  it('recognises identities that are older than the transaction', () => {
    assert.throws(() => transactionView(record, new Map(), users), UnknownIdentity);
  });
});

describe('usersOf', () => {
  it('names each user once', () => {
    const other = { ...record, createdBy: 'U2', updatedBy: 'U1' };
    const another = { ...record, updatedBy: 'U3' };
    assert.deepEqual(usersOf([record, other, another, record]), ['U1', 'U2', 'U3']);
    assert.deepEqual(usersOf([]), []);
  });
});
