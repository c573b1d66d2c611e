import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { Amount, At, Id, Text } from '#http/response-fields';
import { textPartsWithList } from '#projections/list-text';
import { monthTextParts } from '#projections/month-text';
import type { MonthView } from '#projections/month-view';
import type { SplitView, TransactionView } from '#projections/transaction-view';
import { MonthResponse } from '../months/month.response.js';
import { Location } from './location.js';

const nullable = true;

@ApiSchema({ name: 'Split', description: 'The part of a transaction that counts for one item' })
class SplitResponse implements SplitView {
  @Id('The item')
  readonly item_id!: string;

  @Amount('Its part', 4500)
  readonly amount!: number;

  @Text('The item’s present name', 'Groceries')
  readonly item_name!: string;
}

/** A transaction in every answer that shows one; amounts are minor units. */
@ApiSchema({ name: 'Transaction', description: 'Money spent or received, with the items that it counts for' })
export class TransactionResponse implements TransactionView {
  @Id('As the client made it')
  readonly id!: string;

  @ApiProperty({
    type: 'string',
    enum: ['income', 'expense'],
    description: 'A refund is an `income` on an expense item',
    example: 'expense',
  })
  readonly type!: 'income' | 'expense';

  @Amount('The whole amount', 4500)
  readonly amount!: number;

  @ApiProperty({
    type: 'string',
    format: 'date',
    description: 'The day on which it was made',
    example: '2026-01-15',
  })
  readonly date!: string;

  @Text('Where it was spent, or where the income came from', 'Costco')
  readonly merchant!: string;

  @Text('A note', null, { nullable })
  readonly note!: string | null;

  @Text('The month in whose budget it counts', '2026-01')
  readonly budget_month!: string;

  @ApiProperty({ type: [SplitResponse], description: 'Empty while it is untracked' })
  readonly splits!: readonly SplitResponse[];

  @ApiProperty({
    type: 'string',
    enum: ['tracked', 'untracked', 'deleted'],
    description: '`tracked`: its splits count; `untracked`: it has none',
    example: 'tracked',
  })
  readonly status!: 'tracked' | 'untracked' | 'deleted';

  @At('When it was deleted', { nullable })
  readonly deleted_at!: string | null;

  @ApiProperty({ type: Location, nullable, description: 'Where it was made' })
  readonly location!: Location | null;

  @Id('The user who created it')
  readonly created_by!: string;

  @Text('That user’s present name', 'Ada Lovelace')
  readonly created_by_name!: string;

  @Id('The user who changed it last; null before the first change', { nullable })
  readonly updated_by!: string | null;

  @Text('That user’s present name', 'Ada Lovelace', { nullable })
  readonly updated_by_name!: string | null;

  @At('When it was created')
  readonly created_at!: string;

  @At('When it was last changed, or else created')
  readonly updated_at!: string;
}

/** The answer of every write of a transaction. A repeated creation names no months: it changed none. */
@ApiSchema({ name: 'TransactionChange', description: 'What a write of a transaction left' })
export class TransactionChangeResponse {
  @ApiProperty({ type: TransactionResponse })
  readonly transaction!: TransactionView;

  @ApiProperty({
    type: [MonthResponse],
    description: 'Every month with a figure that the call changed, oldest first',
  })
  readonly months!: readonly MonthView[];

  @ApiProperty({ type: 'integer', description: 'Untracked transactions of the household', example: 0 })
  readonly untracked_count!: number;
}

/** As `JSON.stringify` makes it, with what the answers before it have in common taken over. */
export function transactionChangeText({
  transaction,
  months,
  untracked_count,
}: TransactionChangeResponse): string {
  const before = JSON.stringify({ transaction });
  const after = JSON.stringify({ untracked_count });
  return textPartsWithList(before, 'months', months.map(monthTextParts), after).join('');
}
