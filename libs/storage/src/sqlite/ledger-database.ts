import { join } from 'node:path';
import type { Appended } from '../event-store/event-store.js';
import { UnitOfWork, type Commit } from '../event-store/unit-of-work.js';
import { hasDocuments } from './collections.js';
import { LedgerHandle } from './ledger-file.js';
import {
  DuplicateColumns,
  StorageThread,
  type Job,
  type OpenLedger,
  type Run,
  type Written,
} from './storage-thread.js';
import { SqliteDocuments } from './sqlite-documents.js';
import { appended, appendOf, mapped, SqliteEventStore } from './sqlite-event-store.js';
import { SqliteUnavailable } from './unavailable.js';

/** Events, records and read models. */
export const LEDGER_FILE = 'ledger.db';

interface LedgerDatabaseOptions {
  /** Milliseconds since the epoch, by which documents expire. */
  readonly now?: () => number;
  /** For a process beside the one that writes: the file must be there, and every write is refused. */
  readonly readOnly?: boolean;
  /** Told why expired documents could not be removed, unless it is a fault that the users of the store meet too. */
  readonly onPurgeFailure?: (error: unknown) => void;
}

/** The most documents of a collection that are written with their events: a transaction holds up all others. */
export const DOCUMENTS_PER_COMMIT = 512;

/**
 * Events and documents in one SQLite file, for a single machine. A thread writes, in one durable transaction whatever
 * waits; this thread reads. Other processes may read the file meanwhile.
 */
export class LedgerDatabase extends UnitOfWork implements OpenLedger {
  readonly documents: SqliteDocuments;
  readonly eventStore: SqliteEventStore;
  private closing: Promise<void> | undefined;

  private constructor(
    readonly reader: LedgerHandle,
    /** Null where another process writes. */
    private readonly thread: StorageThread | null,
    now: () => number,
    onPurgeFailure: (error: unknown) => void,
  ) {
    super();
    this.documents = new SqliteDocuments(this, now, onPurgeFailure);
    this.eventStore = new SqliteEventStore(this);
  }

  /** @throws DatabaseRefused for a file that is foreign, damaged, newer or not accessible; it is then unchanged */
  static open({
    directory,
    ...options
  }: LedgerDatabaseOptions & {
    /** Holds the file, and is made where it is missing. */
    readonly directory: string;
  }): LedgerDatabase {
    return LedgerDatabase.openFile(join(directory, LEDGER_FILE), options);
  }

  /** @throws as `open` */
  static openFile(
    file: string,
    { now = Date.now, readOnly = false, onPurgeFailure = () => undefined }: LedgerDatabaseOptions = {},
  ): LedgerDatabase {
    const reader = new LedgerHandle({ file, readOnly });
    return new LedgerDatabase(reader, readOnly ? null : new StorageThread(file), now, onPurgeFailure);
  }

  get readOnly(): boolean {
    return this.thread === null;
  }

  /** Durable commits so far: many writes share one. */
  get commits(): number {
    return this.thread?.commits ?? 0;
  }

  /**
   * In one transaction. Of very many documents the later ones follow in transactions of their own, between which others
   * have their turn: what a failure leaves is repaired as on servers.
   */
  override async commit({ stream, expected, events, writes }: Commit): Promise<Appended> {
    const append = appendOf(stream, expected, events);
    const [together = [], ...later] = inParts(await this.documents.runsOf(writes));
    try {
      const { position } = await this.write({ append, runs: together });
      for (const runs of later) await this.write({ append: null, runs });
      return appended(append, position);
    } catch (error) {
      throw error instanceof DuplicateColumns ? this.documents.mappedError(error) : mapped(error);
    }
  }

  /** @throws as `StorageThread.run` */
  async write(job: Job): Promise<Written> {
    if (this.thread === null) throw new SqliteUnavailable('the file was opened for reading only');
    const written = await this.thread.run(job);
    if (job.append !== null) this.eventStore.appended();
    return written;
  }

  /** Whether there is a document in any of these collections, which need not be ensured. */
  holds(collections: readonly { readonly name: string }[]): boolean {
    return this.reader.use(c => collections.some(({ name }) => hasDocuments(c, name)));
  }

  /** @throws SqliteUnavailable, DatabaseRefused */
  requireHealth(): void {
    this.reader.requireFile();
    this.thread?.requireHealth();
  }

  /** Finishes what is being written, and ends subscriptions. Closing the documents or the event store does the same. */
  close(): Promise<void> {
    this.closing ??= this.end();
    return this.closing;
  }

  private async end(): Promise<void> {
    this.eventStore.ended();
    this.documents.ended();
    await this.thread?.close();
    this.reader.close();
  }
}

/** Splits long runs: each part holds as many rows of each as go together. */
function inParts(runs: readonly Run[]): readonly (readonly Run[])[] {
  const parts: Run[][] = [];
  for (const run of runs) {
    const length = run.width * DOCUMENTS_PER_COMMIT;
    for (let at = 0, part = 0; at < run.values.length; at += length, part += 1) {
      (parts[part] ??= []).push({ ...run, values: run.values.slice(at, at + length) });
    }
  }
  return parts;
}
