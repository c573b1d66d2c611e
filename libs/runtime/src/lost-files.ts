import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { PROJECTION_NAME } from '#background/projection-host';
import { areBeyondLog } from '#background/stored-progress';
import type { Documents } from '#documents/documents';
import { holdsDocuments } from '#documents/sqlite/stored-documents';
import type { EventStore } from '#event-store/event-store';
import { ACCOUNTS } from '#identity/accounts/account-records';
import { HOUSEHOLDS } from '#identity/households/household-records';
import { DatabaseRefused } from '#sqlite/unavailable';
import { ConfigurationError, type Configuration } from './configuration.js';
import { EVENTS, RECORDS, VIEWS } from './data-files.js';

/**
 * Refuses a log of events that ends before what the read models show: commands would be decided on what the log does not
 * hold.
 * @throws ConfigurationError, EventStoreUnavailable, DocumentsUnavailable
 */
export async function refuseLostEvents(
  { dataDirectory, eventStoreUrl, mongodbUrl }: Configuration,
  { eventStore, documents }: { readonly eventStore: EventStore; readonly documents: Documents },
): Promise<void> {
  if (eventStoreUrl !== null || !(await areBeyondLog(eventStore, documents, PROJECTION_NAME))) return;
  const log = join(dataDirectory, EVENTS);
  const remedy =
    mongodbUrl === null
      ? `remove ${VIEWS} and the files whose names start with it`
      : 'discard the read models as described in docs/operations.md';
  throw new ConfigurationError(
    `${log} ends before the read models: it was lost or replaced by an older copy. Restore the latest copy, or ${remedy} to continue with the events that exist.`,
  );
}

/**
 * Refuses accounts and households without the file of their events, which every start makes before it makes theirs: a new
 * one would pass for a ledger in which nothing ever happened.
 * @throws ConfigurationError, DatabaseRefused
 */
export function requireEventsFile(directory: string): void {
  const file = join(directory, EVENTS);
  if (existsSync(file) || isEmptyOrMissing(join(directory, RECORDS)) || !hasRecords(directory)) return;
  throw new ConfigurationError(
    `${file} is missing. It holds all events of the households in ${RECORDS}. Restore it, or create an empty file of that name to continue without them.`,
  );
}

/** Whether a data directory has accounts or households. @throws DatabaseRefused */
export function hasRecords(directory: string): boolean {
  return holdsDocuments(join(directory, RECORDS), [ACCOUNTS, HOUSEHOLDS]);
}

/**
 * Refuses events of households without the file of the records of these and their members: nobody could ever read them.
 * @throws ConfigurationError
 */
export function requireRecordsFile(directory: string): void {
  const file = join(directory, RECORDS);
  if (!isEmptyOrMissing(file)) return;
  throw new ConfigurationError(
    `${file} is missing. It holds the accounts and households that ${EVENTS} belongs to. Restore it, or choose another DATA_DIR.`,
  );
}

/** Refuses the same with such a file in which there is none of these. @throws DatabaseRefused */
export function requireRecords(directory: string): void {
  if (hasRecords(directory)) return;
  throw new DatabaseRefused(
    join(directory, RECORDS),
    `it holds none of the accounts and households that ${EVENTS} belongs to; restore the right file`,
  );
}

function isEmptyOrMissing(file: string): boolean {
  return (statSync(file, { throwIfNoEntry: false })?.size ?? 0) === 0;
}
