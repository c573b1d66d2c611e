import { ApiSchema } from '@nestjs/swagger';
import { ULID_EXAMPLE } from '#http/field-rules';
import {
  Amount,
  Day,
  Flag,
  Id,
  ListOf,
  OneOf,
  Part,
  ResponseOf,
  Text,
  TextList,
  Whole,
  SomeOf,
} from '#http/response-fields';

const nullable = true;

/** A suggested part. */
@ApiSchema({ name: 'ImportSplit', description: 'A suggested split' })
class ImportSplitResponse extends ResponseOf({
  item_id: Id('The item'),
  amount: Amount('The whole amount, or its part of a split entry', 4500),
}) {}

/** What records a row. */
@ApiSchema({ name: 'ImportOperation', description: 'Records the row, as an operation of a batch' })
export class ImportOperationResponse extends ResponseOf({
  op: OneOf(['create'], 'What it does', 'create'),
  id: Id('Derived from the row, so that importing it again records nothing'),
  type: OneOf(['income', 'expense'], 'Negative amounts are expenses', 'expense'),
  amount: Amount('The whole amount', 4500),
  date: Day('The day'),
  merchant: Text('The payee or the source; the note, or `Unknown`, if the file has none', 'Costco'),
  note: Text('What else the file says', null, { nullable }),
  splits: ListOf(
    ImportSplitResponse,
    'Suggested: the item that the category names in the month, or the merchant’s last one. Empty for none',
  ),
  budget_month: Text('The month in whose budget it counts', '2026-01'),
}) {}

@ApiSchema({ name: 'ImportRow', description: 'An entry of the file' })
export class ImportRowResponse extends ResponseOf({
  row: Whole('Its line in a CSV file, else its number; from 1', 2),
  state: OneOf(
    ['new', 'known', 'deleted', 'invalid'],
    '`known`: recorded before. `deleted`: recorded and deleted since. `invalid`: see `problem`',
    'new',
  ),
  problem: Text('Why it cannot be recorded', null, { nullable }),
  operation: Part(ImportOperationResponse, 'Records it; null for an invalid row', { nullable }),
  category: Text('As in the file', 'Food: Groceries', { nullable }),
  similar: TextList(
    'Up to three transactions entered by hand with the same type and amount, at most three days apart: probably the same',
    [ULID_EXAMPLE],
  ),
}) {}

const COLUMN = Text('Name or number of the column', 'Date', { nullable });

@ApiSchema({ name: 'ImportMapping', description: 'Which columns were read' })
class ImportMappingResponse extends ResponseOf({
  date: COLUMN,
  amount: COLUMN,
  debit: COLUMN,
  credit: COLUMN,
  merchant: COLUMN,
  note: COLUMN,
  category: COLUMN,
}) {}

@ApiSchema({ name: 'ImportCsv', description: 'How a CSV file is written' })
class ImportCsvResponse extends ResponseOf({
  delimiter: OneOf(['comma', 'semicolon', 'tab'], 'What separates cells', 'semicolon'),
  encoding: Text('The encoding, by its name in the WHATWG Encoding Standard', 'utf-8'),
  header: Flag('Whether there is a header', true),
  skip: Whole('Lines before the header', 0),
  columns: TextList('Their names, or numbers if the file has no header', ['Date', 'Payee', 'Amount']),
  mapping: Part(ImportMappingResponse, 'Which columns were read, and as what'),
}) {}

@ApiSchema({ name: 'ImportCounts', description: 'Rows by their state' })
export class ImportCountsResponse
  extends ResponseOf({
    new: Whole('Rows that were never recorded', 1),
    known: Whole('Rows that are recorded', 0),
    deleted: Whole('Rows that were recorded and deleted', 0),
    invalid: Whole('Rows that cannot be recorded', 0),
  })
  implements Record<ImportRowResponse['state'], number> {}

@ApiSchema({ name: 'ImportPreview', description: 'What importing a file would record' })
export class ImportPreviewResponse extends ResponseOf({
  format: OneOf(['csv', 'ofx', 'qif', 'camt053'], 'What the file is', 'csv'),
  source: Text('The account, as ids are derived from it', 'default'),
  date_format: OneOf(
    ['YMD', 'DMY', 'MDY', null],
    'The order of dates in the whole file; null for OFX and CAMT',
    'DMY',
  ),
  decimal: OneOf(
    ['point', 'comma', null],
    'What stands before decimals in the whole file; null for OFX and CAMT',
    'comma',
  ),
  ambiguous: SomeOf(
    ['date_format', 'decimal'],
    'What the file leaves open, so that a person should confirm it',
  ),
  csv: Part(ImportCsvResponse, 'Null for other formats', { nullable }),
  counts: Part(ImportCountsResponse, 'How many rows have each state'),
  rows: ListOf(ImportRowResponse, 'Every entry, in the order of the file'),
}) {}
