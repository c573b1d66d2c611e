import type { Collection, Document, Documents } from '#documents/documents';

/** Households that the set beside the live one could not take: it does not become live until they are looked at. */
export const BESIDE_FAILURES: Collection<Document> = {
  name: 'read_model_failures',
  durability: 'derived',
  indexes: [],
};

/**
 * Notes that the set beside the live one could not take what happened in a household.
 * @throws DocumentsUnavailable
 */
export async function noteBesideFailure(documents: Documents, householdId: string): Promise<void> {
  const before = await documents.get(BESIDE_FAILURES, householdId);
  // Clocks differ, and go back: who has looked at an earlier failure must not take this one for it.
  const revision = Math.max(Date.now(), (before?.revision ?? 0) + 1);
  await documents.put(BESIDE_FAILURES, [{ key: householdId, revision }]);
}
