import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { ApiSchema } from '@nestjs/swagger';
import { Amount, Id, ListOf, Part, ResponseOf, Text } from '#http/response-fields';
import { notFound } from '#ledger/refusal';
import { presentMonth, type MonthDocument } from '#projections/month-document';
import { HouseholdReads } from '../household-reads.js';

const nullable = true;

@ApiSchema({ name: 'FundBalance', description: 'The balance of a fund at the beginning and end of a month' })
class FundBalanceResponse extends ResponseOf({
  carry_in: Amount('The balance carried forward into the month', 20000),
  ending: Amount('The balance at the end of the month', 23500),
}) {}

@ApiSchema({ name: 'ItemMonth', description: 'The figures of an item in one month' })
class ItemMonthResponse extends ResponseOf({
  month: Text('The month', '2026-01'),
  group_id: Id('The group that it is in, in this month'),
  planned: Amount('The planned amount for the month', 60000),
  spent: Amount('Expenses minus refunds; 0 for an income item', 2500),
  received: Amount('Income received; 0 for an expense item', 0),
  remaining: Amount('The remaining amount; for a fund, its ending balance', 57500),
  fund: Part(FundBalanceResponse, 'Null where it is a regular item', { nullable, example: null }),
}) {}

/** The answer of `GET /items/{itemId}/months`. */
@ApiSchema({ name: 'ItemMonths' })
export class ItemMonthsResponse extends ResponseOf({
  item_id: Id('The item'),
  name: Text('Its name', 'Groceries'),
  months: ListOf(ItemMonthResponse, 'Every month that has the item, oldest first'),
}) {}

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
