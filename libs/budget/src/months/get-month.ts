import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { monthRevision, monthView } from '#projections/month-view';
import type { Versioned } from '../household-call.js';
import { HouseholdReads } from '../household-reads.js';
import { RenderedAnswers, type Rendered } from '../rendered-answers.js';

/** One month with all its figures, as the JSON text of a `MonthView`. */
export class GetMonth extends Query<Versioned<string>> {
  constructor(
    readonly householdId: string,
    readonly month: string,
  ) {
    super();
  }
}

@QueryHandler(GetMonth)
export class GetMonthHandler implements IQueryHandler<GetMonth> {
  constructor(
    private readonly reads: HouseholdReads,
    private readonly answers: RenderedAnswers,
  ) {}

  /** @throws ApiError `not_found` */
  execute({ householdId, month }: GetMonth): Promise<Versioned<string>> {
    const sources = this.reads.monthSources(householdId, month);
    const name = sources.map(({ collection, key }) => `${collection.name} ${key}`).join();
    return this.reads.joined(householdId, () =>
      this.answers.answer(name, sources, () => this.render(householdId, month)),
    );
  }

  private async render(householdId: string, month: string): Promise<Rendered> {
    const { document, identities, untrackedCount, revisions } = await this.reads.month(householdId, month);
    return {
      body: JSON.stringify(monthView(document, identities, untrackedCount)),
      revision: monthRevision(document, identities),
      sources: revisions,
    };
  }
}
