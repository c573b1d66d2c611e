import type { Collection } from 'mongodb';
import { behindKey, satisfies, withIndexed } from '../documents/declared.js';
import type { Document, IndexQuery, KeyRange, Where } from '../documents/documents.js';
import { TextDigest } from '../documents/text-digest.js';
import {
  direction,
  entriesBeyond,
  entriesUnder,
  hitFields,
  hitOf,
  meeting,
  placeOrder,
  unexpired,
  type CollectionLayout,
  type Conditions,
  type IndexLayout,
} from './collection-layout.js';
import { OPERATION_DEADLINE_MS, SEARCH_DEADLINE_MS, type MongoConnection } from './mongo-connection.js';
import { documentOf, type StoredDocument } from './stored-document.js';

/** The most documents that one answer of the server carries; it carries fewer where they are large. */
const DOCUMENTS_PER_BATCH = 1_000;
/** The most keys that one command asks for. */
const KEYS_PER_COMMAND = 1_000;
/** A limit that none of the collections reaches. */
const EVERY_ENTRY = 2 ** 31 - 1;

/** Reads of one collection at one moment. */
export class DocumentReader {
  constructor(
    private readonly connection: MongoConnection,
    private readonly layout: CollectionLayout,
    /** Milliseconds since the epoch. */
    private readonly now: number,
    /** For reads by key. */
    private readonly deadlineMs: number = OPERATION_DEADLINE_MS,
  ) {}

  async byKeys<T extends Document>(keys: readonly string[]): Promise<T[]> {
    const documents: T[] = [];
    for (const some of slices([...new Set(keys)], KEYS_PER_COMMAND)) {
      const limit = some.length;
      // One document the server finds by its key without a plan, which a hint would make it look for.
      const found = await (some.length === 1
        ? this.find({ _id: some[0]! }, { limit })
        : this.find({ _id: { $in: [...some] } }, { limit, hint: BY_KEY }));
      for (const stored of found) if (!this.isExpired(stored)) documents.push(documentOf<T>(stored));
    }
    return documents;
  }

  async inRange<T extends Document>({ from, before, order, limit }: KeyRange): Promise<T[]> {
    if (limit === 0) return [];
    const filter = { _id: { $gte: from, $lt: before }, ...unexpired(this.now) };
    const found = await this.find(filter, { hint: BY_KEY, sort: { _id: direction(order) }, limit });
    return found.map(stored => documentOf<T>(stored));
  }

  /** `Documents.digest`: of the documents as they are answered, a batch at a time. */
  async digest({ from, before }: Pick<KeyRange, 'from' | 'before'>): Promise<string> {
    const digest = new TextDigest();
    for (let place = from; ;) {
      const page = await this.inRange({ from: place, before, limit: DOCUMENTS_PER_BATCH });
      digest.add(page.map(document => JSON.stringify(document)));
      const last = page.at(-1);
      if (last === undefined || page.length < DOCUMENTS_PER_BATCH) return digest.end();
      place = behindKey(last.key);
    }
  }

  async inIndex<T extends Document>(index: IndexLayout, query: IndexQuery): Promise<T[]> {
    if (query.limit === 0) return [];
    const filter = this.entries(index, query);
    const order = { hint: index.name, sort: placeOrder(index, query), limit: query.limit };
    const found = await this.find(filter, order);
    return found.map(stored => documentOf<T>(stored));
  }

  /**
   * A query with conditions: finds the entries that meet them, without looking at any document where the index covers
   * itself, then fetches those documents. An entry is seen as it is when the walk passes it.
   */
  async search<T extends Document>(
    index: IndexLayout,
    query: IndexQuery & { readonly where: Where },
  ): Promise<T[]> {
    const found = new Map<string, T>();
    let after = query.after;
    while (query.where.length > 0 && found.size < query.limit) {
      const wanted = query.limit - found.size;
      const hits = await this.hits(index, { ...query, ...(after === undefined ? {} : { after }) }, wanted);
      for (const document of await this.documentsAt<T>(index, query, hits)) {
        if (!found.has(document.key)) found.set(document.key, document);
      }
      if (hits.length < wanted) break;
      after = hits.at(-1);
    }
    return [...found.values()];
  }

  /** The places of the first entries that meet the conditions. */
  private async hits(
    index: IndexLayout,
    query: IndexQuery & { readonly where: Where },
    wanted: number,
  ): Promise<{ readonly sort: string; readonly key: string }[]> {
    const order = placeOrder(index, query);
    const pipeline = [
      { $match: this.entries(index, query) },
      ...(Object.keys(order).length === 0 ? [] : [{ $sort: order }]),
      // Behind a limit the server decides the conditions on entries; else it would fetch documents for that.
      { $limit: EVERY_ENTRY },
      { $match: meeting(index, query.where) },
      { $limit: wanted },
      { $project: hitFields(index) },
    ];
    const found = await this.connection.run(
      ({ options }) =>
        this.collection()
          .aggregate(pipeline, {
            ...options,
            hint: index.name,
            batchSize: batchSize(wanted),
            maxTimeMS: SEARCH_DEADLINE_MS,
          })
          .toArray(),
      SEARCH_DEADLINE_MS,
    );
    return found.map(entry => hitOf(index, entry));
  }

  /** The documents of entries that were hit, as far as they still belong there. */
  private async documentsAt<T extends Document>(
    index: IndexLayout,
    { equals, where }: IndexQuery & { readonly where: Where },
    hits: readonly { readonly key: string }[],
  ): Promise<T[]> {
    const documents = new Map<string, T>();
    for (const some of slices(hits, KEYS_PER_COMMAND)) {
      const filter = {
        ...entriesUnder(index, equals),
        ...unexpired(this.now),
        _id: { $in: some.map(({ key }) => key) },
      };
      for (const stored of await this.find(filter, { hint: BY_KEY, limit: some.length })) {
        const document = documentOf<T>(stored);
        if (satisfies(withIndexed(this.layout.collection, document), where))
          documents.set(document.key, document);
      }
    }
    return hits.flatMap(({ key }) => documents.get(key) ?? []);
  }

  private entries(index: IndexLayout, query: Pick<IndexQuery, 'equals' | 'after' | 'order'>): Conditions {
    return { ...entriesUnder(index, query.equals), ...entriesBeyond(index, query), ...unexpired(this.now) };
  }

  private find(
    filter: Conditions,
    {
      limit,
      ...order
    }: {
      readonly limit: number;
      readonly hint?: string;
      readonly sort?: Record<string, 1 | -1>;
      readonly projection?: Readonly<Record<string, 1>>;
    },
  ): Promise<StoredDocument[]> {
    const deadlineMs = limit > DOCUMENTS_PER_BATCH ? SEARCH_DEADLINE_MS : this.deadlineMs;
    return this.connection.run(
      ({ options }) =>
        this.collection()
          .find(filter, { ...options, ...order, limit, batchSize: batchSize(limit), maxTimeMS: deadlineMs })
          .toArray(),
      deadlineMs,
    );
  }

  private isExpired({ expiresAt }: StoredDocument): boolean {
    return typeof expiresAt === 'number' && expiresAt <= this.now;
  }

  private collection(): Collection<StoredDocument> {
    return this.connection.db.collection<StoredDocument>(this.layout.name);
  }
}

const BY_KEY = '_id_';

/** One more than is wanted, so that the server need not be asked whether it was the last. */
function batchSize(limit: number): number {
  return Math.min(limit + 1, DOCUMENTS_PER_BATCH);
}

function* slices<E>(elements: readonly E[], size: number): Generator<readonly E[]> {
  for (let from = 0; from < elements.length; from += size) yield elements.slice(from, from + size);
}
