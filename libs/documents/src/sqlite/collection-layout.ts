import { coveringIndex, type Scalar } from '../declared.js';
import type { Collection, Document, IndexDefinition } from '../documents.js';
import type { Stored } from './connection.js';
import { rowInsert, type RowInsert } from './row-insert.js';

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
  /**
   * Quoted, with its schema: numbers of the groups of entries with equal values, `id, equals`. Only of an index with
   * an order. Entries then hold the number instead of the values, which they would repeat: they are shorter, and
   * quicker to compare. Null for others, which answer one document or few.
   */
  readonly groups: string | null;
  /** What is compared for equality: the number of the group, or the values of the fields. */
  readonly equals: readonly string[];
  /** By which entries of equal values are ordered: the sort field where there is one, the key where there are ties. */
  readonly place: readonly string[];
  /** Column by covered field. */
  readonly covers: ReadonlyMap<string, string>;
  /** The index whose entries a search looks at besides; null where those of this one hold all. */
  readonly coveredBy: IndexLayout | null;
  readonly columns: readonly string[];
  /** How many of the first columns are the primary key. */
  readonly identityColumns: number;
  /** Of rows of `columns`, in place of those with the same identity. */
  readonly insert: RowInsert;
}

/** The tables of one collection. */
export interface CollectionLayout {
  readonly collection: Collection<Document>;
  /** Quoted, with its schema: `id, key, revision, expires_at, body`. */
  readonly table: string;
  readonly indexes: readonly IndexLayout[];
  readonly hasUnique: boolean;
  /** Of rows of `id, key, revision, expires_at, body`; leaves out those whose key is there. */
  readonly insert: RowInsert;
  /**
   * Of rows of `key, revision, expires_at, body`, bound behind them the time; leaves out those whose key is there
   * with the same or a greater revision. For a collection without indexes.
   */
  readonly upsert: RowInsert;
}

/** A colon is in no name of a collection or an index. */
export function documentsTableName(name: string): string {
  return `documents:${name}`;
}

/** What the names of a collection's index tables begin with. */
export function entriesTablePrefix(name: string): string {
  return `entries:${name}:`;
}

/** What the names of the tables of an index's groups begin with. */
export function groupsTablePrefix(name: string): string {
  return `groups:${name}:`;
}

export function layoutOf(collection: Collection<Document>): CollectionLayout {
  const indexes = collection.indexes.map(index => {
    const covering = coveringIndex(collection.indexes, index);
    return indexLayout(
      collection.name,
      index,
      covering === index ? null : indexLayout(collection.name, covering, null),
    );
  });
  const table = `main."${documentsTableName(collection.name)}"`;
  return {
    collection,
    table,
    indexes,
    hasUnique: indexes.some(({ definition }) => definition.unique === true),
    insert: rowInsert(
      `INSERT INTO ${table} (id, key, revision, expires_at, body)`,
      5,
      'ON CONFLICT (key) DO NOTHING',
    ),
    upsert: rowInsert(
      `INSERT INTO ${table} AS stored (key, revision, expires_at, body)`,
      4,
      'ON CONFLICT (key) DO UPDATE SET revision = excluded.revision, expires_at = excluded.expires_at, body = excluded.body ' +
        'WHERE excluded.revision > stored.revision OR stored.expires_at <= ?',
    ),
  };
}

/** Columns are numbered, since names of fields may differ by case only, which those of columns may not. */
function indexLayout(
  collection: string,
  definition: IndexDefinition,
  coveredBy: IndexLayout | null,
): IndexLayout {
  const isGrouped = definition.sort !== undefined;
  const equals = isGrouped ? ['group_id'] : definition.equals.map((_, index) => `equals${index}`);
  const covers = new Map((definition.covers ?? []).map((field, index) => [field, `cover${index}`]));
  const place = placeColumns(definition);
  // An entry whose key is not in the order needs no key: the number of its document tells broken promises apart.
  const columns = [...equals, ...place, 'document', 'expires_at', ...covers.values()];
  const tableName = `${entriesTablePrefix(collection)}${definition.name}`;
  const table = `main."${tableName}"`;
  return {
    definition,
    tableName,
    table,
    groups: isGrouped ? `main."${groupsTablePrefix(collection)}${definition.name}"` : null,
    equals,
    place,
    covers,
    coveredBy,
    columns,
    identityColumns: definition.unique === true ? equals.length : columns.indexOf('document') + 1,
    insert: rowInsert(`INSERT OR REPLACE INTO ${table}`, columns.length),
  };
}

function placeColumns({ sort, sortUnique }: IndexDefinition): string[] {
  if (sort === undefined) return ['key'];
  return sortUnique === true ? ['sort'] : ['sort', 'key'];
}

/** The tables of an index, in the file. */
export function createIndexTables(index: IndexLayout): string {
  const { groups } = index;
  const entries = createTable(index);
  if (groups === null) return entries;
  return `${entries}; CREATE TABLE ${groups} (id INTEGER PRIMARY KEY, equals TEXT NOT NULL UNIQUE)`;
}

/** Columns of numbers of ours: without the type they could not be found by the number in another table. */
const NUMBERS = new Set(['group_id', 'document']);

/** Columns of values have no type: a number and the same number as text are different values. */
function createTable({ table, columns, covers, identityColumns }: IndexLayout): string {
  const nullable = new Set(['expires_at', ...covers.values()]);
  const declared = columns.map(
    column => `${column}${NUMBERS.has(column) ? ' INTEGER' : ''}${nullable.has(column) ? '' : ' NOT NULL'}`,
  );
  const identity = columns.slice(0, identityColumns);
  return `CREATE TABLE ${table} (${declared.join()}, PRIMARY KEY (${identity.join()})) WITHOUT ROWID`;
}
