import type { Documents } from '#storage/documents/documents';
import { decimalsOf } from '#http/currencies';
import { currencyAdded } from '#identity/households/households';
import { HOUSEHOLDS } from '#identity/households/household-records';
import { lastEventOf } from '#engine/households/household-stream';
import { CommandFailed } from './failures.js';
import type { ReadableStores } from './reading.js';

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
