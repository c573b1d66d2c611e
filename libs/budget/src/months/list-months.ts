import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { ApiSchema } from '@nestjs/swagger';
import { Amount, At, ListOf, Part, ResponseOf, Text } from '#http/response-fields';
import { presentMonth, type MonthDocument } from '#projections/month-document';
import { HouseholdReads } from '../household-reads.js';
import { CenterResponse } from './month.response.js';

const nullable = true;

@ApiSchema({ name: 'IncomeTotals', description: 'The sums over the income items' })
class IncomeTotalsResponse extends ResponseOf({
  planned: Amount('Σ planned', 500000),
  received: Amount('Σ received', 480000),
}) {}

@ApiSchema({ name: 'MonthSummary', description: 'A month in the list of months' })
class MonthSummaryResponse extends ResponseOf({
  month: Text('The month', '2026-01'),
  left_to_budget: Amount('Planned income minus all other planned amounts, including funds', 435000),
  income: Part(IncomeTotalsResponse),
  center: Part(CenterResponse),
  copied_from: Text(
    'The month that it was copied from; null if it was created from the template',
    '2025-12',
    { nullable },
  ),
  created_at: At('When the month was created'),
}) {}

/** The answer of `GET /months`. */
@ApiSchema({ name: 'MonthList' })
export class MonthListResponse extends ResponseOf({
  months: ListOf(MonthSummaryResponse, 'Oldest first'),
}) {}

/** Every month that a household has. */
export class ListMonths extends Query<MonthListResponse> {
  constructor(readonly householdId: string) {
    super();
  }
}

@QueryHandler(ListMonths)
export class ListMonthsHandler implements IQueryHandler<ListMonths> {
  constructor(private readonly reads: HouseholdReads) {}

  async execute({ householdId }: ListMonths): Promise<MonthListResponse> {
    const months: MonthSummaryResponse[] = [];
    for await (const page of this.reads.pages('months', householdId)) {
      for (const document of page) {
        const present = presentMonth(document);
        if (!present) continue;
        const { month, left_to_budget, center, copied_from, created_at } = present;
        months.push({ month, left_to_budget, income: incomeOf(present), center, copied_from, created_at });
      }
    }
    return { months };
  }
}

/** Only income is received, and what it plans is what is left to budget and what the other groups plan. */
function incomeOf({ left_to_budget, center, groups }: MonthDocument): IncomeTotalsResponse {
  return {
    planned: left_to_budget + center.planned,
    received: groups.reduce((sum, { totals }) => sum + totals.received, 0),
  };
}
