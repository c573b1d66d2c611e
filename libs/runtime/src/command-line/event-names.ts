import type { RecordedLedgerEvent } from '#ledger/events';
import { touchedTransactions } from '#ledger/transaction-record';
import { presentNames, type PresentNames } from '#projections/activity-summary';
import { transactionKey } from '#projections/transaction-document';
import type { ReadableStores } from './reading.js';
import { namesOf } from './user-names.js';

/** The names of at most this many transactions are looked up for one event; one that touches more says how many. */
const NAMED_TRANSACTIONS_MAX = 10;

/**
 * The present names of everything that events are about.
 * @param decimals of the household's currency
 * @throws DocumentsUnavailable
 */
export async function namesFor(
  { documents, models }: ReadableStores,
  householdId: string,
  decimals: number,
  events: readonly RecordedLedgerEvent[],
): Promise<PresentNames> {
  const touched = events.flatMap(event => touchedTransactions(event).slice(0, NAMED_TRANSACTIONS_MAX));
  const keys = [...new Set(touched)].map(transaction => transactionKey(householdId, transaction));
  const [identities, found, userNames] = await Promise.all([
    documents.get(models.identities, householdId),
    documents.getMany(models.transactions, keys),
    namesOf(documents, new Set(events.map(({ by }) => by))),
  ]);
  return presentNames(identities ?? { groups: [], items: [] }, found, userNames, decimals);
}
