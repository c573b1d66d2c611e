import type { Documents } from '#storage/documents/documents';
import { EVERY_KEY } from '#storage/documents/declared';
import { pagesOf } from '#storage/documents/pages';
import { HOUSEHOLDS, type HouseholdRecord } from './household-records.js';

/** Households that are read at once. */
const PAGE_HOUSEHOLDS = 200;

/** A household as it was stored: those made before there were currencies have none. */
type StoredHousehold = Omit<HouseholdRecord, 'currency'> & Partial<Pick<HouseholdRecord, 'currency'>>;

/** The record with a currency: its own, or that one. */
export function currencyAdded(record: StoredHousehold, currency: string): HouseholdRecord {
  return record.currency === undefined ? { ...record, currency } : (record as HouseholdRecord);
}

/**
 * Records a currency for every household that has none. A later start with another `DEFAULT_CURRENCY` so leaves them
 * as they are.
 * @throws DocumentsUnavailable
 */
export async function recordCurrencies(documents: Documents, currency: string): Promise<void> {
  for await (const page of pagesOf(documents, HOUSEHOLDS, EVERY_KEY, PAGE_HOUSEHOLDS)) {
    const former = page.filter((record: StoredHousehold) => record.currency === undefined);
    const next = former.map(record => ({
      ...currencyAdded(record, currency),
      revision: record.revision + 1,
    }));
    // A record that another process changes at the same moment keeps that change, which gives it a currency as well.
    if (next.length > 0) await documents.put(HOUSEHOLDS, next);
  }
}
