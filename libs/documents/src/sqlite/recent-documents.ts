import { withIndexed } from '../declared.js';
import type { Document } from '../documents.js';
import { createTable, isDeferred } from './collection-layout.js';
import type { CollectionLayout, IndexLayout } from './collection-layout.js';
import type { Connection, Recent } from './connection.js';
import { addEntries, entryRows, writeEntries } from './index-entries.js';
import type { NumberedDocument } from './index-entries.js';

/**
 * How many new documents of a collection may be recent. Each settling writes every page of the indexes that they
 * belong to once, and takes some milliseconds.
 */
export const RECENT_DOCUMENTS_MAX = 2_048;
/** So many new documents at once are never recent. */
export const SETTLED_AT_ONCE_MIN = 64;

/** Reads what is recent in a collection, and makes its temporary tables, the first time on a connection. */
export function recentOf(c: Connection, layout: CollectionLayout): Recent {
  const known = c.recent.get(layout.collection.name);
  if (known !== undefined) return known;
  return c.together(() => {
    const recent = {
      settledUpTo: Number(
        c.row('SELECT settled FROM main.definitions WHERE collection = ?', [layout.collection.name])?.[0] ??
          0,
      ),
      lastId: lastId(c, layout),
    };
    for (const index of layout.indexes) {
      if (!isDeferred(index) || hasRecentTable(c, index)) continue;
      c.db.exec(createTable(index, index.recentTable));
      fillRecentTable(c, layout, index, recent);
    }
    c.recent.set(layout.collection.name, recent);
    return recent;
  });
}

export function hasRecent(c: Connection, layout: CollectionLayout): boolean {
  const { settledUpTo, lastId } = recentOf(c, layout);
  return lastId > settledUpTo;
}

/** The number of the next new document. Settles the recent ones first when there are enough. */
export function nextId(c: Connection, layout: CollectionLayout): number {
  const recent = recentOf(c, layout);
  if (recent.lastId - recent.settledUpTo >= RECENT_DOCUMENTS_MAX) settle(c, layout);
  return recent.lastId + 1;
}

/** The table that holds the entries of a document. */
export function tableOf(c: Connection, layout: CollectionLayout, index: IndexLayout, id: number): string {
  return isDeferred(index) && id > recentOf(c, layout).settledUpTo ? index.recentTable : index.table;
}

/**
 * Adds the entries of new documents, whose numbers are `nextId` and later. Many at once share pages of the indexes,
 * so that keeping them apart would only be more work: they are settled at once, after the recent ones before them.
 */
export function addNew(
  c: Connection,
  layout: CollectionLayout,
  documents: readonly NumberedDocument[],
): void {
  const last = documents.at(-1);
  if (last === undefined) return;
  const many = documents.length >= SETTLED_AT_ONCE_MIN;
  if (many && hasRecent(c, layout)) settle(c, layout);
  for (const index of layout.indexes) {
    addEntries(c, index, many || !isDeferred(index) ? index.table : index.recentTable, documents);
  }
  const recent = recentOf(c, layout);
  recent.lastId = last.id;
  if (many) noteSettled(c, layout, recent);
}

/** Moves the entries of the recent documents into the indexes. To be run in a transaction. */
export function settle(c: Connection, layout: CollectionLayout): void {
  const recent = recentOf(c, layout);
  for (const index of layout.indexes) {
    if (!isDeferred(index)) continue;
    c.run(`INSERT OR REPLACE INTO ${index.table} SELECT * FROM ${index.recentTable}`);
    c.run(`DELETE FROM ${index.recentTable}`);
  }
  recent.lastId = Math.max(recent.lastId, lastId(c, layout));
  noteSettled(c, layout, recent);
}

function noteSettled(c: Connection, layout: CollectionLayout, recent: Recent): void {
  c.run('UPDATE main.definitions SET settled = ? WHERE collection = ?', [
    recent.lastId,
    layout.collection.name,
  ]);
  recent.settledUpTo = recent.lastId;
}

/** Forgets what a connection knows of a collection's recent documents. */
export function forgetRecent(c: Connection, layout: CollectionLayout): void {
  c.recent.delete(layout.collection.name);
  for (const { recentTable } of layout.indexes) c.db.exec(`DROP TABLE IF EXISTS ${recentTable}`);
}

/** Forgets all of it when another process has written. To be run in the transaction that reads afterwards. */
export function forgetRecentIfChanged(c: Connection): void {
  const dataVersion = c.row('PRAGMA data_version')?.[0] ?? null;
  if (dataVersion === c.dataVersion) return;
  c.dataVersion = dataVersion;
  c.forget();
  for (const [table] of c.rows("SELECT name FROM temp.sqlite_schema WHERE type = 'table'")) {
    c.db.exec(`DROP TABLE temp."${String(table)}"`);
  }
}

function lastId(c: Connection, { table }: CollectionLayout): number {
  return Number(c.row(`SELECT max(id) FROM ${table}`)?.[0] ?? 0);
}

function hasRecentTable(c: Connection, { tableName }: IndexLayout): boolean {
  return c.row('SELECT 1 FROM temp.sqlite_schema WHERE name = ?', [tableName]) !== undefined;
}

function fillRecentTable(
  c: Connection,
  layout: CollectionLayout,
  index: IndexLayout,
  { settledUpTo }: Recent,
): void {
  for (const [id, body] of c.rows(`SELECT id, body FROM ${layout.table} WHERE id > ?`, [settledUpTo])) {
    const document: Document = JSON.parse(String(body));
    const indexed = withIndexed(layout.collection, document);
    writeEntries(c, index, index.recentTable, entryRows(c, index, indexed, Number(id), 'find'));
  }
}
