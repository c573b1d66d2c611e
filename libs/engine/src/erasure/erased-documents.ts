import type { Collection, Document, Documents } from '#storage/documents/documents';
import { IdempotencyKeys } from '#storage/documents/idempotency-keys';
import { ownSnapshotsOf, readActiveVersion, type ActiveVersion } from '../versions/active-version.js';
import { BESIDE_FAILURES } from '../versions/beside-failures.js';
import { collectionsOf, readModelsOf } from '../households/read-models.js';
import { Snapshots } from '../households/snapshots.js';
import { PROJECTION_NAME } from '../projector/projection-host.js';
import { StoredFailures } from '../projector/stored-failures.js';

/**
 * Removes every document that was made of a household's events, in every version of the read models, with its
 * snapshots, failures and idempotency keys. May be repeated.
 * @throws DocumentsUnavailable
 */
export async function removeHouseholdDocuments(documents: Documents, householdId: string): Promise<void> {
  const collections = collectionsIn(await readActiveVersion(documents));
  await documents.ensure(collections);
  for (const collection of collections) await documents.removePrefix(collection, householdId);
  await documents.removePrefix(IdempotencyKeys.collection, `${householdId}|`);
  await documents.remove(StoredFailures.collection, StoredFailures.keyOf(PROJECTION_NAME, householdId));
  await documents.remove(BESIDE_FAILURES, householdId);
}

/** Those whose keys are, or begin with, the id of a household. */
function collectionsIn({ active, beside, rebuild }: ActiveVersion): readonly Collection<Document>[] {
  const versions = [active, beside?.version, rebuild?.version].filter(version => version !== undefined);
  const collections = [...new Set(versions)].flatMap(version => [
    ...collectionsOf(readModelsOf(version)),
    ...Object.values(ownSnapshotsOf(version)),
  ]);
  return [...collections, Snapshots.shared.manifests, Snapshots.shared.parts];
}
