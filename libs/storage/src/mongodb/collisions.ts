import type { Db } from 'mongodb';
import { DuplicateKey, type Document } from '../documents/documents.js';
import { scalarOf, withIndexed } from '../documents/declared.js';
import {
  entriesUnder,
  expired,
  indexNamed,
  type CollectionLayout,
  type Conditions,
  type IndexLayout,
} from './collection-layout.js';
import type { Attempt } from './mongo-connection.js';
import type { StoredDocument } from './stored-document.js';

/** A write that met the key, or the values of a unique index, of another document. */
export interface Collision {
  readonly layout: CollectionLayout;
  /** As the server names it. */
  readonly index: string;
  readonly document: Document;
}

/** The error for a collision, `key` where it is none of the declared indexes. */
export function duplicateKey({ layout, index }: Pick<Collision, 'layout' | 'index'>): DuplicateKey {
  return new DuplicateKey(layout.name, indexNamed(layout, index)?.definition.name ?? 'key');
}

/**
 * Whether the write may succeed when it is made again: because what was in its way has expired, and is removed
 * here, or is no longer there. An expired document of its own key is left, to be written over.
 */
export async function isVacant(
  db: Db,
  { layout, index, document }: Collision,
  now: number,
  { options }: Attempt,
): Promise<boolean> {
  const unique = indexNamed(layout, index);
  const filter = unique === undefined ? { _id: document.key } : sameValues(layout, unique, document);
  const collection = db.collection<StoredDocument>(layout.name);
  // What is there, whether or not a majority has it: by that the server had decided.
  const other = await collection.findOne(filter, {
    ...options,
    projection: { expiresAt: 1 },
    readConcern: { level: 'local' },
  });
  if (other === null) return true;
  const expiresAt = other['expiresAt'];
  if (typeof expiresAt !== 'number' || expiresAt > now) return false;
  if (unique !== undefined) await collection.deleteMany({ ...filter, ...expired(now) }, options);
  return true;
}

function sameValues({ collection }: CollectionLayout, index: IndexLayout, document: Document): Conditions {
  const indexed = withIndexed(collection, document);
  const values = Object.fromEntries(
    index.definition.equals.map(field => [field, scalarOf(indexed, field) ?? '']),
  );
  return { ...entriesUnder(index, values), _id: { $ne: document.key } };
}
