import { readAmount } from '../amounts.js';
import { readDate } from '../dates.js';
import { invalidEntry, type ContentRules, type Entry, type EntryPart } from '../imported-file.js';
import type { CsvRecord } from './records.js';

/** The columns of this service's own CSV export that an import reads. */
const NAMES = [
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
] as const;

type Name = (typeof NAMES)[number];

/** Whether these are the columns of this service's own export. */
export function isOwnExport(columns: readonly string[]): boolean {
  return NAMES.every(name => columns.includes(name));
}

/** The transactions of an own export: the rows of one id are one entry. */
export function ownEntries(
  rows: readonly CsvRecord[],
  columns: readonly string[],
  rules: ContentRules,
): Entry[] {
  const at = Object.fromEntries(NAMES.map(name => [name, columns.indexOf(name)])) as Record<Name, number>;
  const groups = new Map<string, CsvRecord[]>();
  for (const row of rows) {
    const id = row.cells[at.transaction_id]?.trim() ?? '';
    const known = groups.get(id);
    // Rows without an id have nothing in common.
    if (known && id !== '') known.push(row);
    else groups.set(id === '' ? `line ${row.line}` : id, [row]);
  }
  return Array.from(groups.values(), group => ownEntry(group, at, rules));
}

function ownEntry(
  group: readonly CsvRecord[],
  at: Readonly<Record<Name, number>>,
  rules: ContentRules,
): Entry {
  const [first] = group;
  const { line, cells } = first!;
  const cell = (name: Name): string => cells[at[name]]?.trim() ?? '';
  const id = cell('transaction_id');
  if (!rules.isId(id)) return invalidEntry(line, 'The transaction_id is not an id.');
  const date = readDate(cell('date'), 'YMD', rules.isDate);
  if (date === null) return invalidEntry(line, 'The date cannot be read.');
  const budgetMonth = cell('budget_month');
  if (!rules.isDate(`${budgetMonth}-01`)) return invalidEntry(line, 'The budget_month is not a month.');
  const type = cell('type');
  if (type !== 'expense' && type !== 'income')
    return invalidEntry(line, 'The type is not expense or income.');
  const read = readAmount(cell('amount'), 'point', rules);
  if ('problem' in read) return invalidEntry(line, read.problem);
  const parts = group.flatMap(({ cells }) => ownPart(cells, at, rules));
  return {
    row: line,
    problem: null,
    date,
    amount: type === 'expense' ? -read.amount : read.amount,
    merchant: unguarded(cell('merchant')),
    note: unguarded(cell('note')),
    category: parts.length === 0 ? null : parts.map(({ category }) => category).join(', '),
    bankId: null,
    parts: parts.length > 1 ? parts : [],
    recorded: { id, budgetMonth, isDeleted: cell('status') === 'deleted' },
  };
}

function ownPart(
  cells: readonly string[],
  at: Readonly<Record<Name, number>>,
  rules: ContentRules,
): EntryPart[] {
  const [group, item] = [cells[at.group] ?? '', cells[at.item] ?? ''].map(unguarded);
  if (!item) return [];
  const read = readAmount(cells[at.split_amount] ?? '', 'point', rules);
  const amount = 'problem' in read ? 0 : read.amount;
  return [{ category: group ? `${group}: ${item}` : item, amount }];
}

/** Without the apostrophe that keeps spreadsheets from reading a formula. */
function unguarded(cell: string): string {
  return cell.replace(/^'(?=[=+\-@])/, '');
}
