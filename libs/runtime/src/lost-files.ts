import { join } from 'node:path';
import { areBeyondLog } from '#engine/projector/stored-progress';
import type { Documents } from '#storage/documents/documents';
import type { EventStore } from '#storage/event-store/event-store';
import { LEDGER_FILE } from '#storage/sqlite/ledger-database';
import { ConfigurationError, type Configuration } from './configuration.js';

/**
 * Refuses embedded events that end before what the read models on a server show: commands would be decided on what the
 * log does not hold.
 * @throws ConfigurationError, EventStoreUnavailable, DocumentsUnavailable
 */
export async function refuseLostEvents(
  { dataDirectory, eventStoreUrl, mongodbUrl }: Configuration,
  { eventStore, documents }: { readonly eventStore: EventStore; readonly documents: Documents },
): Promise<void> {
  if (eventStoreUrl !== null || mongodbUrl === null) return;
  if (!(await areBeyondLog(eventStore, documents))) return;
  throw new ConfigurationError(
    `${join(dataDirectory, LEDGER_FILE)} ends before the read models: it was lost or replaced by an older copy. Restore the latest copy, or discard the read models as described in docs/operations.md to continue with the events that exist.`,
  );
}
