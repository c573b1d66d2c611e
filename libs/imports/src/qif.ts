import { SPLITS_MAX } from '#ledger/limits';
import { chooseDecimal, readAmount } from './amounts.js';
import { chooseDateFormat, readDate } from './dates.js';
import {
  invalidEntry,
  requireRows,
  ROWS_MAX,
  type ContentRules,
  type DateFormat,
  type DecimalMark,
  type Entry,
  type EntryPart,
  type ImportedFile,
  type ImportOptions,
} from './imported-file.js';

/** Lists of transactions; others, such as of categories and of securities, are left out. */
const TRANSACTION_LISTS = /^!type:\s*(bank|cash|ccard|oth a|oth l)\b/i;

/** Whether a text is QIF. */
export function isQif(text: string): boolean {
  return /^\s*!(?:type|account|option|clear)\b/i.test(text.slice(0, 200));
}

interface QifRecord {
  date: string;
  amount: string;
  payee: string;
  memo: string;
  category: string;
  readonly parts: { category: string; amount: string }[];
}

/**
 * Reads QIF.
 * @throws ImportUnreadable
 */
export function readQif(text: string, options: ImportOptions, rules: ContentRules): ImportedFile {
  const records = recordsOf(text);
  requireRows(records.length);
  const filled = (cells: readonly string[]): string[] => cells.filter(cell => cell !== '');
  const dates = filled(records.map(({ date }) => date));
  const amounts = filled(records.map(({ amount }) => amount));
  const chosenDate = chooseDateFormat(dates, rules.isDate, rules.currency);
  const chosenDecimal = chooseDecimal(amounts, rules, 'point');
  const dateFormat = options.dateFormat ?? chosenDate.format;
  const decimal = options.decimal ?? chosenDecimal.decimal;
  return {
    format: 'qif',
    dateFormat,
    decimal,
    ambiguous: [
      ...(options.dateFormat === undefined && chosenDate.isAmbiguous ? (['date_format'] as const) : []),
      ...(options.decimal === undefined && chosenDecimal.isAmbiguous ? (['decimal'] as const) : []),
    ],
    csv: null,
    entries: records.map((record, index) => entryOf(record, index + 1, { dateFormat, decimal, rules })),
  };
}

/** The transactions, one more than may be at most. */
function recordsOf(text: string): QifRecord[] {
  const records: QifRecord[] = [];
  let isTransactions = false;
  let record: QifRecord | null = null;
  for (const [line] of text.matchAll(/[^\r\n]+/g)) {
    if (line.startsWith('!')) {
      isTransactions = TRANSACTION_LISTS.test(line);
      record = null;
    } else if (isTransactions && line.startsWith('^')) {
      if (record !== null) records.push(record);
      record = null;
    } else if (isTransactions) {
      record ??= { date: '', amount: '', payee: '', memo: '', category: '', parts: [] };
      readField(record, line.charAt(0), line.slice(1).trim());
    }
    if (records.length > ROWS_MAX) return records;
  }
  if (record !== null) records.push(record);
  return records;
}

function readField(record: QifRecord, code: string, value: string): void {
  if (code === 'D') record.date = value;
  else if (code === 'T' || (code === 'U' && record.amount === '')) record.amount = value;
  else if (code === 'P') record.payee = value;
  else if (code === 'M') record.memo = value;
  else if (code === 'L') record.category = value;
  else if (code === 'S' && record.parts.length <= SPLITS_MAX)
    record.parts.push({ category: value, amount: '' });
  else if (code === '$') {
    const part = record.parts.at(-1);
    if (part) part.amount = value;
  }
}

interface QifContext {
  readonly dateFormat: DateFormat;
  readonly decimal: DecimalMark;
  readonly rules: ContentRules;
}

function entryOf(record: QifRecord, row: number, { dateFormat, decimal, rules }: QifContext): Entry {
  const category = record.category || null;
  const date = readDate(record.date, dateFormat, rules.isDate);
  if (date === null) {
    const problem =
      record.date === '' ? 'The date is missing.' : `The date does not fit the format ${dateFormat}.`;
    return invalidEntry(row, problem, category);
  }
  const read = readAmount(record.amount, decimal, rules);
  if ('problem' in read) return invalidEntry(row, read.problem, category);
  const parts = record.parts.map(({ category, amount }): EntryPart => {
    const part = readAmount(amount, decimal, rules);
    // A part of the other sign fits no split, and then none of them is suggested.
    const isAlike = 'amount' in part && part.amount < 0 === read.amount < 0;
    return { category, amount: isAlike ? Math.abs(part.amount) : 0 };
  });
  return {
    row,
    problem: null,
    date,
    amount: read.amount,
    merchant: record.payee,
    note: record.memo,
    category,
    bankId: null,
    parts: parts.length > 1 ? parts : [],
  };
}
