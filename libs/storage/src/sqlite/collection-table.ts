import { scalarOf, withIndexed, type Scalar } from '../documents/declared.js';
import type { Collection, Document, IndexDefinition } from '../documents/documents.js';
import type { Stored } from './connection.js';

/**
 * A column that indexes are made of, as the file names it: `value:FIELD` for comparing, null where the field holds
 * nothing to compare; `sort:FIELD` for an order, empty where it holds no text; `list:FIELD`, a JSON array of the
 * distinct texts in a list.
 */
export type ColumnName = `${'value' | 'sort' | 'list'}:${string}`;

/** An index of a collection, and how it is asked. */
export interface TableIndex {
  readonly definition: IndexDefinition;
  /** What a query reads: the documents by SQLite's index, or the entries of an index over a list beside them. */
  readonly source: string;
  /** The name by which the columns of `equality` and `place` are asked for: `d`, or `e` of entries. */
  readonly alias: 'd' | 'e';
  /** The columns compared for equality, in the order of `equals`. */
  readonly equality: readonly string[];
  /** The columns by which entries of equal values are ordered. */
  readonly place: readonly string[];
  /** The quoted table of entries of an index over a list; null for others. */
  readonly entries: string | null;
  /** Statements that make it, over the documents that are there. */
  readonly creation: readonly string[];
  /** Statements that drop it. */
  readonly removal: readonly string[];
}

/**
 * The table of a collection: a document in each row, with what its indexes are made of in columns `c0`, `c1` … The text
 * comes last, so that the others are read without it.
 */
export interface CollectionTable {
  readonly collection: Collection<Document>;
  /** Quoted. */
  readonly table: string;
  readonly columns: readonly ColumnName[];
  readonly indexes: readonly TableIndex[];
  readonly creation: readonly string[];
  /** Each with the values of `rowOf`, and the present time behind them. */
  readonly put: string;
  readonly insert: string;
  /** With the values of `rowOf`, the expected revision and the present time. */
  readonly replace: string;
}

/** Holds for documents that have not expired; one value, the present time. */
export const LIVE = '(d.expires_at IS NULL OR d.expires_at > ?)';

const TRUE = new Uint8Array([1]);
const FALSE = new Uint8Array([0]);

/** A colon is in no name of a collection or an index. */
export function documentsTable(name: string): string {
  return `"documents:${name}"`;
}

/** The columns that the indexes of a collection need. */
export function columnsOf({ indexes }: Pick<Collection<Document>, 'indexes'>): ColumnName[] {
  const names = new Set<ColumnName>();
  for (const index of indexes) {
    for (const field of index.equals) names.add(equalityColumn(index, field));
    if (index.sort !== undefined) names.add(`sort:${index.sort}`);
    for (const field of index.covers ?? []) names.add(`value:${field}`);
  }
  return [...names];
}

/** @param columns those of the file; at least what the indexes need */
export function collectionTable(
  collection: Collection<Document>,
  columns: readonly ColumnName[],
): CollectionTable {
  const table = documentsTable(collection.name);
  const all = ['key', 'revision', 'expires_at', ...columns.map((_, at) => `c${at}`), 'body'];
  const marks = all.map((_, at) => `?${at + 1}`);
  const update = all
    .slice(1)
    .map(column => `${column} = excluded.${column}`)
    .join();
  const now = `?${all.length + 1}`;
  const hasUnique = collection.indexes.some(({ unique }) => unique);
  /** @param yields when a document at the key gives way. With unique indexes: these are not looked at where it does not. */
  const add = (yields: string): string =>
    hasUnique
      ? `INSERT INTO ${table} (${all.join()}) SELECT ${marks.join()} WHERE NOT EXISTS ` +
        `(SELECT 1 FROM ${table} AS stored WHERE key = ?1 AND (${yields}) IS NOT TRUE) ` +
        `ON CONFLICT (key) DO UPDATE SET ${update}`
      : `INSERT INTO ${table} AS stored (${all.join()}) VALUES (${marks.join()}) ` +
        `ON CONFLICT (key) DO UPDATE SET ${update} WHERE ${yields}`;
  return {
    collection,
    table,
    columns,
    indexes: collection.indexes.map(index => tableIndex(collection.name, index, columns)),
    creation: [
      `CREATE TABLE ${table} (id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, revision INTEGER NOT NULL, expires_at INTEGER, ` +
        `${columns.map((_, at) => `c${at}, `).join('')}body TEXT NOT NULL)`,
      `CREATE INDEX "expiry:${collection.name}" ON ${table} (expires_at) WHERE expires_at IS NOT NULL`,
    ],
    put: add(`stored.revision < ?2 OR stored.expires_at <= ${now}`),
    insert: add(`stored.expires_at <= ${now}`),
    replace:
      `UPDATE ${table} SET ${all
        .slice(1)
        .map((column, at) => `${column} = ?${at + 2}`)
        .join()} ` +
      `WHERE key = ?1 AND revision = ?${all.length + 1} AND (expires_at IS NULL OR expires_at > ?${all.length + 2})`,
  };
}

/** The columns of a document's row: key, revision, expiry, what indexes are made of, text. */
export function rowOf(
  { collection, columns }: Pick<CollectionTable, 'collection' | 'columns'>,
  document: Document,
  body: string,
): Stored[] {
  const { key, revision, expiresAt = null } = document;
  return [key, revision, expiresAt, ...columnValues(collection, columns, document), body];
}

/** @throws RangeError for an array in a field that is not a list */
export function columnValues(
  collection: Collection<Document>,
  columns: readonly ColumnName[],
  document: Document,
): Stored[] {
  if (columns.length === 0) return [];
  const indexed = withIndexed(collection, document);
  return columns.map(column => columnValue(indexed, column));
}

export function storedValue(value: Scalar): Stored {
  return typeof value === 'boolean' ? (value ? TRUE : FALSE) : value;
}

function columnValue(document: Document, column: ColumnName): Stored {
  const at = column.indexOf(':');
  const [role, field] = [column.slice(0, at), column.slice(at + 1)];
  const value: unknown = Reflect.get(document, field);
  if (role === 'list') {
    if (!Array.isArray(value)) return null;
    const texts = new Set(value.filter(element => typeof element === 'string'));
    return texts.size === 0 ? null : JSON.stringify([...texts]);
  }
  if (role === 'sort') return typeof value === 'string' ? value : '';
  if (Array.isArray(value)) throw new RangeError(`${field} of ${document.key} is no list`);
  return storedValue(scalarOf(document, field));
}

function equalityColumn(index: IndexDefinition, field: string): ColumnName {
  return field === index.list ? `list:${field}` : `value:${field}`;
}

function tableIndex(
  collection: string,
  definition: IndexDefinition,
  columns: readonly ColumnName[],
): TableIndex {
  const column = (name: ColumnName): string => `c${columns.indexOf(name)}`;
  const { sort, sortUnique, unique, covers = [], list } = definition;
  const name = `${collection}:${definition.name}`;
  const table = documentsTable(collection);
  const equality = definition.equals.map(field => column(equalityColumn(definition, field)));
  const place = sort === undefined ? ['key'] : [column(`sort:${sort}`), ...(sortUnique ? [] : ['key'])];
  if (list !== undefined) {
    return { definition, ...listIndex(name, table, equality, place, column(`list:${list}`)) };
  }
  const rest = unique ? [] : [...place, ...covers.map(field => column(`value:${field}`)), 'expires_at'];
  const quoted = `"index:${name}"`;
  return {
    definition,
    source: `${table} AS d INDEXED BY ${quoted}`,
    alias: 'd',
    equality,
    place,
    entries: null,
    creation: [
      `CREATE ${unique ? 'UNIQUE ' : ''}INDEX ${quoted} ON ${table} (${[...new Set([...equality, ...rest])].join()})`,
    ],
    removal: [`DROP INDEX IF EXISTS ${quoted}`],
  };
}

/** A list has an entry for each element in a table beside the documents, which triggers keep in step. */
function listIndex(
  name: string,
  table: string,
  equality: readonly string[],
  place: readonly string[],
  list: string,
): Omit<TableIndex, 'definition'> {
  const entries = `"entries:${name}"`;
  const columns = [...equality, ...place, 'document'];
  const rows = (row: string): string => {
    const values = columns.map(each =>
      each === list ? 'value' : each === 'document' ? `${row}id` : `${row}${each}`,
    );
    return `SELECT ${values.join()}`;
  };
  const isThere = (row: string): string =>
    equality.map(column => `${row}${column} IS NOT NULL`).join(' AND ');
  const add = `INSERT INTO ${entries} ${rows('NEW.')} FROM json_each(NEW.${list}) WHERE ${isThere('NEW.')};`;
  const remove = `DELETE FROM ${entries} WHERE (${columns.join()}) IN (${rows('OLD.')} FROM json_each(OLD.${list}));`;
  const watched = [...equality, ...place];
  const isChanged = watched.map(column => `OLD.${column} IS NOT NEW.${column}`).join(' OR ');
  const trigger = (kind: string): string => `"${kind}:${name}"`;
  return {
    source: `${entries} AS e CROSS JOIN ${table} AS d ON d.id = e.document`,
    alias: 'e',
    equality,
    place,
    entries,
    creation: [
      `CREATE TABLE ${entries} (${columns.map(each => `${each}${each === 'document' ? ' INTEGER' : ''} NOT NULL`).join()}, PRIMARY KEY (${columns.join()})) WITHOUT ROWID`,
      `INSERT INTO ${entries} ${rows('d.')} FROM ${table} AS d CROSS JOIN json_each(d.${list}) WHERE ${isThere('d.')}`,
      `CREATE TRIGGER ${trigger('added')} AFTER INSERT ON ${table} WHEN NEW.${list} IS NOT NULL BEGIN ${add} END`,
      `CREATE TRIGGER ${trigger('changed')} AFTER UPDATE OF ${watched.join()} ON ${table} WHEN ${isChanged} BEGIN ${remove} ${add} END`,
      `CREATE TRIGGER ${trigger('removed')} AFTER DELETE ON ${table} WHEN OLD.${list} IS NOT NULL BEGIN ${remove} END`,
    ],
    removal: [
      ...['added', 'changed', 'removed'].map(kind => `DROP TRIGGER IF EXISTS ${trigger(kind)}`),
      `DROP TABLE IF EXISTS ${entries}`,
    ],
  };
}
