import type { StatementSyncInstance } from '@photostructure/sqlite';
import type { Database } from './open-database.js';

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
