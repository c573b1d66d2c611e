import {
  checkCollection,
  checkLimit,
  checkReplacement,
  declaredIndex,
  LAST_CHARACTER,
} from '../documents/declared.js';
import {
  Documents,
  DocumentsUnavailable,
  type Collection,
  type Document,
  type IndexQuery,
  type KeyRange,
  type Write,
} from '../documents/documents.js';
import { Turns } from '#concurrency/turns';
import { ensureIndexes } from './collection-indexes.js';
import {
  layoutOf,
  writingOf,
  type CollectionLayout,
  type IndexLayout,
  type Writing,
} from './collection-layout.js';
import { MarkedWrite, removeDocument, type Target } from './conditional-writes.js';
import { DocumentReader } from './document-reader.js';
import { DOCUMENTS_PER_COMMAND, putDocuments } from './guarded-writes.js';
import { MongoConnection } from './mongo-connection.js';
import { RoundTrips } from './round-trips.js';
import type { StoredDocument } from './stored-document.js';

/** At most this many keys are asked for in one round trip of several callers. */
const KEYS_PER_TRIP = 500;
/** At most this many callers' puts go in one round trip. */
const PUTS_PER_TRIP = 32;
/** A put of this many documents or more goes alone, because others would wait for it. */
const SHARED_PUT_DOCUMENTS_MAX = 4;

/** A collection, and the round trips that callers share. */
interface Ensured {
  readonly layout: CollectionLayout;
  readonly documents: RoundTrips<string, Document | null>;
  /** Only where no index is unique: there one caller's refusal would be everybody's. */
  readonly puts: RoundTrips<readonly Writing[], void>;
}

interface MongoDocumentsOptions {
  /** `mongodb://` or `mongodb+srv://`, as in `MONGODB_URL`; the database is `household_ledger` where it names none. */
  readonly url: string;
  /** Milliseconds since the epoch, by which documents expire. */
  readonly now?: () => number;
  /** For reading beside the processes that write: nothing is made, every write is refused. */
  readonly readOnly?: boolean;
}

/**
 * Documents in a MongoDB from version 4.4 on: a replica set, or a standalone server for trying out. Each
 * collection is one of the same name. Any number of processes may use a database at the same time.
 */
export class MongoDocuments extends Documents {
  private readonly ensured = new Map<string, Ensured>();
  /** Changes of collections. */
  private readonly shaping = new Turns();

  private constructor(
    private readonly connection: MongoConnection,
    private readonly now: () => number,
    private readonly readOnly: boolean,
  ) {
    super();
  }

  /** The server need not be there yet. @throws StoreUrlError with a sentence for the operator */
  static open({ url, now = Date.now, readOnly = false }: MongoDocumentsOptions): MongoDocuments {
    return new MongoDocuments(new MongoConnection(url), now, readOnly);
  }

  async ensure(collections: readonly Collection<Document>[]): Promise<void> {
    for (const collection of collections) checkCollection(collection);
    await this.shaping.take(async () => {
      for (const collection of collections) {
        const layout = layoutOf(collection);
        if (!this.readOnly) await ensureIndexes(this.connection, layout);
        this.ensured.set(collection.name, this.ensuredAs(layout));
      }
    });
  }

  async get<T extends Document>(collection: Collection<T>, key: string): Promise<T | null> {
    return (await this.of(collection).documents.ask(key)) as T | null;
  }

  async getMany<T extends Document>(collection: Collection<T>, keys: readonly string[]): Promise<T[]> {
    checkLimit(keys.length);
    return this.reader(collection).byKeys<T>(keys);
  }

  async range<T extends Document>(collection: Collection<T>, range: KeyRange): Promise<T[]> {
    checkLimit(range.limit);
    return this.reader(collection).inRange<T>(range);
  }

  async digest<T extends Document>(
    collection: Collection<T>,
    range: Pick<KeyRange, 'from' | 'before'>,
  ): Promise<string> {
    return this.reader(collection).digest(range);
  }

  async query<T extends Document>(collection: Collection<T>, query: IndexQuery): Promise<T[]> {
    checkLimit(query.limit);
    const index = this.index(collection, query);
    const { where } = query;
    if (where === undefined) return this.reader(collection).inIndex<T>(index, query);
    return this.reader(collection).search<T>(index, { ...query, where });
  }

  async putAll(writes: readonly Write[]): Promise<void> {
    this.requireWriting();
    const writings = new Map<CollectionLayout, Writing[]>();
    for (const { collection, documents } of writes) {
      const layout = this.of(collection).layout;
      const ofLayout = writings.get(layout) ?? [];
      for (const document of documents) ofLayout.push(writingOf(layout, document));
      writings.set(layout, ofLayout);
    }
    const puts = Array.from(writings, ([layout, some]) =>
      some.length < SHARED_PUT_DOCUMENTS_MAX &&
      !layout.collection.indexes.some(({ unique }) => unique === true)
        ? this.of(layout.collection).puts.ask(some)
        : putDocuments(this.connection, layout, some, this.now),
    );
    for (const put of await Promise.allSettled(puts)) if (put.status === 'rejected') throw put.reason;
  }

  async insert<T extends Document>(collection: Collection<T>, document: T): Promise<void> {
    await new MarkedWrite(this.target(collection), document).insert();
  }

  async replace<T extends Document>(
    collection: Collection<T>,
    document: T,
    expected: number,
  ): Promise<boolean> {
    checkReplacement(document, expected);
    return new MarkedWrite(this.target(collection), document).replace(expected);
  }

  async remove<T extends Document>(
    collection: Collection<T>,
    key: string,
    expected?: number,
  ): Promise<boolean> {
    return removeDocument(this.target(collection), key, expected);
  }

  async removePrefix<T extends Document>(collection: Collection<T>, prefix: string): Promise<void> {
    this.requireWriting();
    const { name } = this.of(collection).layout;
    const keys = { $gte: prefix, $lt: prefix + LAST_CHARACTER };
    let last: string | undefined;
    do {
      last = await this.connection.run(async ({ options }) => {
        const stored = this.connection.db.collection<StoredDocument>(name);
        const found = await stored
          .find(
            { _id: keys },
            { ...options, projection: { _id: 1 }, sort: { _id: 1 }, limit: DOCUMENTS_PER_COMMAND },
          )
          .toArray();
        const end = found.at(-1)?._id;
        if (end !== undefined) await stored.deleteMany({ _id: { $gte: prefix, $lte: end } }, options);
        return found.length < DOCUMENTS_PER_COMMAND ? undefined : end;
      });
    } while (last !== undefined);
  }

  async drop(name: string): Promise<void> {
    this.requireWriting();
    await this.shaping.take(async () => {
      this.ensured.delete(name);
      await this.connection.run(({ options }) => this.connection.db.dropCollection(name, options));
    });
  }

  async scrub(): Promise<boolean> {
    return true;
  }

  async ping(): Promise<void> {
    await this.connection.run(({ options }) => this.connection.db.command({ ping: 1 }, options));
  }

  close(): Promise<void> {
    return this.connection.close();
  }

  private requireWriting(): void {
    if (this.readOnly) throw new DocumentsUnavailable('the documents are opened for reading only');
  }

  private target(collection: Collection<Document>): Target {
    this.requireWriting();
    return { connection: this.connection, layout: this.of(collection).layout, now: this.now };
  }

  private reader(collection: Collection<Document>, deadlineMs?: number): DocumentReader {
    return new DocumentReader(this.connection, this.of(collection).layout, this.now(), deadlineMs);
  }

  private ensuredAs(layout: CollectionLayout): Ensured {
    const { collection } = layout;
    return {
      layout,
      documents: new RoundTrips(async (keys, deadlineMs) => {
        const documents = await this.reader(collection, deadlineMs).byKeys(keys);
        const found = new Map(documents.map(document => [document.key, document]));
        return keys.map(key => found.get(key) ?? null);
      }, KEYS_PER_TRIP),
      puts: new RoundTrips<readonly Writing[], void>(async (puts, deadlineMs) => {
        await putDocuments(this.connection, layout, puts.flat(), this.now, deadlineMs);
        return [];
      }, PUTS_PER_TRIP),
    };
  }

  private index(
    collection: Collection<Document>,
    query: Pick<IndexQuery, 'index' | 'equals' | 'after' | 'where'>,
  ): IndexLayout {
    const layout = this.of(collection).layout;
    return layout.indexes[layout.collection.indexes.indexOf(declaredIndex(layout.collection, query))]!;
  }

  /** @throws RangeError for a collection that was not ensured */
  private of({ name }: Collection<Document>): Ensured {
    const ensured = this.ensured.get(name);
    if (ensured === undefined) throw new RangeError(`collection ${name} was not ensured`);
    return ensured;
  }
}
