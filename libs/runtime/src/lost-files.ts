import { statSync } from 'node:fs';
import { join } from 'node:path';
import { PROJECTION_NAME } from '#background/projection-host';
import { areBeyondLog } from '#background/stored-progress';
import type { Documents } from '#documents/documents';
import type { EventStore } from '#event-store/event-store';
import { STREAM_PREFIX } from '#streams/household-stream';
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
      ? `remove ${VIEWS} and the files beside it whose names begin so`
      : 'give up the read models as docs/operations.md tells';
  throw new ConfigurationError(
    `${log} ends before the read models do, so it was lost or is an older one: put the latest in its place, or ${remedy}, to go on with the events that there are.`,
  );
}

/** Whether a data directory has accounts. @param directory may be missing */
export function hasRecords(directory: string): boolean {
  const file = statSync(join(directory, RECORDS), { throwIfNoEntry: false });
  return file !== undefined && file.size > 0;
}

/**
 * Refuses events of households without the records of these and their members: nobody could ever read them.
 * @param eventStore the embedded one
 * @throws ConfigurationError, EventStoreUnavailable
 */
export async function refuseLostRecords(directory: string, eventStore: EventStore): Promise<void> {
  if ((await eventStore.head(STREAM_PREFIX)) === null) return;
  throw new ConfigurationError(
    `${join(directory, RECORDS)} is missing, in which the accounts and households stand to whom ${EVENTS} belongs: put it back, or choose another DATA_DIR.`,
  );
}
