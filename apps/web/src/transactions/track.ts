import type { Transaction } from '../api/queries.js';
import { changeMany, type Operation } from './transaction-commands.js';

/** The most operations that one batch takes. */
export const OPERATIONS_MAX = 500;

/** Puts the whole amount of each transaction on an item, as one change. */
export async function trackOn(
  household: string,
  transactions: readonly Transaction[],
  item: { readonly id: string; readonly name: string },
): Promise<void> {
  const operations = transactions.map(({ id, amount }): Operation => ({
    op: 'change',
    id,
    splits: [{ item_id: item.id, amount }],
  }));
  const [only] = transactions;
  const what = transactions.length === 1 ? only!.merchant : `${transactions.length} transactions`;
  await changeMany(household, operations, `Tracked ${what} on ${item.name}.`);
}
