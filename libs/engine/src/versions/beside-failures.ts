import type { Collection, Document, Documents } from '#storage/documents/documents';

/** Households that could not be written in the version that is built: it must not become active before they are. */
export const BESIDE_FAILURES: Collection<Document> = {
  name: 'read_model_failures',
  durability: 'derived',
  indexes: [],
};

/**
 * Notes that a household could not be written in the version that is built.
 * @throws DocumentsUnavailable
 */
export async function noteBesideFailure(documents: Documents, householdId: string): Promise<void> {
  const before = await documents.get(BESIDE_FAILURES, householdId);
  // Clocks differ and go back: this failure must not look like an earlier one that was already handled.
  const revision = Math.max(Date.now(), (before?.revision ?? 0) + 1);
  await documents.put(BESIDE_FAILURES, [{ key: householdId, revision }]);
}
