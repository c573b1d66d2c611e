import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { presentMonth } from '#projections/month-document';
import { HouseholdReads } from '../household-reads.js';

@ApiSchema({ name: 'MonthSummary' })
class MonthSummaryResponse {
  @ApiProperty({ type: 'string', example: '2026-01' })
  readonly month!: string;

  @ApiProperty({ type: 'integer', format: 'int64', example: 435000 })
  readonly left_to_budget!: number;

  @ApiProperty({ type: 'string', nullable: true, example: '2025-12' })
  readonly copied_from!: string | null;

  @ApiProperty({ type: 'string', format: 'date-time', example: '2026-01-05T08:00:00.000Z' })
  readonly created_at!: string;
}

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
