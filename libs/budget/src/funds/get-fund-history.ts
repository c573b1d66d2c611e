import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { ApiSchema } from '@nestjs/swagger';
import { EventStore } from '#storage/event-store/event-store';
import { ApiError } from '#http/api-error';
import { notFound } from '#ledger/refusal';
import { shownEventId } from '#http/path-params';
import { MomentField } from '#http/fields';
import { Amount, At, Id, ListOf, OneOf, ResponseOf, Text, Whole } from '#http/response-fields';
import { UserNames } from '#identity/accounts/accounts';
import { decodeEvent } from '#ledger/event-codec';
import { FUND_ENTRY_KINDS, FundHistory } from '#projections/fund-history';
import { eventsInParts } from '#engine/households/household-stream';
import { PastHouseholds } from '#engine/households/past-households';

/** What `GET /items/{itemId}/fund-history` can be asked for; all moments are inclusive. */
export class FundHistoryQuery {
  @MomentField({ optional: true, date: 'first', description: 'Only entries at or after this moment' })
  from?: string;

  @MomentField({ optional: true, date: 'last', description: 'Only entries at or before this moment' })
  to?: string;

  @MomentField({
    optional: true,
    date: 'last',
    description: 'Returns the history as of this moment, including names',
  })
  as_of?: string;
}

/** One entry of a fund's history; amounts are minor units. */
@ApiSchema({ name: 'FundEntry', description: 'A change of a fund’s ending in a month' })
export class FundEntryResponse extends ResponseOf({
  at: At('When it was recorded'),
  by: Id('The user who did it'),
  by_name: Text('That user’s present name', 'Ada Lovelace'),
  month: Text('The month concerned', '2026-01'),
  kind: OneOf(
    FUND_ENTRY_KINDS,
    '`opened`: became a fund; `laid_out`: added to a month; `removed`: deleted from a month; `closed`: no longer a fund',
    'spent',
  ),
  amount: Amount('Signed change of the ending in that month', -1500),
  balance: Amount('The ending balance after the entry', 23500),
  event_id: Id('The event'),
  revision: Whole('The event’s place in the household’s stream', 17),
}) {}

/** The answer of `GET /items/{itemId}/fund-history`, which is sent page by page. */
@ApiSchema({ name: 'FundHistory' })
export class FundHistoryResponse extends ResponseOf({
  item_id: Id('The item'),
  name: Text('Its name, as of `as_of` if given', 'Car'),
  entries: ListOf(FundEntryResponse, 'Oldest first'),
}) {}

/** A fund's history, page by page. */
export interface PagedFundHistory extends Omit<FundHistoryResponse, 'entries'> {
  readonly entries: AsyncIterable<readonly FundEntryResponse[]>;
}

/** What moved a fund, replayed from the events while its pages are asked for. */
export class GetFundHistory extends Query<PagedFundHistory> {
  constructor(
    readonly householdId: string,
    readonly itemId: string,
    readonly query: FundHistoryQuery,
  ) {
    super();
  }
}

@QueryHandler(GetFundHistory)
export class GetFundHistoryHandler implements IQueryHandler<GetFundHistory> {
  constructor(
    private readonly store: EventStore,
    private readonly past: PastHouseholds,
    private readonly userNames: UserNames,
  ) {}

  /** @throws Refusal `not_found`; ApiError `not_a_fund` */
  async execute({ householdId, itemId, query }: GetFundHistory): Promise<PagedFundHistory> {
    const { from = '', to = END_OF_TIME, as_of = END_OF_TIME } = query;
    const last = await this.past.revisionAt(householdId, as_of);
    const present = await this.past.atRevision(householdId, last);
    const item = present.items.get(itemId);
    if (!item) throw notFound('item', itemId);
    if (item.terms === 0) throw new ApiError('not_a_fund');
    const lastShown = to < as_of ? Math.min(last, await this.past.revisionAt(householdId, to)) : last;
    const entries = this.entries(householdId, itemId, { from, to, last: lastShown });
    return { item_id: itemId, name: item.name, entries };
  }

  /** The entries of a time, of the events up to a revision, page by page. */
  private async *entries(
    householdId: string,
    itemId: string,
    { from, to, last }: { readonly from: string; readonly to: string; readonly last: number },
  ): AsyncGenerator<readonly FundEntryResponse[]> {
    const start = from === '' ? -1 : await this.past.revisionAt(householdId, justBefore(from));
    const history = new FundHistory(itemId, await this.past.atRevision(householdId, Math.min(start, last)));
    const events = eventsInParts(this.store, householdId, history.household.revision + 1, last);
    for await (const part of events) {
      const shown = history.add(part.map(decodeEvent)).filter(({ at }) => at >= from && at <= to);
      const names = await this.userNames.namesOf(shown.map(({ by }) => by));
      yield shown.map(({ at, by, month, kind, amount, balance, eventId, revision }) => {
        const by_name = names.get(by) ?? '';
        return { at, by, by_name, month, kind, amount, balance, event_id: shownEventId(eventId), revision };
      });
    }
  }
}

/** Later than any event. */
const END_OF_TIME = '9999-12-31T23:59:59.999Z';

function justBefore(timestamp: string): string {
  return new Date(Date.parse(timestamp) - 1).toISOString();
}
