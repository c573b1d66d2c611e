import { withIndexed } from '../declared.js';
import { DuplicateKey } from '../documents.js';
import type { Document } from '../documents.js';
import { entryRows } from './collection-layout.js';
import type { CollectionLayout, IndexLayout } from './collection-layout.js';
import type { Row, Statements } from './statements.js';

/** Rows that one INSERT carries. */
const ROWS_PER_INSERT = 8;

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

/** `Documents.put` for one document. To be run in a transaction, as everything here. @throws DuplicateKey */
export function putDocument(s: Statements, layout: CollectionLayout, writing: Writing, now: number): void {
  const { document, body } = writing;
  if (layout.indexes.length === 0) {
    s.run(guardedUpsert(layout), [document.key, document.revision, document.expiresAt ?? null, body, now]);
    return;
  }
  // Most puts of indexed collections are of new documents: these need not be looked for.
  if (!layout.hasUnique && addDocument(s, layout, writing)) return;
  const found = findDocument(s, layout, document.key, now);
  if (found !== undefined && !found.expired && found.revision >= document.revision) return;
  storeDocument(s, layout, writing, found, now);
}

/** `Documents.insert`. Refuses before it writes. @throws DuplicateKey */
export function insertDocument(s: Statements, layout: CollectionLayout, writing: Writing, now: number): void {
  const found = findDocument(s, layout, writing.document.key, now);
  if (found !== undefined && !found.expired) throw new DuplicateKey(layout.collection.name, 'key');
  storeDocument(s, layout, writing, found, now);
}

/** `Documents.replace`. Refuses before it writes. @throws DuplicateKey */
export function replaceDocument(
  s: Statements,
  layout: CollectionLayout,
  writing: Writing,
  expected: number,
  now: number,
): boolean {
  const found = findDocument(s, layout, writing.document.key, now);
  if (found === undefined || found.expired || found.revision !== expected) return false;
  storeDocument(s, layout, writing, found, now);
  return true;
}

/** `Documents.remove`. */
export function removeDocument(
  s: Statements,
  layout: CollectionLayout,
  key: string,
  expected: number | undefined,
  now: number,
): boolean {
  const found = findDocument(s, layout, key, now);
  if (found === undefined || found.expired) return false;
  if (expected !== undefined && found.revision !== expected) return false;
  dropDocument(s, layout, found.id, found.body);
  return true;
}

/** Removes a row of the documents table with all its entries. */
export function dropDocument(s: Statements, layout: CollectionLayout, id: number, body: string): void {
  if (layout.indexes.length > 0) {
    const document = parsed(layout, body);
    for (const index of layout.indexes) removeEntries(s, index, entryRows(index, document, id));
  }
  s.run(`DELETE FROM ${layout.table} WHERE id = ?`, [id]);
}

/** Puts a stored document into an index that was added later; it may be there already. @throws DuplicateKey */
export function indexDocument(
  s: Statements,
  layout: CollectionLayout,
  index: IndexLayout,
  id: number,
  body: string,
  now: number,
): void {
  const rows = entryRows(index, parsed(layout, body), id);
  if (index.definition.unique === true) requireVacant(s, layout, [{ index, rows }], id, now);
  writeEntries(s, index, rows);
}

function guardedUpsert({ table }: CollectionLayout): string {
  return (
    `INSERT INTO ${table} AS stored (key, revision, expires_at, body) VALUES (?, ?, ?, ?) ` +
    'ON CONFLICT (key) DO UPDATE SET revision = excluded.revision, expires_at = excluded.expires_at, body = excluded.body ' +
    'WHERE excluded.revision > stored.revision OR stored.expires_at <= ?'
  );
}

/** @returns false where there is a document with that key, expired or not */
function addDocument(s: Statements, layout: CollectionLayout, { document, body }: Writing): boolean {
  const { changes, rowid } = s.run(
    `INSERT INTO ${layout.table} (key, revision, expires_at, body) VALUES (?, ?, ?, ?) ON CONFLICT (key) DO NOTHING`,
    [document.key, document.revision, document.expiresAt ?? null, body],
  );
  if (changes === 0) return false;
  const indexed = withIndexed(layout.collection, document);
  for (const index of layout.indexes) writeEntries(s, index, entryRows(index, indexed, rowid));
  return true;
}

function findDocument(s: Statements, layout: CollectionLayout, key: string, now: number): Found | undefined {
  const row = s.row(`SELECT id, revision, body, expires_at FROM ${layout.table} WHERE key = ?`, [key]);
  if (row === undefined) return undefined;
  const [id, revision, body, expiresAt] = row;
  return {
    id: Number(id),
    revision: Number(revision),
    body: String(body),
    expired: typeof expiresAt === 'number' && expiresAt <= now,
  };
}

/** Writes a document over the one that was found, or anew; only what differs in the indexes is written. */
function storeDocument(
  s: Statements,
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
      .map(index => ({ index, rows: entryRows(index, indexed, 0) }));
    requireVacant(s, layout, wanted, found?.id, now);
  }
  if (found === undefined) {
    addDocument(s, layout, writing);
    return;
  }
  s.run(`UPDATE ${layout.table} SET revision = ?, expires_at = ?, body = ? WHERE id = ?`, [
    document.revision,
    document.expiresAt ?? null,
    body,
    found.id,
  ]);
  if (layout.indexes.length === 0) return;
  const before = parsed(layout, found.body);
  for (const index of layout.indexes) {
    updateEntries(s, index, entryRows(index, before, found.id), entryRows(index, indexed, found.id));
  }
}

/**
 * Refuses where another document holds the values of a unique index; only when all are free, expired holders
 * are removed.
 * @throws DuplicateKey
 */
function requireVacant(
  s: Statements,
  layout: CollectionLayout,
  wanted: readonly { readonly index: IndexLayout; readonly rows: readonly Row[] }[],
  id: number | undefined,
  now: number,
): void {
  const expired = new Map<number, string>();
  for (const { index, rows } of wanted) {
    for (const row of rows) {
      const holder = s.row(
        `SELECT d.id, d.expires_at, d.body FROM ${index.table} AS e JOIN ${layout.table} AS d ON d.id = e.document ` +
          `WHERE ${matches(index.equals, 'e.')}`,
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
  for (const [holderId, body] of expired) dropDocument(s, layout, holderId, body);
}

function updateEntries(
  s: Statements,
  index: IndexLayout,
  before: readonly Row[],
  after: readonly Row[],
): void {
  if (before.length === after.length && before.every((row, at) => sameRow(row, after[at]))) return;
  const rowsBefore = byIdentity(index, before);
  const rowsAfter = byIdentity(index, after);
  const gone = [...rowsBefore].filter(([identity]) => !rowsAfter.has(identity));
  const changed = [...rowsAfter].filter(([identity, row]) => !sameRow(row, rowsBefore.get(identity)));
  removeEntries(
    s,
    index,
    gone.map(([, row]) => row),
  );
  writeEntries(
    s,
    index,
    changed.map(([, row]) => row),
  );
}

function byIdentity({ identityColumns }: IndexLayout, rows: readonly Row[]): Map<string, Row> {
  return new Map(rows.map(row => [JSON.stringify(row.slice(0, identityColumns)), row]));
}

function sameRow(row: Row, other: Row | undefined): boolean {
  return other !== undefined && row.every((value, at) => value === other[at]);
}

function writeEntries(s: Statements, index: IndexLayout, rows: readonly Row[]): void {
  for (let from = 0; from < rows.length; from += ROWS_PER_INSERT) {
    const some = rows.slice(from, from + ROWS_PER_INSERT);
    const values = `(${index.columns.map(() => '?').join()})`;
    s.run(`INSERT OR REPLACE INTO ${index.table} VALUES ${some.map(() => values).join()}`, some.flat());
  }
}

function removeEntries(s: Statements, index: IndexLayout, rows: readonly Row[]): void {
  const sql = `DELETE FROM ${index.table} WHERE ${matches(index.columns.slice(0, index.identityColumns), '')}`;
  for (const row of rows) s.run(sql, row.slice(0, index.identityColumns));
}

function matches(columns: readonly string[], table: string): string {
  return columns.map(column => `${table}${column} = ?`).join(' AND ');
}

function parsed({ collection }: CollectionLayout, body: string): Document {
  const document: Document = JSON.parse(body);
  return withIndexed(collection, document);
}
