import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { Amount, At, Text } from '#http/response-fields';
import { presentMonth, type MonthDocument } from '#projections/month-document';
import { HouseholdReads } from '../household-reads.js';
import { CenterResponse } from './month.response.js';

@ApiSchema({ name: 'IncomeTotals', description: 'The sums over the income items' })
class IncomeTotalsResponse {
  @Amount('Σ planned', 500000)
  readonly planned!: number;

  @Amount('Σ received', 480000)
  readonly received!: number;
}

@ApiSchema({ name: 'MonthSummary', description: 'A month in the list of months' })
class MonthSummaryResponse {
  @Text('The month', '2026-01')
  readonly month!: string;

  @Amount('Planned income minus all other planned amounts, including funds', 435000)
  readonly left_to_budget!: number;

  @ApiProperty({ type: IncomeTotalsResponse })
  readonly income!: IncomeTotalsResponse;

  @ApiProperty({ type: CenterResponse })
  readonly center!: CenterResponse;

  @Text('The month that it was copied from; null if it was created from the template', '2025-12', {
    nullable: true,
  })
  readonly copied_from!: string | null;

  @At('When the month was created')
  readonly created_at!: string;
}

/** The answer of `GET /months`. */
@ApiSchema({ name: 'MonthList' })
export class MonthListResponse {
  @ApiProperty({ type: [MonthSummaryResponse], description: 'Oldest first' })
  readonly months!: readonly MonthSummaryResponse[];
}

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
