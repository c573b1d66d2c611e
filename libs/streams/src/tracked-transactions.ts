import type { Documents } from '#documents/documents';
import { TRANSACTIONS_PER_MONTH_MAX } from '#ledger/limits';
import type { TrackedIn, TransactionRecord } from '#ledger/transaction-record';
import { itemInMonthTag, monthTag } from '#projections/transaction-document';
import type { ReadModels } from './read-models.js';

/** The tracked transactions of a month, all or those with a split on one of the items, newest first. */
export async function trackedTransactions(
  documents: Documents,
  models: ReadModels,
  householdId: string,
  { month, itemIds }: TrackedIn,
): Promise<TransactionRecord[]> {
  const tags = itemIds === 'all' ? [monthTag(month)] : itemIds.map(itemId => itemInMonthTag(itemId, month));
  const found = new Map<string, TransactionRecord>();
  for (const tag of tags) {
    const list = await documents.query(models.transactions, {
      index: 'by_tag',
      equals: { household: householdId, tags: tag },
      order: 'descending',
      limit: TRANSACTIONS_PER_MONTH_MAX,
    });
    for (const { record } of list) found.set(record.id, record);
  }
  return [...found.values()];
}
