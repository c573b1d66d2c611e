import { ProjectionHost } from '#engine/projector/projection-host';
import type { Collection, Document, Documents } from '#storage/documents/documents';
import { ACCOUNTS } from '#identity/accounts/account-records';
import { ADMINISTRATION_LOG } from '#identity/administration/administration-records';
import { HOUSEHOLDS, MEMBERSHIP_LOG, SETTLED_INVITES } from '#identity/households/household-records';
import { ACTIVE_VERSION, readActiveVersion } from '#engine/versions/active-version';
import { collectionsOf, readModelsOf, type ReadModels } from '#engine/households/read-models';
import { Erasures } from '#storage/documents/erasures';
import { Snapshots } from '#engine/households/snapshots';
import type { Configuration } from './configuration.js';
import { requireDataDirectory } from './data-files.js';
import { operatorLog } from './log.js';
import { hasDatabase, openLedgerStores, type LedgerStores } from './stores.js';

/** What can be looked at beside a running server. */
export interface ReadableStores extends LedgerStores {
  /** The version that was active when the stores were opened. */
  readonly models: ReadModels;
  /** The version that is active now, ready to be read. @throws DocumentsUnavailable */
  activeModels(): Promise<ReadModels>;
  /** Whether they are active now. @throws DocumentsUnavailable */
  areActive(models: ReadModels): Promise<boolean>;
}

/**
 * Opens the stores that the configuration names, for looking only: nothing is made, migrated or written, and no lock is
 * taken.
 * @throws ConfigurationError, DatabaseRefused, DocumentsUnavailable with one sentence for the operator
 */
export async function openForReading(configuration: Configuration): Promise<ReadableStores> {
  if (hasDatabase(configuration)) requireDataDirectory(configuration);
  const stores = await openLedgerStores(configuration, operatorLog(configuration.logLevel), 'read');
  const { documents } = stores;
  const activeModels = (): Promise<ReadModels> => openActiveModels(documents);
  try {
    await documents.ensure([ACTIVE_VERSION]);
    const models = await activeModels();
    return { ...stores, models, activeModels, areActive: models => areActive(documents, models) };
  } catch (error) {
    await stores.close();
    throw error;
  }
}

/** @throws DocumentsUnavailable */
async function openActiveModels(documents: Documents): Promise<ReadModels> {
  for (;;) {
    const models = readModelsOf((await readActiveVersion(documents)).active);
    try {
      await documents.ensure(collectionsToRead(models));
      return models;
    } catch (error) {
      // They may have been replaced and dropped since.
      if (await areActive(documents, models)) throw error;
    }
  }
}

async function areActive(documents: Documents, { version }: ReadModels): Promise<boolean> {
  return (await readActiveVersion(documents)).active === version;
}

/** No more than is looked at: beside an older server the others may not be there yet. */
function collectionsToRead(models: ReadModels): readonly Collection<Document>[] {
  const { checkpoints, failures } = ProjectionHost;
  const memberships = [HOUSEHOLDS, MEMBERSHIP_LOG, SETTLED_INVITES];
  const records = [ACCOUNTS, ...memberships, Erasures.collection, ADMINISTRATION_LOG];
  return [...collectionsOf(models), ...Snapshots.collections, ...records, checkpoints, failures];
}
