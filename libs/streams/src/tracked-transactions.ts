import { keysUnder } from '#documents/declared';
import type { Documents } from '#documents/documents';
import { TRANSACTIONS_PER_MONTH_MAX } from '#ledger/limits';
import type { TrackedIn, TransactionRecord } from '#ledger/transaction-record';
import { itemTag, monthTag, recordOf } from '#projections/transaction-document';
import { requestsFirst } from '#concurrency/requests-first';
import type { ReadModels } from './read-models.js';

/** Of at most 20,000. */
const DECODED_PER_TURN = 2_048;

/**
 * The tracked transactions of a month, all or those with a split on one of the items, newest first. Those of several
 * items are picked from all of the month.
 */
export async function trackedTransactions(
  documents: Documents,
  models: ReadModels,
  householdId: string,
  { month, itemIds }: TrackedIn,
): Promise<TransactionRecord[]> {
  if (itemIds.length === 0) return [];
  const onlyItems = itemIds !== 'all' && itemIds.length === 1 ? itemIds.map(itemTag) : [];
  const found = await documents.query(models.transactions, {
    index: 'by_tag',
    equals: { household: householdId, view: 'tracked', tags: [monthTag(month), ...onlyItems] },
    within: keysUnder(householdId),
    order: 'descending',
    limit: TRANSACTIONS_PER_MONTH_MAX,
  });
  const records: TransactionRecord[] = [];
  while (found.length > 0) {
    await requestsFirst();
    // Taken out, so that the documents are garbage before all records are there.
    for (const document of found.splice(0, DECODED_PER_TURN)) records.push(recordOf(document));
  }
  if (itemIds === 'all') return records;
  const wanted = new Set(itemIds);
  return records.filter(({ splits }) => splits.some(({ itemId }) => wanted.has(itemId)));
}
