import type { Database } from '#sqlite/open-database';
import { refusalOf } from '#sqlite/unavailable';
import type { Collection, Document } from '../documents.js';
import { layoutOf } from './collection-layout.js';
import { storedDefinition } from './collection-schema.js';
import { Connection } from './connection.js';
import { openDocumentFile } from './document-file.js';

/** Little of the file is looked at. */
const CACHE_BYTES = 1024 * 1024;

/** Opens a file to look into it, also beside who writes it. @throws DatabaseRefused */
export function openStoredDocuments(file: string): Database {
  return openDocumentFile({ file, readOnly: true, synchronous: 'NORMAL', cacheBytes: CACHE_BYTES });
}

/** Whether a file holds a document of any of the collections. @throws DatabaseRefused */
export function holdsDocuments(file: string, collections: readonly Collection<Document>[]): boolean {
  const db = openStoredDocuments(file);
  try {
    const connection = new Connection(db);
    return collections.some(collection => {
      if (storedDefinition(connection, collection.name) === undefined) return false;
      return connection.row(`SELECT 1 FROM ${layoutOf(collection).table} LIMIT 1`) !== undefined;
    });
  } catch (error) {
    throw refusalOf(file, error);
  } finally {
    db.close();
  }
}
