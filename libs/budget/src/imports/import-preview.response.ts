import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { ULID_EXAMPLE } from '#http/fields';
import { Amount, Day, Flag, Id, OneOf, Text } from '#http/response-fields';

const nullable = true;

/** A suggested part. */
@ApiSchema({ name: 'ImportSplit', description: 'A suggested split' })
class ImportSplitResponse {
  @Id('The item')
  readonly item_id!: string;

  @Amount('The whole amount, or its part of a split entry', 4500)
  readonly amount!: number;
}

/** What records a row. */
@ApiSchema({ name: 'ImportOperation', description: 'Records the row, as an operation of a batch' })
export class ImportOperationResponse {
  @OneOf(['create'], 'What it does', 'create')
  readonly op!: 'create';

  @Id('Derived from the row, so that importing it again records nothing')
  readonly id!: string;

  @OneOf(['income', 'expense'], 'Negative amounts are expenses', 'expense')
  readonly type!: 'income' | 'expense';

  @Amount('The whole amount', 4500)
  readonly amount!: number;

  @Day('The day')
  readonly date!: string;

  @Text('The payee or the source; the note, or `Unknown`, if the file has none', 'Costco')
  readonly merchant!: string;

  @Text('What else the file says', null, { nullable })
  readonly note!: string | null;

  @ApiProperty({
    type: [ImportSplitResponse],
    description:
      'Suggested: the item that the category names in the month, or the merchant’s last one. Empty for none',
  })
  readonly splits!: readonly ImportSplitResponse[];

  @Text('The month in whose budget it counts', '2026-01')
  readonly budget_month!: string;
}

/** Whether a row was recorded before. */
type ImportState = 'new' | 'known' | 'deleted' | 'invalid';

@ApiSchema({ name: 'ImportRow', description: 'An entry of the file' })
export class ImportRowResponse {
  @ApiProperty({
    type: 'integer',
    description: 'Its line in a CSV file, else its number; from 1',
    example: 2,
  })
  readonly row!: number;

  @OneOf(
    ['new', 'known', 'deleted', 'invalid'],
    '`known`: recorded before. `deleted`: recorded and deleted since. `invalid`: see `problem`',
    'new',
  )
  readonly state!: ImportState;

  @Text('Why it cannot be recorded', null, { nullable })
  readonly problem!: string | null;

  @ApiProperty({
    type: ImportOperationResponse,
    nullable,
    description: 'Records it; null for an invalid row',
  })
  readonly operation!: ImportOperationResponse | null;

  @Text('As in the file', 'Food: Groceries', { nullable })
  readonly category!: string | null;

  @ApiProperty({
    type: 'array',
    items: { type: 'string' },
    description:
      'Up to three transactions entered by hand with the same type and amount, at most three days apart: probably the same',
    example: [ULID_EXAMPLE],
  })
  readonly similar!: readonly string[];
}

function ColumnName(): PropertyDecorator {
  return Text('Name or number of the column', 'Date', { nullable });
}

@ApiSchema({ name: 'ImportMapping', description: 'Which columns were read' })
class ImportMappingResponse {
  @ColumnName()
  readonly date!: string | null;

  @ColumnName()
  readonly amount!: string | null;

  @ColumnName()
  readonly debit!: string | null;

  @ColumnName()
  readonly credit!: string | null;

  @ColumnName()
  readonly merchant!: string | null;

  @ColumnName()
  readonly note!: string | null;

  @ColumnName()
  readonly category!: string | null;
}

@ApiSchema({ name: 'ImportCsv', description: 'How a CSV file is written' })
class ImportCsvResponse {
  @OneOf(['comma', 'semicolon', 'tab'], 'What separates cells', 'semicolon')
  readonly delimiter!: 'comma' | 'semicolon' | 'tab';

  @Text('The encoding, by its name in the WHATWG Encoding Standard', 'utf-8')
  readonly encoding!: string;

  @Flag('Whether there is a header', true)
  readonly header!: boolean;

  @ApiProperty({ type: 'integer', description: 'Lines before the header', example: 0 })
  readonly skip!: number;

  @ApiProperty({
    type: 'array',
    items: { type: 'string' },
    description: 'Their names, or numbers if the file has no header',
    example: ['Date', 'Payee', 'Amount'],
  })
  readonly columns!: readonly string[];

  @ApiProperty({ type: ImportMappingResponse, description: 'Which columns were read, and as what' })
  readonly mapping!: ImportMappingResponse;
}

@ApiSchema({ name: 'ImportCounts', description: 'Rows by their state' })
export class ImportCountsResponse implements Record<ImportState, number> {
  @ApiProperty({ type: 'integer', description: 'Rows that were never recorded', example: 1 })
  readonly new!: number;

  @ApiProperty({ type: 'integer', description: 'Rows that are recorded', example: 0 })
  readonly known!: number;

  @ApiProperty({ type: 'integer', description: 'Rows that were recorded and deleted', example: 0 })
  readonly deleted!: number;

  @ApiProperty({ type: 'integer', description: 'Rows that cannot be recorded', example: 0 })
  readonly invalid!: number;
}

@ApiSchema({ name: 'ImportPreview', description: 'What importing a file would record' })
export class ImportPreviewResponse {
  @OneOf(['csv', 'ofx', 'qif', 'camt053'], 'What the file is', 'csv')
  readonly format!: 'csv' | 'ofx' | 'qif' | 'camt053';

  @Text('The account, as ids are derived from it', 'default')
  readonly source!: string;

  @OneOf(['YMD', 'DMY', 'MDY', null], 'The order of dates in the whole file; null for OFX and CAMT', 'DMY', {
    nullable: true,
  })
  readonly date_format!: 'YMD' | 'DMY' | 'MDY' | null;

  @OneOf(
    ['point', 'comma', null],
    'What stands before decimals in the whole file; null for OFX and CAMT',
    'comma',
    { nullable: true },
  )
  readonly decimal!: 'point' | 'comma' | null;

  @ApiProperty({
    type: 'array',
    items: { type: 'string', enum: ['date_format', 'decimal'] },
    description: 'What the file leaves open, so that a person should confirm it',
    example: [],
  })
  readonly ambiguous!: readonly ('date_format' | 'decimal')[];

  @ApiProperty({ type: ImportCsvResponse, nullable, description: 'Null for other formats' })
  readonly csv!: ImportCsvResponse | null;

  @ApiProperty({ type: ImportCountsResponse, description: 'How many rows have each state' })
  readonly counts!: ImportCountsResponse;

  @ApiProperty({ type: [ImportRowResponse], description: 'Every entry, in the order of the file' })
  readonly rows!: readonly ImportRowResponse[];
}
