import type { StatementSyncInstance } from '@photostructure/sqlite';
import { type Database, closeDatabase } from './open-database.js';
import { statSync } from 'node:fs';
import { SqliteUnavailable, breaksHandle } from './unavailable.js';
import { openLedgerFile, type LedgerFileOptions } from './ledger-file.js';

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
