import { statSync } from 'node:fs';
import type { StatementSyncInstance } from '@photostructure/sqlite';
import { closeDatabase, openDatabase, type Database, type DatabaseOptions } from './open-database.js';
import { SqliteUnavailable, breaksHandle } from './unavailable.js';

/** "HLdb": by this a ledger's file is known again. */
const APPLICATION_ID = 0x484c6462;
const SCHEMA_VERSION = 1;

/**
 * Stream names are stored once. `size` is the length of both texts in UTF-16 units, which bounds pages. Positions are
 * never given twice, even if events were cut off by hand.
 */
const SCHEMA = `
  CREATE TABLE streams (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE
  ) STRICT;
  CREATE TABLE events (
    position INTEGER PRIMARY KEY AUTOINCREMENT,
    stream INTEGER NOT NULL,
    revision INTEGER NOT NULL,
    id BLOB NOT NULL,
    type TEXT NOT NULL,
    size INTEGER NOT NULL,
    data TEXT NOT NULL,
    metadata TEXT NOT NULL
  ) STRICT;
  CREATE UNIQUE INDEX events_by_stream ON events (stream, revision);
  CREATE TABLE collections (name TEXT NOT NULL PRIMARY KEY, definition TEXT NOT NULL) WITHOUT ROWID;
`;

/** Marks a database as a ledger's file. */
export function identifyLedger(db: Database): void {
  db.exec(`PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${SCHEMA_VERSION}`);
}

/** Holds an index of 200,000 entries, so that searching through it does not read the file each time. */
const CACHE_BYTES = 32 * 1024 * 1024;

type LedgerFileOptions = Pick<DatabaseOptions, 'file' | 'readOnly' | 'openInOtherThread' | 'cacheBytes'>;

/**
 * Opens a ledger: events, records and read models in one file, of which every commit survives a power cut. What is
 * deleted is overwritten.
 * @throws DatabaseRefused
 */
export function openLedgerFile(options: LedgerFileOptions): Database {
  return openDatabase({
    cacheBytes: CACHE_BYTES,
    ...options,
    applicationId: APPLICATION_ID,
    version: SCHEMA_VERSION,
    migrate: fresh => fresh.exec(SCHEMA),
  });
}

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

  /** @returns the number of the row */
  insert(sql: string, values: readonly Stored[]): number {
    return Number(this.statement(sql).run(...values).lastInsertRowid);
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

/** One connection to a ledger's file, replaced where it breaks. */
export class LedgerHandle {
  private handle: Connection;
  private identity: string;
  private broken = false;
  private closed = false;

  /**
   * @param options of this connection, and of those that replace it
   * @throws DatabaseRefused for a file that is foreign, damaged, newer or not accessible; it is then unchanged
   */
  constructor(private readonly options: LedgerFileOptions) {
    this.handle = opened(options);
    this.identity = fileIdentity(options.file);
  }

  /**
   * @throws SQLite's errors; the next use has another connection where this one is broken
   * @throws SqliteUnavailable when it is broken or closed and the file cannot be opened again; DatabaseRefused
   */
  use<T>(work: (connection: Connection) => T): T {
    if (this.closed) throw new SqliteUnavailable('the database is closed');
    if (this.broken || !this.handle.db.isOpen) this.reopen();
    try {
      return work(this.handle);
    } catch (error) {
      if (breaksHandle(error)) this.broken = true;
      throw error;
    }
  }

  /** @throws as `use`, also when the file is gone, or was replaced by one that cannot be opened */
  requireFile(): void {
    if (fileIdentity(this.options.file) !== this.identity) this.broken = true;
    this.use(() => undefined);
  }

  close(): void {
    this.closed = true;
    closeDatabase(this.handle.db);
  }

  private reopen(): void {
    const identity = fileIdentity(this.options.file);
    const { db } = this.handle;
    if (db.isOpen) db.close();
    this.handle = opened(this.options);
    this.identity = identity;
    this.broken = false;
  }
}

function opened(options: LedgerFileOptions): Connection {
  const db = openLedgerFile(options);
  // The thread alone writes.
  if (options.openInOtherThread !== true) db.exec('PRAGMA query_only = ON');
  return new Connection(db);
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
