import type { IndexQuery, KeyRange, Where } from '../documents.js';
import type { CollectionLayout, IndexLayout } from './collection-layout.js';
import type { Row, Stored } from './connection.js';

/** A statement with what is bound to it. */
export interface Bound {
  readonly sql: string;
  readonly values: readonly Stored[];
}

/** What a statement that answers documents may answer of each: its text, or its key and its text. */
type DocumentColumns = 'd.body' | 'd.key, d.body';

/** A statement that answers documents, as these columns of them. */
export type SelectDocuments = (columns: DocumentColumns) => Bound;

/** Entries with equal values in an index. */
export interface Source {
  readonly index: IndexLayout;
  /** What the columns for equality hold. */
  readonly equality: readonly Stored[];
  /** What they hold in further entries that the documents must have. */
  readonly further: readonly (readonly Stored[])[];
  /** The entries of the same documents in the index that covers this one; null where it covers itself. */
  readonly covering: Source | null;
}

/** A part of the entries under equal values, in the direction of the query. */
export type Part =
  | { readonly kind: 'all' }
  /** From a sort value on, itself included. */
  | { readonly kind: 'from'; readonly sort: string }
  /** Behind a sort value. */
  | { readonly kind: 'beyond'; readonly sort: string }
  /** Of one sort value, behind a key; of an index without sort field, all behind a key. */
  | { readonly kind: 'ties'; readonly sort: string; readonly key: string };

/**
 * About how many entries of an index one statement of a search walks. Every entry of a document whose number is
 * a multiple of it interrupts the walk: counting the entries instead would cost as much as searching them.
 * Numbers are given in the order of creation, so that about one entry in so many interrupts, in every index.
 * A power of two.
 */
export const WALK_ENTRIES = 4_096;

export function documentByKey({ table }: CollectionLayout): string {
  return `SELECT body FROM ${table} WHERE key = ? AND ${LIVE}`;
}

/** The documents of these keys. */
export function documentsByKeys(
  layout: CollectionLayout,
  keys: readonly string[],
  now: number,
): SelectDocuments {
  return documentsOf(layout, 'key', keys, now);
}

/** The documents of these numbers, in this order. */
export function documentsByIds(
  layout: CollectionLayout,
  ids: readonly Stored[],
  now: number,
): SelectDocuments {
  return documentsOf(layout, 'id', ids, now);
}

function documentsOf(
  { table }: CollectionLayout,
  column: 'key' | 'id',
  wanted: readonly Stored[],
  now: number,
): SelectDocuments {
  return columns => ({
    sql: `SELECT ${columns} FROM json_each(?) AS wanted CROSS JOIN ${table} AS d ON d.${column} = wanted.value WHERE ${LIVE}`,
    values: [JSON.stringify(wanted), now],
  });
}

export function documentsInRange({ table }: CollectionLayout, range: KeyRange, now: number): SelectDocuments {
  return columns => ({
    sql:
      `SELECT ${columns} FROM ${table} AS d WHERE d.key >= ? AND d.key < ? AND ${LIVE} ` +
      `ORDER BY d.key ${direction(range)} LIMIT ?`,
    values: [range.from, range.before, now, range.limit],
  });
}

/** The texts of documents by key, joined by line feeds; with the last key, and how many they are. */
export function linesInRange(layout: CollectionLayout, range: KeyRange, now: number): Bound {
  const { sql, values } = documentsInRange(layout, range, now)('d.key, d.body');
  return { sql: `SELECT group_concat(body, char(10)), max(key), count(*) FROM (${sql})`, values };
}

/** The documents of an index query without conditions, in its order. */
export function documentsInIndex(
  { table }: CollectionLayout,
  source: Source,
  query: Pick<IndexQuery, 'order' | 'after' | 'limit'>,
  now: number,
): SelectDocuments {
  const { index } = source;
  const under = entriesUnder(source);
  const behind = placeCondition(index, query);
  const entries =
    `SELECT document, ${index.place.join()} FROM ${index.table} AS e WHERE ${under.sql}${behind.sql} AND ${LIVE} ` +
    `ORDER BY ${placeOrder(index, query)} LIMIT ?`;
  return columns => ({
    sql: `SELECT ${columns} FROM (${entries}) AS found CROSS JOIN ${table} AS d ON d.id = found.document`,
    values: [...under.values, ...behind.values, now, query.limit],
  });
}

/** How many entries stand under the values, up to a limit. */
export function countInIndex(source: Source, limit: number, now: number): Bound {
  const under = entriesUnder(source);
  return {
    sql: `SELECT count(*) FROM (SELECT 1 FROM ${source.index.table} AS e WHERE ${under.sql} AND ${LIVE} LIMIT ?)`,
    values: [...under.values, now, limit],
  };
}

/** The parts in which a search walks what is behind a place: a range of two columns would be checked at each entry. */
export function partsBehind(index: IndexLayout, after: IndexQuery['after']): readonly Part[] {
  if (after === undefined) return [{ kind: 'all' }];
  const { sort, key } = after;
  if (index.definition.sortUnique === true) return [{ kind: 'beyond', sort }];
  if (!hasSort(index)) return key === undefined ? [{ kind: 'all' }] : [{ kind: 'ties', sort, key }];
  if (key === undefined) return [{ kind: 'from', sort }];
  return [
    { kind: 'ties', sort, key },
    { kind: 'beyond', sort },
  ];
}

/**
 * One step of a search: entries of a part that meet the conditions, and those that interrupt the walk, as their
 * document's number, their place and what the conditions look at. Decided without looking at a document.
 */
export function searchStep(
  source: Source,
  query: Pick<IndexQuery, 'order'> & { readonly where: Where },
  part: Part,
  limit: number,
): Bound {
  const { index, covering } = source;
  const under = entriesUnder(source);
  const range = partCondition(index, query, part);
  const looked = lookedAt(index, covering);
  const columns = query.where.map(({ field }) => looked.columns.get(field));
  const conditions = query.where.map((condition, at) =>
    'contains' in condition ? `instr(${columns[at]}, ?)` : `${columns[at]} = ?`,
  );
  const sought = query.where.map(each => ('contains' in each ? each.contains : each.equals));
  const answered = ['e.document', ...index.place.map(entryColumn), ...columns];
  return {
    sql:
      `SELECT ${answered.join()} FROM ${index.table} AS e ${looked.join} ` +
      `WHERE ${under.sql}${range.sql} AND (${conditions.join(' OR ')} OR NOT (e.document & ${WALK_ENTRIES - 1})) ` +
      `ORDER BY ${placeOrder(index, query)} LIMIT ?`,
    values: [...(covering?.equality ?? []), ...under.values, ...range.values, ...sought, limit],
  };
}

/** Where covered fields stand: in the entries themselves, or in those of another index that are found for them. */
function lookedAt(
  { covers, place }: IndexLayout,
  covering: Source | null,
): { readonly join: string; readonly columns: ReadonlyMap<string, string> } {
  if (covering === null) return { join: '', columns: prefixed(covers, 'e') };
  const { table, equals, covers: covered } = covering.index;
  const same = [...place, 'document'].map(column => `covering.${column} = e.${column}`);
  const found = [...equals.map(column => `covering.${column} = ?`), ...same].join(' AND ');
  return { join: `CROSS JOIN ${table} AS covering ON ${found}`, columns: prefixed(covered, 'covering') };
}

function prefixed(columns: ReadonlyMap<string, string>, table: string): ReadonlyMap<string, string> {
  return new Map([...columns].map(([field, column]) => [field, `${table}.${column}`]));
}

function entryColumn(column: string): string {
  return `e.${column}`;
}

/** The place of an entry that `searchStep` answered. */
export function placeOfRow(index: IndexLayout, row: Row): { readonly sort: string; readonly key: string } {
  return hasSort(index)
    ? { sort: String(row[1]), key: String(row[2] ?? '') }
    : { sort: '', key: String(row[1]) };
}

/** Whether such an entry meets the conditions, and not only interrupts: SQLite finds digits in numbers, too. */
export function isHit(index: IndexLayout, where: Where, row: Row): boolean {
  const from = 1 + index.place.length;
  return where.some((condition, at) => {
    const value = row[from + at];
    return 'contains' in condition
      ? typeof value === 'string' && value.includes(condition.contains)
      : value === condition.equals;
  });
}

/** The texts of a query's documents as one row of one JSON array, so that they cross into JavaScript at once. */
export function joined(select: SelectDocuments): Bound {
  const { sql, values } = select('d.body');
  return { sql: `SELECT '[' || group_concat(body, ',') || ']' FROM (${sql})`, values };
}

const LIVE = '(expires_at IS NULL OR expires_at > ?)';

function hasSort({ definition }: IndexLayout): boolean {
  return definition.sort !== undefined;
}

/** Holds for the entries of a source. */
function entriesUnder({ index, equality, further }: Source): Bound {
  const { table, equals, place } = index;
  const sameDocument = [...place, 'document'].map(column => `also.${column} = e.${column}`);
  const also = [...equals.map(column => `also.${column} = ?`), ...sameDocument].join(' AND ');
  const condition = ` AND EXISTS (SELECT 1 FROM ${table} AS also WHERE ${also})`;
  return {
    sql: equals.map(column => `e.${column} = ?`).join(' AND ') + condition.repeat(further.length),
    values: [...equality, ...further.flat()],
  };
}

function placeCondition(index: IndexLayout, query: Pick<IndexQuery, 'order' | 'after'>): Bound {
  const { after } = query;
  if (after?.key === undefined || index.place.length < 2) {
    const [part] = partsBehind(index, after);
    return partCondition(index, query, part ?? { kind: 'all' });
  }
  return { sql: ` AND (e.sort, e.key) ${beyond(query)} (?, ?)`, values: [after.sort, after.key] };
}

function partCondition(index: IndexLayout, query: Pick<IndexQuery, 'order'>, part: Part): Bound {
  const sign = beyond(query);
  switch (part.kind) {
    case 'all':
      return { sql: '', values: [] };
    case 'from':
      return { sql: ` AND e.sort ${sign}= ?`, values: [part.sort] };
    case 'beyond':
      return { sql: ` AND e.sort ${sign} ?`, values: [part.sort] };
    case 'ties':
      return hasSort(index)
        ? { sql: ` AND e.sort = ? AND e.key ${sign} ?`, values: [part.sort, part.key] }
        : { sql: ` AND e.key ${sign} ?`, values: [part.key] };
  }
}

function beyond({ order }: Pick<IndexQuery, 'order'>): '<' | '>' {
  return order === 'descending' ? '<' : '>';
}

function placeOrder({ place }: IndexLayout, query: Pick<IndexQuery, 'order'>): string {
  return place.map(column => `e.${column} ${direction(query)}`).join();
}

function direction({ order }: Pick<IndexQuery, 'order'>): 'ASC' | 'DESC' {
  return order === 'descending' ? 'DESC' : 'ASC';
}
