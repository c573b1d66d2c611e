import { requestsFirst } from '#concurrency/requests-first';
import { checkLimit, checkReplacement } from '../declared.js';
import {
  DocumentsUnavailable,
  type Collection,
  type Document,
  type DocumentText,
  type IndexQuery,
  type KeyRange,
  type Write,
} from '../documents.js';
import { isExpired, type DurabilityDocuments, type FileDocuments } from './file-documents.js';
import { documentOf } from './serialised-documents.js';
import { Pending, PendingDocuments, TypicalLengths } from './pending-documents.js';
import type { SuccessiveBatch } from './successive-batches.js';
import type { RemoteWriter } from './thread-writer.js';

/** How long a document that was put waits for others at most, in milliseconds. */
export const WRITTEN_AFTER_MS = 500;
/**
 * At most this many are written at once. They go to places all over the file, so that half as many write nearly as many
 * pages of it: posts were a tenth fewer. As many gather while the writer has all the batches that it may have; then
 * `putAll` waits.
 */
export const PENDING_DOCUMENTS_MAX = 4_096;
/** The same for the length of their JSON, by estimate, in characters. */
export const PENDING_LENGTH_MAX = 8 * 1024 * 1024;
/**
 * The writer has at most this many batches: enough that it need not wait while the process that hands them over does
 * something else for a tenth of a second, and that process need not while the disk takes as long.
 */
export const FLIGHTS_MAX = 4;
/** Documents that are serialised in one turn of the event loop where very many are put at once. */
const SERIALISED_PER_TURN = 512;
const RETRY_FIRST_MS = 250;
const RETRY_MAX_MS = 5_000;

/**
 * Derived documents, written behind: a put is answered when the document is in memory, where every read looks first,
 * and a thread writes what has gathered, all in one transaction. So a document that changes often is written once for
 * many changes. What the death of the process takes is the latest of what was put, never something before something
 * that stays: whoever keeps documents here must be able to make them again.
 *
 * Queries look at the file, once it holds everything of their collection that was put before.
 */
export class WriteBehindDocuments implements DurabilityDocuments {
  private readonly lengths = new TypicalLengths();
  private gathering = new PendingDocuments(this.lengths);
  /** The number of the batch that gathers; they are counted from 1. */
  private batch = 1;
  /** Every batch up to this one is in the file. */
  private landedBatch = 0;
  /** The batches that the writer has and that have not landed yet, the oldest first. */
  private readonly flights: Flight[] = [];
  private timer: NodeJS.Timeout | null = null;
  /** Why the latest flight did not land, null when it did. */
  private trouble: Error | null = null;
  private retryMs = RETRY_FIRST_MS;
  private closed = false;
  /** Whether the writer's thread makes a digest. */
  private threadDigests = false;

  constructor(
    private readonly stored: FileDocuments,
    private readonly writer: RemoteWriter,
    private readonly now: () => number,
  ) {}

  holds(name: string): boolean {
    return this.stored.holds(name);
  }

  async ensure(collections: readonly Collection<Document>[]): Promise<void> {
    for (const { name } of collections) await this.inFile(name);
    await this.writer.ensure(collections);
    await this.stored.ensure(collections);
  }

  async get<T extends Document>(collection: Collection<T>, key: string): Promise<T | null> {
    const pending = this.pending(collection, key);
    if (pending === undefined) return this.stored.get(collection, key);
    if (!pending.isNewest) {
      const stored = await this.stored.get(collection, key);
      if (isNewer(stored, pending)) return stored;
      pending.isNewest = true;
    }
    return this.live<T>(pending);
  }

  async getMany<T extends Document>(collection: Collection<T>, keys: readonly string[]): Promise<T[]> {
    checkLimit(keys.length);
    const documents: T[] = [];
    const unsure: string[] = [];
    for (const key of new Set(keys)) {
      const pending = this.pending(collection, key);
      const live = pending?.isNewest === true ? this.live<T>(pending) : undefined;
      if (live === undefined) unsure.push(key);
      else if (live !== null) documents.push(live);
    }
    if (unsure.length === 0) return documents;
    const pending = new Map(unsure.map(key => [key, this.pending(collection, key)]));
    const stored = new Map((await this.stored.getMany(collection, unsure)).map(each => [each.key, each]));
    for (const [key, waiting] of pending) {
      const document = stored.get(key) ?? null;
      const newest = waiting === undefined || isNewer(document, waiting) ? document : this.live<T>(waiting);
      if (newest !== null) documents.push(newest);
    }
    return documents;
  }

  async range<T extends Document>(collection: Collection<T>, range: KeyRange): Promise<T[]> {
    await this.inFile(collection.name, range);
    return this.stored.range(collection, range);
  }

  async digest<T extends Document>(
    collection: Collection<T>,
    range: Pick<KeyRange, 'from' | 'before'>,
  ): Promise<string> {
    await this.inFile(collection.name, range);
    if (this.threadDigests) return this.stored.digest(collection, range);
    // Where several are asked for, they are made on both sides.
    this.threadDigests = true;
    try {
      return await this.writer.call('digest', named(collection), range);
    } finally {
      this.threadDigests = false;
    }
  }

  async query<T extends Document>(collection: Collection<T>, query: IndexQuery): Promise<T[]> {
    await this.inFile(collection.name, query.within);
    return this.stored.query(collection, query);
  }

  async count<T extends Document>(
    collection: Collection<T>,
    query: Pick<IndexQuery, 'index' | 'equals'> & { readonly limit: number },
  ): Promise<number> {
    await this.inFile(collection.name);
    return this.stored.count(collection, query);
  }

  async putAll(writes: readonly Write[]): Promise<void> {
    this.requireOpen();
    for (const { collection } of writes) this.stored.file.layout(collection);
    if (this.trouble !== null && this.isAnyFull()) throw this.trouble;
    const refusable = writes.filter(({ collection }) =>
      collection.indexes.some(({ unique }) => unique === true),
    );
    const behind = writes.filter(write => !refusable.includes(write));
    const large = behind.filter(({ documents }) => documents.length > PENDING_DOCUMENTS_MAX);
    const serialised = new Map<Write, readonly Pending[]>();
    for (const write of large) serialised.set(write, await serialisedInSteps(write.documents));
    this.requireOpen();
    // All in one turn, so that no reader sees a part of them.
    for (const write of behind) {
      const pending = serialised.get(write);
      if (pending === undefined) this.gathering.put(write.collection.name, write.documents);
      else this.gathering.putSerialised(write.collection.name, pending);
    }
    for (const write of refusable) await this.putNow(write);
    // To hand over very many is a long turn as well.
    if (large.length > 0) await requestsFirst();
    await this.landSoon();
  }

  async putTexts<T extends Document>(
    collection: Collection<T>,
    texts: readonly DocumentText[],
  ): Promise<void> {
    this.requireOpen();
    this.stored.file.layout(collection);
    if (collection.indexes.some(({ unique }) => unique === true)) {
      return this.putNow({ collection, documents: texts.map(({ text }) => documentOf(text)) });
    }
    if (this.trouble !== null && this.isAnyFull()) throw this.trouble;
    this.gathering.putTexts(collection.name, texts);
    await this.landSoon();
  }

  async insert<T extends Document>(collection: Collection<T>, document: T): Promise<void> {
    await this.changed(collection, document.key, () =>
      this.writer.call('insert', named(collection), document),
    );
  }

  async replace<T extends Document>(
    collection: Collection<T>,
    document: T,
    expected: number,
  ): Promise<boolean> {
    checkReplacement(document, expected);
    return this.changed(collection, document.key, () =>
      this.writer.call('replace', named(collection), document, expected),
    );
  }

  async remove<T extends Document>(
    collection: Collection<T>,
    key: string,
    expected?: number,
  ): Promise<boolean> {
    return this.changed(collection, key, () => this.writer.call('remove', named(collection), key, expected));
  }

  async removePrefix<T extends Document>(collection: Collection<T>, prefix: string): Promise<void> {
    await this.changed(collection, null, () => this.writer.call('removePrefix', named(collection), prefix));
  }

  async drop(name: string): Promise<void> {
    // From here on nothing is put into it.
    this.stored.file.forget(name);
    await this.inFile(name);
    await this.writer.call('drop', name);
    this.stored.file.documents.forgetAll();
  }

  async purge(): Promise<void> {
    await this.writer.call('purge');
  }

  async scrub(): Promise<boolean> {
    return this.stored.scrub();
  }

  async ping(): Promise<void> {
    if (this.trouble !== null) throw this.trouble;
    await this.stored.ping();
  }

  /** What cannot be written any more is lost, as by the death of the process: it is made again of the events. */
  async close(): Promise<void> {
    if (this.closed) return;
    this.closed = true;
    this.stopTimer();
    while (this.flights.length > 0) await this.flights[0]!.landing.catch(() => undefined);
    await this.land().catch(() => undefined);
    // A put that was under way may have set it anew.
    this.stopTimer();
    await this.writer.close();
    await this.stored.close();
  }

  /** Has written what has gathered, now or later; waits where there is too much of it. */
  private async landSoon(): Promise<void> {
    if (this.gathering.size === 0) return;
    if (!this.isFull()) this.timer ??= setTimeout(() => this.landQuietly(), WRITTEN_AFTER_MS);
    else if (this.flights.length < FLIGHTS_MAX) void this.launch();
    else await this.flights[0]!.landing;
  }

  private isFull(documents: PendingDocuments = this.gathering): boolean {
    return documents.size >= PENDING_DOCUMENTS_MAX || documents.length >= PENDING_LENGTH_MAX;
  }

  private isAnyFull(): boolean {
    return this.isFull() || this.flights.some(({ documents }) => this.isFull(documents));
  }

  private requireOpen(): void {
    if (this.closed) throw new DocumentsUnavailable('the documents are closed');
  }

  /** The newest that waits: what flies may be newer than a late one that came behind it. */
  private pending({ name }: Collection<Document>, key: string): Pending | undefined {
    let newest = this.gathering.find(name, key);
    for (const { documents } of this.flights) {
      const found = documents.find(name, key);
      if (newest === undefined || (found && found.revision > newest.revision)) newest = found;
    }
    return newest;
  }

  private live<T extends Document>(pending: Pending): T | null {
    return isExpired(pending, this.now()) ? null : (pending.document as T);
  }

  /** One of a collection with a unique index: whether it may be written shows at once. */
  private putNow(write: Write): Promise<void> {
    const { collection, documents } = write;
    return this.changed(collection, null, () =>
      this.writer.call('putAll', [{ collection: named(collection), documents }]),
    );
  }

  /**
   * Makes a change in the file at once, behind everything that was put before.
   * @param key null: many
   */
  private async changed<R>(
    collection: Collection<Document>,
    key: string | null,
    change: () => Promise<R>,
  ): Promise<R> {
    this.requireOpen();
    this.stored.file.layout(collection);
    await this.land();
    try {
      return await change();
    } finally {
      if (key === null) this.stored.file.documents.forgetAll();
      else this.stored.file.documents.forget(collection, key);
    }
  }

  /**
   * Resolves when everything that was put into a collection is in the file.
   * @param range of keys, where what was put elsewhere need not be
   * @throws DocumentsUnavailable
   */
  private async inFile(collection: string, range?: Pick<KeyRange, 'from' | 'before'>): Promise<void> {
    if (this.gathering.has(collection, range)) return this.land();
    const latest = this.flights.findLast(({ documents }) => documents.has(collection, range));
    if (latest !== undefined) await this.land(latest.batch);
  }

  /**
   * Writes every batch up to one, also while later ones keep coming.
   * @throws DocumentsUnavailable
   */
  private async land(batch: number = this.batch): Promise<void> {
    while (this.landedBatch < batch && (this.flights.length > 0 || this.gathering.size > 0)) {
      await (this.flights[0]?.landing ?? this.launch());
    }
  }

  private landQuietly(): void {
    this.timer = null;
    // Whoever waits for the documents is told what is wrong; they are tried again.
    this.land().catch(() => undefined);
  }

  private stopTimer(): void {
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
  }

  /** Hands what has gathered to the writer; what comes from now on gathers anew. */
  private launch(): Promise<void> {
    const { gathering: documents, batch } = this;
    const follows = this.flights.at(-1)?.batch ?? null;
    const isIndexed = (name: string): boolean => (this.stored.file.known({ name })?.indexes.length ?? 0) > 0;
    const sent: SuccessiveBatch = { number: batch, follows, documents: documents.serialise(isIndexed) };
    this.stopTimer();
    this.gathering = new PendingDocuments(this.lengths);
    this.batch += 1;
    const landing = this.writer.call<void>('putInTurn', sent).then(
      () => this.arrived(flight),
      (error: unknown) => this.lost(flight, error),
    );
    landing.catch(() => undefined);
    const flight: Flight = { documents, batch, landing };
    this.flights.push(flight);
    return landing;
  }

  private arrived(flight: Flight): void {
    for (const [name, keys] of flight.documents.keys()) this.stored.file.documents.forgetEach(name, keys);
    this.end(flight);
    this.landedBatch = flight.batch;
    this.trouble = null;
    this.retryMs = RETRY_FIRST_MS;
    if (this.isFull()) void this.launch();
  }

  /** What was handed over behind it is not written either, and comes here in its turn. */
  private lost(flight: Flight, error: unknown): never {
    this.end(flight);
    flight.documents.take(this.gathering);
    this.gathering = flight.documents;
    this.trouble = error instanceof Error ? error : new DocumentsUnavailable(String(error));
    if (!this.closed && this.timer === null) {
      this.timer = setTimeout(() => this.landQuietly(), this.retryMs);
      this.retryMs = Math.min(this.retryMs * 2, RETRY_MAX_MS);
    }
    throw this.trouble;
  }

  private end(flight: Flight): void {
    this.flights.splice(this.flights.indexOf(flight), 1);
  }
}

/** As they wait once they are on their way, so that handing over very many takes no long turn. */
async function serialisedInSteps(documents: readonly Document[]): Promise<readonly Pending[]> {
  const serialised: Pending[] = [];
  for (const document of documents) {
    const pending = new Pending(document, document);
    pending.serialise();
    serialised.push(pending);
    if (serialised.length % SERIALISED_PER_TURN === 0) await requestsFirst();
  }
  return serialised;
}

/** A batch that was handed to the writer. */
interface Flight {
  readonly documents: PendingDocuments;
  readonly batch: number;
  /** Settles when it has landed, or is lost. */
  readonly landing: Promise<void>;
}

/** A collection for the writer, which knows it by its name. */
function named({ name }: Collection<Document>): Pick<Collection<Document>, 'name'> {
  return { name };
}

/** Whether a stored document makes a pending one late. */
function isNewer<T extends Document>(stored: T | null, pending: Pending): stored is T {
  return stored !== null && stored.revision >= pending.revision;
}
