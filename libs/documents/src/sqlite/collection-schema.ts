import type { Database } from '#sqlite/open-database';
import { requestsFirst } from '#concurrency/requests-first';
import type { Collection, Document, IndexDefinition } from '../documents.js';
import {
  createIndexTables,
  documentsTableName,
  entriesTablePrefix,
  groupsTablePrefix,
  layoutOf,
  type CollectionLayout,
  type IndexLayout,
} from './collection-layout.js';
import { dropDocument, indexDocument, lastId } from './document-writer.js';
import type { Connection } from './connection.js';

/** Documents that one step of filling an index or of clearing a collection takes. */
export const SCHEMA_STEP_DOCUMENTS = 256;

/** Runs one job in a transaction. */
export type Write = <R>(job: (c: Connection) => R) => Promise<R>;

/** A collection as the file holds it: with the indexes that are complete. */
type StoredDefinition = Pick<Collection<Document>, 'name' | 'durability' | 'indexes'>;

export function createSchema(db: Database): void {
  db.exec(
    'CREATE TABLE definitions (collection TEXT NOT NULL PRIMARY KEY, definition TEXT NOT NULL) WITHOUT ROWID',
  );
}

export function storedDefinition(c: Connection, name: string): StoredDefinition | undefined {
  const row = c.row('SELECT definition FROM main.definitions WHERE collection = ?', [name]);
  if (row === undefined) return undefined;
  const definition: StoredDefinition = JSON.parse(String(row[0]));
  return definition;
}

/**
 * Brings the tables of a collection in line with its definition. Indexes that are missing or were defined
 * otherwise are made anew and filled step by step; until one is complete, the stored definition leaves it out,
 * so that an interrupted filling begins again.
 * @param adopt told with the reshaping, before the new indexes are filled: from then on writers keep them
 * @throws DuplicateKey where documents do not suit a new unique index
 */
export async function ensureCollection(
  write: Write,
  collection: Collection<Document>,
  now: () => number,
  adopt: (layout: CollectionLayout) => void,
): Promise<void> {
  const layout = layoutOf(collection);
  const reshaped = await write(c => {
    const found = reshape(c, layout);
    adopt(layout);
    return found;
  });
  if (reshaped.incomplete.length === 0) return;
  let after: number | undefined = 0;
  while (after !== undefined) {
    const from: number = after;
    after = await write(c => fill(c, layout, reshaped, from, now()));
  }
  await write(c => storeDefinition(c, collection, collection.indexes));
}

/**
 * Whether the file holds a collection with all its indexes complete, so that it can be read.
 */
export function isComplete(c: Connection, { name, indexes }: Collection<Document>): boolean {
  const stored = storedDefinition(c, name)?.indexes;
  return stored !== undefined && indexes.every(index => stored.some(each => same(each, index)));
}

/**
 * Drops a collection: at once for every reader, then its rows step by step, since dropping large tables in one
 * statement takes long.
 */
export async function dropCollection(write: Write, name: string): Promise<void> {
  await write(c => {
    const stored = storedDefinition(c, name);
    if (stored === undefined) return;
    c.lastIds.delete(name);
    c.run('DELETE FROM main.definitions WHERE collection = ?', [name]);
  });
  await clearRemains(write, name);
}

/** Names of collections whose dropping was interrupted. */
export function remainingCollections(c: Connection): string[] {
  const rows = c.rows(
    "SELECT substr(name, 11) FROM main.sqlite_schema WHERE type = 'table' AND name GLOB 'documents:*' " +
      'AND substr(name, 11) NOT IN (SELECT collection FROM main.definitions)',
    [],
  );
  return rows.map(([name]) => String(name));
}

/** Removes the tables of a collection that has no definition any more. */
export async function clearRemains(write: Write, name: string): Promise<void> {
  let more = true;
  while (more) {
    more = await write(c => {
      // It may have been made anew in between.
      if (storedDefinition(c, name) !== undefined) return false;
      return clearStep(c, name);
    });
    if (more) await requestsFirst();
  }
}

function clearStep(c: Connection, name: string): boolean {
  for (const table of tablesOf(c, name)) {
    const key = c
      .rows(`SELECT name FROM pragma_table_info(?, 'main') WHERE pk > 0 ORDER BY pk`, [table])
      .map(([column]) => String(column))
      .join();
    const removed = c.run(
      `DELETE FROM main."${table}" WHERE (${key}) IN (SELECT ${key} FROM main."${table}" ORDER BY ${key} LIMIT ?)`,
      [SCHEMA_STEP_DOCUMENTS],
    );
    if (removed > 0) return true;
    dropTable(c, table);
  }
  return false;
}

/** The tables of a collection, that of its documents last. */
function tablesOf(c: Connection, name: string): string[] {
  const rows = c.rows(
    "SELECT name FROM main.sqlite_schema WHERE type = 'table' AND (name GLOB ? OR name GLOB ? OR name = ?) ORDER BY name DESC",
    [`${groupsTablePrefix(name)}*`, `${entriesTablePrefix(name)}*`, documentsTableName(name)],
  );
  return rows.map(([table]) => String(table));
}

interface Reshaped {
  /** Indexes that have yet to be filled. */
  readonly incomplete: readonly IndexLayout[];
  /** With documents up to this number; writers keep the later ones. */
  readonly upTo: number;
}

function reshape(c: Connection, layout: CollectionLayout): Reshaped {
  const { collection } = layout;
  const stored = storedDefinition(c, collection.name);
  if (stored === undefined) {
    create(c, layout);
    return { incomplete: [], upTo: 0 };
  }
  const complete = stored.indexes.filter(index =>
    layout.indexes.some(({ definition }) => same(definition, index)),
  );
  const incomplete = layout.indexes.filter(
    ({ definition }) => !complete.some(index => same(definition, index)),
  );
  if (incomplete.length === 0 && complete.length === stored.indexes.length) return { incomplete, upTo: 0 };
  const kept = new Set([documentsTableName(collection.name)]);
  for (const { name } of complete) {
    kept.add(entriesTablePrefix(collection.name) + name);
    kept.add(groupsTablePrefix(collection.name) + name);
  }
  for (const table of tablesOf(c, collection.name)) if (!kept.has(table)) dropTable(c, table);
  for (const index of incomplete) c.db.exec(createIndexTables(index));
  storeDefinition(c, collection, complete);
  return { incomplete, upTo: lastId(c, layout) };
}

function create(c: Connection, layout: CollectionLayout): void {
  const { name } = layout.collection;
  for (const table of tablesOf(c, name)) dropTable(c, table);
  c.lastIds.delete(name);
  c.db.exec(
    `CREATE TABLE ${layout.table} (id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, revision INTEGER NOT NULL, ` +
      'expires_at INTEGER, body TEXT NOT NULL)',
  );
  c.db.exec(
    `CREATE INDEX main."expiry:${name}" ON "${documentsTableName(name)}" (expires_at) WHERE expires_at IS NOT NULL`,
  );
  for (const index of layout.indexes) c.db.exec(createIndexTables(index));
  storeDefinition(c, layout.collection, layout.collection.indexes);
}

function dropTable(c: Connection, table: string): void {
  c.db.exec(`DROP TABLE main."${table}"`);
  // What is known of the groups of an index ends with its entries: a table of that name may come again.
  c.groups.delete(table);
  c.sweptUpTo.delete(table);
}

function storeDefinition(
  c: Connection,
  { name, durability }: Collection<Document>,
  indexes: readonly IndexDefinition[],
): void {
  const definition: StoredDefinition = { name, durability, indexes };
  c.run(
    'INSERT INTO main.definitions VALUES (?, ?) ' +
      'ON CONFLICT (collection) DO UPDATE SET definition = excluded.definition',
    [name, JSON.stringify(definition)],
  );
}

/**
 * Takes expired documents away, so that what nobody sees suits every unique index.
 * @returns the number of the last document looked at, undefined when there was none left
 */
function fill(
  c: Connection,
  layout: CollectionLayout,
  { incomplete, upTo }: Reshaped,
  after: number,
  now: number,
): number | undefined {
  const rows = c.rows(
    `SELECT id, key, body, expires_at FROM ${layout.table} WHERE id > ? AND id <= ? ORDER BY id LIMIT ?`,
    [after, upTo, SCHEMA_STEP_DOCUMENTS],
  );
  for (const [id, key, body, expiresAt] of rows) {
    if (typeof expiresAt === 'number' && expiresAt <= now) {
      dropDocument(c, layout, Number(id), String(body));
      continue;
    }
    const stored = { id: Number(id), key: String(key), body: String(body) };
    for (const index of incomplete) indexDocument(c, layout, index, stored, now);
  }
  return rows.length < SCHEMA_STEP_DOCUMENTS ? undefined : Number(rows.at(-1)?.[0]);
}

/** Whether two definitions of an index mean the same. */
function same(a: IndexDefinition, b: IndexDefinition): boolean {
  return canonical(a) === canonical(b);
}

function canonical({ name, equals, sort, sortUnique, unique, covers }: IndexDefinition): string {
  return JSON.stringify([name, equals, sort ?? null, sortUnique ?? false, unique ?? false, covers ?? []]);
}
