import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Documents } from '#storage/documents/documents';
import type { CursorCodec } from '#http/cursor';
import type { UserNames } from '#identity/accounts/accounts';
import type { HouseholdReads } from '../household-reads.js';
import { KeptPages } from './kept-pages.js';
import { ListTransactions, ListTransactionsHandler } from './list-transactions.js';

describe('a list of transactions', () => {
  /** A household of which the number of untracked transactions changes while each of the first pages is read. */
  async function countIn(changes: number): Promise<{ readonly count: unknown; readonly pages: number }> {
    let [pages, count] = [0, 0];
    const documents = {
      query: async () => {
        if (++pages <= changes) count++;
        return [];
      },
    } as unknown as Documents;
    const reads = {
      models: { transactions: {} },
      identities: async () => ({ items: [] }),
      untrackedCount: async () => count,
      joined: (_householdId: string, read: () => Promise<unknown>) => read(),
    } as unknown as HouseholdReads;
    const userNames = { namesOf: async () => new Map() } as unknown as UserNames;
    const handler = new ListTransactionsHandler(
      documents,
      reads,
      userNames,
      {} as CursorCodec,
      new KeptPages(),
    );
    const body = await handler.execute(
      new ListTransactions({ householdId: 'H', currency: 'EUR' }, { view: 'untracked', limit: 100 }),
    );
    return { count: JSON.parse(body).untracked_count, pages };
  }

  it('is read again where the number changed meanwhile, a few times', async () => {
    assert.deepEqual(await countIn(0), { count: 0, pages: 1 });
    assert.deepEqual(await countIn(1), { count: 1, pages: 2 });
    assert.deepEqual(await countIn(Infinity), { count: 3, pages: 3 });
  });
});
