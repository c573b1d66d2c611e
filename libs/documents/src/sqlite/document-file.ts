import { basename } from 'node:path';
import { GroupCommit } from '#sqlite/group-commit';
import { LogSync } from '#sqlite/log-sync';
import { openDatabase, type Database } from '#sqlite/open-database';
import { DatabaseRefused, describeUnavailable, isUnavailable } from '#sqlite/unavailable';
import { truncateLog } from '#sqlite/truncate-log';
import { DocumentsUnavailable, type Collection, type Document } from '../documents.js';
import type { CollectionLayout } from './collection-layout.js';
import { createSchema } from './collection-schema.js';
import { Connection } from './connection.js';
import { KnownDocuments } from './known-documents.js';

/** `docs` in ASCII, in the file's header. */
const APPLICATION_ID = 0x646f6373;
/** 1 was never released: it kept the latest entries of indexes out of the file. */
const SCHEMA_VERSION = 2;

export interface DocumentFileOptions {
  readonly file: string;
  readonly synchronous: 'FULL' | 'NORMAL';
  readonly cacheBytes: number;
  /** Of a file that is made; SQLite's own choice where it is not said. */
  readonly pageBytes?: number;
  /** For a process beside the one that writes. */
  readonly readOnly: boolean;
  /** Whether no other process can write the file, so that what was read of it may be kept. */
  readonly soleWriter?: boolean;
  /**
   * Where two threads have the file open: `writes` is the only one that writes, `reads` must tell `documents` what
   * the other has written.
   */
  readonly thread?: 'writes' | 'reads';
  /** As `DatabaseOptions` has it. */
  readonly remedy?: string;
}

/** One database file with the collections of one durability. */
export class DocumentFile {
  /** Of the file as it is; always empty where another process may write. */
  readonly documents: KnownDocuments;
  private readonly group: GroupCommit;
  private readonly layouts = new Map<string, CollectionLayout>();
  private readonly log: LogSync;
  private syncing: Promise<void> | null = null;
  private connection: Connection | undefined;

  /** @throws DatabaseRefused */
  constructor(private readonly options: DocumentFileOptions) {
    this.documents = new KnownDocuments(options.soleWriter === true ? undefined : 0);
    this.log = new LogSync(options.file);
    this.group = new GroupCommit({
      file: options.file,
      open: () => {
        // The file may be another one now, with another log.
        void this.log.forget();
        return openDocumentFile(options);
      },
      rolledBack: () => {
        this.connection?.forget();
        this.documents.forgetAll();
      },
    });
  }

  known({ name }: Pick<Collection<Document>, 'name'>): CollectionLayout | undefined {
    return this.layouts.get(name);
  }

  /** @throws RangeError for a collection that was not ensured */
  layout({ name }: Pick<Collection<Document>, 'name'>): CollectionLayout {
    const layout = this.layouts.get(name);
    if (layout === undefined) throw new RangeError(`collection ${name} was not ensured`);
    return layout;
  }

  adopt(layout: CollectionLayout): void {
    this.layouts.set(layout.collection.name, layout);
  }

  forget(name: string): void {
    this.layouts.delete(name);
  }

  /** Whether the tables are still laid out so. */
  holds(layout: CollectionLayout): boolean {
    return this.layouts.get(layout.collection.name) === layout;
  }

  ensured(): readonly CollectionLayout[] {
    return [...this.layouts.values()];
  }

  /** @throws DocumentsUnavailable */
  read<R>(work: (c: Connection) => R): R {
    try {
      return work(this.on(this.group.reader()));
    } catch (error) {
      this.group.noteReadError(error);
      throw this.documentsError(error);
    }
  }

  /** As `read`, of one state of the file: for what relies on several statements or on what is cached of the file. */
  readTogether<R>(work: (c: Connection) => R): R {
    const { readOnly, thread } = this.options;
    if (!readOnly && thread !== 'reads') return this.read(work);
    // What others write comes between two transactions only.
    return this.read(connection =>
      connection.together(() => {
        connection.forgetIfChanged();
        return work(connection);
      }),
    );
  }

  /**
   * Runs a job in the next transaction; it may run several times.
   * @param refusesFirst whether the job's own errors come before its first write
   * @throws DocumentsUnavailable, or what the job throws
   */
  async write<R>(
    job: (c: Connection) => R,
    options: { readonly refusesFirst?: boolean; readonly bytes?: number } = {},
  ): Promise<R> {
    if (this.options.readOnly || this.options.thread === 'reads')
      throw new DocumentsUnavailable('the documents are opened for reading only');
    try {
      return await this.group.run(db => this.runJob(job, this.on(db)), options);
    } catch (error) {
      throw this.documentsError(error);
    }
  }

  private runJob<R>(job: (c: Connection) => R, connection: Connection): R {
    try {
      return job(connection);
    } catch (error) {
      // A savepoint may be all that is undone, of which nobody tells.
      connection.forget();
      throw error;
    }
  }

  /** @throws DocumentsUnavailable */
  requireHealth(): void {
    this.read(c => {
      this.group.requireHealth();
      c.row('SELECT count(*) FROM main.definitions', []);
    });
  }

  /**
   * Begins to sync the log, beside this thread: where much is written, copying the log into the file, which syncs it
   * first, has the disk to wait for otherwise. Tells of no failure, since nothing relies on it: SQLite syncs the log by
   * a descriptor of its own, which the system tells of the failure as well.
   */
  syncAhead(): void {
    const ended = (): void => {
      this.syncing = null;
    };
    this.syncing ??= this.log.sync().then(ended, ended);
  }

  /** @returns false where another connection is at work. @throws DocumentsUnavailable */
  truncateLog(): boolean {
    try {
      return truncateLog(this.options.file);
    } catch (error) {
      throw this.documentsError(error);
    }
  }

  async close(): Promise<void> {
    await this.group.close();
    await this.syncing;
    await this.log.forget();
  }

  private documentsError(error: unknown): unknown {
    if (!isUnavailable(error)) return error;
    const sentence = `${basename(this.options.file)}: ${describeUnavailable(error)}`;
    return new DocumentsUnavailable(sentence, { cause: error });
  }

  private on(db: Database): Connection {
    if (this.connection?.db !== db) this.connection = new Connection(db);
    return this.connection;
  }
}

/** @throws DatabaseRefused */
export function openDocumentFile(options: DocumentFileOptions): Database {
  const { file, synchronous, cacheBytes, pageBytes, readOnly, thread, remedy } = options;
  return openDatabase({
    file,
    applicationId: APPLICATION_ID,
    version: SCHEMA_VERSION,
    migrate: (fresh, fromVersion) => {
      if (fromVersion > 0) throw new DatabaseRefused(file, 'it was made by an unreleased version');
      createSchema(fresh);
    },
    synchronous,
    cacheBytes,
    ...(pageBytes !== undefined && { pageBytes }),
    ...(remedy !== undefined && { remedy }),
    readOnly,
    openInOtherThread: thread === 'writes',
    isBusy: true,
  });
}
