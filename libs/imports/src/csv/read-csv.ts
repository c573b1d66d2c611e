import { chooseDecimal, otherCurrency, readAmount, type ReadAmount } from '../amounts.js';
import { currencyOfColumn } from '../currency-marks.js';
import { chooseDateFormat, looksLikeDate, readDate } from '../dates.js';
import type { DecodedText } from '../decode.js';
import {
  COLUMN_FIELDS,
  ImportUnreadable,
  invalidEntry,
  requireRows,
  ROWS_MAX,
  UnknownColumn,
  type ColumnField,
  type ContentRules,
  type CsvDialect,
  type DateFormat,
  type DecimalMark,
  type Delimiter,
  type Entry,
  type ImportedFile,
  type ImportOptions,
} from '../imported-file.js';
import { findLayout, type Layout, type Places } from './layout.js';
import { isOwnExport, ownEntries } from './own-export.js';
import { readRecords, type CsvRecord } from './records.js';

const DELIMITERS: readonly Delimiter[] = ['comma', 'semicolon', 'tab'];
/** So many lines show which delimiter a file has. */
const SAMPLE_LINES = 160;
/** Lines before the header, and totals behind the rows, come on top of these. */
const RECORDS_MAX = ROWS_MAX + 1_000;

/**
 * Reads a CSV file.
 * @throws ImportUnreadable, UnknownColumn
 */
export function readCsv(
  { text, encoding }: DecodedText,
  options: ImportOptions,
  rules: ContentRules,
): ImportedFile {
  const bytes = Buffer.from(text.replaceAll(/\r\n?/g, '\n'));
  const delimiter = options.delimiter ?? chooseDelimiter(bytes, options, rules);
  const records = readRecords(bytes, delimiter, RECORDS_MAX);
  if (records.length === RECORDS_MAX) throw new ImportUnreadable('too_many_rows');
  const layout = findLayout(records, options, rules);
  const { header, skip, columns, places } = layout;
  const csv: CsvDialect = { delimiter, encoding, header, skip, columns, mapping: mappingOf(layout) };
  if (header && isOwnExport(columns)) {
    const mapping = { ...csv.mapping, category: 'item' };
    return file('YMD', 'point', [], { ...csv, mapping }, ownEntries(layout.rows, columns, rules));
  }
  const rows = layout.rows.filter(row => saysSomething(row, places, rules.isDate));
  requireRows(rows.length, columns);
  const cells = (field: ColumnField): string[] => cellsOf(rows, places[field]);
  const chosenDate = chooseDateFormat(cells('date'), rules.isDate, rules.currency);
  const amounts = (['amount', 'debit', 'credit'] as const).flatMap(cells);
  const chosenDecimal = chooseDecimal(amounts, rules, delimiter === 'semicolon' ? 'comma' : 'point');
  const dateFormat = options.dateFormat ?? chosenDate.format;
  const decimal = options.decimal ?? chosenDecimal.decimal;
  const ambiguous = [
    ...(options.dateFormat === undefined && chosenDate.isAmbiguous ? (['date_format'] as const) : []),
    ...(options.decimal === undefined && chosenDecimal.isAmbiguous ? (['decimal'] as const) : []),
  ];
  const isUnsigned = !cells('amount').some(cell => isNegative(readAmount(cell, decimal, rules)));
  const context = { places, columns, dateFormat, decimal, flip: options.flip === true, isUnsigned, rules };
  return file(
    dateFormat,
    decimal,
    ambiguous,
    csv,
    rows.map(row => entryOf(row, context)),
  );
}

function file(
  dateFormat: DateFormat,
  decimal: DecimalMark,
  ambiguous: ImportedFile['ambiguous'],
  csv: CsvDialect,
  entries: readonly Entry[],
): ImportedFile {
  requireRows(entries.length, csv.columns);
  return { format: 'csv', dateFormat, decimal, ambiguous, csv, entries };
}

/** The delimiter with which the columns are found, else the one that makes most of them. */
function chooseDelimiter(bytes: Buffer, options: ImportOptions, rules: ContentRules): Delimiter {
  let best: Delimiter | null = null;
  let bestScore = 1;
  for (const delimiter of DELIMITERS) {
    const records = readRecords(bytes, delimiter, SAMPLE_LINES);
    const widths = records.map(({ cells }) => cells.length).sort((a, b) => a - b);
    const width = widths[Math.floor(widths.length / 2)] ?? 0;
    const widest = Math.min(widths.at(-1) ?? 0, 99);
    const score = Math.max(width, widest / 100) + (isFound(records, options, rules) ? 1_000 : 0);
    if (score <= bestScore && widest <= 1) continue;
    if (best === null || score > bestScore) [best, bestScore] = [delimiter, score];
  }
  if (best === null) {
    const [first] = readRecords(bytes, 'comma', SAMPLE_LINES);
    throw new ImportUnreadable(first === undefined ? 'no_rows' : 'unknown_format');
  }
  return best;
}

function isFound(records: readonly CsvRecord[], options: ImportOptions, rules: ContentRules): boolean {
  try {
    findLayout(records, options, rules);
    return true;
  } catch (error) {
    if (error instanceof ImportUnreadable) return false;
    if (error instanceof UnknownColumn) return true;
    throw error;
  }
}

function mappingOf({ header, columns, places }: Layout): CsvDialect['mapping'] {
  const nameOf = (index: number | null): string | null => {
    if (index === null) return null;
    const name = columns[index]!;
    const isName = header && name !== '' && columns.indexOf(name) === index && !/^[0-9]+$/.test(name);
    return isName ? name : String(index + 1);
  };
  return Object.fromEntries(
    COLUMN_FIELDS.map(field => [field, nameOf(places[field])]),
  ) as CsvDialect['mapping'];
}

function cellsOf(rows: readonly CsvRecord[], place: number | null): string[] {
  if (place === null) return [];
  return rows.map(({ cells }) => cells[place]?.trim() ?? '').filter(cell => cell !== '');
}

/** Totals and notices at the end have neither a date nor an amount in its column, or stand alone in their line. */
function saysSomething({ cells }: CsvRecord, places: Places, isDate: ContentRules['isDate']): boolean {
  const { date, amount, debit, credit } = places;
  const filled = cells.filter(cell => cell.trim() !== '');
  const [first, second] = filled;
  if (first !== undefined && second === undefined && !looksLikeDate(first, isDate)) return false;
  return [date, amount, debit, credit].some(place => place !== null && (cells[place] ?? '').trim() !== '');
}

interface RowContext {
  readonly places: Places;
  readonly columns: readonly string[];
  readonly dateFormat: DateFormat;
  readonly decimal: DecimalMark;
  readonly flip: boolean;
  /** No amount is negative: another column may say which are expenses. */
  readonly isUnsigned: boolean;
  readonly rules: ContentRules;
}

const PENDING =
  /pending|vorgemerkt|ausstehend|en attente|pendiente|pendente|in attesa|未確定|^authori[sz]ed$|^in behandeling/i;
const EXPENSE = /^(d|s|dr|db|debit|soll|af|debet|debito|débit)$/i;
const NOT_MADE = /^(reverted|declined|failed|cancell?ed|rejected|storniert|abgelehnt)$/i;

function entryOf({ line, cells }: CsvRecord, context: RowContext): Entry {
  const { places, dateFormat, flip, rules } = context;
  const cell = (field: keyof Places): string => {
    const place = places[field];
    return place === null ? '' : (cells[place] ?? '').trim();
  };
  const category = cell('category') || null;
  const status = cell('status');
  if (PENDING.test(status)) return invalidEntry(line, 'The entry is pending.', category);
  if (NOT_MADE.test(status))
    return invalidEntry(line, `The entry was not made: ${status.toLowerCase()}.`, category);
  const date = readDate(cell('date'), dateFormat, rules.isDate);
  if (date === null) return invalidEntry(line, dateProblem(cell('date'), dateFormat), category);
  const currency = cell('currency').toUpperCase();
  if (currency !== rules.currency && rules.isCurrency(currency)) {
    return invalidEntry(line, otherCurrency(currency, rules), category);
  }
  const read = signedAmount(cell, context);
  if ('problem' in read) return invalidEntry(line, read.problem, category);
  return {
    row: line,
    problem: null,
    date,
    amount: flip ? -read.amount : read.amount,
    merchant: cell('merchant'),
    note: cell('note'),
    category,
    bankId: null,
    parts: [],
  };
}

function dateProblem(cell: string, format: DateFormat): string {
  if (cell === '') return 'The date is missing.';
  return /pending|vorgemerkt/i.test(cell)
    ? 'The entry is pending.'
    : `The date does not fit the format ${format}.`;
}

/** The amount of a row: of its one column, or of the column for debits or credits that has one. */
function signedAmount(cell: (field: keyof Places) => string, context: RowContext): ReadAmount {
  const one = cell('amount');
  if (one !== '') {
    const read = amountIn('amount', one, context);
    const isExpense = context.isUnsigned && EXPENSE.test(cell('direction'));
    return 'amount' in read && isExpense ? { amount: -read.amount } : read;
  }
  const [debit, credit] = (['debit', 'credit'] as const).map(field =>
    cell(field) === '' ? { amount: 0 } : amountIn(field, cell(field), context),
  ) as [ReadAmount, ReadAmount];
  if ('problem' in debit) return debit;
  if ('problem' in credit) return credit;
  if (debit.amount !== 0 && credit.amount !== 0) return { problem: 'The row has a debit and a credit.' };
  // Some banks write debits with a minus, which says the same once more.
  if (debit.amount !== 0) return { amount: -Math.abs(debit.amount) };
  const isEmpty = cell('debit') === '' && cell('credit') === '';
  return isEmpty ? { problem: 'The amount is missing.' } : credit;
}

function isNegative(read: ReadAmount): boolean {
  return 'amount' in read && read.amount < 0;
}

function amountIn(
  field: 'amount' | 'debit' | 'credit',
  cell: string,
  { places, columns, decimal, rules }: RowContext,
): ReadAmount {
  const stated = currencyOfColumn(columns[places[field]!] ?? '', rules);
  if (stated !== null && !stated.includes(rules.currency))
    return { problem: otherCurrency(stated[0]!, rules) };
  return readAmount(cell, decimal, rules);
}
