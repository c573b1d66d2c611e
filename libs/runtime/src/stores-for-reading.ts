import { ProjectionHost } from '#engine/projector/projection-host';
import type { Collection, Document, Documents } from '#storage/documents/documents';
import type { EventStore } from '#storage/event-store/event-store';
import { ACCOUNTS } from '#identity/accounts/account-records';
import { ADMINISTRATION_LOG } from '#identity/administration/administration-records';
import { HOUSEHOLDS, MEMBERSHIP_LOG, SETTLED_INVITES } from '#identity/households/household-records';
import { ACTIVE_VERSION, readActiveVersion } from '#engine/versions/active-version';
import { collectionsOf, readModelsOf, type ReadModels } from '#engine/households/read-models';
import { Erasures } from '#storage/documents/erasures';
import { Snapshots } from '#engine/households/snapshots';
import { closeAll } from './closing.js';
import type { Configuration } from './configuration.js';
import { requireDataDirectory } from './data-files.js';
import { operatorLog } from './log.js';
import { openLedgerStores } from './stores.js';

/** What can be looked at beside a running server. */
export class ReadableStores {
  private constructor(
    readonly eventStore: EventStore,
    readonly documents: Documents,
    /** The version that was active when the stores were opened. */
    readonly models: ReadModels,
  ) {}

  /**
   * Opens the stores that the configuration names, for looking only: nothing is made, migrated or written, and no lock
   * is taken.
   * @throws ConfigurationError, DatabaseRefused, DocumentsUnavailable with one sentence for the operator
   */
  static async open(configuration: Configuration): Promise<ReadableStores> {
    const { eventStoreUrl, mongodbUrl, logLevel } = configuration;
    // Jobs are not looked at.
    if (eventStoreUrl === null || mongodbUrl === null) requireDataDirectory(configuration);
    const { eventStore, documents } = await openLedgerStores(configuration, operatorLog(logLevel), 'read');
    try {
      await documents.ensure([ACTIVE_VERSION]);
      return new ReadableStores(eventStore, documents, await openActiveModels(documents));
    } catch (error) {
      await closeAll([() => documents.close(), () => eventStore.close()]);
      throw error;
    }
  }

  /** The version that is active now, ready to be read. @throws DocumentsUnavailable */
  activeModels(): Promise<ReadModels> {
    return openActiveModels(this.documents);
  }

  /** Whether they are active now. @throws DocumentsUnavailable */
  areActive(models: ReadModels): Promise<boolean> {
    return areActive(this.documents, models);
  }

  async close(): Promise<void> {
    await closeAll([() => this.documents.close(), () => this.eventStore.close()]);
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
