import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { Amount, At, Text } from '#http/response-fields';
import { presentMonth } from '#projections/month-document';
import { HouseholdReads } from '../household-reads.js';

@ApiSchema({ name: 'MonthSummary', description: 'A month in the list of months' })
class MonthSummaryResponse {
  @Text('The month', '2026-01')
  readonly month!: string;

  @Amount('Planned income minus all other planned amounts, including funds', 435000)
  readonly left_to_budget!: number;

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
        const { month, left_to_budget, copied_from, created_at } = present;
        months.push({ month, left_to_budget, copied_from, created_at });
      }
    }
    return { months };
  }
}
