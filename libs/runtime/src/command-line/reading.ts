import type { Documents } from '#storage/documents/documents';
import { decimalsOf } from '#http/currencies';
import { isUlid } from '#http/field-rules';
import { HOUSEHOLDS, type StoredHousehold } from '#identity/households/household-records';
import { lastEventOf } from '#engine/households/household-stream';
import type { Household, ItemIdentity } from '#ledger/household';
import { decimalText } from '#ledger/values';
import { touchedTransactions, type RecordedLedgerEvent } from '#ledger/events';
import type { PresentNames } from '#ledger/present-names';
import { presentNames } from '#projections/activity-summary';
import { foldCase, transactionKey } from '#projections/transaction-document';
import { readConfiguration, type Configuration } from '../configuration.js';
import type { ReadableStores } from '../stores-for-reading.js';
import { CommandFailed } from './failures.js';

export type { ReadableStores };

/**
 * Opens the stores that the configuration names, for looking only, and closes them in any case. What commands read with
 * is loaded when it is used and not before, so that `--help` need not wait for it.
 * @throws ConfigurationError, DatabaseRefused, CommandFailed
 */
export async function whileReading<T>(
  work: (stores: ReadableStores, configuration: Configuration) => Promise<T>,
): Promise<T> {
  const { openForReading } = await import('../stores-for-reading.js');
  const configuration = readConfiguration();
  const stores = await openForReading(configuration);
  try {
    return await work(stores, configuration);
  } finally {
    await stores.close();
  }
}

/** As `whileReading`, for one household. @throws CommandFailed as well for an unknown one */
export function whileReadingHousehold<T>(
  householdId: string,
  work: (household: HouseholdReading) => Promise<T>,
): Promise<T> {
  return whileReading(async (stores, { defaultCurrency }) => {
    await requireHousehold(stores, householdId);
    const decimals = await decimalsIn(stores.documents, [householdId], defaultCurrency);
    return work(new HouseholdReading(stores, householdId, decimals(householdId)));
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

/** Decimals of the amounts of households; of `DEFAULT_CURRENCY` where none is recorded. @throws DocumentsUnavailable */
export async function decimalsIn(
  documents: Documents,
  householdIds: Iterable<string>,
  defaultCurrency: string,
): Promise<(householdId: string) => number> {
  const records = await documents.getMany(HOUSEHOLDS, [...new Set(householdIds)]);
  const currencies = new Map(records.map(({ key, currency }: StoredHousehold) => [key, currency]));
  return householdId => decimalsOf(currencies.get(householdId) ?? defaultCurrency);
}

/** The names of at most this many transactions are looked up for one event; one that touches more says how many. */
const NAMED_TRANSACTIONS_MAX = 10;

/** A household in stores that are open for looking. */
export class HouseholdReading {
  constructor(
    readonly stores: ReadableStores,
    readonly id: string,
    /** Of its currency. */
    private readonly decimals: number,
  ) {}

  /** Minor units as decimals of its currency. */
  readonly money = (amount: number): string => decimalText(amount, this.decimals);

  /**
   * Folded from the events, as it was at a moment; as it is where that is absent.
   * @throws EventStoreUnavailable, DocumentsUnavailable, UnknownEvent
   */
  async at(asOf?: string): Promise<Household> {
    const { eventStore, documents } = this.stores;
    const { PastHouseholds } = await import('#engine/households/past-households');
    const past = new PastHouseholds(eventStore, documents);
    if (asOf !== undefined) return past.at(this.id, asOf);
    const last = await lastEventOf(eventStore, this.id);
    return past.atRevision(this.id, last?.revision ?? -1);
  }

  /** The present names of everything that events are about. @throws DocumentsUnavailable */
  async namesFor(events: readonly RecordedLedgerEvent[]): Promise<PresentNames> {
    const { documents, models } = this.stores;
    const touched = events.flatMap(event => touchedTransactions(event).slice(0, NAMED_TRANSACTIONS_MAX));
    const keys = [...new Set(touched)].map(transaction => transactionKey(this.id, transaction));
    const [identities, transactions, users] = await Promise.all([
      documents.get(models.identities, this.id),
      documents.getMany(models.transactions, keys),
      namesOf(documents, new Set(events.map(({ by }) => by))),
    ]);
    return presentNames(identities ?? { groups: [], items: [] }, transactions, users, this.decimals);
  }
}

/** A name that several items share is refused with at most this many of their ids. */
const NAMESAKES_MAX = 5;

/** The item with this id, else the only one with this name, in any case. @throws CommandFailed */
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

/** Names of users, by id; a user who was erased is called so. @throws DocumentsUnavailable */
export async function namesOf(
  documents: ReadableStores['documents'],
  users: Iterable<string>,
): Promise<ReadonlyMap<string, string>> {
  const { UserNames } = await import('#identity/accounts/accounts');
  return new UserNames(documents).namesOf(users);
}
