import { isDeepStrictEqual } from 'node:util';
import { requestsFirst } from '#concurrency/turns';
import type { Collection, Document, IndexDefinition } from '../documents/documents.js';
import {
  collectionTable,
  columnsOf,
  columnValues,
  documentsTable,
  parseDocument,
  type CollectionTable,
  type ColumnName,
} from './collection-table.js';
import type { Connection } from './ledger-file.js';
import type { Run } from './storage-thread.js';

/** Documents that one step takes of filling columns, or of removing some. */
const STEP_DOCUMENTS = 512;
/** Rows that one step takes of a table that is dropped. */
const STEP_ROWS = 2_048;

/** Runs statements together or not at all. @returns the rows that each of them wrote */
export type Write = (runs: readonly Run[]) => Promise<readonly number[]>;

/** A collection as the file holds it. */
interface StoredDefinition {
  readonly columns: readonly ColumnName[];
  readonly indexes: readonly IndexDefinition[];
}

export function statement(sql: string, ...values: Run['values']): Run {
  return { sql, width: values.length, values };
}

function storedDefinition(c: Connection, name: string): StoredDefinition | undefined {
  const row = c.row({ sql: 'SELECT definition FROM collections WHERE name = ?', values: [name] });
  if (row === undefined) return undefined;
  const definition: StoredDefinition = JSON.parse(String(row[0]));
  return definition;
}

export function hasDocuments(c: Connection, name: string): boolean {
  const sql = `SELECT 1 FROM ${documentsTable(name)} LIMIT 1`;
  return storedDefinition(c, name) !== undefined && c.row({ sql, values: [] }) !== undefined;
}

/** The table of a collection as the file holds it; null where it does not, or not with these indexes. */
export function storedTable(c: Connection, collection: Collection<Document>): CollectionTable | null {
  const stored = storedDefinition(c, collection.name);
  const isComplete = collection.indexes.every(index => stored?.indexes.some(each => same(each, index)));
  return stored !== undefined && isComplete ? collectionTable(collection, stored.columns) : null;
}

/**
 * Brings the table of a collection in line with its definition. Indexes that are missing or were defined otherwise
 * are made, others that are not declared any more dropped.
 * @param adopt told of the table as soon as it has all columns, so that writers fill them from then on
 */
export async function ensureCollection(
  c: () => Connection,
  write: Write,
  collection: Collection<Document>,
  adopt: (table: CollectionTable) => void,
): Promise<void> {
  const stored = storedDefinition(c(), collection.name);
  const kept = stored?.columns ?? [];
  const missing = columnsOf(collection).filter(name => !kept.includes(name));
  const table = collectionTable(collection, [...kept, ...missing]);
  const creation = table.indexes.flatMap(index => index.creation);
  const define = statement(
    'INSERT INTO collections VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET definition = excluded.definition',
    collection.name,
    JSON.stringify({ columns: table.columns, indexes: collection.indexes }),
  );
  if (stored === undefined) {
    await dropTables(c, write, collection.name);
    await write([...[...table.creation, ...creation].map(sql => statement(sql)), define]);
    adopt(table);
    return;
  }
  const isKept = (index: IndexDefinition): boolean => stored.indexes.some(each => same(each, index));
  const added = table.indexes.filter(({ definition }) => !isKept(definition));
  const former = stored.indexes.filter(index => !collection.indexes.some(each => same(each, index)));
  if (added.length === 0 && former.length === 0) return adopt(table);
  const changes = [
    ...collectionTable({ ...collection, indexes: former }, table.columns).indexes.flatMap(
      ({ removal }) => removal,
    ),
    ...missing.map((_, at) => `ALTER TABLE ${table.table} ADD COLUMN c${kept.length + at}`),
  ];
  const remaining = {
    columns: table.columns,
    indexes: stored.indexes.filter(index => !former.includes(index)),
  };
  // Without the indexes that are yet to come, so that an interrupted change begins again.
  await write([...changes.map(sql => statement(sql)), defined(collection.name, remaining)]);
  adopt(table);
  if (added.length === 0) return;
  await fillColumns(c, write, table);
  await write([...added.flatMap(index => index.creation).map(sql => statement(sql)), define]);
}

function defined(name: string, definition: StoredDefinition): Run {
  return statement('UPDATE collections SET definition = ? WHERE name = ?', JSON.stringify(definition), name);
}

/** Computes the columns of the documents that are there, unless they have changed since they were read. */
async function fillColumns(
  c: () => Connection,
  write: Write,
  { collection, columns, table }: CollectionTable,
): Promise<void> {
  const set = columns.map((_, at) => `c${at} = ?`).join();
  const sql = `SELECT id, key, revision, body FROM ${table} WHERE id > ? ORDER BY id LIMIT ?`;
  for (let after = 0; columns.length > 0;) {
    const rows = c().rows({ sql, values: [after, STEP_DOCUMENTS] });
    const updates = rows.map(([id, key, revision, body]) => {
      const document = parseDocument<Document>(collection, String(key), String(body));
      const values = columnValues(collection, columns, document);
      return statement(`UPDATE ${table} SET ${set} WHERE id = ? AND revision = ?`, ...values, id!, revision!);
    });
    if (updates.length > 0) await write(updates);
    if (rows.length < STEP_DOCUMENTS) return;
    after = Number(rows.at(-1)![0]);
    await requestsFirst();
  }
}

/** Removes what has expired, in steps. */
export async function removeExpired(write: Write, { table }: CollectionTable, now: number): Promise<void> {
  await removeSome(write, table, 'expires_at <= ?', now);
}

/** Removes documents of a table, in steps that give way to other work. */
export async function removeSome(
  write: Write,
  table: string,
  condition: string,
  ...values: Run['values']
): Promise<void> {
  const some = `SELECT id FROM ${table} WHERE ${condition} LIMIT ${STEP_DOCUMENTS}`;
  for (;;) {
    const [removed] = await write([statement(`DELETE FROM ${table} WHERE id IN (${some})`, ...values)]);
    if (removed! < STEP_DOCUMENTS) return;
    await requestsFirst();
  }
}

/** Drops a collection: at once for every reader, then its rows in steps, since dropping large tables takes long. */
export async function dropCollection(c: () => Connection, write: Write, name: string): Promise<void> {
  await write([statement('DELETE FROM collections WHERE name = ?', name)]);
  await dropTables(c, write, name);
}

/** Names of collections whose dropping was interrupted. */
export function remainingCollections(c: Connection): string[] {
  const sql =
    "SELECT substr(name, 11) FROM sqlite_schema WHERE type = 'table' AND name GLOB 'documents:*' " +
    'AND substr(name, 11) NOT IN (SELECT name FROM collections)';
  return c.rows({ sql, values: [] }).map(([name]) => String(name));
}

/** Drops what is left of the tables of a collection that is not there any more. */
async function dropTables(c: () => Connection, write: Write, name: string): Promise<void> {
  const documents = `documents:${name}`;
  const named = (sql: string, ...values: string[]): string[] =>
    c()
      .rows({ sql: `SELECT name FROM ${sql}`, values })
      .map(([found]) => String(found));
  // Entries go in the order of their own key: with a trigger for each document they take three times as long.
  const triggers = named("sqlite_schema WHERE type = 'trigger' AND tbl_name = ?", documents);
  if (triggers.length > 0) await write(triggers.map(trigger => statement(`DROP TRIGGER "${trigger}"`)));
  const isOurs = "type = 'table' AND (name = ? OR name GLOB ?)";
  for (const table of named(`sqlite_schema WHERE ${isOurs}`, documents, `entries:${name}:*`)) {
    const key = named('pragma_table_info(?) WHERE pk > 0 ORDER BY pk', table);
    await dropTable(write, `"${table}"`, key.join());
  }
}

/** Removes rows in the order of their key until few are left, then the table. */
async function dropTable(write: Write, table: string, key: string): Promise<void> {
  const next = `SELECT ${key} FROM ${table} ORDER BY ${key} LIMIT 1 OFFSET ${STEP_ROWS}`;
  for (;;) {
    const [removed] = await write([statement(`DELETE FROM ${table} WHERE (${key}) < (${next})`)]);
    if (removed === 0) break;
    await requestsFirst();
  }
  await write([statement(`DROP TABLE ${table}`)]);
}

/** Whether two definitions of an index are the same. Former versions stored a `coveredBy`, which changed nothing. */
function same(one: IndexDefinition, other: IndexDefinition): boolean {
  return isDeepStrictEqual({ ...one, coveredBy: undefined }, { ...other, coveredBy: undefined });
}
