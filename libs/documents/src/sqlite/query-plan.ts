import type { IndexQuery, KeyRange, Where } from '../documents.js';
import type { CollectionLayout, IndexLayout } from './collection-layout.js';
import type { Row, Stored } from './connection.js';

/** A statement with what is bound to it. */
export interface Bound {
  readonly sql: string;
  readonly values: readonly Stored[];
}

/** Entries with equal values in an index. */
export interface Source {
  readonly index: IndexLayout;
  /** What the columns for equality hold. */
  readonly equality: readonly Stored[];
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

/** The revisions of documents, each in a column of the one row. */
export function revisionsOf(
  wanted: readonly { readonly layout: CollectionLayout; readonly key: string }[],
  now: number,
): Bound {
  const columns = wanted.map(
    ({ layout }) => `(SELECT revision FROM ${layout.table} WHERE key = ? AND ${LIVE})`,
  );
  return { sql: `SELECT ${columns.join()}`, values: wanted.flatMap(({ key }) => [key, now]) };
}

/** The documents of a JSON array of keys; bound to it and the time. */
export function documentsByKeys({ table }: CollectionLayout): string {
  return `SELECT body FROM json_each(?) AS wanted CROSS JOIN ${table} AS d ON d.key = wanted.value WHERE ${LIVE}`;
}

/** The documents of a JSON array of numbers, in its order; bound to it and the time. */
export function documentsByIds({ table }: CollectionLayout): string {
  return `SELECT body FROM json_each(?) AS wanted CROSS JOIN ${table} AS d ON d.id = wanted.value WHERE ${LIVE}`;
}

export function documentsInRange({ table }: CollectionLayout, range: KeyRange, now: number): Bound {
  return {
    sql: `SELECT body FROM ${table} WHERE key >= ? AND key < ? AND ${LIVE} ORDER BY key ${direction(range)} LIMIT ?`,
    values: [range.from, range.before, now, range.limit],
  };
}

/** The documents of an index query without conditions, in its order. */
export function documentsInIndex(
  { table }: CollectionLayout,
  { index, equality }: Source,
  query: Pick<IndexQuery, 'order' | 'after' | 'limit'>,
  now: number,
): Bound {
  const behind = placeCondition(index, query);
  const entries =
    `SELECT document, ${index.place.join()} FROM ${index.table} WHERE ${equalTo(index)}${behind.sql} AND ${LIVE} ` +
    `ORDER BY ${placeOrder(index, query)} LIMIT ?`;
  return {
    sql: `SELECT body FROM (${entries}) AS e CROSS JOIN ${table} AS d ON d.id = e.document`,
    values: [...equality, ...behind.values, now, query.limit],
  };
}

/** How many entries stand under the values, up to a limit. */
export function countInIndex({ index, equality }: Source, limit: number, now: number): Bound {
  return {
    sql: `SELECT count(*) FROM (SELECT 1 FROM ${index.table} WHERE ${equalTo(index)} AND ${LIVE} LIMIT ?)`,
    values: [...equality, now, limit],
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
 * document's number, their place and what the conditions look at. Decided on the table of the index alone.
 */
export function searchStep(
  { index, equality }: Source,
  query: Pick<IndexQuery, 'order'> & { readonly where: Where },
  part: Part,
  limit: number,
): Bound {
  const range = partCondition(index, query, part);
  const columns = query.where.map(({ field }) => index.covers.get(field));
  const conditions = query.where.map((condition, at) =>
    'contains' in condition ? `instr(${columns[at]}, ?)` : `${columns[at]} = ?`,
  );
  const sought = query.where.map(each => ('contains' in each ? each.contains : each.equals));
  return {
    sql:
      `SELECT ${['document', ...index.place, ...columns].join()} FROM ${index.table} ` +
      `WHERE ${equalTo(index)}${range.sql} AND (${conditions.join(' OR ')} OR NOT (document & ${WALK_ENTRIES - 1})) ` +
      `ORDER BY ${placeOrder(index, query)} LIMIT ?`,
    values: [...equality, ...range.values, ...sought, limit],
  };
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
export function joined({ sql, values }: Bound): Bound {
  return { sql: `SELECT '[' || group_concat(body, ',') || ']' FROM (${sql})`, values };
}

const LIVE = '(expires_at IS NULL OR expires_at > ?)';

function hasSort({ definition }: IndexLayout): boolean {
  return definition.sort !== undefined;
}

function equalTo({ equals }: IndexLayout): string {
  return equals.map(column => `${column} = ?`).join(' AND ');
}

function placeCondition(index: IndexLayout, query: Pick<IndexQuery, 'order' | 'after'>): Bound {
  const { after } = query;
  if (after?.key === undefined || index.place.length < 2) {
    const [part] = partsBehind(index, after);
    return partCondition(index, query, part ?? { kind: 'all' });
  }
  return { sql: ` AND (sort, key) ${beyond(query)} (?, ?)`, values: [after.sort, after.key] };
}

function partCondition(index: IndexLayout, query: Pick<IndexQuery, 'order'>, part: Part): Bound {
  const sign = beyond(query);
  switch (part.kind) {
    case 'all':
      return { sql: '', values: [] };
    case 'from':
      return { sql: ` AND sort ${sign}= ?`, values: [part.sort] };
    case 'beyond':
      return { sql: ` AND sort ${sign} ?`, values: [part.sort] };
    case 'ties':
      return hasSort(index)
        ? { sql: ` AND sort = ? AND key ${sign} ?`, values: [part.sort, part.key] }
        : { sql: ` AND key ${sign} ?`, values: [part.key] };
  }
}

function beyond({ order }: Pick<IndexQuery, 'order'>): '<' | '>' {
  return order === 'descending' ? '<' : '>';
}

function placeOrder({ place }: IndexLayout, query: Pick<IndexQuery, 'order'>): string {
  return place.map(column => `${column} ${direction(query)}`).join();
}

function direction({ order }: Pick<IndexQuery, 'order'>): 'ASC' | 'DESC' {
  return order === 'descending' ? 'DESC' : 'ASC';
}
