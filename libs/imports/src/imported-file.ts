/** What a file can be. */
export type ImportFormat = 'csv' | 'ofx' | 'qif' | 'camt053';

/** The order in which the numbers of a date stand. */
export type DateFormat = 'YMD' | 'DMY' | 'MDY';

/** What stands before the decimals of an amount. */
export type DecimalMark = 'point' | 'comma';

export type Delimiter = 'comma' | 'semicolon' | 'tab';

/** The columns of a CSV file that say something of a transaction. */
export const COLUMN_FIELDS = ['date', 'amount', 'debit', 'credit', 'merchant', 'note', 'category'] as const;

export type ColumnField = (typeof COLUMN_FIELDS)[number];

/** What a person may say about a file; what is absent follows from its content. */
export interface ImportOptions {
  readonly format?: ImportFormat | undefined;
  readonly dateFormat?: DateFormat | undefined;
  readonly decimal?: DecimalMark | undefined;
  readonly delimiter?: Delimiter | undefined;
  /** Lines before the header. */
  readonly skip?: number | undefined;
  readonly header?: boolean | undefined;
  /** Positive amounts are expenses. */
  readonly flip?: boolean | undefined;
  /** Columns by their names, or by their numbers from 1. */
  readonly columns?: Readonly<Partial<Record<ColumnField, string>>>;
}

/** What a transaction of the household may hold. The same rules decide whether it can be recorded. */
export interface ContentRules {
  /** The code of the household's currency. */
  readonly currency: string;
  /** Of the currency. */
  readonly decimals: number;
  readonly amountMax: number;
  /** Lengths in code points. */
  readonly merchantMax: number;
  readonly noteMax: number;
  isDate(text: string): boolean;
  isCurrency(code: string): boolean;
  isMerchant(text: string): boolean;
  isId(text: string): boolean;
}

/** A part of an entry, on the item that a category names. */
export interface EntryPart {
  readonly category: string;
  /** Positive, in minor units. */
  readonly amount: number;
}

/** One entry of a statement, as a reader finds it. */
export interface Entry {
  /** Its line, or its number in a format that has no lines; from 1. */
  readonly row: number;
  /** Why it cannot be imported, as a sentence. The other fields then mean nothing. */
  readonly problem: string | null;
  /** `YYYY-MM-DD` */
  readonly date: string;
  /** In minor units; negative for an expense. */
  readonly amount: number;
  readonly merchant: string;
  readonly note: string;
  readonly category: string | null;
  /** The bank's own id of the entry. */
  readonly bankId: string | null;
  /** Two or more parts with their own categories. */
  readonly parts: readonly EntryPart[];
  /** What only this service's own export knows. */
  readonly recorded?: {
    readonly id: string;
    readonly budgetMonth: string;
    readonly isDeleted: boolean;
  };
}

/** How a CSV file is written. */
export interface CsvDialect {
  readonly delimiter: Delimiter;
  /** By its name in the WHATWG Encoding Standard. */
  readonly encoding: string;
  readonly header: boolean;
  /** Lines before the header, or before the first row. */
  readonly skip: number;
  /** Names from the header, else numbers from 1. */
  readonly columns: readonly string[];
  /** For each field the column's name, or its number where no name says which. */
  readonly mapping: Readonly<Record<ColumnField, string | null>>;
}

/** A statement as it was read. */
export interface ImportedFile {
  readonly format: ImportFormat;
  /** Null for a format that leaves no choice. */
  readonly dateFormat: DateFormat | null;
  readonly decimal: DecimalMark | null;
  /** What the file leaves open. */
  readonly ambiguous: readonly ('date_format' | 'decimal')[];
  readonly csv: CsvDialect | null;
  readonly entries: readonly Entry[];
}

/** The most rows of a file. */
export const ROWS_MAX = 20_000;

export type UnreadableReason =
  'unknown_format' | 'no_rows' | 'no_date_column' | 'no_amount_column' | 'too_many_rows';

/** The file as a whole cannot be imported. */
export class ImportUnreadable extends Error {
  override readonly name = 'ImportUnreadable';

  /** @param columns those of a CSV file, where they were found */
  constructor(
    readonly reason: UnreadableReason,
    readonly columns: readonly string[] | null = null,
  ) {
    super(reason);
  }
}

/** A parameter names a column that the file does not have. */
export class UnknownColumn extends Error {
  override readonly name = 'UnknownColumn';

  constructor(
    readonly field: ColumnField,
    readonly columns: readonly string[],
  ) {
    super(`no column for ${field}`);
  }
}

const EMPTY: Omit<Entry, 'row' | 'problem'> = {
  date: '',
  amount: 0,
  merchant: '',
  note: '',
  category: null,
  bankId: null,
  parts: [],
};

/** An entry that cannot be imported. */
export function invalidEntry(row: number, problem: string, category: string | null = null): Entry {
  return { row, problem, ...EMPTY, category };
}

/** @throws ImportUnreadable for a file without entries, or with too many */
export function requireRows(count: number, columns: readonly string[] | null = null): void {
  if (count === 0) throw new ImportUnreadable('no_rows', columns);
  if (count > ROWS_MAX) throw new ImportUnreadable('too_many_rows', columns);
}
