import type { Documents } from '#storage/documents/documents';
import { decimalsOf } from '#http/currencies';
import { isUlid } from '#http/field-rules';
import { currencyAdded, HOUSEHOLDS } from '#identity/households/household-records';
import { lastEventOf } from '#engine/households/household-stream';
import type { Household, ItemIdentity } from '#ledger/household';
import { touchedTransactions, type RecordedLedgerEvent } from '#ledger/events';
import type { PresentNames } from '#ledger/present-names';
import { presentNames } from '#projections/activity-summary';
import { foldCase, transactionKey } from '#projections/transaction-document';
import { readConfiguration, type Configuration } from '../configuration.js';
import type { ReadableStores } from '../stores-for-reading.js';
import { CommandFailed } from './failures.js';

export type { ReadableStores };

/**
 * Opens the stores that the configuration names, for looking only, and closes them in any case.
 *
 * The stores' clients are loaded here and not before, so that `--help` need not wait for them.
 * @throws ConfigurationError, DatabaseRefused, CommandFailed
 */
export async function whileReading<T>(
  work: (stores: ReadableStores, configuration: Configuration) => Promise<T>,
): Promise<T> {
  const { ReadableStores } = await import('../stores-for-reading.js');
  const configuration = readConfiguration();
  const stores = await ReadableStores.open(configuration);
  try {
    return await work(stores, configuration);
  } finally {
    await stores.close();
  }
}

/**
 * As `whileReading`, for one household.
 * @param work also gets how many decimals its amounts have
 * @throws CommandFailed as well for an unknown household
 */
export function whileReadingHousehold<T>(
  householdId: string,
  work: (stores: ReadableStores, decimals: number) => Promise<T>,
): Promise<T> {
  return whileReading(async (stores, { defaultCurrency }) => {
    await requireHousehold(stores, householdId);
    const decimals = await decimalsIn(stores.documents, [householdId], defaultCurrency);
    return work(stores, decimals(householdId));
  });
}

/** @throws CommandFailed where neither a record nor an event tells of the household */
export async function requireHousehold(
  { documents, eventStore }: Pick<ReadableStores, 'documents' | 'eventStore'>,
  householdId: string,
): Promise<void> {
  if (await documents.get(HOUSEHOLDS, householdId)) return;
  if (await lastEventOf(eventStore, householdId)) return;
  throw new CommandFailed(`There is no household ${householdId}. Run \`ledger households\` to list them.`);
}

/**
 * How many decimals the amounts of households have; those of `DEFAULT_CURRENCY` where no currency is recorded yet.
 * @throws DocumentsUnavailable
 */
export async function decimalsIn(
  documents: Documents,
  householdIds: Iterable<string>,
  defaultCurrency: string,
): Promise<(householdId: string) => number> {
  const records = await documents.getMany(HOUSEHOLDS, [...new Set(householdIds)]);
  const currencies = new Map(
    records.map(record => [record.key, currencyAdded(record, defaultCurrency).currency]),
  );
  return householdId => decimalsOf(currencies.get(householdId) ?? defaultCurrency);
}

/** A name that several items share is refused with at most this many of their ids. */
const NAMESAKES_MAX = 5;

/**
 * A household folded from its events.
 * @param asOf as it was at this moment; as it is when absent
 * @throws EventStoreUnavailable, DocumentsUnavailable, UnknownEvent
 */
export async function householdAt(
  { eventStore, documents }: Pick<ReadableStores, 'eventStore' | 'documents'>,
  householdId: string,
  asOf?: string,
): Promise<Household> {
  const { PastHouseholds } = await import('#engine/households/past-households');
  const past = new PastHouseholds(eventStore, documents);
  if (asOf !== undefined) return past.at(householdId, asOf);
  const last = await lastEventOf(eventStore, householdId);
  return past.atRevision(householdId, last?.revision ?? -1);
}

/**
 * The item with this id, else the only one with this name, in any case.
 * @param asOf the moment of the household, for the sentence
 * @throws CommandFailed if there is none, or several share the name
 */
export function requireItem({ items }: Household, idOrName: string, asOf?: string): ItemIdentity {
  const found = items.get(idOrName.toUpperCase());
  if (found) return found;
  const name = foldCase(idOrName);
  const namesakes = [...items.values()].filter(item => foldCase(item.name) === name);
  if (namesakes.length === 1) return namesakes[0]!;
  if (namesakes.length > 1) throw new CommandFailed(ambiguous(idOrName, namesakes));
  const what = isUlid(idOrName.toUpperCase()) ? idOrName : `named “${idOrName}”`;
  const when = asOf === undefined ? '' : ` at ${asOf}`;
  throw new CommandFailed(
    `There is no item ${what} in this household${when}. Run \`ledger items\` to list them.`,
  );
}

function ambiguous(name: string, namesakes: readonly ItemIdentity[]): string {
  const ids = namesakes.slice(0, NAMESAKES_MAX).map(({ id }) => id);
  const more = namesakes.length > NAMESAKES_MAX ? ' and more' : '';
  return `${namesakes.length} items are named “${name}”. Use an id: ${ids.join(', ')}${more}.`;
}

/**
 * Names of users, by id; a user who was erased is called so. What reads them is loaded here and not before, so that
 * `--help` need not wait for it.
 * @throws DocumentsUnavailable
 */
export async function namesOf(
  documents: ReadableStores['documents'],
  users: Iterable<string>,
): Promise<ReadonlyMap<string, string>> {
  const { UserNames } = await import('#identity/accounts/accounts');
  return new UserNames(documents).namesOf(users);
}

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
