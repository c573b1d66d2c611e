import {
  checkLimit,
  checkReplacement,
  declaredIndex,
  eachEntry,
  endOfPrefix,
  withIndexed,
} from '../declared.js';
import {
  DocumentsUnavailable,
  type Collection,
  type Document,
  type Documents,
  type DocumentText,
  type IndexQuery,
  type KeyRange,
  type Write,
} from '../documents.js';
import { Turns } from '#concurrency/turns';
import { layoutOf, type CollectionLayout, type IndexLayout } from './collection-layout.js';
import {
  clearRemains,
  dropCollection,
  ensureCollection,
  isComplete,
  remainingCollections,
  storedDefinition,
} from './collection-schema.js';
import type { DocumentFile } from './document-file.js';
import {
  digestDocuments,
  parseDocument,
  readByKeys,
  readDocuments,
  readRange,
  searchDocuments,
  sourceOf,
} from './document-reader.js';
import {
  dropDocument,
  insertDocument,
  putDocuments,
  removeDocument,
  replaceDocument,
  type Writing,
} from './document-writer.js';
import { sweepGroups } from './index-entries.js';
import { documentOf, writingsOf, type SerialisedDocuments } from './serialised-documents.js';
import { countInIndex, documentByKey, documentsInIndex } from './query-plan.js';

/** Documents that one transaction writes or removes on behalf of one call. */
export const DOCUMENTS_PER_WRITE = 256;
/** Documents of a large transaction that are parsed at the same time: garbage collection copies what is in use. */
const PARSED_AT_ONCE = 512;
/** Behind a batch with at least this many documents of one collection there are mostly more. */
const SYNCED_AHEAD_DOCUMENTS = 1_024;

/** The documents of one durability: all of `Documents`, for collections of that durability. */
export interface DurabilityDocuments extends Omit<Documents, 'put'> {
  /** Whether a collection is stored here. */
  holds(name: string): boolean;

  /** Removes what has expired. @throws DocumentsUnavailable */
  purge(): Promise<void>;
}

/** The documents in one file. */
export class FileDocuments implements DurabilityDocuments {
  /** Changes of collections. */
  private readonly shaping = new Turns();

  /**
   * @param now milliseconds since the epoch, by which documents expire
   * @param access `read`: another process or thread writes the file
   */
  constructor(
    readonly file: DocumentFile,
    private readonly now: () => number,
    private readonly access: 'write' | 'read' = 'write',
  ) {}

  holds(name: string): boolean {
    return this.file.read(c => storedDefinition(c, name)) !== undefined;
  }

  async ensure(collections: readonly Collection<Document>[]): Promise<void> {
    if (this.access === 'read') {
      for (const collection of collections) this.adoptComplete(collection);
      return;
    }
    await this.shaping.take(async () => {
      for (const collection of collections) await this.ensureOne(collection);
    });
  }

  private async ensureOne(collection: Collection<Document>): Promise<void> {
    const { file } = this;
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

  async get<T extends Document>(collection: Collection<T>, key: string): Promise<T | null> {
    const { file } = this;
    const layout = file.layout(collection);
    const known = file.documents.find(collection, key);
    if (known !== undefined) return isExpired(known, this.now()) ? null : known;
    const body = file.read(c => c.row(documentByKey(layout), [key, this.now()]))?.[0];
    if (typeof body !== 'string') return null;
    const document = parseDocument<T>(layout, key, body);
    file.documents.note(collection, document, body.length);
    return document;
  }

  async getMany<T extends Document>(collection: Collection<T>, keys: readonly string[]): Promise<T[]> {
    checkLimit(keys.length);
    const { file } = this;
    const layout = file.layout(collection);
    const known: T[] = [];
    const unknown: string[] = [];
    for (const key of new Set(keys)) {
      const document = file.documents.find(collection, key);
      if (document === undefined) unknown.push(key);
      else if (!isExpired(document, this.now())) known.push(document);
    }
    if (unknown.length === 0) return known;
    return [...known, ...(await readByKeys<T>(work => file.read(work), layout, unknown, this.now()))];
  }

  async range<T extends Document>(collection: Collection<T>, range: KeyRange): Promise<T[]> {
    checkLimit(range.limit);
    const { file } = this;
    return readRange<T>(work => file.read(work), file.layout(collection), range, this.now());
  }

  async digest<T extends Document>(
    collection: Collection<T>,
    range: Pick<KeyRange, 'from' | 'before'>,
  ): Promise<string> {
    const { file } = this;
    return digestDocuments(work => file.read(work), file.layout(collection), range, this.now());
  }

  async query<T extends Document>(collection: Collection<T>, query: IndexQuery): Promise<T[]> {
    checkLimit(query.limit);
    const { file } = this;
    const layout = file.layout(collection);
    const index = declaredLayout(layout, query);
    const { where } = query;
    if (where !== undefined) {
      return searchDocuments<T>(
        work => file.readTogether(work),
        layout,
        index,
        { ...query, where },
        this.now(),
      );
    }
    return readDocuments<T>(
      work => file.readTogether(work),
      layout,
      c => {
        const source = sourceOf(c, index, query.equals);
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
    const { file } = this;
    const layout = file.layout(collection);
    const index = declaredLayout(layout, query);
    return file.readTogether(c => {
      const source = sourceOf(c, index, query.equals);
      if (source === null) return 0;
      const { sql, values } = countInIndex(source, query.limit, this.now());
      return Number(c.row(sql, values)?.[0]);
    });
  }

  async putAll(writes: readonly Write[]): Promise<void> {
    const parts: Part[] = [];
    for (const { collection, documents } of writes) {
      const layout = this.file.layout(collection);
      for (const document of documents) parts.push({ layout, document, body: JSON.stringify(document) });
    }
    await this.putParts(parts);
  }

  async putTexts<T extends Document>(
    collection: Collection<T>,
    texts: readonly DocumentText[],
  ): Promise<void> {
    const layout = this.file.layout(collection);
    const parts = texts.map(({ text }): Part => ({ layout, document: documentOf(text), body: text }));
    await this.putParts(parts);
  }

  /** Documents that are serialised already, all in one transaction. @throws DocumentsUnavailable */
  async putTogether(batch: readonly SerialisedDocuments[]): Promise<void> {
    await this.file.write(c => {
      const now = this.now();
      for (const each of batch) {
        const layout = this.file.layout({ name: each.collection });
        for (let from = 0; from < each.bodies.length; from += PARSED_AT_ONCE) {
          putDocuments(c, layout, writingsOf(each, layout, from, from + PARSED_AT_ONCE), now);
        }
      }
    });
    if (batch.some(({ bodies }) => bodies.length >= SYNCED_AHEAD_DOCUMENTS)) this.file.syncAhead();
  }

  async insert<T extends Document>(collection: Collection<T>, document: T): Promise<void> {
    const { file } = this;
    const layout = file.layout(collection);
    checkEntries(layout, document);
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
    const { file } = this;
    const layout = file.layout(collection);
    checkEntries(layout, document);
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
    const { file } = this;
    const layout = file.layout(collection);
    return file.write(c => {
      file.documents.forget(collection, key);
      return removeDocument(c, layout, key, expected, this.now());
    });
  }

  async removePrefix<T extends Document>(collection: Collection<T>, prefix: string): Promise<void> {
    const { file } = this;
    const layout = file.layout(collection);
    const end = endOfPrefix(prefix);
    const sql = `key >= ? ${end === null ? '' : 'AND key < ?'} ORDER BY key`;
    await this.removeSome(layout, sql, end === null ? [prefix] : [prefix, end]);
  }

  async drop(name: string): Promise<void> {
    await this.shaping.take(async () => {
      this.file.forget(name);
      this.file.documents.forgetAll();
      await dropCollection(job => this.file.write(job), name);
    });
  }

  async ping(): Promise<void> {
    this.file.requireHealth();
  }

  async close(): Promise<void> {
    await this.file.close();
  }

  /** Removes what has expired and what interrupted drops left, in bounded steps. @throws DocumentsUnavailable */
  async scrub(): Promise<boolean> {
    return this.file.truncateLog();
  }

  async purge(): Promise<void> {
    const { file } = this;
    for (const name of file.read(remainingCollections)) await clearRemains(job => file.write(job), name);
    for (const layout of file.ensured()) {
      if (layout.indexes.length > 0) {
        await file.write(c => {
          if (file.holds(layout)) sweepGroups(c, layout);
        });
      }
      await this.removeSome(layout, 'expires_at <= ? ORDER BY expires_at', [this.now()]);
    }
  }

  /** Each in a transaction with as many others as may go together. */
  private async putParts(parts: readonly Part[]): Promise<void> {
    const { file } = this;
    for (let from = 0; from < parts.length; from += DOCUMENTS_PER_WRITE) {
      const some = parts.slice(from, from + DOCUMENTS_PER_WRITE);
      const refusesFirst = some.length === 1;
      if (refusesFirst) for (const { layout, document } of some) checkEntries(layout, document);
      await file.write(
        c => {
          const now = this.now();
          for (const { layout, document } of some) file.documents.forget(layout.collection, document.key);
          for (const [layout, writings] of byLayout(some)) putDocuments(c, layout, writings, now);
        },
        { ...writeOptions(some), refusesFirst },
      );
    }
  }

  private async removeSome(
    layout: CollectionLayout,
    where: string,
    values: readonly (string | number)[],
  ): Promise<void> {
    const { file } = this;
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
    const { file } = this;
    if (!file.read(c => isComplete(c, collection))) {
      throw new DocumentsUnavailable(
        `collection ${collection.name} does not exist yet or has an older version; a server creates it at start-up`,
      );
    }
    file.adopt(layoutOf(collection));
  }
}

/** Whether a document is there no more. */
export function isExpired({ expiresAt }: { readonly expiresAt?: number | undefined }, now: number): boolean {
  return expiresAt !== undefined && expiresAt <= now;
}

interface Part extends Writing {
  readonly layout: CollectionLayout;
}

/** In the order of keys, which is mostly that of the pages that they go to. */
function byLayout(parts: readonly Part[]): Map<CollectionLayout, Part[]> {
  const grouped = new Map<CollectionLayout, Part[]>();
  for (const part of parts) {
    const same = grouped.get(part.layout);
    if (same === undefined) grouped.set(part.layout, [part]);
    else same.push(part);
  }
  for (const same of grouped.values()) same.sort((a, b) => byKey(a.document, b.document));
  return grouped;
}

/** For `sort`, in the order of the keys' code units. */
export function byKey({ key: a }: { readonly key: string }, { key: b }: { readonly key: string }): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/** Before a write that would not be undone: it is promised to refuse first. @throws RangeError */
function checkEntries({ collection, indexes }: CollectionLayout, document: Document): void {
  const indexed = withIndexed(collection, document);
  for (const { definition } of indexes) eachEntry(indexed, definition, () => undefined);
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
