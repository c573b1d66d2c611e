import type { StatementSyncInstance } from '@photostructure/sqlite';
import type { Database } from '#sqlite/open-database';

/** What is bound to a statement and read from a row. Booleans are kept as blobs, apart from every number and text. */
export type Stored = string | number | Uint8Array | null;
export type Row = readonly Stored[];

/** Prepared statements that are kept of one connection; the oldest goes first. */
export const STATEMENTS_MAX = 512;

/** The prepared statements of one connection, by their text. Void with the connection. */
export class Statements {
  private readonly prepared = new Map<string, StatementSyncInstance>();

  constructor(readonly db: Database) {}

  /** How many statements are kept. */
  get size(): number {
    return this.prepared.size;
  }

  run(sql: string, values: readonly Stored[]): { readonly changes: number; readonly rowid: number } {
    const { changes, lastInsertRowid } = this.statement(sql).run(...values);
    return { changes, rowid: Number(lastInsertRowid) };
  }

  row(sql: string, values: readonly Stored[]): Row | undefined {
    const row: Row | undefined = this.statement(sql).get(...values);
    return row;
  }

  rows(sql: string, values: readonly Stored[]): Row[] {
    const rows: Row[] = this.statement(sql).all(...values);
    return rows;
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
