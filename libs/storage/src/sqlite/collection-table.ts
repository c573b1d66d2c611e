import { eachElement } from '../documents/declared.js';
import {
  DamagedDocument,
  type Collection,
  type Document,
  type IndexDefinition,
  type IndexQuery,
  type KeyRange,
  type Where,
} from '../documents/documents.js';
import type { Stored, Bound } from './ledger-file.js';

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
  /** With a key and the present time, for the text. */
  readonly get: string;
  /** Each with the values of `rowOf`, and the present time behind them. */
  readonly put: string;
  readonly insert: string;
  /** With the values of `rowOf`, the expected revision and the present time. */
  readonly replace: string;
}

/** Holds for documents that have not expired; one value, the present time. */
const LIVE = '(d.expires_at IS NULL OR d.expires_at > ?)';

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
    get: `SELECT body FROM ${table} AS d WHERE d.key = ? AND ${LIVE}`,
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

/** @throws DamagedDocument */
export function parseDocument<T>({ name }: Pick<Collection<Document>, 'name'>, key: string, body: string): T {
  try {
    const document: T = JSON.parse(body);
    return document;
  } catch {
    throw new DamagedDocument(name, key);
  }
}

/** @throws RangeError for an array in a field that is not a list */
export function columnValues(
  collection: Collection<Document>,
  columns: readonly ColumnName[],
  document: Document,
): Stored[] {
  if (columns.length === 0) return [];
  const added = collection.indexed?.(document);
  return columns.map(column => columnValue(document, added, column));
}

/** A value for comparing; null for what cannot be compared. */
function storedValue(value: unknown): Stored {
  if (typeof value === 'boolean') return value ? TRUE : FALSE;
  return typeof value === 'string' || typeof value === 'number' ? value : null;
}

/** @param added the fields that the collection adds for its indexes, over those of the document */
function columnValue(document: Document, added: object | undefined, column: ColumnName): Stored {
  const at = column.indexOf(':');
  const [role, field] = [column.slice(0, at), column.slice(at + 1)];
  const value: unknown = Reflect.get(added && field in added ? added : document, field);
  if (role === 'list') {
    if (!Array.isArray(value)) return null;
    const texts = new Set(value.filter(element => typeof element === 'string'));
    return texts.size === 0 ? null : JSON.stringify([...texts]);
  }
  if (role === 'sort') return typeof value === 'string' ? value : '';
  if (Array.isArray(value)) throw new RangeError(`${field} of ${document.key} is no list`);
  return storedValue(value);
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

/**
 * About how many entries of an index one statement of a search passes for each row that it may answer. Every entry of
 * a document whose number is a multiple of it is answered besides. A power of two.
 */
const WALK_ENTRIES = 1_024;
/** Rows that one step of a search answers. */
export const ROWS_PER_STEP = 16;

export function documentsByKeys({ table }: CollectionTable, keys: readonly string[], now: number): Bound {
  return {
    sql: `SELECT d.key, d.body FROM json_each(?) AS wanted CROSS JOIN ${table} AS d ON d.key = wanted.value WHERE ${LIVE}`,
    values: [JSON.stringify(keys), now],
  };
}

export function documentsInRange({ table }: CollectionTable, range: KeyRange, now: number): Bound {
  return {
    sql: `SELECT d.key, d.body FROM ${table} AS d WHERE d.key >= ? AND d.key < ? AND ${LIVE} ORDER BY d.key ${direction(range)} LIMIT ?`,
    values: [range.from, range.before, now, range.limit],
  };
}

/** The documents of a query without conditions. */
export function documentsInIndex(index: TableIndex, query: IndexQuery, now: number): Bound {
  const under = entriesUnder(index, query);
  return {
    sql: `SELECT d.key, d.body FROM ${index.source} WHERE ${under.sql} AND ${LIVE} ORDER BY ${placeOrder(index, query)} LIMIT ?`,
    values: [...under.values, now, query.limit],
  };
}

/**
 * One step of a search: `key, text, place…` of the next entries that meet the conditions, and without a text those that
 * only bound the step. A text is not read before its entry meets the conditions.
 */
export function searchStep(
  { columns }: CollectionTable,
  index: TableIndex,
  query: IndexQuery & { readonly where: Where },
  now: number,
): Bound {
  const under = entriesUnder(index, query);
  const values: Stored[] = [];
  const bind = (value: Stored): string => `?${values.push(value)}`;
  const column = (field: string): string => `d.c${columns.indexOf(`value:${field}` satisfies ColumnName)}`;
  const conditions = query.where.map(each =>
    'contains' in each
      ? `(instr(${column(each.field)}, ${bind(each.contains)}) AND typeof(${column(each.field)}) = 'text')`
      : `${column(each.field)} = ${bind(each.equals)}`,
  );
  const at = bind(now);
  const hit = `((${conditions.join(' OR ')}) AND (d.expires_at IS NULL OR d.expires_at > ${at}))`;
  const walked = index.alias === 'e' ? 'e.document' : 'd.id';
  const place = index.place.map(each => `${index.alias}.${each}`);
  return {
    sql:
      `SELECT d.key, CASE WHEN ${hit} THEN d.body END, ${place.join()} FROM ${index.source} ` +
      `WHERE ${numbered(under.sql, values.length)} AND (${hit} OR NOT (${walked} & ${WALK_ENTRIES - 1})) ` +
      `ORDER BY ${placeOrder(index, query)} LIMIT ${ROWS_PER_STEP}`,
    values: [...values, ...under.values],
  };
}

/** The place of a row that `searchStep` answered. */
export function placeOfRow(index: TableIndex, row: readonly Stored[]): NonNullable<IndexQuery['after']> {
  const [first, second] = row.slice(2);
  if (index.definition.sort === undefined) return { sort: '', key: String(first) };
  return second === undefined ? { sort: String(first) } : { sort: String(first), key: String(second) };
}

/** Holds for the entries that a query is about. */
function entriesUnder(
  index: TableIndex,
  query: Pick<IndexQuery, 'equals'> & Partial<Pick<IndexQuery, 'after' | 'order'>>,
): Bound {
  const { alias, equality, place, entries, definition } = index;
  const [first, ...further] = eachElement(query.equals).map(values =>
    definition.equals.map(field => storedValue(values[field])),
  );
  const sameDocument = [...place, 'document'].map(column => `also.${column} = e.${column}`);
  const also = [...equality.map(column => `also.${column} = ?`), ...sameDocument].join(' AND ');
  const behind = placeCondition(index, query);
  return {
    sql:
      equality.map(column => `${alias}.${column} = ?`).join(' AND ') +
      ` AND EXISTS (SELECT 1 FROM ${entries} AS also WHERE ${also})`.repeat(further.length) +
      behind.sql,
    values: [...(first ?? []), ...further.flat(), ...behind.values],
  };
}

function placeCondition(
  { alias, place, definition }: TableIndex,
  { after, order }: Partial<Pick<IndexQuery, 'after' | 'order'>>,
): Bound {
  const beyond = order === 'descending' ? '<' : '>';
  if (after === undefined) return { sql: '', values: [] };
  const { sort, key } = after;
  const [first, second] = place.map(column => `${alias}.${column}`);
  if (definition.sort === undefined) {
    return key === undefined ? { sql: '', values: [] } : { sql: ` AND ${first} ${beyond} ?`, values: [key] };
  }
  if (second === undefined) return { sql: ` AND ${first} ${beyond} ?`, values: [sort] };
  if (key === undefined) return { sql: ` AND ${first} ${beyond}= ?`, values: [sort] };
  return { sql: ` AND (${first}, ${second}) ${beyond} (?, ?)`, values: [sort, key] };
}

function placeOrder({ alias, place }: TableIndex, query: Pick<IndexQuery, 'order'>): string {
  return place.map(column => `${alias}.${column} ${direction(query)}`).join();
}

function direction({ order }: Pick<IndexQuery, 'order'>): 'ASC' | 'DESC' {
  return order === 'descending' ? 'DESC' : 'ASC';
}

/** Names the values of a condition behind others that have numbers. */
function numbered(sql: string, before: number): string {
  let last = before;
  return sql.replaceAll('?', () => `?${(last += 1)}`);
}
