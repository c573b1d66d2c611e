import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { monthRevision, monthView, type MonthView } from '#projections/month-view';
import type { Versioned } from '../household-call.js';
import { HouseholdReads } from '../household-reads.js';

/** One month with all its figures. */
export class GetMonth extends Query<Versioned<MonthView>> {
  constructor(
    readonly householdId: string,
    readonly month: string,
  ) {
    super();
  }
}

@QueryHandler(GetMonth)
export class GetMonthHandler implements IQueryHandler<GetMonth> {
  constructor(private readonly reads: HouseholdReads) {}

  /** @throws ApiError `not_found` */
  execute({ householdId, month }: GetMonth): Promise<Versioned<MonthView>> {
    return this.reads.joined(householdId, async () => {
      const { document, identities, untrackedCount } = await this.reads.month(householdId, month);
      return {
        body: monthView(document, identities, untrackedCount),
        revision: monthRevision(document, identities),
      };
    });
  }
}
