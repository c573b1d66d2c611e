import { entryValues, scalarOf } from '../declared.js';
import type { Scalar } from '../declared.js';
import type { Collection, Document, IndexDefinition } from '../documents.js';
import type { Stored } from './statements.js';

const FALSE = Uint8Array.of(0);
const TRUE = Uint8Array.of(1);

export function storedValue(value: Scalar): Stored {
  return typeof value === 'boolean' ? (value ? TRUE : FALSE) : value;
}

/**
 * The table of one index: a row for each entry, in the order of the index, so that a walk of the table's only
 * B-tree decides everything but the document's text.
 */
export interface IndexLayout {
  readonly definition: IndexDefinition;
  /** Quoted. */
  readonly table: string;
  /** Of the fields compared for equality. */
  readonly equals: readonly string[];
  /** By which entries of equal values are ordered: the sort field where there is one, then the key. */
  readonly place: readonly string[];
  /** Column by covered field. */
  readonly covers: ReadonlyMap<string, string>;
  readonly columns: readonly string[];
  /** How many of the first columns are the primary key. */
  readonly identityColumns: number;
}

/** The tables of one collection. */
export interface CollectionLayout {
  readonly collection: Collection<Document>;
  /** Quoted: `id, key, revision, expires_at, body`. */
  readonly table: string;
  /** Quoted: the index by which expired documents are found. */
  readonly expiry: string;
  readonly indexes: readonly IndexLayout[];
  readonly hasUnique: boolean;
}

export function documentsTable(name: string): string {
  return `"documents:${name}"`;
}

/** What the names of a collection's index tables begin with; a colon is in no name. */
export function entriesTablePrefix(name: string): string {
  return `entries:${name}:`;
}

export function layoutOf(collection: Collection<Document>): CollectionLayout {
  const indexes = collection.indexes.map(index => indexLayout(collection.name, index));
  return {
    collection,
    table: documentsTable(collection.name),
    expiry: `"expiry:${collection.name}"`,
    indexes,
    hasUnique: indexes.some(({ definition }) => definition.unique === true),
  };
}

/** Columns are numbered, since names of fields may differ by case only, which those of columns may not. */
function indexLayout(collection: string, definition: IndexDefinition): IndexLayout {
  const equals = definition.equals.map((_, index) => `equals${index}`);
  const place = definition.sort === undefined ? ['key'] : ['sort', 'key'];
  const covers = new Map((definition.covers ?? []).map((field, index) => [field, `cover${index}`]));
  return {
    definition,
    table: `"${entriesTablePrefix(collection)}${definition.name}"`,
    equals,
    place,
    covers,
    columns: [...equals, ...place, 'document', 'expires_at', ...covers.values()],
    identityColumns: definition.unique === true ? equals.length : equals.length + place.length,
  };
}

/** The rows of a document in an index's table, in the order of its columns. `id` is that of the documents table. */
export function entryRows(index: IndexLayout, document: Document, id: number): Stored[][] {
  const { definition, covers } = index;
  const values = entryValues(document, definition);
  if (values.length === 0) return [];
  const rest: Stored[] = [];
  if (definition.sort !== undefined) rest.push(sortValue(document, definition.sort));
  rest.push(document.key, id, document.expiresAt ?? null);
  for (const field of covers.keys()) rest.push(storedValue(scalarOf(document, field)));
  return values.map(equals => [...equals.map(storedValue), ...rest]);
}

/** A document without its sort field comes before all others. */
function sortValue(document: Document, field: string): string {
  const value = scalarOf(document, field);
  return typeof value === 'string' ? value : '';
}
