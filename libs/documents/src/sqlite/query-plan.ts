import type { IndexQuery, KeyRange, Where } from '../documents.js';
import { storedValue } from './collection-layout.js';
import type { CollectionLayout, IndexLayout } from './collection-layout.js';
import type { Stored } from './statements.js';

/** A statement with what is bound to it. */
export interface Bound {
  readonly sql: string;
  readonly values: readonly Stored[];
}

/** A place in an index; without `key` before all entries of that `sort`, with it just behind that entry. */
export interface Place {
  readonly sort: string;
  readonly key?: string;
}

/**
 * About how many entries of an index one statement of a search walks. Every entry of a document whose number is
 * a multiple of it interrupts the walk: counting the entries instead would cost as much as searching them.
 * Numbers are given in the order of creation, so that about one entry in so many interrupts, in every index.
 */
export const WALK_ENTRIES = 4_096;

export function documentByKey({ table }: CollectionLayout): string {
  return `SELECT body FROM ${table} WHERE key = ? AND ${live('')}`;
}

/** The documents of a JSON array of keys; bound to it and the time. */
export function documentsByKeys({ table }: CollectionLayout): string {
  return `SELECT d.body FROM json_each(?) AS wanted CROSS JOIN ${table} AS d ON d.key = wanted.value WHERE ${live('d.')}`;
}

/** The documents of a JSON array of numbers, in its order; bound to it and the time. */
export function documentsByIds({ table }: CollectionLayout): string {
  return `SELECT d.body FROM json_each(?) AS wanted CROSS JOIN ${table} AS d ON d.id = wanted.value WHERE ${live('d.')}`;
}

export function documentsInRange({ table }: CollectionLayout, range: KeyRange, now: number): Bound {
  return {
    sql: `SELECT body FROM ${table} WHERE key >= ? AND key < ? AND ${live('')} ORDER BY key ${direction(range)} LIMIT ?`,
    values: [range.from, range.before, now, range.limit],
  };
}

/** The documents of an index query without conditions, in its order. */
export function documentsInIndex(
  { table }: CollectionLayout,
  index: IndexLayout,
  query: IndexQuery,
  now: number,
): Bound {
  const range = entryRange(index, query, query.after);
  return {
    sql:
      `SELECT d.body FROM ${index.table} AS e CROSS JOIN ${table} AS d ON d.id = e.document ` +
      `WHERE ${range.sql} AND ${live('e.')} ORDER BY ${placeOrder(index, query)} LIMIT ?`,
    values: [...range.values, now, query.limit],
  };
}

/** How many entries stand under the values, up to a limit. */
export function countInIndex(
  index: IndexLayout,
  query: Pick<IndexQuery, 'equals'> & { readonly limit: number },
  now: number,
): Bound {
  const range = entryRange(index, { equals: query.equals }, undefined);
  return {
    sql: `SELECT count(*) FROM (SELECT 1 FROM ${index.table} AS e WHERE ${range.sql} AND ${live('e.')} LIMIT ?)`,
    values: [...range.values, now, query.limit],
  };
}

/**
 * One step of a search: entries that meet the conditions, and those that interrupt the walk, as
 * `[document, sort, key]`. Decided on the index's table alone.
 */
export function searchStep(
  index: IndexLayout,
  query: Pick<IndexQuery, 'equals' | 'order'> & { readonly where: Where },
  after: Place | undefined,
  limit: number,
): Bound {
  const range = entryRange(index, query, after);
  const values: Stored[] = [...range.values];
  const conditions = query.where.map(condition => {
    const column = `e.${index.covers.get(condition.field)}`;
    values.push('contains' in condition ? condition.contains : condition.equals);
    return 'contains' in condition ? `instr(${column}, ?)` : `${column} = ?`;
  });
  const sort = index.place.includes('sort') ? 'e.sort' : "''";
  return {
    sql:
      `SELECT e.document, ${sort}, e.key FROM ${index.table} AS e WHERE ${range.sql} ` +
      `AND (NOT (e.document % ${WALK_ENTRIES}) OR ${conditions.join(' OR ')}) ` +
      `ORDER BY ${placeOrder(index, query)} LIMIT ?`,
    values: [...values, limit],
  };
}

/** The texts of a query's documents as one row of one JSON array, so that they cross into JavaScript at once. */
export function joined({ sql, values }: Bound): Bound {
  return { sql: `SELECT '[' || group_concat(body, ',') || ']' FROM (${sql})`, values };
}

function entryRange(
  index: IndexLayout,
  query: Pick<IndexQuery, 'equals' | 'order'>,
  after: Place | undefined,
): Bound {
  const conditions = index.equals.map(column => `e.${column} = ?`);
  const values = index.definition.equals.map(field => storedValue(query.equals[field] ?? null));
  if (after !== undefined) {
    const beyond = query.order === 'descending' ? '<' : '>';
    if (!index.place.includes('sort')) {
      if (after.key !== undefined) {
        conditions.push(`e.key ${beyond} ?`);
        values.push(after.key);
      }
    } else if (index.definition.sortUnique === true) {
      conditions.push(`e.sort ${beyond} ?`);
      values.push(after.sort);
    } else if (after.key === undefined) {
      conditions.push(`e.sort ${beyond}= ?`);
      values.push(after.sort);
    } else {
      conditions.push(`(e.sort, e.key) ${beyond} (?, ?)`);
      values.push(after.sort, after.key);
    }
  }
  return { sql: conditions.join(' AND '), values };
}

function placeOrder(index: IndexLayout, query: Pick<IndexQuery, 'order'>): string {
  return index.place.map(column => `e.${column} ${direction(query)}`).join();
}

function direction({ order }: Pick<IndexQuery, 'order'>): 'ASC' | 'DESC' {
  return order === 'descending' ? 'DESC' : 'ASC';
}

function live(table: string): string {
  return `(${table}expires_at IS NULL OR ${table}expires_at > ?)`;
}
