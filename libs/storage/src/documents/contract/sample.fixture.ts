import { randomBytes } from 'node:crypto';
import {
  DuplicateKey,
  type Collection,
  type Document,
  type Documents,
  type IndexDefinition,
  type IndexQuery,
  type Json,
} from '../documents.js';

/** What the suite needs to know of an adapter. */
export interface DocumentsAdapter {
  /**
   * Opens a store, which others may use at the same time: the suite draws names for its collections and drops
   * them afterwards, then closes the store.
   */
  open(options: { readonly now?: () => number }): Promise<Documents>;
  /** Opens the store of another one that is open, as another process does that only looks. */
  openBeside(documents: Documents): Promise<Documents>;
  /** Whether documents expire by the `now` that `open` is given; otherwise by the time of day. */
  readonly clock: 'given' | 'real';
}

export interface Sample extends Document {
  readonly household?: string;
  readonly date?: string;
  readonly text?: string | null;
  readonly amount?: number;
  readonly tags?: readonly string[];
  readonly state?: string | number | boolean | null;
  readonly email?: string | null;
  readonly slot?: number | null;
  readonly content?: Json;
}

export const INDEXES: readonly IndexDefinition[] = [
  { name: 'by_date', equals: ['household'], sort: 'date', covers: ['text', 'amount'] },
  { name: 'by_tag', equals: ['household', 'tags'], list: 'tags', sort: 'date' },
  { name: 'by_state', equals: ['household', 'state'] },
  { name: 'by_email', equals: ['email'], unique: true },
  { name: 'by_slot', equals: ['household', 'slot'], unique: true },
];

/** A store with one collection, open while the tests of a `describe` run. */
export interface Context {
  readonly documents: Documents;
  readonly collection: Collection<Sample>;
  /** A household of its own for each test, which keeps tests apart in the one collection. Keys begin with it. */
  readonly household: () => string;
}

/** A collection's name that no other run uses. */
export function drawName(kind = 'contract'): string {
  return `${kind}_${randomBytes(8).toString('hex')}`;
}

export function keysOf(found: readonly Document[]): string[] {
  return found.map(({ key }) => key);
}

/** How many documents a query finds. */
export async function countOf<T extends Document>(
  documents: Documents,
  collection: Collection<T>,
  query: IndexQuery,
): Promise<number> {
  return (await documents.query(collection, query)).length;
}

/** For `assert.rejects`: a DuplicateKey that names the collection and the index. */
export function duplicateOf({ name }: Collection<Sample>, index: string): (error: unknown) => boolean {
  return error => error instanceof DuplicateKey && error.index === index && error.collection === name;
}
