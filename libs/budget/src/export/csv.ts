import { decimalText } from '#ledger/values';
import type { TransactionView } from '#projections/transaction-document';

/** What spreadsheets need to read a file as UTF-8: without it they take it for the code page of their machine. */
const BYTE_ORDER_MARK = '\uFEFF';

const COLUMNS = [
  'transaction_id',
  'date',
  'budget_month',
  'type',
  'merchant',
  'amount',
  'group',
  'item',
  'split_amount',
  'note',
  'status',
  'created_by',
  'created_at',
] as const;

/** RFC 4180 ends every line so. */
const LINE_END = '\r\n';

/** How the rows of a household say amounts and groups. */
export interface CsvContext {
  /** Of the currency. */
  readonly decimals: number;
  /** The name of the group in which an item stands in a month; null where it is not there any more. */
  groupOf(month: string, itemId: string): string | null;
}

/** The names of the columns. */
export function csvHeader(): string {
  return BYTE_ORDER_MARK + COLUMNS.join(',') + LINE_END;
}

/** A transaction as rows: one for each split, or a single one with empty cells where it has none. */
export function csvRows(transaction: TransactionView, { decimals, groupOf }: CsvContext): string {
  const { budget_month: month, amount, splits } = transaction;
  const whole = {
    ...transaction,
    transaction_id: transaction.id,
    amount: decimalText(amount, decimals),
    created_by: csvText(transaction.created_by_name),
    merchant: csvText(transaction.merchant),
    note: csvText(transaction.note),
  };
  const parts = splits.map(split => ({
    group: csvText(groupOf(month, split.item_id)),
    item: csvText(split.item_name),
    split_amount: decimalText(split.amount, decimals),
  }));
  const rows = parts.length > 0 ? parts : [{ group: '', item: '', split_amount: '' }];
  return rows.map(part => row({ ...whole, ...part })).join('');
}

function row(cells: Readonly<Record<(typeof COLUMNS)[number], string>>): string {
  return COLUMNS.map(column => quoted(cells[column])).join(',') + LINE_END;
}

/** A text that people wrote: what a spreadsheet would take for a formula gets an apostrophe before it. */
export function csvText(text: string | null): string {
  if (text === null) return '';
  return /^[=+\-@]/.test(text) ? `'${text}` : text;
}

/** A cell; what holds a separator, a quote or a line break stands in quotes. */
export function quoted(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
