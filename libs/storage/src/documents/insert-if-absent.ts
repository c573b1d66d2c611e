import { DuplicateKey, type Collection, type Document, type Documents } from './documents.js';

/**
 * Inserts a document unless one of its key is there.
 * @returns whether it was inserted
 * @throws DuplicateKey for another unique index, DocumentsUnavailable (it may then have been inserted)
 */
export async function insertIfAbsent<T extends Document>(
  documents: Documents,
  collection: Collection<T>,
  document: T,
): Promise<boolean> {
  try {
    await documents.insert(collection, document);
    return true;
  } catch (error) {
    if (error instanceof DuplicateKey && error.index === 'key') return false;
    throw error;
  }
}
