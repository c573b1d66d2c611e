import { BooleanField, EnumField, IntegerField, TextField } from '#http/fields';
import type { ColumnField, ImportOptions } from '#imports/imported-file';

/** The longest name of an account, in code points. */
const SOURCE_MAX = 100;
/** The longest name of a column, in code points. */
const COLUMN_MAX = 200;
/** The most lines before the header. */
const SKIP_MAX = 100;

function ColumnParam(what: string): PropertyDecorator {
  const description = `CSV: the column with ${what}, by its name or its number from 1`;
  return TextField({ min: 1, max: COLUMN_MAX, optional: true, description, example: 'Column' });
}

/** What a person says about a file. What is absent follows from its content. */
export class ImportQuery implements Partial<Record<ColumnField, string>> {
  @TextField({
    min: 1,
    max: SOURCE_MAX,
    default: 'default',
    description: 'The account, in any letter case. Equal entries of different accounts have different ids',
  })
  source!: string;

  @EnumField(['csv', 'ofx', 'qif', 'camt053'], { optional: true, description: 'The format of the file' })
  format?: NonNullable<ImportOptions['format']>;

  @EnumField(['YMD', 'DMY', 'MDY'], {
    optional: true,
    description: 'CSV and QIF: the order of the numbers of a date',
  })
  date_format?: NonNullable<ImportOptions['dateFormat']>;

  @EnumField(['point', 'comma'], { optional: true, description: 'CSV and QIF: what stands before decimals' })
  decimal?: NonNullable<ImportOptions['decimal']>;

  @EnumField(['comma', 'semicolon', 'tab'], { optional: true, description: 'CSV: what separates cells' })
  delimiter?: NonNullable<ImportOptions['delimiter']>;

  @IntegerField({ min: 0, max: SKIP_MAX, optional: true, description: 'CSV: lines before the header' })
  skip?: number;

  @BooleanField({ optional: true, description: 'CSV: whether there is a header' })
  header?: boolean;

  @BooleanField({ optional: true, description: 'CSV: positive amounts are expenses' })
  flip?: boolean;

  @ColumnParam('dates')
  date?: string;

  @ColumnParam('amounts')
  amount?: string;

  @ColumnParam('expenses')
  debit?: string;

  @ColumnParam('income')
  credit?: string;

  @ColumnParam('merchants')
  merchant?: string;

  @ColumnParam('notes')
  note?: string;

  @ColumnParam('categories')
  category?: string;
}

/** The query as the reader of files takes it. */
export function importOptions({
  source: _source,
  date_format: dateFormat,
  format,
  decimal,
  delimiter,
  skip,
  header,
  flip,
  ...columns
}: ImportQuery): ImportOptions {
  return { format, dateFormat, decimal, delimiter, skip, header, flip, columns };
}
