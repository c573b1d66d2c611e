import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Database } from '#sqlite/open-database';
import type { Collection, Document, IndexDefinition } from '../documents.js';
import { documentsTable, entriesTablePrefix, layoutOf } from './collection-layout.js';
import type { CollectionLayout, IndexLayout } from './collection-layout.js';
import { indexDocument } from './document-writer.js';
import type { Statements } from './statements.js';

/** Documents that one step of filling an index or of clearing a collection takes. */
export const SCHEMA_STEP_DOCUMENTS = 256;

/** Runs one job in a transaction. */
export type Write = <R>(job: (s: Statements) => R) => Promise<R>;

/** A collection as the file holds it: with the indexes that are complete. */
type StoredDefinition = Pick<Collection<Document>, 'name' | 'durability' | 'indexes'>;

export function createSchema(db: Database): void {
  db.exec(
    'CREATE TABLE definitions (collection TEXT NOT NULL PRIMARY KEY, definition TEXT NOT NULL) WITHOUT ROWID',
  );
}

export function storedDefinition(s: Statements, name: string): StoredDefinition | undefined {
  const row = s.row('SELECT definition FROM definitions WHERE collection = ?', [name]);
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
  const incomplete = await write(s => {
    const found = reshape(s, layout);
    adopt(layout);
    return found;
  });
  if (incomplete.length === 0) return;
  let after: number | undefined = Number.MIN_SAFE_INTEGER;
  while (after !== undefined) {
    const from: number = after;
    after = await write(s => fill(s, layout, incomplete, from, now()));
  }
  await write(s => storeDefinition(s, collection, collection.indexes));
}

/**
 * Drops a collection: at once for every reader, then its rows step by step, since dropping large tables in one
 * statement takes long.
 */
export async function dropCollection(write: Write, name: string): Promise<void> {
  await write(s => s.run('DELETE FROM definitions WHERE collection = ?', [name]));
  await clearRemains(write, name);
}

/** Names of collections whose dropping was interrupted. */
export function remainingCollections(s: Statements): string[] {
  const rows = s.rows(
    "SELECT substr(name, 11) FROM sqlite_schema WHERE type = 'table' AND name GLOB 'documents:*' " +
      'AND substr(name, 11) NOT IN (SELECT collection FROM definitions)',
    [],
  );
  return rows.map(([name]) => String(name));
}

/** Removes the tables of a collection that has no definition any more. */
export async function clearRemains(write: Write, name: string): Promise<void> {
  let more = true;
  while (more) {
    more = await write(s => {
      // It may have been made anew in between.
      if (storedDefinition(s, name) !== undefined) return false;
      return clearStep(s, name);
    });
    if (more) await nextTurn();
  }
}

function clearStep(s: Statements, name: string): boolean {
  for (const table of tablesOf(s, name)) {
    const key = s
      .rows(`SELECT name FROM pragma_table_info(?) WHERE pk > 0 ORDER BY pk`, [table])
      .map(([column]) => String(column))
      .join();
    const { changes } = s.run(
      `DELETE FROM "${table}" WHERE (${key}) IN (SELECT ${key} FROM "${table}" ORDER BY ${key} LIMIT ?)`,
      [SCHEMA_STEP_DOCUMENTS],
    );
    if (changes > 0) return true;
    s.db.exec(`DROP TABLE "${table}"`);
  }
  return false;
}

/** The tables of a collection, that of its documents last. */
function tablesOf(s: Statements, name: string): string[] {
  const entries = entriesTablePrefix(name);
  const rows = s.rows(
    "SELECT name FROM sqlite_schema WHERE type = 'table' AND (substr(name, 1, ?) = ? OR name = ?) ORDER BY name DESC",
    [entries.length, entries, documentsTable(name).slice(1, -1)],
  );
  return rows.map(([table]) => String(table));
}

/** @returns the indexes that have yet to be filled */
function reshape(s: Statements, layout: CollectionLayout): IndexLayout[] {
  const { collection } = layout;
  const stored = storedDefinition(s, collection.name);
  if (stored === undefined) {
    create(s, layout);
    return [];
  }
  const complete = stored.indexes.filter(index =>
    layout.indexes.some(({ definition }) => same(definition, index)),
  );
  const incomplete = layout.indexes.filter(
    ({ definition }) => !complete.some(index => same(definition, index)),
  );
  if (incomplete.length === 0 && complete.length === stored.indexes.length) return [];
  const kept = new Set(complete.map(({ name }) => name));
  const prefix = entriesTablePrefix(collection.name);
  for (const table of tablesOf(s, collection.name)) {
    if (table.startsWith(prefix) && !kept.has(table.slice(prefix.length))) s.db.exec(`DROP TABLE "${table}"`);
  }
  for (const index of incomplete) createEntries(s, index);
  storeDefinition(s, collection, complete);
  return incomplete;
}

function create(s: Statements, layout: CollectionLayout): void {
  for (const table of tablesOf(s, layout.collection.name)) s.db.exec(`DROP TABLE "${table}"`);
  s.db.exec(
    `CREATE TABLE ${layout.table} (id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, revision INTEGER NOT NULL, ` +
      'expires_at INTEGER, body TEXT NOT NULL)',
  );
  s.db.exec(`CREATE INDEX ${layout.expiry} ON ${layout.table} (expires_at) WHERE expires_at IS NOT NULL`);
  for (const index of layout.indexes) createEntries(s, index);
  storeDefinition(s, layout.collection, layout.collection.indexes);
}

/** Columns of values have no type: a number and the same number as text are different values. */
function createEntries(s: Statements, index: IndexLayout): void {
  const nullable = new Set(['expires_at', ...index.covers.values()]);
  const columns = index.columns.map(column => (nullable.has(column) ? column : `${column} NOT NULL`));
  const identity = index.columns.slice(0, index.identityColumns);
  s.db.exec(
    `CREATE TABLE ${index.table} (${columns.join()}, PRIMARY KEY (${identity.join()})) WITHOUT ROWID`,
  );
}

function storeDefinition(
  s: Statements,
  { name, durability }: Collection<Document>,
  indexes: readonly IndexDefinition[],
): void {
  const definition: StoredDefinition = { name, durability, indexes };
  s.run('INSERT OR REPLACE INTO definitions VALUES (?, ?)', [name, JSON.stringify(definition)]);
}

/** @returns the number of the last document looked at, undefined when there was none left */
function fill(
  s: Statements,
  layout: CollectionLayout,
  indexes: readonly IndexLayout[],
  after: number,
  now: number,
): number | undefined {
  const rows = s.rows(`SELECT id, body FROM ${layout.table} WHERE id > ? ORDER BY id LIMIT ?`, [
    after,
    SCHEMA_STEP_DOCUMENTS,
  ]);
  for (const [id, body] of rows) {
    for (const index of indexes) indexDocument(s, layout, index, Number(id), String(body), now);
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
