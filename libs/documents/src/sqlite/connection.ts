import type { StatementSyncInstance } from '@photostructure/sqlite';
import type { Database } from '#sqlite/open-database';
import type { KnownGroups } from './known-groups.js';

/** What is bound to a statement and read from a row. Booleans are kept as blobs, apart from every number and text. */
export type Stored = string | number | Uint8Array | null;
export type Row = readonly Stored[];

/** Prepared statements that are kept of one connection; the oldest goes first. */
export const STATEMENTS_MAX = 512;

/** An open database with its prepared statements, by their text. */
export class Connection {
  /** The greatest number of a document so far, by collection. */
  readonly lastIds = new Map<string, number>();
  /** The numbers of groups, by the name of the index's table. */
  readonly groups = new Map<string, KnownGroups>();
  /** The last group that was swept, by the name of the index's table. */
  readonly sweptUpTo = new Map<string, number>();
  /** By `PRAGMA data_version`, the state of the file in which all this was read. */
  private dataVersion: Stored = null;
  private readonly prepared = new Map<string, StatementSyncInstance>();

  constructor(readonly db: Database) {}

  /** Forgets what was read from the file. To be called whenever a transaction is rolled back. */
  forget(): void {
    this.lastIds.clear();
    this.groups.clear();
  }

  /** Forgets it when another connection has written. To be called in the transaction that reads afterwards. */
  forgetIfChanged(): void {
    const dataVersion = this.row('PRAGMA data_version')?.[0] ?? null;
    if (dataVersion === this.dataVersion) return;
    this.dataVersion = dataVersion;
    this.forget();
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
