import type { StatementSyncInstance } from '@photostructure/sqlite';
import { type Database, closeDatabase } from './open-database.js';
import { statSync } from 'node:fs';
import { SqliteUnavailable, breaksHandle } from './unavailable.js';
import { EventTable } from './event-table.js';
import { openLedgerFile } from './ledger-file.js';

/** What is bound to a statement and read from a row. Booleans are kept as blobs, apart from every number and text. */
export type Stored = string | number | Uint8Array | null;
export type Row = readonly Stored[];

/** A statement with what is bound to it. */
export interface Bound {
  readonly sql: string;
  readonly values: readonly Stored[];
}

/** Prepared statements that are kept of one connection; the oldest goes first. */
const STATEMENTS_MAX = 512;

/** An open database with its prepared statements, by their text. */
export class Connection {
  private readonly prepared = new Map<string, StatementSyncInstance>();

  constructor(readonly db: Database) {}

  /** @returns how many rows the statement wrote */
  run(sql: string, values: readonly Stored[] = []): number {
    return this.statement(sql).run(...values).changes;
  }

  row({ sql, values }: Bound): Row | undefined {
    const row: Row | undefined = this.statement(sql).get(...values);
    return row;
  }

  rows({ sql, values }: Bound): Row[] {
    const rows: Row[] = this.statement(sql).all(...values);
    return rows;
  }

  statement(sql: string): StatementSyncInstance {
    const known = this.prepared.get(sql);
    if (known !== undefined) return known;
    const statement = this.db.prepare(sql);
    statement.setReturnArrays(true);
    for (const oldest of this.prepared.keys()) {
      if (this.prepared.size < STATEMENTS_MAX) break;
      this.prepared.delete(oldest);
    }
    this.prepared.set(sql, statement);
    return statement;
  }
}

interface OpenHandleOptions {
  readonly file: string;
  /** Called at once, and again when the handle is broken or the file was replaced. */
  readonly open: () => Database;
}

/** One connection to a database file, replaced where it breaks. */
export class OpenHandle {
  private handle: Database;
  private identity: string;
  private broken = false;
  private closed = false;

  /** @throws DatabaseRefused */
  constructor(private readonly options: OpenHandleOptions) {
    this.handle = options.open();
    this.identity = fileIdentity(options.file);
  }

  /** @throws SqliteUnavailable when it is broken or closed and the file cannot be opened again; DatabaseRefused */
  get(): Database {
    if (this.closed) throw new SqliteUnavailable('the database is closed');
    if (this.broken || !this.handle.isOpen) this.reopen();
    return this.handle;
  }

  /** Notes an error of SQLite, so that a broken handle is replaced. */
  note(error: unknown): void {
    if (breaksHandle(error)) this.broken = true;
  }

  /** @throws SqliteUnavailable when the file is gone, was replaced by one that cannot be opened, or is not readable */
  requireFile(): void {
    if (fileIdentity(this.options.file) !== this.identity) this.broken = true;
    this.get();
  }

  close(): void {
    this.closed = true;
    closeDatabase(this.handle);
  }

  private reopen(): void {
    const identity = fileIdentity(this.options.file);
    if (this.handle.isOpen) this.handle.close();
    this.handle = this.options.open();
    this.identity = identity;
    this.broken = false;
  }
}

/**
 * Which file the name stands for. A removed or replaced file would take writes without complaint and lose them.
 * @throws SqliteUnavailable
 */
function fileIdentity(file: string): string {
  try {
    const found = statSync(file);
    if (found.size > 0) return `${found.dev}:${found.ino}`;
  } catch (error) {
    throw new SqliteUnavailable('the database file was removed', { cause: error });
  }
  throw new SqliteUnavailable('the database file was emptied');
}

/** The connection on which a process reads a ledger's file; a thread writes it, or another process does. */
export class DatabaseReader {
  private readonly handle: OpenHandle;
  private current!: { readonly connection: Connection; readonly events: EventTable };

  /** @throws DatabaseRefused for a file that is foreign, damaged, newer or not accessible; it is then unchanged */
  constructor(file: string, readOnly: boolean) {
    this.handle = new OpenHandle({ file, open: () => this.open(file, readOnly) });
  }

  /** @throws SQLite's errors; the next read has another connection where this one is broken */
  read<T>(work: (connection: Connection, events: EventTable) => T): T {
    try {
      this.handle.get();
      return work(this.current.connection, this.current.events);
    } catch (error) {
      this.handle.note(error);
      throw error;
    }
  }

  /** @throws SqliteUnavailable, DatabaseRefused */
  requireFile(): void {
    this.handle.requireFile();
  }

  close(): void {
    this.handle.close();
  }

  private open(file: string, readOnly: boolean): Database {
    const db = openLedgerFile({ file, readOnly });
    db.exec('PRAGMA query_only = ON');
    this.current = { connection: new Connection(db), events: new EventTable(db) };
    return db;
  }
}
