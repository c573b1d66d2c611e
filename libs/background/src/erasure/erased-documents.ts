import type { Collection, Document, Documents } from '#documents/documents';
import { IdempotencyKeys } from '#documents/idempotency-keys';
import { ownSnapshotsOf, readActiveVersion, type ActiveVersion } from '#streams/versions/active-version';
import { BESIDE_FAILURES } from '#streams/versions/beside-failures';
import { collectionsOf, readModelsOf } from '#streams/read-models';
import { Snapshots } from '#streams/snapshots';
import { PROJECTION_NAME } from '../projection-host.js';
import { StoredFailures } from '../stored-failures.js';

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
