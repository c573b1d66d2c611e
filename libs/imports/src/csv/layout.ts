import { looksLikeAmount } from '../amounts.js';
import { looksLikeDate } from '../dates.js';
import {
  COLUMN_FIELDS,
  ImportUnreadable,
  UnknownColumn,
  type ColumnField,
  type ContentRules,
  type ImportOptions,
} from '../imported-file.js';
import { cleanText } from '../texts.js';
import { columnWord, HEADER_WORDS, type FurtherField } from './header-words.js';
import type { CsvRecord } from './records.js';

/** Lines before the header, at most. */
const SKIP_MAX = 100;
/** The longest name of a column, in code points. */
const NAME_LENGTH_MAX = 200;
/** Rows that show what a column without a known name has. */
const SAMPLE_ROWS = 50;

/** Where a file's columns are, as indexes. */
export type Places = Readonly<Record<ColumnField | FurtherField, number | null>>;

export interface Layout {
  readonly header: boolean;
  readonly skip: number;
  readonly columns: readonly string[];
  readonly places: Places;
  /** The records behind the header. */
  readonly rows: readonly CsvRecord[];
}

/**
 * Finds the header and the columns: by what the options say, else by known names, else by what the columns have.
 * @throws ImportUnreadable, UnknownColumn
 */
export function findLayout(
  records: readonly CsvRecord[],
  options: ImportOptions,
  rules: ContentRules,
): Layout {
  const behind = records.filter(({ line }) => line > (options.skip ?? 0));
  if (behind.length === 0) throw new ImportUnreadable('no_rows');
  const at = headerAt(behind, options, rules);
  const rows = behind.slice(at.first);
  const header = at.header === null ? null : behind[at.header]!;
  const width = rows
    .slice(0, SAMPLE_ROWS)
    .reduce((most, { cells }) => Math.max(most, cells.length), header?.cells.length ?? 0);
  const columns = Array.from({ length: width }, (_, index) =>
    header === null ? String(index + 1) : columnName(header.cells[index] ?? ''),
  );
  const start = header ?? rows[0];
  return {
    header: header !== null,
    skip: start === undefined ? 0 : start.line - 1,
    columns,
    places: findPlaces(columns, header !== null, rows.slice(0, SAMPLE_ROWS), options, rules),
    rows,
  };
}

interface HeaderAt {
  /** Null without a header. */
  readonly header: number | null;
  /** The first row. */
  readonly first: number;
}

/** The first record in which the columns have names that are known; else what stands before the first row. */
function headerAt(records: readonly CsvRecord[], options: ImportOptions, rules: ContentRules): HeaderAt {
  const isRow = ({ cells }: CsvRecord): boolean =>
    cells.some(cell => looksLikeDate(cell, rules.isDate)) &&
    cells.some(cell => looksLikeAmount(cell, rules) && !looksLikeDate(cell, rules.isDate));
  const below = records.findIndex(({ line }) => line > SKIP_MAX + 1);
  const candidates = records.slice(0, below === -1 ? records.length : below);
  const firstRow = candidates.findIndex(isRow);
  if (options.header === false) {
    const first = options.skip === undefined ? Math.max(0, firstRow) : 0;
    return { header: null, first };
  }
  if (options.skip !== undefined) {
    const isHeader = options.header === true || firstRow !== 0;
    return isHeader ? { header: 0, first: 1 } : { header: null, first: 0 };
  }
  const named = candidates.findIndex(({ cells }) => isHeaderRow(cells, options, rules));
  const header = named === -1 ? firstRow - 1 : named;
  if (header >= 0) return { header, first: header + 1 };
  // The first record is a row, or none is.
  const isHeader = options.header === true || firstRow === -1;
  return isHeader ? { header: 0, first: 1 } : { header: null, first: 0 };
}

function isHeaderRow(
  cells: readonly string[],
  { columns = {} }: ImportOptions,
  rules: ContentRules,
): boolean {
  if (cells.some(cell => looksLikeDate(cell, rules.isDate))) return false;
  const names = Object.values(columns).filter(name => numberOf(name) === null);
  const has = (name: string): boolean => cells.some(cell => columnName(cell) === name);
  if (names.length > 0 && names.every(has)) return true;
  const words = cells.map(columnWord);
  const knows = (field: ColumnField): boolean => HEADER_WORDS[field].some(word => words.includes(word));
  return knows('date') && (knows('amount') || knows('debit') || knows('credit'));
}

function columnName(cell: string): string {
  return cleanText(cell, NAME_LENGTH_MAX);
}

/** A column's number from 1; null for a name. */
function numberOf(name: string): number | null {
  return /^[1-9][0-9]{0,4}$/.test(name) ? Number(name) : null;
}

function findPlaces(
  columns: readonly string[],
  isNamed: boolean,
  rows: readonly CsvRecord[],
  options: ImportOptions,
  rules: ContentRules,
): Places {
  const given = givenPlaces(columns, isNamed, options);
  const places: Record<ColumnField | FurtherField, number | null> = {
    date: null,
    amount: null,
    debit: null,
    credit: null,
    merchant: null,
    note: null,
    category: null,
    currency: null,
    status: null,
    direction: null,
    ...given,
  };
  const words = isNamed ? columns.map(columnWord) : [];
  const isTaken = (index: number): boolean => Object.values(places).includes(index);
  const byName = (field: ColumnField | FurtherField): void => {
    for (const word of HEADER_WORDS[field]) {
      const index = words.findIndex((own, at) => own === word && !isTaken(at));
      if (places[field] === null && index !== -1) places[field] = index;
    }
  };
  byName('date');
  if (given.debit === undefined && given.credit === undefined) byName('amount');
  if (places.amount === null) {
    byName('debit');
    byName('credit');
  }
  for (const field of ['merchant', 'note', 'category', 'status', 'direction', 'currency'] as const)
    byName(field);
  const free = columns.map((_, index) => index).filter(index => !isTaken(index));
  byContent(places, { free, words, rows }, rules);
  requirePlaces(places, columns);
  return places;
}

/** @throws UnknownColumn, ImportUnreadable for a date or an amount */
function givenPlaces(
  columns: readonly string[],
  isNamed: boolean,
  options: ImportOptions,
): Partial<Record<ColumnField, number>> {
  const given: Partial<Record<ColumnField, number>> = {};
  for (const field of COLUMN_FIELDS) {
    const name = options.columns?.[field];
    if (name === undefined) continue;
    const number = numberOf(name);
    let index = isNamed ? columns.indexOf(name) : -1;
    if (index === -1 && number !== null) index = number - 1;
    else if (index === -1 && isNamed) {
      index = columns.findIndex(column => columnWord(column) === columnWord(name));
    }
    if (index < 0 || index >= columns.length) throw missingColumn(field, columns);
    given[field] = index;
  }
  return given;
}

function missingColumn(field: ColumnField, columns: readonly string[]): Error {
  if (field === 'date') return new ImportUnreadable('no_date_column', columns);
  const isText = field === 'merchant' || field === 'note' || field === 'category';
  return isText ? new UnknownColumn(field, columns) : new ImportUnreadable('no_amount_column', columns);
}

interface Unnamed {
  readonly free: readonly number[];
  /** Empty where the columns have no names. */
  readonly words: readonly string[];
  readonly rows: readonly CsvRecord[];
}

/** Names of columns whose numbers are not the amounts of entries. */
const OTHER_NUMBERS =
  /balance|saldo|solde|kontostand|残高|number|nummer|nr|iban|bic|account|konto|card|karte|id$|code|rate|kurs|fee|tax/;

/** Finds by their cells the columns that have no known name. */
function byContent(
  places: Record<ColumnField | FurtherField, number | null>,
  { free, words, rows }: Unnamed,
  rules: ContentRules,
): void {
  const isMostly = (index: number, accepts: (cell: string) => boolean): boolean => {
    const cells = rows.map(({ cells }) => cells[index]?.trim() ?? '').filter(cell => cell !== '');
    return cells.length > rows.length / 2 && cells.filter(accepts).length > cells.length / 2;
  };
  const isDate = (cell: string): boolean => looksLikeDate(cell, rules.isDate);
  places.date ??= free.find(index => isMostly(index, isDate)) ?? null;
  if (places.amount === null && places.debit === null && places.credit === null) {
    const amounts = free.filter(
      index =>
        index !== places.date &&
        !OTHER_NUMBERS.test(words[index] ?? '') &&
        !isMostly(index, isDate) &&
        isMostly(index, cell => looksLikeAmount(cell, rules)),
    );
    const written = amounts.filter(index => isMostly(index, cell => /[.,]|^[-−]/.test(cell)));
    // Of several columns with names, a person must choose.
    const [first, second] = written.length > 0 ? written : amounts;
    if (first !== undefined && (words.length === 0 || second === undefined)) places.amount = first;
  }
  // Old statements of German banks have it behind the amount, without a name.
  places.direction ??= free.find(index => !words[index] && isMostly(index, isDirection)) ?? null;
  if (places.merchant !== null) return;
  const used = Object.values(places);
  let longest = 0;
  for (const index of free) {
    if (used.includes(index)) continue;
    const letters = rows.reduce((sum, { cells }) => sum + lettersIn(cells[index] ?? ''), 0);
    if (letters <= longest) continue;
    longest = letters;
    places.merchant = index;
  }
}

function isDirection(cell: string): boolean {
  return /^([shdc]|[dc]r)$/i.test(cell);
}

function lettersIn(cell: string): number {
  return cell.slice(0, 100).replaceAll(/\P{L}/gu, '').length;
}

function requirePlaces({ date, amount, debit, credit }: Places, columns: readonly string[]): void {
  if (date === null) throw new ImportUnreadable('no_date_column', columns);
  if (amount === null && debit === null && credit === null) {
    throw new ImportUnreadable('no_amount_column', columns);
  }
}
