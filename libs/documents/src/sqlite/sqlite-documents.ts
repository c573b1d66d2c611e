import { join } from 'node:path';
import { checkCollection, checkLimit, checkReplacement, declaredIndex, endOfPrefix } from '../declared.js';
import { Documents, DocumentsUnavailable } from '../documents.js';
import type { Collection, Document, IndexQuery, KeyRange, Write } from '../documents.js';
import type { CollectionLayout, IndexLayout } from './collection-layout.js';
import {
  clearRemains,
  dropCollection,
  ensureCollection,
  remainingCollections,
  storedDefinition,
} from './collection-schema.js';
import { DocumentFile } from './document-file.js';
import { readByKeys, readDocuments, searchDocuments } from './document-reader.js';
import {
  dropDocument,
  insertDocument,
  putDocument,
  removeDocument,
  replaceDocument,
} from './document-writer.js';
import type { Writing } from './document-writer.js';
import { countInIndex, documentByKey, documentsInIndex, documentsInRange } from './query-plan.js';

export interface SqliteDocumentsOptions {
  /** Holds `records.db` and `views.db`; made where it is missing. */
  readonly directory: string;
  /** Milliseconds since the epoch, by which documents expire. */
  readonly now?: () => number;
}

/** Documents that one transaction writes or removes on behalf of one call. */
export const DOCUMENTS_PER_WRITE = 256;
/** How often expired documents are removed from the files. They are invisible from the first millisecond. */
export const PURGE_INTERVAL_MS = 60_000;

/**
 * Documents in two SQLite files: `records.db` for durable collections, every commit synced, and `views.db` for
 * derived ones. One process writes; others may read the files meanwhile.
 */
export class SqliteDocuments extends Documents {
  private readonly files: { readonly durable: DocumentFile; readonly derived: DocumentFile };
  private readonly purging: NodeJS.Timeout;
  private shaping: Promise<unknown> = Promise.resolve();

  private constructor(
    { directory }: SqliteDocumentsOptions,
    private readonly now: () => number,
  ) {
    super();
    const durable = new DocumentFile({ file: join(directory, 'records.db'), synchronous: 'FULL' });
    try {
      const derived = new DocumentFile({ file: join(directory, 'views.db'), synchronous: 'NORMAL' });
      this.files = { durable, derived };
    } catch (error) {
      void durable.close();
      throw error;
    }
    this.purging = setInterval(() => void this.purgeQuietly(), PURGE_INTERVAL_MS).unref();
  }

  /** @throws DatabaseRefused for a file that is foreign, damaged, newer or not accessible; it is then unchanged */
  static open(options: SqliteDocumentsOptions): SqliteDocuments {
    return new SqliteDocuments(options, options.now ?? Date.now);
  }

  async ensure(collections: readonly Collection<Document>[]): Promise<void> {
    for (const collection of collections) checkCollection(collection);
    await this.inTurn(async () => {
      for (const collection of collections) {
        const other = this.files[collection.durability === 'durable' ? 'derived' : 'durable'];
        if (other.read(s => storedDefinition(s, collection.name)) !== undefined) {
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
    const body = file.read(s => s.row(documentByKey(layout), [key, this.now()]))?.[0];
    if (typeof body !== 'string') return null;
    const document: T = JSON.parse(body);
    return document;
  }

  async getMany<T extends Document>(collection: Collection<T>, keys: readonly string[]): Promise<T[]> {
    checkLimit(keys.length);
    const file = this.fileOf(collection);
    return readByKeys<T>(work => file.read(work), file.layout(collection), keys, this.now());
  }

  async range<T extends Document>(collection: Collection<T>, range: KeyRange): Promise<T[]> {
    checkLimit(range.limit);
    const file = this.fileOf(collection);
    const bound = documentsInRange(file.layout(collection), range, this.now());
    return readDocuments<T>(work => file.read(work), bound, range.limit);
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
      documentsInIndex(layout, index, query, this.now()),
      query.limit,
    );
  }

  async count<T extends Document>(
    collection: Collection<T>,
    query: Pick<IndexQuery, 'index' | 'equals'> & { readonly limit: number },
  ): Promise<number> {
    checkLimit(query.limit, Number.MAX_SAFE_INTEGER);
    const file = this.fileOf(collection);
    const index = declaredLayout(file.layout(collection), query);
    const { sql, values } = countInIndex(index, query, this.now());
    return Number(file.read(s => s.row(sql, values))?.[0]);
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
    await file.write(s => insertDocument(s, layout, writing, this.now()), writeOptions([writing]));
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
      s => replaceDocument(s, layout, writing, expected, this.now()),
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
    return file.write(s => removeDocument(s, layout, key, expected, this.now()));
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

  /** Removes what has expired, and what interrupted drops left, in bounded steps. @throws DocumentsUnavailable */
  async purge(): Promise<void> {
    for (const file of [this.files.durable, this.files.derived]) {
      for (const name of file.read(remainingCollections)) await clearRemains(job => file.write(job), name);
      for (const layout of file.ensured()) {
        await this.removeSome(file, layout, 'expires_at <= ? ORDER BY expires_at', [this.now()]);
      }
    }
  }

  /** The timer tries again later; whoever uses the store meanwhile learns what is wrong. */
  private async purgeQuietly(): Promise<void> {
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
        s => {
          const now = this.now();
          for (const part of some) putDocument(s, part.layout, part, now);
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
      removed = await file.write(s => {
        if (!file.holds(layout)) return 0;
        const rows = s.rows(`SELECT id, body FROM ${layout.table} WHERE ${where} LIMIT ?`, [
          ...values,
          DOCUMENTS_PER_WRITE,
        ]);
        for (const [id, body] of rows) dropDocument(s, layout, Number(id), String(body));
        return rows.length;
      });
    }
  }

  /** Changes of collections one after the other. */
  private inTurn<R>(work: () => Promise<R>): Promise<R> {
    const result = this.shaping.then(work);
    this.shaping = result.catch(() => undefined);
    return result;
  }

  private fileOf({ durability }: Pick<Collection<Document>, 'durability'>): DocumentFile {
    return this.files[durability];
  }
}

interface Part extends Writing {
  readonly layout: CollectionLayout;
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
