import { eachEntry, entryValues, scalarOf, type Scalar, type Values } from '../declared.js';
import type { Document } from '../documents.js';
import { storedValue, type CollectionLayout, type IndexLayout } from './collection-layout.js';
import type { Connection, Row, Stored } from './connection.js';
import { KnownGroups } from './known-groups.js';
import { insertRows } from './row-insert.js';

/** A row of the documents table as indexes look at it. */
export interface NumberedDocument {
  readonly id: number;
  /** As `withIndexed` makes it. */
  readonly document: Document;
}

/** Groups of one index that one sweep looks at. */
export const GROUPS_SWEPT = 512;

/**
 * What an entry's row begins with: the values compared for equality, or in an index with an order, where many
 * entries have the same, the number of their group. @returns null where no entry can have them
 */
export function equalityOf(c: Connection, index: IndexLayout, equals: Values): readonly Stored[] | null {
  const values = index.definition.equals.map(field => equals[field] ?? null);
  if (index.groups === null) return values.map(storedValue);
  const group = findGroup(c, index, index.groups, values, 'find');
  return group === undefined ? null : [group];
}

/**
 * The rows of a document in an index's table, in the order of its columns.
 * @param document as `withIndexed` makes it
 * @param id its number
 * @param missing what to do where a group has no number yet: a writer makes it
 */
export function entryRows(
  c: Connection,
  index: IndexLayout,
  document: Document,
  id: number,
  missing: 'find' | 'make',
): Row[] {
  const { definition, groups } = index;
  const values = entryValues(document, definition);
  if (values.length === 0) return [];
  const rest = commonColumns(index, document, id);
  if (groups === null) return values.map(equals => [...equals.map(storedValue), ...rest]);
  const rows: Row[] = [];
  for (const equals of values) {
    const group = findGroup(c, index, groups, equals, missing);
    if (group !== undefined) rows.push([group, ...rest]);
  }
  return rows;
}

/** What all entries of a document in an index have in common: the columns behind those for equality. */
function commonColumns({ definition, covers, place }: IndexLayout, document: Document, id: number): Stored[] {
  const common: Stored[] = [];
  if (definition.sort !== undefined) common.push(sortValue(document, definition.sort));
  if (place.includes('key')) common.push(document.key);
  common.push(id, document.expiresAt ?? null);
  for (const field of covers.keys()) common.push(storedValue(scalarOf(document, field)));
  return common;
}

export function writeEntries(c: Connection, index: IndexLayout, rows: readonly Row[]): void {
  insertRows(c, index.insert, rows.length, (values, at, row) => copyRow(rows[row]!, values, at));
}

/** Adds the entries of documents that have none yet, in the order of the index, so that neighbours come together. */
export function addEntries(c: Connection, index: IndexLayout, documents: readonly NumberedDocument[]): void {
  const { definition, groups } = index;
  if (groups === null) {
    const rows = documents.flatMap(({ id, document }) => entryRows(c, index, document, id, 'make'));
    writeEntries(c, index, rows);
    return;
  }
  // A group and a document's place as one number, since numbers are sorted much faster than rows.
  const entries: number[] = [];
  const common = documents.map(({ id, document }, place) => {
    eachEntry(document, definition, values => {
      entries.push(findGroup(c, index, groups, values, 'make')! * documents.length + place);
    });
    return commonColumns(index, document, id);
  });
  const sorted = Float64Array.from(entries).sort();
  insertRows(c, index.insert, sorted.length, (values, at, row) => {
    const place = sorted[row]! % documents.length;
    values[at] = (sorted[row]! - place) / documents.length;
    copyRow(common[place]!, values, at + 1);
  });
}

/** Removes entries of documents, but none of another document that has the same place: these have none themselves. */
export function removeEntries(c: Connection, index: IndexLayout, rows: readonly Row[]): void {
  const { table, columns, identityColumns } = index;
  const identity = columns.slice(0, identityColumns);
  const document = columns.indexOf('document');
  const compared = identity.includes('document') ? identity : [...identity, 'document'];
  const sql = `DELETE FROM ${table} WHERE ${compared.map(column => `${column} = ?`).join(' AND ')}`;
  for (const row of rows) {
    const place = row.slice(0, identityColumns);
    c.run(sql, compared === identity ? place : [...place, row[document]!]);
  }
}

/** Removes the entries of a document of which nothing but the number is known: looks at every entry of the index. */
export function removeEntriesOf(c: Connection, { table }: IndexLayout, id: number): void {
  c.run(`DELETE FROM ${table} WHERE document = ?`, [id]);
}

/** Writes only what differs. */
export function updateEntries(
  c: Connection,
  index: IndexLayout,
  before: readonly Row[],
  after: readonly Row[],
): void {
  if (before.length === after.length && before.every((row, at) => sameRow(row, after[at]))) return;
  const rowsBefore = byIdentity(index, before);
  const rowsAfter = byIdentity(index, after);
  const gone = [...rowsBefore].filter(([identity]) => !rowsAfter.has(identity));
  const changed = [...rowsAfter].filter(([identity, row]) => !sameRow(row, rowsBefore.get(identity)));
  removeEntries(c, index, gone.map(rowOf));
  writeEntries(c, index, changed.map(rowOf));
}

/**
 * Removes groups that have no entry any more, some at a time. To be run in a transaction.
 */
export function sweepGroups(c: Connection, { indexes }: CollectionLayout): void {
  for (const { groups, table, tableName } of indexes) {
    if (groups === null) continue;
    const after = c.sweptUpTo.get(tableName) ?? 0;
    const last = c.row(
      `SELECT max(id) FROM (SELECT id FROM ${groups} WHERE id > ? ORDER BY id LIMIT ${GROUPS_SWEPT})`,
      [after],
    )?.[0];
    c.sweptUpTo.set(tableName, Number(last ?? 0));
    if (typeof last !== 'number') continue;
    const removed = c.run(
      `DELETE FROM ${groups} AS swept WHERE id > ? AND id <= ? ` +
        `AND NOT EXISTS (SELECT 1 FROM ${table} WHERE group_id = swept.id)`,
      [after, last],
    );
    if (removed > 0) c.groups.delete(tableName);
  }
}

function findGroup(
  c: Connection,
  { tableName }: IndexLayout,
  groups: string,
  values: readonly Scalar[],
  missing: 'find' | 'make',
): number | undefined {
  let known = c.groups.get(tableName);
  if (known === undefined) c.groups.set(tableName, (known = new KnownGroups()));
  const remembered = known.get(values);
  if (remembered !== undefined) return remembered;
  const text = JSON.stringify(values);
  const found = c.row(`SELECT id FROM ${groups} WHERE equals = ?`, [text])?.[0];
  if (typeof found !== 'number' && missing === 'find') return undefined;
  const group = Number(found ?? c.row(`INSERT INTO ${groups} (equals) VALUES (?) RETURNING id`, [text])?.[0]);
  known.set(values, group);
  return group;
}

function copyRow(row: Row, values: Stored[], at: number): void {
  for (let column = 0; column < row.length; column++) values[at + column] = row[column]!;
}

/** A document without its sort field comes before all others. */
function sortValue(document: Document, field: string): string {
  const value = scalarOf(document, field);
  return typeof value === 'string' ? value : '';
}

function byIdentity({ identityColumns }: IndexLayout, rows: readonly Row[]): Map<string, Row> {
  return new Map(rows.map(row => [JSON.stringify(row.slice(0, identityColumns)), row]));
}

function sameRow(row: Row, other: Row | undefined): boolean {
  return other !== undefined && row.every((value, at) => value === other[at]);
}

function rowOf([, row]: readonly [string, Row]): Row {
  return row;
}
