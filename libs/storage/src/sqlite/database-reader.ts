import { Connection } from './connection.js';
import { EventTable } from './event-table.js';
import { openLedgerFile } from './ledger-file.js';
import type { Database } from './open-database.js';
import { OpenHandle } from './open-handle.js';

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
