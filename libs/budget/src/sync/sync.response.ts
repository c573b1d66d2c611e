import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { Flag, Text } from '#http/response-fields';
import type { MonthView } from '#projections/month-document';
import type { TransactionView } from '#projections/transaction-document';
import { MonthResponse } from '../months/month.response.js';
import { TransactionResponse } from '../transactions/transaction.response.js';

/** A page of `GET /sync`. */
@ApiSchema({ name: 'SyncPage', description: 'What changed, as it is now' })
export class SyncPageResponse {
  @ApiProperty({
    type: 'integer',
    nullable: true,
    description: 'The next `since`: the revision up to which the client now has everything; null until then',
    example: 17,
  })
  readonly revision!: number | null;

  @Flag('Whether this is the last page', true)
  readonly complete!: boolean;

  @Text('The cursor of the next page; null on the last page', null, { nullable: true })
  readonly cursor!: string | null;

  @ApiProperty({ type: [MonthResponse], description: 'Months that changed, oldest first' })
  readonly months!: readonly MonthView[];

  @ApiProperty({
    type: [String],
    description: 'Months that no longer exist, oldest first: their creation was undone',
    example: [],
  })
  readonly removed_months!: readonly string[];

  @ApiProperty({
    type: [TransactionResponse],
    description: 'Transactions that changed, deleted ones included',
  })
  readonly transactions!: readonly TransactionView[];

  @ApiProperty({ type: 'integer', description: 'Untracked transactions of the household', example: 0 })
  readonly untracked_count!: number;
}
