import type { TransactionView } from '#projections/transaction-view';

const COLUMNS = [
  'id',
  'date',
  'type',
  'amount',
  'merchant',
  'note',
  'budget_month',
  'status',
  'splits',
  'created_by_name',
  'created_at',
  'updated_by_name',
  'updated_at',
  'deleted_at',
] as const;

/** RFC 4180 ends every line so. */
const LINE_END = '\r\n';

/** The names of the columns. */
export function csvHeader(): string {
  return COLUMNS.join(',') + LINE_END;
}

/** A transaction as a line; amounts in minor units, splits as `Groceries: 3000; Car: 1500`. */
export function csvLine(transaction: TransactionView): string {
  const splits = transaction.splits.map(({ item_name, amount }) => `${item_name}: ${amount}`).join('; ');
  const cells = { ...transaction, splits };
  return COLUMNS.map(column => csvCell(cells[column])).join(',') + LINE_END;
}

/**
 * One cell. A text that a spreadsheet would take for a formula gets an apostrophe before it; what holds a
 * separator, a quote or a line break is quoted.
 */
export function csvCell(value: string | number | null): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  const text = /^[=+\-@]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
