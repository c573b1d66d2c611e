import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { Amount, Id, Text } from '#http/response-fields';
import { notFound } from '#ledger/refusal';
import { presentMonth, type MonthDocument } from '#projections/month-document';
import { HouseholdReads } from '../household-reads.js';

@ApiSchema({ name: 'FundBalance', description: 'The balance of a fund at the beginning and end of a month' })
class FundBalanceResponse {
  @Amount('The balance carried forward into the month', 20000)
  readonly carry_in!: number;

  @Amount('The balance at the end of the month', 23500)
  readonly ending!: number;
}

@ApiSchema({ name: 'ItemMonth', description: 'The figures of an item in one month' })
class ItemMonthResponse {
  @Text('The month', '2026-01')
  readonly month!: string;

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

  @ApiProperty({
    type: FundBalanceResponse,
    nullable: true,
    example: null,
    description: 'Null where it is a regular item',
  })
  readonly fund!: FundBalanceResponse | null;
}

/** The answer of `GET /items/{itemId}/months`. */
@ApiSchema({ name: 'ItemMonths' })
export class ItemMonthsResponse {
  @Id('The item')
  readonly item_id!: string;

  @Text('Its name', 'Groceries')
  readonly name!: string;

  @ApiProperty({ type: [ItemMonthResponse], description: 'Every month that has the item, oldest first' })
  readonly months!: readonly ItemMonthResponse[];
}

/** An item in every month that has it. */
export class ListItemMonths extends Query<ItemMonthsResponse> {
  constructor(
    readonly householdId: string,
    readonly itemId: string,
  ) {
    super();
  }
}

@QueryHandler(ListItemMonths)
export class ListItemMonthsHandler implements IQueryHandler<ListItemMonths> {
  constructor(private readonly reads: HouseholdReads) {}

  /** @throws Refusal `not_found` where the household never had the item */
  async execute({ householdId, itemId }: ListItemMonths): Promise<ItemMonthsResponse> {
    await this.reads.ready(householdId);
    const { items } = await this.reads.identities(householdId);
    const item = items.find(({ id }) => id === itemId);
    if (!item) throw notFound('item', itemId);
    const months: ItemMonthResponse[] = [];
    for await (const page of this.reads.pages('months', householdId)) {
      for (const document of page) {
        const present = presentMonth(document);
        if (present) months.push(...figuresIn(present, itemId));
      }
    }
    return { item_id: itemId, name: item.name, months };
  }
}

/** The item's figures in a month; none where the month does not have it. */
function figuresIn({ month, groups }: MonthDocument, itemId: string): ItemMonthResponse[] {
  for (const { id: group_id, items } of groups) {
    const item = items.find(({ id }) => id === itemId);
    if (!item) continue;
    const { planned, spent, received, remaining } = item;
    const fund = item.fund && { carry_in: item.fund.carry_in, ending: item.fund.ending };
    return [{ month, group_id, planned, spent, received, remaining, fund }];
  }
  return [];
}
