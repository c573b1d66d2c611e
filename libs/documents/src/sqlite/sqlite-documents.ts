import { join } from 'node:path';
import { checkCollection } from '../declared.js';
import {
  Documents,
  DocumentsUnavailable,
  type Collection,
  type Document,
  type DocumentText,
  type IndexQuery,
  type KeyRange,
  type Write,
} from '../documents.js';
import { DocumentFile, type DocumentFileOptions } from './document-file.js';
import { FileDocuments, type DurabilityDocuments } from './file-documents.js';
import { ThreadWriter } from './thread-writer.js';
import { WriteBehindDocuments } from './write-behind-documents.js';

interface SqliteDocumentsOptions {
  /** Holds `records.db` and `views.db`; made where it is missing. */
  readonly directory: string;
  /** Milliseconds since the epoch, by which documents expire. */
  readonly now?: () => number;
  /** For a process beside the one that writes: the files must be there, and every write is refused. */
  readonly readOnly?: boolean;
  /** Told why expired documents could not be removed, where that is no fault of the store that its users meet too. */
  readonly onPurgeFailure?: (error: unknown) => void;
}

/** How often expired documents are removed from the files. They are invisible from the first millisecond. */
export const PURGE_INTERVAL_MS = 60_000;

/** The files of the two durabilities. */
export interface DocumentFiles {
  readonly durable: DocumentFile;
  readonly derived: DocumentFile;
}

const RECORDS_CACHE_BYTES = 8 * 1024 * 1024;
/** Holds an index of 200,000 entries, so that searching through it does not read the file each time. */
const VIEWS_CACHE_BYTES = 48 * 1024 * 1024;
/** The thread that writes reads little but the pages that it changes, which those of one batch are. */
const VIEWS_WRITER_CACHE_BYTES = 24 * 1024 * 1024;
/** Twice SQLite's own choice: where much is written together, half as many pages are handed to the system. */
const VIEWS_PAGE_BYTES = 8_192;

/**
 * Documents in two SQLite files: `records.db` for durable collections, every commit synced, and `views.db` for
 * derived ones. One process writes; others may read the files meanwhile.
 */
export class SqliteDocuments extends Documents {
  private readonly purging: NodeJS.Timeout | undefined;

  constructor(
    private readonly durable: DurabilityDocuments,
    private readonly derived: DurabilityDocuments,
    access: 'write' | 'read' = 'write',
    private readonly onPurgeFailure: (error: unknown) => void = () => undefined,
  ) {
    super();
    if (access === 'read') return;
    this.purging = setInterval(() => void this.purgeQuietly(), PURGE_INTERVAL_MS).unref();
  }

  /** @throws DatabaseRefused for a file that is foreign, damaged, newer or not accessible; it is then unchanged */
  static open({ directory, now, readOnly = false, onPurgeFailure }: SqliteDocumentsOptions): SqliteDocuments {
    const access = readOnly ? 'read' : 'write';
    return SqliteDocuments.on(SqliteDocuments.files({ directory, readOnly }), now, access, onPurgeFailure);
  }

  static on(
    files: DocumentFiles,
    now: () => number = Date.now,
    access: 'write' | 'read' = 'write',
    onPurgeFailure?: (error: unknown) => void,
  ): SqliteDocuments {
    const [durable, derived] = [files.durable, files.derived].map(
      file => new FileDocuments(file, now, access),
    );
    return new SqliteDocuments(durable!, derived!, access, onPurgeFailure);
  }

  /**
   * As `open`, for a process that has made sure that no other one writes the files: what was read is kept in memory,
   * and derived documents are written behind, by a thread of their own.
   * @param threadProgram the file of a program that calls `serveWriter`
   */
  static openWritingBehind(
    { directory, now = Date.now, onPurgeFailure }: Omit<SqliteDocumentsOptions, 'readOnly'>,
    threadProgram: URL,
  ): SqliteDocuments {
    const { durable, derived } = SqliteDocuments.files({ directory, soleWriter: true });
    const writer = new ThreadWriter(threadProgram, viewsFile(directory, 'writes'), now);
    return new SqliteDocuments(
      new FileDocuments(durable, now),
      new WriteBehindDocuments(new FileDocuments(derived, now, 'read'), writer, now),
      'write',
      onPurgeFailure,
    );
  }

  /** @throws DatabaseRefused */
  static files({
    directory,
    readOnly = false,
    soleWriter = false,
  }: Pick<SqliteDocumentsOptions, 'directory' | 'readOnly'> & {
    /** Another thread writes the derived documents then. */
    readonly soleWriter?: boolean;
  }): DocumentFiles {
    const durable = new DocumentFile({
      file: join(directory, 'records.db'),
      synchronous: 'FULL',
      cacheBytes: RECORDS_CACHE_BYTES,
      readOnly,
      soleWriter,
    });
    try {
      const views = viewsFile(directory, soleWriter ? 'reads' : undefined);
      return { durable, derived: new DocumentFile({ ...views, readOnly, soleWriter }) };
    } catch (error) {
      void durable.close();
      throw error;
    }
  }

  async ensure(collections: readonly Collection<Document>[]): Promise<void> {
    for (const collection of collections) checkCollection(collection);
    for (const { name, durability } of collections) {
      if (this.storedAs(durability === 'durable' ? 'derived' : 'durable').holds(name)) {
        throw new RangeError(`collection ${name} is stored, but not as ${durability}`);
      }
    }
    await Promise.all(
      (['durable', 'derived'] as const).map(durability =>
        this.storedAs(durability).ensure(collections.filter(each => each.durability === durability)),
      ),
    );
  }

  get<T extends Document>(collection: Collection<T>, key: string): Promise<T | null> {
    return this.of(collection).get(collection, key);
  }

  getMany<T extends Document>(collection: Collection<T>, keys: readonly string[]): Promise<T[]> {
    return this.of(collection).getMany(collection, keys);
  }

  range<T extends Document>(collection: Collection<T>, range: KeyRange): Promise<T[]> {
    return this.of(collection).range(collection, range);
  }

  digest<T extends Document>(
    collection: Collection<T>,
    range: Pick<KeyRange, 'from' | 'before'>,
  ): Promise<string> {
    return this.of(collection).digest(collection, range);
  }

  query<T extends Document>(collection: Collection<T>, query: IndexQuery): Promise<T[]> {
    return this.of(collection).query(collection, query);
  }

  count<T extends Document>(
    collection: Collection<T>,
    query: Pick<IndexQuery, 'index' | 'equals'> & { readonly limit: number },
  ): Promise<number> {
    return this.of(collection).count(collection, query);
  }

  put<T extends Document>(collection: Collection<T>, documents: readonly T[]): Promise<void> {
    return this.of(collection).putAll([{ collection, documents }]);
  }

  async putAll(writes: readonly Write[]): Promise<void> {
    const puts: Promise<void>[] = [];
    for (const store of [this.durable, this.derived]) {
      const here = writes.filter(({ collection }) => this.of(collection) === store);
      if (here.length > 0) puts.push(store.putAll(here));
    }
    await Promise.all(puts);
  }

  putTexts<T extends Document>(collection: Collection<T>, texts: readonly DocumentText[]): Promise<void> {
    return this.of(collection).putTexts(collection, texts);
  }

  insert<T extends Document>(collection: Collection<T>, document: T): Promise<void> {
    return this.of(collection).insert(collection, document);
  }

  replace<T extends Document>(collection: Collection<T>, document: T, expected: number): Promise<boolean> {
    return this.of(collection).replace(collection, document, expected);
  }

  remove<T extends Document>(collection: Collection<T>, key: string, expected?: number): Promise<boolean> {
    return this.of(collection).remove(collection, key, expected);
  }

  removePrefix<T extends Document>(collection: Collection<T>, prefix: string): Promise<void> {
    return this.of(collection).removePrefix(collection, prefix);
  }

  async drop(name: string): Promise<void> {
    await this.durable.drop(name);
    await this.derived.drop(name);
  }

  async scrub(): Promise<boolean> {
    const durable = await this.durable.scrub();
    return (await this.derived.scrub()) && durable;
  }

  async ping(): Promise<void> {
    await this.durable.ping();
    await this.derived.ping();
  }

  async close(): Promise<void> {
    clearInterval(this.purging);
    await Promise.all([this.durable.close(), this.derived.close()]);
  }

  /** As `FileDocuments.purge`. @throws DocumentsUnavailable */
  async purge(): Promise<void> {
    await this.durable.purge();
    await this.derived.purge();
  }

  /** Never rejects. The timer tries again later; whoever uses a store that is down learns it meanwhile. */
  private async purgeQuietly(): Promise<void> {
    try {
      await this.purge();
    } catch (error) {
      if (!(error instanceof DocumentsUnavailable)) this.onPurgeFailure(error);
    }
  }

  private of({ durability }: Pick<Collection<Document>, 'durability'>): DurabilityDocuments {
    return this.storedAs(durability);
  }

  private storedAs(durability: Collection<Document>['durability']): DurabilityDocuments {
    return durability === 'durable' ? this.durable : this.derived;
  }
}

function viewsFile(directory: string, thread?: 'writes' | 'reads'): DocumentFileOptions {
  return {
    file: join(directory, 'views.db'),
    synchronous: 'NORMAL',
    cacheBytes: thread === 'writes' ? VIEWS_WRITER_CACHE_BYTES : VIEWS_CACHE_BYTES,
    pageBytes: VIEWS_PAGE_BYTES,
    readOnly: false,
    remedy: 'remove it and the files whose names start with it; the next start rebuilds it from the events',
    ...(thread && { thread }),
  };
}
