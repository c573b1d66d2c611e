import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { TimestampField } from '#http/fields';
import { monthRevision, monthView } from '#projections/month-view';
import { PastHouseholds } from '#streams/past-households';
import type { Versioned } from '../household-call.js';
import { HouseholdReads } from '../household-reads.js';
import { monthIn } from '../month-answer.js';
import { RenderedAnswers, type Rendered } from '../rendered-answers.js';

export class GetMonthQuery {
  @TimestampField({ optional: true, description: 'The month as it stood at this moment, names included' })
  as_of?: string;
}

/** One month with all its figures, as the JSON text of a `MonthView`. */
export class GetMonth extends Query<Versioned<string>> {
  constructor(
    readonly householdId: string,
    readonly month: string,
    /** As it stood at this moment; as it is when absent. */
    readonly asOf?: string,
  ) {
    super();
  }
}

@QueryHandler(GetMonth)
export class GetMonthHandler implements IQueryHandler<GetMonth> {
  constructor(
    private readonly reads: HouseholdReads,
    private readonly answers: RenderedAnswers,
    private readonly past: PastHouseholds,
  ) {}

  /** @throws ApiError `not_found` */
  execute({ householdId, month, asOf }: GetMonth): Promise<Versioned<string>> {
    if (asOf !== undefined) return this.asItStood(householdId, month, asOf);
    const sources = this.reads.monthSources(householdId, month);
    const name = sources.map(({ collection, key }) => `${collection.name} ${key}`).join();
    return this.reads.joined(householdId, () =>
      this.answers.answer(name, sources, () => this.render(householdId, month)),
    );
  }

  private async asItStood(householdId: string, month: string, asOf: string): Promise<Versioned<string>> {
    const { body, revision } = monthIn(householdId, await this.past.at(householdId, asOf), month);
    return { body: JSON.stringify(body), revision };
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
