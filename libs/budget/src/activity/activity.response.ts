import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { At, Id, Text } from '#http/response-fields';
import type { MonthView } from '#projections/month-document';
import type { TransactionView } from '#projections/transaction-document';
import { MonthResponse } from '../months/month.response.js';
import { TransactionResponse } from '../transactions/transaction.response.js';

const nullable = true;

/** One entry of the activity and of a transaction's history; amounts stand in its sentence only. */
@ApiSchema({ name: 'ActivityEntry', description: 'One command in the activity' })
export class ActivityEntry {
  @Id('The first event of the command')
  readonly event_id!: string;

  @ApiProperty({ type: 'integer', description: 'That event’s place in the household’s stream', example: 17 })
  readonly revision!: number;

  @At('When it was recorded')
  readonly at!: string;

  @Id('The user who did it')
  readonly by!: string;

  @Text('That user’s present name', 'Ada Lovelace')
  readonly by_name!: string;

  @Text('The name of that event', 'ItemPlanned')
  readonly type!: string;

  @Text(
    'One sentence for a person, with present names',
    'Ada Lovelace planned 600.00 for Groceries in 2026-01 instead of 0.00.',
  )
  readonly summary!: string;

  @ApiProperty({
    type: [String],
    description: 'Every month with a figure that the command changed, oldest first',
    example: ['2026-01'],
  })
  readonly months!: readonly string[];

  @Id('The transaction that it concerns; null if none', { nullable })
  readonly transaction_id!: string | null;
}

/** A page of `GET /activity`. */
@ApiSchema({ name: 'ActivityList' })
export class ActivityListResponse {
  @ApiProperty({ type: [ActivityEntry], description: 'Newest first' })
  readonly activity!: readonly ActivityEntry[];

  @ApiProperty({
    type: 'string',
    nullable,
    description: 'The cursor of the next page; null on the last page',
  })
  readonly next_cursor!: string | null;
}

/** The answer of `GET /transactions/{transactionId}/history`: every command that touched the transaction. */
@ApiSchema({ name: 'TransactionHistory' })
export class TransactionHistoryResponse {
  @ApiProperty({ type: [ActivityEntry], description: 'Oldest first' })
  readonly history!: readonly ActivityEntry[];
}

/** The answer of `POST /activity/{eventId}/undo`, computed from the state after it. */
@ApiSchema({ name: 'Undone', description: 'The result of an undo' })
export class UndoneResponse {
  @Id('The event that undid the command, now or earlier')
  readonly event_id!: string;

  @ApiProperty({ type: [MonthResponse], description: 'Every month with a changed figure, oldest first' })
  readonly months!: readonly MonthView[];

  @ApiProperty({
    type: TransactionResponse,
    nullable,
    description: 'The transaction that the command concerns; null if none',
  })
  readonly transaction!: TransactionView | null;

  @ApiProperty({ type: 'integer', description: 'Untracked transactions of the household', example: 0 })
  readonly untracked_count!: number;
}
