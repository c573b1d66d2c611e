import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Documents } from '#documents/documents';
import type { CursorCodec } from '#http/cursor';
import type { UserNames } from '#identity/accounts/accounts';
import type { HouseholdReads } from '../household-reads.js';
import { RenderedAnswers } from '../rendered-answers.js';
import { ListTransactions, ListTransactionsHandler } from './list-transactions.js';

describe('a list of transactions', () => {
  /** A household that changes while each of the first lists is made. */
  async function countIn(changes: number): Promise<{ readonly count: unknown; readonly lists: number }> {
    let [lists, version] = [0, 0];
    const documents = {
      query: async () => {
        if (++lists <= changes) version++;
        return [];
      },
    } as unknown as Documents;
    const reads = {
      pointer: 1,
      version: () => version,
      modelsOf: () => ({ transactions: {} }),
      identities: async () => ({ items: [] }),
      untrackedCount: async () => lists,
      joined: (_householdId: string, read: () => Promise<unknown>) => read(),
    } as unknown as HouseholdReads;
    const userNames = {
      withSources: async () => ({ names: new Map(), sources: [] }),
    } as unknown as UserNames;
    const answers = new RenderedAnswers(documents);
    const handler = new ListTransactionsHandler(documents, reads, answers, userNames, {} as CursorCodec);
    const body = await handler.execute(
      new ListTransactions({ householdId: 'H', currency: 'EUR' }, { view: 'untracked', limit: 100 }),
    );
    return { count: JSON.parse(body.toString()).untracked_count, lists };
  }

  it('is made again where the household changed meanwhile, a few times', async () => {
    assert.deepEqual(await countIn(0), { count: 1, lists: 1 });
    assert.deepEqual(await countIn(1), { count: 2, lists: 2 });
    assert.deepEqual(await countIn(Infinity), { count: 3, lists: 3 });
  });
});
