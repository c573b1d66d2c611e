import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { ApiSchema } from '@nestjs/swagger';
import { Documents } from '#storage/documents/documents';
import { ApiError, retryLater, UNAVAILABLE_RETRY_SECONDS } from '#http/api-error';
import { Amount, At, Id, ListOf, OneOf, ResponseOf, Text } from '#http/response-fields';
import { notFound } from '#ledger/refusal';
import { shownEventId } from '#http/path-params';
import type { RecordedLedgerEvent } from '#ledger/events';
import { budgetOf, type Budget, type Household } from '#ledger/household';
import {
  addsUp,
  areExact,
  carryingMonth,
  explainItem,
  explainMonth,
  plansSetBy,
  type ExplainedFigure,
  type SettingEvents,
  type Source,
  type Term,
} from '#projections/explanation';
import { CommandLog, type RecordedCommandEvents } from '#engine/commands/command-log';
import { LiveStreams } from '#engine/versions/live-streams';
import { ownTurn } from '#concurrency/turns';
import { trackedTransactions } from '#engine/commands/command-facts';

/** How often an explanation is made again because something was recorded while it was made. */
const ATTEMPTS_MAX = 5;
/** How many events are read at once while looking for those that set what is planned. */
const EVENTS_AT_ONCE = 256;

@ApiSchema({ name: 'FigureSource', description: 'Where an amount comes from' })
class SourceResponse
  extends ResponseOf({
    kind: OneOf(['transaction', 'event', 'month'], 'What `id` names', 'transaction'),
    id: Text('The id of the transaction or the event, or the month', '2026-01'),
    amount: Amount('Signed', -1500),
    at: At('When it was recorded; null for a month', { nullable: true }),
    label: Text('A label for people: the merchant, the item or the kind of event', 'Costco'),
  })
  implements Source {}

@ApiSchema({ name: 'FigureTerm', description: 'A part of a figure: the sum of its sources' })
class TermResponse
  extends ResponseOf({
    term: Text('Its name', 'expenses'),
    amount: Amount('Signed', -1500),
    sources: ListOf(SourceResponse, 'They add up to the amount'),
  })
  implements Term {}

@ApiSchema({ name: 'ExplainedFigure', description: 'A figure: the sum of its terms' })
class FigureResponse
  extends ResponseOf({
    figure: Text('Its name', 'remaining'),
    value: Amount('As the month shows it', 57500),
    terms: ListOf(TermResponse, 'They add up to the value'),
  })
  implements ExplainedFigure {}

/** The answer of both `explain` routes: of a month, and of one of its items. Amounts are minor units. */
@ApiSchema({ name: 'Explanation', description: 'How figures are computed' })
export class ExplanationResponse extends ResponseOf({
  month: Text('The month', '2026-01'),
  item_id: Id('The item; null for the month itself', { nullable: true }),
  figures: ListOf(FigureResponse, 'The figures of the item or the month'),
}) {}

/** What the figures of a month, or of an item in it, are made of. */
export class Explain extends Query<ExplanationResponse> {
  constructor(
    readonly householdId: string,
    readonly month: string,
    /** Null for the month's own figure. */
    readonly itemId: string | null,
  ) {
    super();
  }
}

@QueryHandler(Explain)
export class ExplainHandler implements IQueryHandler<Explain> {
  constructor(
    private readonly streams: LiveStreams,
    private readonly documents: Documents,
    private readonly log: CommandLog,
  ) {}

  /**
   * @throws Refusal `not_found`; ApiError `figure_out_of_range` where a part of a figure is too large to be exact, though the
   *   figure is not; `unavailable` where the household never kept still
   */
  async execute({ householdId, month, itemId }: Explain): Promise<ExplanationResponse> {
    for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
      await ownTurn();
      const household = await this.streams.catchUp(householdId);
      const budget = budgetOf(household, month);
      if (!budget) throw notFound('month', month);
      if (itemId !== null && !budget.items.has(itemId)) throw notFound('item', itemId);
      const figures = await this.figures(householdId, household, budget, itemId);
      if (!areExact(figures)) throw new ApiError('figure_out_of_range');
      // Transactions are read after the state, and may have moved on: what does not add up is not shown.
      if (addsUp(figures)) return { month, item_id: itemId, figures: figures.map(shownFigure) };
    }
    throw retryLater('unavailable', UNAVAILABLE_RETRY_SECONDS);
  }

  private async figures(
    householdId: string,
    household: Household,
    budget: Budget,
    itemId: string | null,
  ): Promise<ExplainedFigure[]> {
    const setting = await this.settingEvents(householdId, household, budget, itemId);
    if (itemId === null) return explainMonth(household, budget, setting);
    const where = { month: budget.month, itemIds: [itemId] };
    const records = await trackedTransactions(this.documents, this.streams.models, householdId, where);
    return explainItem(household, budget, itemId, records, setting);
  }

  /** Looks for the events back from the state's own, until the last one that is wanted. */
  private async settingEvents(
    householdId: string,
    household: Household,
    budget: Budget,
    itemId: string | null,
  ): Promise<SettingEvents> {
    const wanted = new Map<string, number>();
    for (const [id, { planned }] of budget.items) {
      if (planned !== 0 && (itemId === null || id === itemId)) wanted.set(id, planned);
    }
    let wantsOpening = itemId !== null && carriesOpening(household, budget, itemId);
    const plans = new Map<string, RecordedLedgerEvent>();
    let opening: RecordedLedgerEvent | null = null;
    if (wanted.size === 0 && !wantsOpening) return { plans, opening };
    const commands = this.log.backwards(householdId, household.revision + 1, EVENTS_AT_ONCE);
    for await (const command of thoseThatHold(commands)) {
      for (const event of [...command].reverse()) {
        if (wantsOpening && event.type === 'FundOpened' && event.data.itemId === itemId) {
          opening = event;
          wantsOpening = false;
        }
        for (const [id, planned] of plansSetBy(event, budget.month)) {
          if (wanted.get(id) !== planned) continue;
          plans.set(id, event);
          wanted.delete(id);
        }
      }
      if (wanted.size === 0 && !wantsOpening) break;
    }
    return { plans, opening };
  }
}

/** Without what was undone, which set nothing: what was there before came back. @param commands from the newest back */
async function* thoseThatHold(
  commands: AsyncIterable<RecordedCommandEvents>,
): AsyncGenerator<RecordedCommandEvents> {
  const undone = new Set<string>();
  for await (const command of commands) {
    const [first] = command;
    if (undone.has(first.id)) continue;
    if (first.type === 'CommandUndone') undone.add(first.data.undoes);
    yield command;
  }
}

/** With the ids of events as the API shows them. */
function shownFigure(figure: ExplainedFigure): ExplainedFigure {
  const shownSource = (source: Source): Source =>
    source.kind === 'event' ? { ...source, id: shownEventId(source.id) } : source;
  const terms = figure.terms.map(term => ({ ...term, sources: term.sources.map(shownSource) }));
  return { ...figure, terms };
}

function carriesOpening(household: Household, { month, items }: Budget, itemId: string): boolean {
  const carryIn = items.get(itemId)!.carryIn;
  return carryIn !== null && carryingMonth(household, month, household.items.get(itemId)!) === null;
}
