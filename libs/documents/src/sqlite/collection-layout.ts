import { entryValues, scalarOf } from '../declared.js';
import type { Scalar } from '../declared.js';
import type { Collection, Document, IndexDefinition } from '../documents.js';
import type { Stored } from './connection.js';

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
  readonly tableName: string;
  /** Quoted, with its schema. */
  readonly table: string;
  /** The temporary table of the same form, for recent documents. */
  readonly recentTable: string;
  /** Of the fields compared for equality. */
  readonly equals: readonly string[];
  /** By which entries of equal values are ordered: the sort field where there is one, the key where there are ties. */
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
  /** Quoted, with its schema: `id, key, revision, expires_at, body`. */
  readonly table: string;
  readonly indexes: readonly IndexLayout[];
  readonly hasUnique: boolean;
}

/** A colon is in no name of a collection or an index. */
export function documentsTableName(name: string): string {
  return `documents:${name}`;
}

/** What the names of a collection's index tables begin with. */
export function entriesTablePrefix(name: string): string {
  return `entries:${name}:`;
}

export function layoutOf(collection: Collection<Document>): CollectionLayout {
  const indexes = collection.indexes.map(index => indexLayout(collection.name, index));
  return {
    collection,
    table: `main."${documentsTableName(collection.name)}"`,
    indexes,
    hasUnique: indexes.some(({ definition }) => definition.unique === true),
  };
}

/** Columns are numbered, since names of fields may differ by case only, which those of columns may not. */
function indexLayout(collection: string, definition: IndexDefinition): IndexLayout {
  const equals = definition.equals.map((_, index) => `equals${index}`);
  const covers = new Map((definition.covers ?? []).map((field, index) => [field, `cover${index}`]));
  const place = placeColumns(definition);
  // An entry whose key is not in the order needs no key: the number of its document tells broken promises apart.
  const columns = [...equals, ...place, 'document', 'expires_at', ...covers.values()];
  const tableName = `${entriesTablePrefix(collection)}${definition.name}`;
  return {
    definition,
    tableName,
    table: `main."${tableName}"`,
    recentTable: `temp."${tableName}"`,
    equals,
    place,
    covers,
    columns,
    identityColumns: definition.unique === true ? equals.length : columns.indexOf('document') + 1,
  };
}

function placeColumns({ sort, sortUnique }: IndexDefinition): string[] {
  if (sort === undefined) return ['key'];
  return sortUnique === true ? ['sort'] : ['sort', 'key'];
}

/** Whether entries of recent documents are kept apart. A unique index decides at once. */
export function isDeferred({ definition }: IndexLayout): boolean {
  return definition.unique !== true;
}

/** Columns of values have no type: a number and the same number as text are different values. */
export function createTable({ columns, covers, identityColumns }: IndexLayout, table: string): string {
  const nullable = new Set(['expires_at', ...covers.values()]);
  const declared = columns.map(column => (nullable.has(column) ? column : `${column} NOT NULL`));
  const identity = columns.slice(0, identityColumns);
  return `CREATE TABLE ${table} (${declared.join()}, PRIMARY KEY (${identity.join()})) WITHOUT ROWID`;
}

/** The rows of a document in an index's table, in the order of its columns. `id` is that of the documents table. */
export function entryRows(index: IndexLayout, document: Document, id: number): Stored[][] {
  const { definition, covers, place } = index;
  const values = entryValues(document, definition);
  if (values.length === 0) return [];
  const rest: Stored[] = [];
  if (definition.sort !== undefined) rest.push(sortValue(document, definition.sort));
  if (place.includes('key')) rest.push(document.key);
  rest.push(id, document.expiresAt ?? null);
  for (const field of covers.keys()) rest.push(storedValue(scalarOf(document, field)));
  return values.map(equals => [...equals.map(storedValue), ...rest]);
}

/** A document without its sort field comes before all others. */
function sortValue(document: Document, field: string): string {
  const value = scalarOf(document, field);
  return typeof value === 'string' ? value : '';
}
