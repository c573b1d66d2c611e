import { GroupCommit } from '#sqlite/group-commit';
import type { Database } from '#sqlite/open-database';
import { Appends, type Append, type Written } from './appends.js';
import { EventTable, openEventLog } from './event-table.js';

interface EventLogOptions<A extends Append> {
  readonly file: string;
  readonly readOnly?: boolean;
  /** Another thread of this process has the file open. */
  readonly openInOtherThread?: boolean;
  /** Gets each connection before its first use, for settings of SQLite beyond ours. */
  readonly connected?: (db: Database) => void;
  /** Appends are durable, in the order of the store, and about to be answered. */
  readonly committed?: (appends: readonly Committed<A>[]) => void;
}

/** An append that succeeded. */
export interface Committed<A extends Append> {
  readonly append: A;
  readonly written: Written;
}

/**
 * One connection to the file of the events, replaced where it breaks. Appends of one turn of the event loop share one
 * durable commit. Errors are SQLite's.
 */
export class EventLog<A extends Append> {
  private readonly group: GroupCommit;
  private readonly appends = new Appends();
  private table!: EventTable;
  private dataVersion = 0;
  /** Of the transaction that is open. */
  private appended: Committed<A>[] = [];

  /** @throws DatabaseRefused for a file that is not ours, newer, damaged or not accessible */
  constructor(private readonly options: EventLogOptions<A>) {
    this.group = new GroupCommit({
      file: options.file,
      open: () => this.connect(),
      began: () => this.noticeOthers(),
      committed: () => this.tell(),
      rolledBack: () => this.forget(),
    });
  }

  /** Durable commits of this log so far: many appends share one. */
  get commits(): number {
    return this.group.commits;
  }

  /** @throws WrongExpectedRevision; SqliteUnavailable and SQLite's errors */
  append(append: A): Promise<Written> {
    const write = (): Written => {
      const written = this.appends.append(this.table, append);
      this.appended.push({ append, written });
      return written;
    };
    return this.group.run(write, { refusesFirst: true, bytes: append.size });
  }

  /** @throws SQLite's errors; the next read has another connection where this one is broken */
  read<T>(query: (table: EventTable) => T): T {
    try {
      this.group.reader();
      return query(this.table);
    } catch (error) {
      this.group.noteReadError(error);
      throw error;
    }
  }

  /** @throws SqliteUnavailable when the file is gone, or cannot be opened anew where another one took its place */
  requireFile(): void {
    this.group.requireFile();
  }

  /** @throws SqliteUnavailable as `GroupCommit.requireHealth` */
  requireHealth(): void {
    this.group.requireHealth();
  }

  async close(): Promise<void> {
    await this.group.close();
  }

  private connect(): Database {
    const db = openEventLog(this.options);
    this.options.connected?.(db);
    this.table = new EventTable(db);
    this.dataVersion = this.table.dataVersion();
    return db;
  }

  /** What is remembered of streams is old where another connection has written. */
  private noticeOthers(): void {
    const version = this.table.dataVersion();
    if (version === this.dataVersion) return;
    this.dataVersion = version;
    this.forget();
  }

  private tell(): void {
    const { appended } = this;
    this.appended = [];
    this.options.committed?.(appended);
  }

  private forget(): void {
    this.appends.forget();
    this.appended = [];
  }
}
