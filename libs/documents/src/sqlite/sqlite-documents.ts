import { join } from 'node:path';
import { checkCollection, checkLimit, checkReplacement, declaredIndex, endOfPrefix } from '../declared.js';
import { Documents, DocumentsUnavailable, REVISIONS_MAX } from '../documents.js';
import type { Collection, Document, DocumentKey, IndexQuery, KeyRange, Write } from '../documents.js';
import { layoutOf } from './collection-layout.js';
import type { CollectionLayout, IndexLayout } from './collection-layout.js';
import {
  clearRemains,
  dropCollection,
  ensureCollection,
  isComplete,
  remainingCollections,
  storedDefinition,
} from './collection-schema.js';
import { DocumentFile } from './document-file.js';
import { readByKeys, readDocuments, searchDocuments, sourceOf } from './document-reader.js';
import {
  dropDocument,
  insertDocument,
  putDocuments,
  removeDocument,
  replaceDocument,
} from './document-writer.js';
import type { Writing } from './document-writer.js';
import type { Connection } from './connection.js';
import { sweepGroups } from './index-entries.js';
import { hasRecent, settle } from './recent-documents.js';
import {
  countInIndex,
  documentByKey,
  documentsInIndex,
  documentsInRange,
  revisionsOf,
} from './query-plan.js';

export interface SqliteDocumentsOptions {
  /** Holds `records.db` and `views.db`; made where it is missing. */
  readonly directory: string;
  /** Milliseconds since the epoch, by which documents expire. */
  readonly now?: () => number;
  /** For a process beside the one that writes: the files must be there, and every write is refused. */
  readonly readOnly?: boolean;
}

/** The files of the two durabilities. */
export interface DocumentFiles {
  readonly durable: DocumentFile;
  readonly derived: DocumentFile;
}

const RECORDS_CACHE_BYTES = 8 * 1024 * 1024;
/** Holds an index of 200,000 entries, so that searching through it does not read the file each time. */
const VIEWS_CACHE_BYTES = 48 * 1024 * 1024;

/** Documents that one transaction writes or removes on behalf of one call. */
export const DOCUMENTS_PER_WRITE = 256;
/** How often expired documents are removed from the files. They are invisible from the first millisecond. */
export const PURGE_INTERVAL_MS = 60_000;

/**
 * Documents in two SQLite files: `records.db` for durable collections, every commit synced, and `views.db` for
 * derived ones. One process writes; others may read the files meanwhile.
 */
export class SqliteDocuments extends Documents {
  private readonly purging: NodeJS.Timeout;
  private shaping: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly files: DocumentFiles,
    private readonly now: () => number = Date.now,
    private readonly readOnly = false,
  ) {
    super();
    this.purging = setInterval(() => void this.purgeQuietly(), PURGE_INTERVAL_MS).unref();
  }

  /** @throws DatabaseRefused for a file that is foreign, damaged, newer or not accessible; it is then unchanged */
  static open(options: SqliteDocumentsOptions): SqliteDocuments {
    return new SqliteDocuments(SqliteDocuments.files(options), options.now, options.readOnly);
  }

  /** @throws DatabaseRefused */
  static files({ directory, readOnly = false }: Omit<SqliteDocumentsOptions, 'now'>): DocumentFiles {
    const durable = new DocumentFile({
      file: join(directory, 'records.db'),
      synchronous: 'FULL',
      cacheBytes: RECORDS_CACHE_BYTES,
      readOnly,
    });
    try {
      const derived = new DocumentFile({
        file: join(directory, 'views.db'),
        synchronous: 'NORMAL',
        cacheBytes: VIEWS_CACHE_BYTES,
        readOnly,
      });
      return { durable, derived };
    } catch (error) {
      void durable.close();
      throw error;
    }
  }

  async ensure(collections: readonly Collection<Document>[]): Promise<void> {
    for (const collection of collections) checkCollection(collection);
    if (this.readOnly) {
      for (const collection of collections) this.adoptComplete(collection);
      return;
    }
    await this.inTurn(async () => {
      for (const collection of collections) {
        const other = this.files[collection.durability === 'durable' ? 'derived' : 'durable'];
        if (other.read(c => storedDefinition(c, collection.name)) !== undefined) {
          throw new RangeError(
            `collection ${collection.name} is stored, but not as ${collection.durability}`,
          );
        }
        const file = this.fileOf(collection);
        const former = file.known(collection);
        try {
          await ensureCollection(
            job => file.write(job),
            collection,
            this.now,
            layout => file.adopt(layout),
          );
        } catch (error) {
          file.forget(collection.name);
          if (former !== undefined) file.adopt(former);
          throw error;
        }
      }
    });
  }

  async get<T extends Document>(collection: Collection<T>, key: string): Promise<T | null> {
    const file = this.fileOf(collection);
    const layout = file.layout(collection);
    const known = file.documents.find(collection, key);
    if (known !== undefined) return this.isExpired(known) ? null : known;
    const body = file.read(c => c.row(documentByKey(layout), [key, this.now()]))?.[0];
    if (typeof body !== 'string') return null;
    const document: T = JSON.parse(body);
    file.documents.note(collection, document, body.length);
    return document;
  }

  async getMany<T extends Document>(collection: Collection<T>, keys: readonly string[]): Promise<T[]> {
    checkLimit(keys.length);
    const file = this.fileOf(collection);
    const layout = file.layout(collection);
    const known: T[] = [];
    const unknown: string[] = [];
    for (const key of new Set(keys)) {
      const document = file.documents.find(collection, key);
      if (document === undefined) unknown.push(key);
      else if (!this.isExpired(document)) known.push(document);
    }
    if (unknown.length === 0) return known;
    return [...known, ...(await readByKeys<T>(work => file.read(work), layout, unknown, this.now()))];
  }

  async revisions(wanted: readonly DocumentKey[]): Promise<(number | null)[]> {
    checkLimit(wanted.length, REVISIONS_MAX);
    const found = new Map<DocumentKey, number | null>();
    for (const one of wanted) {
      const known = this.fileOf(one.collection).documents.find(one.collection, one.key);
      if (known !== undefined) found.set(one, this.isExpired(known) ? null : known.revision);
    }
    for (const file of [this.files.durable, this.files.derived]) {
      const here = wanted.filter(one => !found.has(one) && this.fileOf(one.collection) === file);
      if (here.length === 0) continue;
      const { sql, values } = revisionsOf(
        here.map(({ collection, key }) => ({ layout: file.layout(collection), key })),
        this.now(),
      );
      const row = file.read(c => c.row(sql, values)) ?? [];
      for (const [at, one] of here.entries()) found.set(one, typeof row[at] === 'number' ? row[at] : null);
    }
    return wanted.map(one => found.get(one) ?? null);
  }

  async range<T extends Document>(collection: Collection<T>, range: KeyRange): Promise<T[]> {
    checkLimit(range.limit);
    const file = this.fileOf(collection);
    const bound = documentsInRange(file.layout(collection), range, this.now());
    return readDocuments<T>(
      work => file.read(work),
      () => bound,
      range.limit,
    );
  }

  async query<T extends Document>(collection: Collection<T>, query: IndexQuery): Promise<T[]> {
    checkLimit(query.limit);
    const file = this.fileOf(collection);
    const layout = file.layout(collection);
    const index = declaredLayout(layout, query);
    const { where } = query;
    if (where !== undefined) {
      return searchDocuments<T>(work => file.read(work), layout, index, { ...query, where }, this.now());
    }
    return readDocuments<T>(
      work => file.read(work),
      c => {
        const source = sourceOf(c, layout, index, query.equals);
        return source === null ? null : documentsInIndex(layout, source, query, this.now());
      },
      query.limit,
    );
  }

  async count<T extends Document>(
    collection: Collection<T>,
    query: Pick<IndexQuery, 'index' | 'equals'> & { readonly limit: number },
  ): Promise<number> {
    checkLimit(query.limit, Number.MAX_SAFE_INTEGER);
    const file = this.fileOf(collection);
    const layout = file.layout(collection);
    const index = declaredLayout(layout, query);
    return file.read(c => {
      const source = sourceOf(c, layout, index, query.equals);
      if (source === null) return 0;
      const { sql, values } = countInIndex(source, query.limit, this.now());
      return Number(c.row(sql, values)?.[0]);
    });
  }

  put<T extends Document>(collection: Collection<T>, documents: readonly T[]): Promise<void> {
    return this.putAll([{ collection, documents }]);
  }

  async putAll(writes: readonly Write[]): Promise<void> {
    const parts = { durable: [] as Part[], derived: [] as Part[] };
    for (const { collection, documents } of writes) {
      const layout = this.fileOf(collection).layout(collection);
      for (const document of documents)
        parts[collection.durability].push({ layout, ...serialised(document) });
    }
    await Promise.all([
      this.putParts(this.files.durable, parts.durable),
      this.putParts(this.files.derived, parts.derived),
    ]);
  }

  async insert<T extends Document>(collection: Collection<T>, document: T): Promise<void> {
    const file = this.fileOf(collection);
    const layout = file.layout(collection);
    const writing = serialised(document);
    await file.write(
      c => {
        file.documents.forget(collection, document.key);
        insertDocument(c, layout, writing, this.now());
      },
      writeOptions([writing]),
    );
  }

  async replace<T extends Document>(
    collection: Collection<T>,
    document: T,
    expected: number,
  ): Promise<boolean> {
    checkReplacement(document, expected);
    const file = this.fileOf(collection);
    const layout = file.layout(collection);
    const writing = serialised(document);
    return file.write(
      c => {
        file.documents.forget(collection, document.key);
        return replaceDocument(c, layout, writing, expected, this.now());
      },
      writeOptions([writing]),
    );
  }

  async remove<T extends Document>(
    collection: Collection<T>,
    key: string,
    expected?: number,
  ): Promise<boolean> {
    const file = this.fileOf(collection);
    const layout = file.layout(collection);
    return file.write(c => {
      file.documents.forget(collection, key);
      return removeDocument(c, layout, key, expected, this.now());
    });
  }

  async removePrefix<T extends Document>(collection: Collection<T>, prefix: string): Promise<void> {
    const file = this.fileOf(collection);
    const layout = file.layout(collection);
    const end = endOfPrefix(prefix);
    const sql = `key >= ? ${end === null ? '' : 'AND key < ?'} ORDER BY key`;
    await this.removeSome(file, layout, sql, end === null ? [prefix] : [prefix, end]);
  }

  async drop(name: string): Promise<void> {
    await this.inTurn(async () => {
      for (const file of [this.files.durable, this.files.derived]) {
        file.forget(name);
        file.documents.forgetAll();
        await dropCollection(job => file.write(job), name);
      }
    });
  }

  async ping(): Promise<void> {
    this.files.durable.requireFile();
    this.files.derived.requireFile();
  }

  async close(): Promise<void> {
    clearInterval(this.purging);
    await Promise.all([this.files.durable.close(), this.files.derived.close()]);
  }

  /**
   * Removes what has expired and what interrupted drops left, in bounded steps, and settles what is recent.
   * @throws DocumentsUnavailable
   */
  async purge(): Promise<void> {
    for (const file of [this.files.durable, this.files.derived]) {
      for (const name of file.read(remainingCollections)) await clearRemains(job => file.write(job), name);
      for (const layout of file.ensured()) {
        if (layout.indexes.length > 0) await file.write(c => tidy(c, file, layout));
        await this.removeSome(file, layout, 'expires_at <= ? ORDER BY expires_at', [this.now()]);
      }
    }
  }

  /** The timer tries again later; whoever uses the store meanwhile learns what is wrong. */
  private async purgeQuietly(): Promise<void> {
    if (this.readOnly) return;
    try {
      await this.purge();
    } catch (error) {
      if (!(error instanceof DocumentsUnavailable)) throw error;
    }
  }

  private async putParts(file: DocumentFile, parts: readonly Part[]): Promise<void> {
    for (let from = 0; from < parts.length; from += DOCUMENTS_PER_WRITE) {
      const some = parts.slice(from, from + DOCUMENTS_PER_WRITE);
      await file.write(
        c => {
          const now = this.now();
          for (const { layout, document } of some) file.documents.forget(layout.collection, document.key);
          for (const [layout, writings] of byLayout(some)) putDocuments(c, layout, writings, now);
        },
        { ...writeOptions(some), refusesFirst: some.length === 1 },
      );
    }
  }

  private async removeSome(
    file: DocumentFile,
    layout: CollectionLayout,
    where: string,
    values: readonly (string | number)[],
  ): Promise<void> {
    let removed = DOCUMENTS_PER_WRITE;
    while (removed === DOCUMENTS_PER_WRITE) {
      removed = await file.write(c => {
        if (!file.holds(layout)) return 0;
        const rows = c.rows(`SELECT id, body, key FROM ${layout.table} WHERE ${where} LIMIT ?`, [
          ...values,
          DOCUMENTS_PER_WRITE,
        ]);
        for (const [id, body, key] of rows) {
          file.documents.forget(layout.collection, String(key));
          dropDocument(c, layout, Number(id), String(body));
        }
        return rows.length;
      });
    }
  }

  private adoptComplete(collection: Collection<Document>): void {
    const file = this.fileOf(collection);
    if (!file.read(c => isComplete(c, collection))) {
      throw new DocumentsUnavailable(
        `collection ${collection.name} is not there yet, or not as it is declared`,
      );
    }
    file.adopt(layoutOf(collection));
  }

  /** Changes of collections one after the other. */
  private inTurn<R>(work: () => Promise<R>): Promise<R> {
    const result = this.shaping.then(work);
    this.shaping = result.catch(() => undefined);
    return result;
  }

  private isExpired({ expiresAt }: Document): boolean {
    return expiresAt !== undefined && expiresAt <= this.now();
  }

  private fileOf({ durability }: Pick<Collection<Document>, 'durability'>): DocumentFile {
    return this.files[durability];
  }
}

interface Part extends Writing {
  readonly layout: CollectionLayout;
}

function tidy(c: Connection, file: DocumentFile, layout: CollectionLayout): void {
  if (!file.holds(layout)) return;
  if (hasRecent(c, layout)) settle(c, layout);
  sweepGroups(c, layout);
}

/** In the order of keys, which is mostly that of the pages that they go to. */
function byLayout(parts: readonly Part[]): Map<CollectionLayout, Part[]> {
  const grouped = new Map<CollectionLayout, Part[]>();
  for (const part of parts) {
    const same = grouped.get(part.layout);
    if (same === undefined) grouped.set(part.layout, [part]);
    else same.push(part);
  }
  for (const same of grouped.values()) same.sort(byKey);
  return grouped;
}

function byKey({ document: a }: Writing, { document: b }: Writing): number {
  if (a.key === b.key) return 0;
  return a.key < b.key ? -1 : 1;
}

function serialised(document: Document): Writing {
  return { document, body: JSON.stringify(document) };
}

function writeOptions(writings: readonly Writing[]): {
  readonly bytes: number;
  readonly refusesFirst: boolean;
} {
  return { bytes: writings.reduce((sum, { body }) => sum + body.length, 0), refusesFirst: true };
}

function declaredLayout(
  layout: CollectionLayout,
  query: Pick<IndexQuery, 'index' | 'equals' | 'after' | 'where'>,
): IndexLayout {
  const definition = declaredIndex(layout.collection, query);
  return layout.indexes[layout.collection.indexes.indexOf(definition)]!;
}
