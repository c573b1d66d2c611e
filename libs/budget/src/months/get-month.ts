import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { monthView, type MonthView } from '#projections/month-view';
import { HouseholdReads } from '../household-reads.js';

/** One month with all its figures. */
export class GetMonth extends Query<MonthView> {
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
  execute({ householdId, month }: GetMonth): Promise<MonthView> {
    return this.reads.joined(householdId, async () => {
      const { document, identities, untrackedCount } = await this.reads.month(householdId, month);
      return monthView(document, identities, untrackedCount);
    });
  }
}
