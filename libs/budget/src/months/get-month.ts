import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { MomentField } from '#http/fields';
import { monthRevision, monthView } from '#projections/month-view';
import { PastHouseholds } from '#streams/past-households';
import { HouseholdReads } from '../household-reads.js';
import { monthIn } from '../month-answer.js';
import { RenderedAnswers, taggedBytes, type Rendered, type TaggedBytes } from '../rendered-answers.js';

/** What `GET /months/{month}` can be asked for. */
export class GetMonthQuery {
  @MomentField({
    optional: true,
    date: 'last',
    description: 'Returns the month as of this moment, including names',
  })
  as_of?: string;
}

/** One month with all its figures, as the JSON of a `MonthView`. */
export class GetMonth extends Query<TaggedBytes> {
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
  execute({ householdId, month, asOf }: GetMonth): Promise<TaggedBytes> {
    if (asOf !== undefined) return this.asItStood(householdId, month, asOf);
    const name = `month ${this.reads.pointer} ${householdId} ${month}`;
    return this.reads.joined(householdId, () => {
      const version = this.reads.version(householdId);
      return this.answers.answer(name, version, () => this.render(householdId, month, version));
    });
  }

  private async asItStood(householdId: string, month: string, asOf: string): Promise<TaggedBytes> {
    const { body, revision } = monthIn(householdId, await this.past.at(householdId, asOf), month);
    return taggedBytes({ body: JSON.stringify(body), revision });
  }

  private async render(
    householdId: string,
    month: string,
    version: number | null,
  ): Promise<Rendered<TaggedBytes>> {
    const { document, identities, untrackedCount, sources } = await this.reads.month(householdId, month);
    return {
      answer: taggedBytes({
        body: JSON.stringify(monthView(document, identities, untrackedCount)),
        revision: monthRevision(document, identities),
      }),
      // The version says already whether they are the same.
      sources: version === null ? sources : [],
    };
  }
}
