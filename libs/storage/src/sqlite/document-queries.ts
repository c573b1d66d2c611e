import { eachElement } from '../documents/declared.js';
import type { IndexQuery, KeyRange, Where } from '../documents/documents.js';
import {
  LIVE,
  storedValue,
  type CollectionTable,
  type ColumnName,
  type TableIndex,
} from './collection-table.js';
import type { Bound, Stored } from './connection.js';

/**
 * About how many entries of an index one statement of a search passes for each row that it may answer. Every entry of
 * a document whose number is a multiple of it is answered besides. A power of two.
 */
const WALK_ENTRIES = 1_024;
/** Rows that one step of a search answers. */
export const ROWS_PER_STEP = 16;

export function documentByKey({ table }: CollectionTable): string {
  return `SELECT body FROM ${table} AS d WHERE d.key = ? AND ${LIVE}`;
}

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

export function countInIndex(
  index: TableIndex,
  query: Pick<IndexQuery, 'equals' | 'limit'>,
  now: number,
): Bound {
  const under = entriesUnder(index, query);
  return {
    sql: `SELECT count(*) FROM (SELECT 1 FROM ${index.source} WHERE ${under.sql} AND ${LIVE} LIMIT ?)`,
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
    definition.equals.map(field => storedValue(values[field] ?? null)),
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
