import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { ULID_EXAMPLE } from '#http/fields';
import { Amount, At, Flag, Id, OneOf, Text } from '#http/response-fields';
import type { Totals as LedgerTotals } from '#ledger/figures';
import type { FundDocument, GroupView, ItemView, MonthView } from '#projections/month-document';

@ApiSchema({
  name: 'Adjustment',
  description: 'A correction of a fund’s balance, which does not count as spending',
})
class AdjustmentResponse {
  @Amount('The change of the balance', 1500)
  readonly amount!: number;

  @At('When it was made')
  readonly at!: string;

  @Id('The user who made it')
  readonly by!: string;
}

@ApiSchema({ name: 'Fund', description: 'The balance of a fund in a month' })
class FundResponse implements FundDocument {
  @Amount('The balance carried forward into the month', 20000)
  readonly carry_in!: number;

  @ApiProperty({ type: [AdjustmentResponse], description: 'The adjustments of the month, oldest first' })
  readonly adjustments!: readonly AdjustmentResponse[];

  @Amount('`carry_in` + `planned` + adjustments − `spent`', 23500)
  readonly ending!: number;
}

/** The answer of `PATCH /items/{itemId}`, and what an item of a month begins with. */
@ApiSchema({ name: 'ItemIdentity', description: 'What an item is in every month' })
export class ItemIdentityResponse {
  @Id('Shared by every month')
  readonly id!: string;

  @Text('Its name', 'Groceries')
  readonly name!: string;

  @OneOf(['income', 'expense'], 'The kind of its group', 'expense')
  readonly kind!: 'income' | 'expense';

  @Flag('Whether it carries its balance forward', false)
  readonly is_fund!: boolean;

  @Flag('Whether it is among the household’s favourites', true)
  readonly favorite!: boolean;

  @Amount('The target balance of a fund; null if none is set', 100000, { nullable: true })
  readonly fund_target!: number | null;
}

@ApiSchema({
  name: 'Item',
  description: 'An item in a month. A fund is one from the month in which it opened',
})
class ItemResponse extends ItemIdentityResponse implements ItemView {
  @Id('The group that it is in, in this month')
  readonly group_id!: string;

  @Amount('The planned amount for the month', 60000)
  readonly planned!: number;

  @Amount('Expenses minus refunds; 0 for an income item', 2500)
  readonly spent!: number;

  @Amount('Income received; 0 for an expense item', 0)
  readonly received!: number;

  @Amount('The remaining amount; for a fund, its ending balance', 57500)
  readonly remaining!: number;

  @Text('A note on the item in this month', null, { nullable: true })
  readonly note!: string | null;

  @ApiProperty({ type: FundResponse, nullable: true, example: null, description: 'Null for a regular item' })
  readonly fund!: FundResponse | null;
}

@ApiSchema({ name: 'Totals', description: 'Sums over the items of a group' })
class TotalsResponse implements LedgerTotals {
  @Amount('Σ planned', 60000)
  readonly planned!: number;

  @Amount('Σ spent', 2500)
  readonly spent!: number;

  @Amount('Σ received', 0)
  readonly received!: number;

  @Amount('Σ remaining', 57500)
  readonly remaining!: number;
}

/** The answer of `PATCH /groups/{groupId}`, and what a group of a month begins with. */
@ApiSchema({ name: 'GroupIdentity', description: 'What a group is in every month' })
export class GroupIdentityResponse {
  @Id('Shared by every month')
  readonly id!: string;

  @Text('Its name', 'Food')
  readonly name!: string;

  @ApiProperty({
    type: 'string',
    pattern: '^#[0-9a-f]{6}$',
    description: 'As `#rrggbb` in lower case',
    example: '#2e7d32',
  })
  readonly color!: string;

  @Flag('Whether its items are income', false)
  readonly is_income!: boolean;
}

@ApiSchema({ name: 'Group', description: 'A group in a month' })
class GroupResponse extends GroupIdentityResponse implements GroupView {
  @ApiProperty({ type: [ItemResponse], description: 'In their order' })
  readonly items!: readonly ItemResponse[];

  @ApiProperty({ type: TotalsResponse })
  readonly totals!: TotalsResponse;
}

@ApiSchema({ name: 'Center', description: 'The sums over all groups but income' })
export class CenterResponse {
  @Amount('Σ planned', 65000)
  readonly planned!: number;

  @Amount('Σ spent', 4000)
  readonly spent!: number;

  @Amount('Σ remaining', 81000)
  readonly remaining!: number;
}

/** A whole month, as every route under `/months/{month}` shows it. Amounts are minor units. */
@ApiSchema({ name: 'Month', description: 'The budget of one month' })
export class MonthResponse implements MonthView {
  @Text('The month', '2026-01')
  readonly month!: string;

  @Amount('Planned income minus all other planned amounts, including funds', 435000)
  readonly left_to_budget!: number;

  @ApiProperty({ type: [GroupResponse], description: 'Income first' })
  readonly groups!: readonly GroupResponse[];

  @ApiProperty({
    type: [String],
    description: 'Favourite items that are in this month, in the order in which they were made favourites',
    example: [ULID_EXAMPLE],
  })
  readonly favorites!: readonly string[];

  @ApiProperty({ type: CenterResponse })
  readonly center!: CenterResponse;

  @ApiProperty({
    type: 'integer',
    description: 'Untracked transactions of the household, whatever their month',
  })
  readonly untracked_count!: number;

  @ApiProperty({
    type: 'string',
    nullable: true,
    example: '2025-12',
    description: 'The month that it was copied from; null if it was created from the template',
  })
  readonly copied_from!: string | null;

  @At('When the month was created')
  readonly created_at!: string;
}
