import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { MonthView } from '#projections/month-document';
import type { TransactionView } from '#projections/transaction-document';
import { transactionChangeText } from './transaction-write.js';

const transaction = { id: 'T1', merchant: 'Füße & "Söhne"' } as TransactionView;

const month = (name: string): MonthView => ({
  month: name,
  left_to_budget: 0,
  groups: [],
  favorites: [],
  center: { planned: 0, spent: 0, remaining: 0 },
  untracked_count: 2,
  copied_from: null,
  created_at: '2026-01-15T08:00:00.000Z',
});

describe('the text of a change of a transaction', () => {
  it('is what JSON.stringify makes of it, however many months have changed', () => {
    for (const months of [[], [month('2026-01')], [month('2026-01'), month('2026-02'), month('2026-03')]]) {
      const change = { transaction, months, untracked_count: 2 };
      assert.equal(transactionChangeText(change), JSON.stringify(change));
    }
  });
});
