import type { StatementSyncInstance } from '@photostructure/sqlite';
import type { Database } from '#sqlite/open-database';
import type { KnownGroups } from './known-groups.js';

/**
 * Where the index entries of a collection's documents are. An entry belongs in some page of its index's table,
 * and with many households nearly every new entry in another one; were each written with its commit, a document
 * of half a kilobyte would write thirty. So documents up to a number are settled, with their entries in the
 * tables; the entries of those after it, the recent ones, are in temporary tables of the same form, in memory.
 * Queries read both. Settling moves the recent entries, in their order. After a start the temporary tables are
 * made again from the documents, which are always in the file.
 */
export interface Recent {
  settledUpTo: number;
  /** The greatest number of a document so far. */
  lastId: number;
}

/** What is bound to a statement and read from a row. Booleans are kept as blobs, apart from every number and text. */
export type Stored = string | number | Uint8Array | null;
export type Row = readonly Stored[];

/** Prepared statements that are kept of one connection; the oldest goes first. */
export const STATEMENTS_MAX = 512;

/** An open database with its prepared statements, by their text. */
export class Connection {
  /** By collection. */
  readonly recent = new Map<string, Recent>();
  /** The numbers of groups, by the name of the index's table. */
  readonly groups = new Map<string, KnownGroups>();
  /** The last group that was swept, by the name of the index's table. */
  readonly sweptUpTo = new Map<string, number>();
  /** By `PRAGMA data_version`, the state of the file in which all this was read. */
  dataVersion: Stored = null;
  private readonly prepared = new Map<string, StatementSyncInstance>();

  constructor(readonly db: Database) {}

  /** Forgets what was read from the file. To be called whenever a transaction is rolled back. */
  forget(): void {
    this.recent.clear();
    this.groups.clear();
  }

  /** How many statements are kept. */
  get size(): number {
    return this.prepared.size;
  }

  /** @returns how many rows the statement wrote */
  run(sql: string, values: readonly Stored[] = []): number {
    return this.statement(sql).run(...values).changes;
  }

  row(sql: string, values: readonly Stored[] = []): Row | undefined {
    const row: Row | undefined = this.statement(sql).get(...values);
    return row;
  }

  rows(sql: string, values: readonly Stored[] = []): Row[] {
    const rows: Row[] = this.statement(sql).all(...values);
    return rows;
  }

  /** Runs work in the transaction that is open, or in one of its own. */
  together<R>(work: () => R): R {
    if (this.db.isTransaction) return work();
    this.db.exec('BEGIN');
    try {
      const result = work();
      this.db.exec('COMMIT');
      return result;
    } catch (error) {
      if (this.db.isTransaction) this.db.exec('ROLLBACK');
      this.forget();
      throw error;
    }
  }

  private statement(sql: string): StatementSyncInstance {
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
