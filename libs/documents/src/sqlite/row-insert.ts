import type { Connection, Stored } from './connection.js';

/** A statement that inserts any number of rows of one form. */
export interface RowInsert {
  /** How many values a row has. */
  readonly columns: number;
  /** Its text for a number of rows, the same string each time. */
  readonly sql: (rows: number) => string;
}

/** Most of an insertion's time is the way into the statement and out again, which rows can share. */
const ROWS_MAX = 64;
/** Fewer rows than these go in one statement of their number. */
const ROWS_EXACT_BELOW = 16;

/** @param head up to `VALUES`. @param tail behind the rows */
export function rowInsert(head: string, columns: number, tail = ''): RowInsert {
  const row = `(${Array.from({ length: columns }, () => '?').join()})`;
  const texts: string[] = [];
  return {
    columns,
    sql: rows => (texts[rows] ??= `${head} VALUES ${Array.from({ length: rows }, () => row).join()} ${tail}`),
  };
}

/** How many of the rows that are left go in the next statement: of few different numbers, to keep few statements. */
function nextRows(left: number): number {
  if (left >= ROWS_MAX) return ROWS_MAX;
  return left >= ROWS_EXACT_BELOW ? ROWS_EXACT_BELOW : left;
}

/**
 * Inserts rows, several in a statement.
 * @param fill writes the values of a row into the array, from a place in it on
 * @param options.last is bound behind the rows; `inserted` is told after each statement how many of its rows went in
 */
export function insertRows(
  c: Connection,
  insert: RowInsert,
  count: number,
  fill: (values: Stored[], at: number, row: number) => void,
  options: {
    readonly last?: readonly Stored[];
    readonly inserted?: (from: number, rows: number, changes: number) => void;
  } = {},
): void {
  let values: Stored[] = [];
  for (let from = 0; from < count;) {
    const rows = nextRows(count - from);
    if (values.length !== rows * insert.columns)
      values = Array.from({ length: rows * insert.columns }, () => null);
    for (let row = 0; row < rows; row++) fill(values, row * insert.columns, from + row);
    const changes = c.run(insert.sql(rows), options.last ? [...values, ...options.last] : values);
    options.inserted?.(from, rows, changes);
    from += rows;
  }
}
