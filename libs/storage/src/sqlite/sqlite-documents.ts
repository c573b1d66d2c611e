import { requestsFirst, Turns } from '#concurrency/turns';
import {
  behindKey,
  checkCollection,
  checkLimit,
  checkReplacement,
  declaredIndex,
  LAST_CHARACTER,
} from '../documents/declared.js';
import {
  Documents,
  DocumentsUnavailable,
  DuplicateKey,
  type Collection,
  type Document,
  type DocumentText,
  type IndexQuery,
  type KeyRange,
  type Where,
  type Write,
} from '../documents/documents.js';
import { TextDigest } from '../documents/text-digest.js';
import {
  rowOf,
  type CollectionTable,
  type TableIndex,
  documentsByKeys,
  documentsInIndex,
  documentsInRange,
  parseDocument,
  placeOfRow,
  ROWS_PER_STEP,
  searchStep,
} from './collection-table.js';
import {
  dropCollection,
  ensureCollection,
  remainingCollections,
  removeExpired,
  removeSome,
  storedTable,
} from './collections.js';
import type { Bound, Connection, Row, Stored } from './ledger-file.js';
import { DuplicateColumns, type OpenLedger, type Run } from './storage-thread.js';
import { describeUnavailable, isUnavailable } from './unavailable.js';

/** How often expired documents are removed from the file. They are invisible from the first millisecond. */
const PURGE_INTERVAL_MS = 60_000;
/** Documents that are read, parsed or serialised in one turn of the event loop. */
const DOCUMENTS_PER_TURN = 512;
/** Documents whose texts are read in one step of a digest. */
const DIGESTED_AT_ONCE = 64;

/** The documents in a ledger's file: a table for each collection, with SQLite's own indexes. */
export class SqliteDocuments extends Documents {
  private readonly tables = new Map<string, CollectionTable>();
  /** Changes of collections. */
  private readonly shaping = new Turns();
  private readonly purging: NodeJS.Timeout | undefined;

  /** @param now milliseconds since the epoch, by which documents expire */
  constructor(
    private readonly database: OpenLedger,
    private readonly now: () => number,
    private readonly onPurgeFailure: (error: unknown) => void,
  ) {
    super();
    if (!database.readOnly) {
      this.purging = setInterval(() => void this.purgeQuietly(), PURGE_INTERVAL_MS).unref();
    }
  }

  override async ensure(collections: readonly Collection<Document>[]): Promise<void> {
    for (const collection of collections) checkCollection(collection);
    await this.shaping.take(async () => {
      for (const collection of collections) await this.ensureOne(collection);
    });
  }

  override async get<T extends Document>(collection: Collection<T>, key: string): Promise<T | null> {
    const { get } = this.table(collection);
    const body = this.read(c => c.row({ sql: get, values: [key, this.now()] }))?.[0];
    return typeof body === 'string' ? parseDocument<T>(collection, key, body) : null;
  }

  override async getMany<T extends Document>(
    collection: Collection<T>,
    keys: readonly string[],
  ): Promise<T[]> {
    checkLimit(keys.length);
    const table = this.table(collection);
    const distinct = [...new Set(keys)];
    const documents: T[] = [];
    for (let from = 0; from < distinct.length; from += DOCUMENTS_PER_TURN) {
      if (from > 0) await requestsFirst();
      const some = distinct.slice(from, from + DOCUMENTS_PER_TURN);
      documents.push(...(await this.documents<T>(collection, documentsByKeys(table, some, this.now()))));
    }
    return documents;
  }

  override async range<T extends Document>(collection: Collection<T>, range: KeyRange): Promise<T[]> {
    checkLimit(range.limit);
    return this.documents<T>(collection, documentsInRange(this.table(collection), range, this.now()));
  }

  override async digest<T extends Document>(
    collection: Collection<T>,
    { from, before }: Pick<KeyRange, 'from' | 'before'>,
  ): Promise<string> {
    const table = this.table(collection);
    const digest = new TextDigest();
    for (let place = from; ;) {
      const range = { from: place, before, limit: DIGESTED_AT_ONCE };
      const rows = this.read(c => c.rows(documentsInRange(table, range, this.now())));
      digest.add(rows.map(([, body]) => String(body)));
      if (rows.length < DIGESTED_AT_ONCE) return digest.end();
      place = behindKey(String(rows.at(-1)![0]));
      await requestsFirst();
    }
  }

  override async query<T extends Document>(collection: Collection<T>, query: IndexQuery): Promise<T[]> {
    checkLimit(query.limit);
    const table = this.table(collection);
    const index = declared(table, query);
    const { where } = query;
    return where === undefined
      ? this.documents<T>(collection, documentsInIndex(index, query, this.now()))
      : this.search<T>(table, index, { ...query, where });
  }

  override async putAll(writes: readonly Write[]): Promise<void> {
    const runs = await this.runsOf(writes);
    if (runs.length > 0) await this.write(runs);
  }

  override async putTexts(collection: Collection<Document>, texts: readonly DocumentText[]): Promise<void> {
    const table = this.table(collection);
    const values: Stored[] = [];
    for (const [at, { key, revision, text }] of texts.entries()) {
      if (at > 0 && at % DOCUMENTS_PER_TURN === 0) await requestsFirst();
      const document: Document = table.columns.length === 0 ? { key, revision } : JSON.parse(text);
      values.push(...rowOf(table, document, text), this.now());
    }
    if (texts.length > 0) await this.write([{ sql: table.put, width: values.length / texts.length, values }]);
  }

  override async insert<T extends Document>(collection: Collection<T>, document: T): Promise<void> {
    const table = this.table(collection);
    const row = rowOf(table, document, JSON.stringify(document));
    if (!(await this.writes(table.insert, ...row, this.now())))
      throw new DuplicateKey(collection.name, 'key');
  }

  override async replace<T extends Document>(
    collection: Collection<T>,
    document: T,
    expected: number,
  ): Promise<boolean> {
    checkReplacement(document, expected);
    const table = this.table(collection);
    const row = rowOf(table, document, JSON.stringify(document));
    return this.writes(table.replace, ...row, expected, this.now());
  }

  override async remove<T extends Document>(
    collection: Collection<T>,
    key: string,
    expected?: number,
  ): Promise<boolean> {
    const { table } = this.table(collection);
    const sql = `DELETE FROM ${table} WHERE key = ? AND (expires_at IS NULL OR expires_at > ?)`;
    return expected === undefined
      ? this.writes(sql, key, this.now())
      : this.writes(`${sql} AND revision = ?`, key, this.now(), expected);
  }

  override async removePrefix<T extends Document>(collection: Collection<T>, prefix: string): Promise<void> {
    const { table } = this.table(collection);
    await removeSome(this.write, table, 'key >= ? AND key < ?', prefix, prefix + LAST_CHARACTER);
  }

  override async drop(name: string): Promise<void> {
    await this.shaping.take(async () => {
      this.tables.delete(name);
      await dropCollection(this.connection, this.write, name);
    });
  }

  override async scrub(): Promise<boolean> {
    try {
      const { truncated } = await this.database.write({ append: null, runs: [], truncates: true });
      return truncated === true;
    } catch (error) {
      throw this.mappedError(error);
    }
  }

  override async ping(): Promise<void> {
    this.mapped(() => this.database.requireHealth());
  }

  override close(): Promise<void> {
    return this.database.close();
  }

  /** Ends the removal of what expires. */
  ended(): void {
    clearInterval(this.purging);
  }

  /** Removes what has expired and what interrupted drops left, in bounded steps. @throws DocumentsUnavailable */
  async purge(): Promise<void> {
    await this.shaping.take(async () => {
      for (const name of this.read(remainingCollections))
        await dropCollection(this.connection, this.write, name);
      for (const table of this.tables.values()) await removeExpired(this.write, table, this.now());
    });
  }

  /** What puts documents of several collections. */
  async runsOf(writes: readonly Write[]): Promise<readonly Run[]> {
    const runs: Run[] = [];
    let serialised = 0;
    for (const { collection, documents } of writes) {
      const table = this.table(collection);
      const values: Stored[] = [];
      for (const document of documents) {
        if ((serialised += 1) % DOCUMENTS_PER_TURN === 0) await requestsFirst();
        values.push(...rowOf(table, document, JSON.stringify(document)), this.now());
      }
      if (documents.length > 0)
        runs.push({ sql: table.put, width: values.length / documents.length, values });
    }
    return runs;
  }

  /** @throws DuplicateKey, DocumentsUnavailable and the database's errors */
  mappedError(error: unknown): unknown {
    if (error instanceof DuplicateColumns) return this.duplicate(error);
    if (!isUnavailable(error)) return error;
    return new DocumentsUnavailable(`the ledger's file: ${describeUnavailable(error)}`, { cause: error });
  }

  private readonly connection = (): Connection => this.read(c => c);

  private readonly write = async (runs: readonly Run[]): Promise<readonly number[]> => {
    try {
      return (await this.database.write({ append: null, runs })).changes;
    } catch (error) {
      throw this.mappedError(error);
    }
  };

  /** Whether the statement wrote something. */
  private async writes(sql: string, ...values: readonly Stored[]): Promise<boolean> {
    const [changes] = await this.write([{ sql, width: values.length, values }]);
    return changes! > 0;
  }

  private read<T>(work: (c: Connection) => T): T {
    return this.mapped(() => this.database.reader.use(work));
  }

  private mapped<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      throw this.mappedError(error);
    }
  }

  private async ensureOne(collection: Collection<Document>): Promise<void> {
    const { name } = collection;
    if (this.database.readOnly) {
      const table = this.read(c => storedTable(c, collection));
      if (table === null)
        throw new DocumentsUnavailable(
          `the ledger's file has no complete ${name} yet; start the server first`,
        );
      this.tables.set(name, table);
      return;
    }
    const former = this.tables.get(name);
    try {
      await ensureCollection(this.connection, this.write, collection, table => this.tables.set(name, table));
    } catch (error) {
      if (former === undefined) this.tables.delete(name);
      else this.tables.set(name, former);
      throw error;
    }
  }

  private table({ name }: Collection<Document>): CollectionTable {
    const table = this.tables.get(name);
    if (table === undefined) throw new RangeError(`the collection ${name} was not ensured`);
    return table;
  }

  /** The documents of a statement that answers key and text, all as they are at one moment. @throws DamagedDocument */
  private async documents<T extends Document>(collection: Collection<T>, select: Bound): Promise<T[]> {
    const rows = this.read(c => c.rows(select));
    const documents: T[] = [];
    for (const [key, body] of rows) {
      documents.push(parseDocument<T>(collection, String(key), String(body)));
      if (documents.length % DOCUMENTS_PER_TURN === 0) await requestsFirst();
    }
    return documents;
  }

  /** Walks an index in steps, giving way to other work in between. An entry is seen as it is when the walk passes it. */
  private async search<T extends Document>(
    table: CollectionTable,
    index: TableIndex,
    query: IndexQuery & { readonly where: Where },
  ): Promise<T[]> {
    const found = new Map<string, T>();
    let { after } = query;
    while (query.where.length > 0 && found.size < query.limit) {
      const rows: readonly Row[] = this.read(c =>
        c.rows(searchStep(table, index, { ...query, ...(after && { after }) }, this.now())),
      );
      for (const [key, body] of rows) {
        // One that moved in the index between two steps may be met again.
        if (typeof body !== 'string' || found.has(String(key)) || found.size === query.limit) continue;
        found.set(String(key), parseDocument<T>(table.collection, String(key), body));
      }
      if (rows.length < ROWS_PER_STEP) break;
      after = placeOfRow(index, rows.at(-1)!);
      await requestsFirst();
    }
    return [...found.values()];
  }

  private duplicate({ columns }: DuplicateColumns): unknown {
    for (const { collection, indexes } of this.tables.values()) {
      const prefix = `documents:${collection.name}.`;
      const named = new Set(columns.split(', '));
      const index = indexes.find(
        ({ definition, equality }) =>
          definition.unique &&
          equality.length === named.size &&
          equality.every(each => named.has(prefix + each)),
      );
      if (index !== undefined) return new DuplicateKey(collection.name, index.definition.name);
    }
    return new Error(`unexpected unique constraint of ${columns}`);
  }

  private async purgeQuietly(): Promise<void> {
    try {
      await this.purge();
    } catch (error) {
      // Callers of the store get that error as well.
      if (!(error instanceof DocumentsUnavailable)) this.onPurgeFailure(error);
    }
  }
}

function declared(
  table: CollectionTable,
  query: Pick<IndexQuery, 'index' | 'equals' | 'after' | 'where'>,
): TableIndex {
  const definition = declaredIndex(table.collection, query);
  return table.indexes.find(each => each.definition === definition)!;
}
