/** One row of the split editor: an item, none chosen yet (`''`), and its part in minor units. */
export interface SplitRow {
  readonly itemId: string;
  /** Undefined while nothing readable is typed. */
  readonly amount: number | undefined;
}

export interface Split {
  readonly item_id: string;
  readonly amount: number;
}

/** What the rows leave of the amount; negative where they add up to more. */
export function restOf(amount: number, rows: readonly SplitRow[]): number {
  return amount - rows.reduce((sum, row) => sum + (row.amount ?? 0), 0);
}

/** The rows with the rest added to one of them, so that they add up to the amount. */
export function withRest(amount: number, rows: readonly SplitRow[], at: number): readonly SplitRow[] {
  const others = rows.filter((_, index) => index !== at);
  return rows.map((row, index) => (index === at ? { ...row, amount: restOf(amount, others) } : row));
}

/** What is wrong with the rows, as a sentence; undefined where they can be saved. */
export function problemOf(amount: number, rows: readonly SplitRow[]): string | undefined {
  const used = rows.filter(({ itemId, amount }) => itemId !== '' || amount !== undefined);
  if (used.some(({ itemId }) => itemId === '')) return 'Choose a budget item for each part.';
  if (used.some(({ amount }) => amount === undefined || amount <= 0))
    return 'Each part needs an amount above zero.';
  if (new Set(used.map(({ itemId }) => itemId)).size < used.length)
    return 'Each budget item can stand here once.';
  if (used.length > 0 && restOf(amount, used) !== 0) return 'The parts must add up to the amount.';
  return undefined;
}

/** The rows as the service takes them. Only for rows without a problem. */
export function splitsOf(rows: readonly SplitRow[]): readonly Split[] {
  return rows.flatMap(({ itemId, amount }) =>
    itemId !== '' && amount !== undefined ? [{ item_id: itemId, amount }] : [],
  );
}
