import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { MomentField } from '#http/fields';
import { PastHouseholds } from '#engine/households/past-households';
import type { Versioned } from '../household-call.js';
import { HouseholdReads } from '../household-reads.js';
import { KeptPages } from '../transactions/kept-pages.js';
import { monthIn } from '../month-answer.js';

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
    private readonly past: PastHouseholds,
    private readonly pages: KeptPages,
  ) {}

  /** @throws ApiError `not_found` */
  async execute({ householdId, month, asOf }: GetMonth): Promise<Versioned<string>> {
    if (asOf === undefined) return this.reads.joined(householdId, () => this.kept(householdId, month));
    const { body, revision } = monthIn(householdId, await this.past.at(householdId, asOf), month);
    return { body: JSON.stringify(body), revision };
  }

  private async kept(householdId: string, month: string): Promise<Versioned<string>> {
    const name = JSON.stringify([this.reads.models.version, month]);
    const shelf = this.pages.shelf(householdId);
    const kept = shelf.get(name);
    if (kept?.revision !== undefined) return { body: kept.body, revision: kept.revision };
    const { body: view, revision } = await this.reads.month(householdId, month);
    const body = JSON.stringify(view);
    this.pages.keep(householdId, shelf, name, { body, revision, users: [], names: new Map() });
    return { body, revision };
  }
}
