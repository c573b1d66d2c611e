import { withIndexed } from '../declared.js';
import { DamagedDocument, DuplicateKey, type Document } from '../documents.js';
import type { CollectionLayout, IndexLayout } from './collection-layout.js';
import type { Connection, Row, Stored } from './connection.js';
import {
  addEntries,
  entryRows,
  removeEntries,
  removeEntriesOf,
  updateEntries,
  writeEntries,
  type NumberedDocument,
} from './index-entries.js';
import { insertRows } from './row-insert.js';

/** A document about to be written, serialised once. */
export interface Writing {
  readonly document: Document;
  readonly body: string;
}

interface Found {
  readonly id: number;
  readonly revision: number;
  readonly body: string;
  readonly expired: boolean;
}

/** `Documents.put` for one collection. To be run in a transaction, as everything here. @throws DuplicateKey */
export function putDocuments(
  c: Connection,
  layout: CollectionLayout,
  writings: readonly Writing[],
  now: number,
): void {
  if (layout.indexes.length === 0) {
    upsertDocuments(c, layout, writings, now);
    return;
  }
  // Most puts of indexed collections are of new documents: these need not be looked for.
  const left = layout.hasUnique ? writings : addDocuments(c, layout, writings);
  for (const writing of left) {
    const found = findDocument(c, layout, writing.document.key, now);
    if (found !== undefined && !found.expired && found.revision >= writing.document.revision) continue;
    storeDocument(c, layout, writing, found, now);
  }
}

/** `Documents.insert`. Refuses before it writes. @throws DuplicateKey */
export function insertDocument(c: Connection, layout: CollectionLayout, writing: Writing, now: number): void {
  const found = findDocument(c, layout, writing.document.key, now);
  if (found !== undefined && !found.expired) throw new DuplicateKey(layout.collection.name, 'key');
  storeDocument(c, layout, writing, found, now);
}

/** `Documents.replace`. Refuses before it writes. @throws DuplicateKey */
export function replaceDocument(
  c: Connection,
  layout: CollectionLayout,
  writing: Writing,
  expected: number,
  now: number,
): boolean {
  const found = findDocument(c, layout, writing.document.key, now);
  if (found === undefined || found.expired || found.revision !== expected) return false;
  storeDocument(c, layout, writing, found, now);
  return true;
}

/** `Documents.remove`. */
export function removeDocument(
  c: Connection,
  layout: CollectionLayout,
  key: string,
  expected: number | undefined,
  now: number,
): boolean {
  const found = findDocument(c, layout, key, now);
  if (found === undefined || found.expired) return false;
  if (expected !== undefined && found.revision !== expected) return false;
  dropDocument(c, layout, found.id, found.body);
  return true;
}

/** Removes a row of the documents table with all its entries, also one of which the text is damaged. */
export function dropDocument(c: Connection, layout: CollectionLayout, id: number, body: string): void {
  if (layout.indexes.length > 0) {
    const document = parsed(layout, body);
    for (const index of layout.indexes) {
      if (document === null) removeEntriesOf(c, index, id);
      else removeEntries(c, index, entryRows(c, index, document, id, 'find'));
    }
  }
  c.run(`DELETE FROM ${layout.table} WHERE id = ?`, [id]);
}

/** Puts a document into an index that was added later; it may be there already. @throws DuplicateKey, DamagedDocument */
export function indexDocument(
  c: Connection,
  layout: CollectionLayout,
  index: IndexLayout,
  { id, key, body }: { readonly id: number; readonly key: string; readonly body: string },
  now: number,
): void {
  const document = parsed(layout, body);
  if (document === null) throw new DamagedDocument(layout.collection.name, key);
  const rows = entryRows(c, index, document, id, 'make');
  if (index.definition.unique === true) requireVacant(c, layout, [{ index, rows }], id, now);
  writeEntries(c, index, rows);
}

function upsertDocuments(
  c: Connection,
  { upsert }: CollectionLayout,
  writings: readonly Writing[],
  now: number,
): void {
  const fill = (values: Stored[], at: number, row: number): void => {
    const { document, body } = writings[row]!;
    values[at] = document.key;
    values[at + 1] = document.revision;
    values[at + 2] = document.expiresAt ?? null;
    values[at + 3] = body;
  };
  insertRows(c, upsert, writings.length, fill, { last: [now] });
}

/** @returns what was not added, because there is a document with that key, expired or not */
function addDocuments(c: Connection, layout: CollectionLayout, writings: readonly Writing[]): Writing[] {
  const firstId = lastId(c, layout) + 1;
  const added: NumberedDocument[] = [];
  const left: Writing[] = [];
  const fill = (values: Stored[], at: number, row: number): void => {
    const { document, body } = writings[row]!;
    values[at] = firstId + row;
    values[at + 1] = document.key;
    values[at + 2] = document.revision;
    values[at + 3] = document.expiresAt ?? null;
    values[at + 4] = body;
  };
  const inserted = (from: number, rows: number, changes: number): void => {
    const ids = changes === rows ? null : idsFrom(c, layout, firstId + from);
    for (let row = from; row < from + rows; row++) {
      const id = firstId + row;
      const writing = writings[row]!;
      if (ids?.has(id) === false) left.push(writing);
      else added.push({ id, document: withIndexed(layout.collection, writing.document) });
    }
  };
  insertRows(c, layout.insert, writings.length, fill, { inserted });
  const last = added.at(-1);
  if (last === undefined) return left;
  for (const index of layout.indexes) addEntries(c, index, added);
  c.lastIds.set(layout.collection.name, last.id);
  return left;
}

/** The greatest number that a document has. */
export function lastId(c: Connection, { collection, table }: CollectionLayout): number {
  const known = c.lastIds.get(collection.name);
  if (known !== undefined) return known;
  const found = Number(c.row(`SELECT max(id) FROM ${table}`)?.[0] ?? 0);
  c.lastIds.set(collection.name, found);
  return found;
}

function idsFrom(c: Connection, { table }: CollectionLayout, id: number): Set<number> {
  return new Set(c.rows(`SELECT id FROM ${table} WHERE id >= ?`, [id]).map(([found]) => Number(found)));
}

function findDocument(c: Connection, layout: CollectionLayout, key: string, now: number): Found | undefined {
  const row = c.row(`SELECT id, revision, body, expires_at FROM ${layout.table} WHERE key = ?`, [key]);
  if (row === undefined) return undefined;
  const [id, revision, body, expiresAt] = row;
  return {
    id: Number(id),
    revision: Number(revision),
    body: String(body),
    expired: typeof expiresAt === 'number' && expiresAt <= now,
  };
}

/**
 * Writes a document over the one that was found, or anew; only what differs in the indexes is written. One of which the
 * text is damaged is replaced as any other, since what is written does not depend on it.
 */
function storeDocument(
  c: Connection,
  layout: CollectionLayout,
  writing: Writing,
  found: Found | undefined,
  now: number,
): void {
  const { document, body } = writing;
  const indexed = withIndexed(layout.collection, document);
  if (layout.hasUnique) {
    const wanted = layout.indexes
      .filter(({ definition }) => definition.unique === true)
      .map(index => ({ index, rows: entryRows(c, index, indexed, 0, 'find') }));
    requireVacant(c, layout, wanted, found?.id, now);
  }
  if (found === undefined) {
    if (layout.indexes.length === 0) upsertDocuments(c, layout, [writing], now);
    else addDocuments(c, layout, [writing]);
    return;
  }
  c.run(`UPDATE ${layout.table} SET revision = ?, expires_at = ?, body = ? WHERE id = ?`, [
    document.revision,
    document.expiresAt ?? null,
    body,
    found.id,
  ]);
  if (layout.indexes.length === 0) return;
  const before = parsed(layout, found.body);
  for (const index of layout.indexes) {
    const rows = entryRows(c, index, indexed, found.id, 'make');
    if (before === null) {
      removeEntriesOf(c, index, found.id);
      writeEntries(c, index, rows);
    } else updateEntries(c, index, entryRows(c, index, before, found.id, 'find'), rows);
  }
}

/**
 * Refuses where another document holds the values of a unique index; only when all are free, expired holders
 * are removed.
 * @throws DuplicateKey
 */
function requireVacant(
  c: Connection,
  layout: CollectionLayout,
  wanted: readonly { readonly index: IndexLayout; readonly rows: readonly Row[] }[],
  id: number | undefined,
  now: number,
): void {
  const expired = new Map<number, string>();
  for (const { index, rows } of wanted) {
    for (const row of rows) {
      const holder = c.row(
        `SELECT d.id, d.expires_at, d.body FROM ${index.table} AS e JOIN ${layout.table} AS d ON d.id = e.document ` +
          `WHERE ${index.equals.map(column => `e.${column} = ?`).join(' AND ')}`,
        row.slice(0, index.equals.length),
      );
      if (holder === undefined || holder[0] === id) continue;
      const [holderId, expiresAt, body] = holder;
      if (typeof expiresAt !== 'number' || expiresAt > now) {
        throw new DuplicateKey(layout.collection.name, index.definition.name);
      }
      expired.set(Number(holderId), String(body));
    }
  }
  for (const [holderId, body] of expired) dropDocument(c, layout, holderId, body);
}

/** A stored document; null where its text is damaged. */
function parsed({ collection }: CollectionLayout, body: string): Document | null {
  try {
    const document: Document = JSON.parse(body);
    return withIndexed(collection, document);
  } catch {
    return null;
  }
}
