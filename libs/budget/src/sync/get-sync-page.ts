import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { ApiSchema } from '@nestjs/swagger';
import { behindKey, keysUnder } from '#storage/documents/declared';
import { Documents } from '#storage/documents/documents';
import { ApiError, validationFailed } from '#http/api-error';
import { CursorCodec } from '#http/cursor';
import { CursorField, IntegerField } from '#http/fields';
import { Flag, ListOf, ResponseOf, Text, TextList, Whole } from '#http/response-fields';
import { UserNames } from '#identity/accounts/accounts';
import type { Household } from '#ledger/household';
import {
  type IdentitiesDocument,
  monthKey,
  presentMonth,
  type MonthDocument,
  type RemovedMonthDocument,
  monthView,
} from '#projections/month-document';
import {
  recordOf,
  transactionKey,
  type TransactionDocument,
  transactionView,
  usersOf,
} from '#projections/transaction-document';
import { LiveStreams } from '#engine/versions/live-streams';
import { ownTurn } from '#concurrency/turns';
import { HouseholdReads, itemNamesOf } from '../household-reads.js';
import { MonthResponse } from '../months/month.response.js';
import { TransactionResponse } from '../transactions/transaction.response.js';
import { ChangedEvents, EVENTS_MAX, type StreamPlace } from './changed-events.js';

/** The most transactions of one page. */
const PAGE_MAX = 1_000;
const PAGE_DEFAULT = 500;
/** How many months, and how many transactions, are written in one turn of the event loop. */
const MONTHS_PER_TURN = 32;
const TRANSACTIONS_PER_TURN = 256;

/** What `GET /sync` can be asked for. */
export class SyncQuery {
  @IntegerField({
    min: -1,
    max: Number.MAX_SAFE_INTEGER,
    optional: true,
    description: 'The `revision` of the last complete page; `-1` or absent for everything',
  })
  since?: number;

  @CursorField({ description: 'The `cursor` of the previous page; absent for the first page' })
  cursor?: string;

  @IntegerField({
    min: 1,
    max: PAGE_MAX,
    default: PAGE_DEFAULT,
    description: 'The most transactions of one page',
  })
  limit!: number;
}

/** A page of `GET /sync`. */
@ApiSchema({ name: 'SyncPage', description: 'What changed, as it is now' })
export class SyncPageResponse extends ResponseOf({
  revision: Whole(
    'The next `since`: the revision up to which the client now has everything; null until then',
    17,
    { nullable: true },
  ),
  complete: Flag('Whether this is the last page', true),
  cursor: Text('The cursor of the next page; null on the last page', null, { nullable: true }),
  months: ListOf(MonthResponse, 'Months that changed, oldest first'),
  removed_months: TextList('Months that no longer exist, oldest first: their creation was undone', []),
  transactions: ListOf(TransactionResponse, 'Transactions that changed, deleted ones included'),
  untracked_count: Whole('Untracked transactions of the household', 0),
}) {}

/** One page of what changed in a household, as the JSON of a `SyncPageResponse`. */
export class GetSyncPage extends Query<string> {
  constructor(
    readonly householdId: string,
    readonly query: SyncQuery,
  ) {
    super();
  }
}

/** Where a page begins. */
interface Place {
  /** As the client asked for the first page. */
  readonly since: number;
  /** The first event of which the client has not been sent everything. */
  readonly event: StreamPlace;
  /** While all transactions are listed: the id behind which they go on. Null when that is done. */
  readonly listedTo: string | null;
}

/** What a page shows, and where the next one begins. */
interface Page {
  readonly months: readonly (MonthDocument | RemovedMonthDocument)[];
  readonly transactions: readonly TransactionDocument[];
  /** Null on the last page. */
  readonly next: Place | null;
}

@QueryHandler(GetSyncPage)
export class GetSyncPageHandler implements IQueryHandler<GetSyncPage> {
  constructor(
    private readonly documents: Documents,
    private readonly streams: LiveStreams,
    private readonly changed: ChangedEvents,
    private readonly reads: HouseholdReads,
    private readonly userNames: UserNames,
    private readonly cursors: CursorCodec,
  ) {}

  /** @throws ApiError `invalid_cursor`, or `validation_failed` for a `since` beyond the end */
  async execute({ householdId, query }: GetSyncPage): Promise<string> {
    const scope = ['sync', householdId];
    const { since = -1, cursor, limit } = query;
    const begun = cursor === undefined ? null : placeOf(this.cursors.decode(scope, cursor));
    if (begun && query.since !== undefined && begun.since !== since) throw new ApiError('invalid_cursor');
    return this.reads.joined(householdId, async () => {
      // The documents reflect this revision from here on, and events are read up to it.
      const household = await this.streams.catchUp(householdId);
      const { revision } = household;
      const place = begun ?? firstPlace(since, revision);
      if (place.event.revision > revision + 1) {
        throw begun ? new ApiError('invalid_cursor') : validationFailed([SINCE_BEYOND_END]);
      }
      const page =
        place.listedTo === null
          ? await this.changes(householdId, household, place, limit)
          : await this.listing(householdId, revision, place, limit);
      const { next } = page;
      const cursor = next && this.cursors.encode(scope, positionOf(next));
      const end = { revision: next ? null : revision, complete: next === null, cursor };
      return this.render(householdId, page, end);
    });
  }

  /**
   * A page of all transactions in the order of their ids; all months come with the first one. So the cost of everything
   * is that of its answer, however long the history. What changes meanwhile is read from the events afterwards.
   */
  private async listing(householdId: string, revision: number, place: Place, limit: number): Promise<Page> {
    const { listedTo, event } = place;
    const months: Page['months'][number][] = [];
    if (listedTo === FIRST_ID) {
      for await (const page of this.reads.pages('months', householdId)) months.push(...page);
    }
    const range = {
      from: behindKey(transactionKey(householdId, listedTo ?? FIRST_ID)),
      before: keysUnder(householdId).before,
      limit: limit + 1,
    };
    const found = await this.documents.range(this.reads.models.transactions, range);
    const transactions = found.slice(0, limit);
    if (found.length > limit) {
      return { months, transactions, next: { ...place, listedTo: recordOf(transactions.at(-1)!).id } };
    }
    // No page passes more than `EVENTS_MAX` events: where there were more, the next one is the last.
    const isComplete = event.revision > revision && event.revision <= EVENTS_MAX;
    return { months, transactions, next: isComplete ? null : { ...place, listedTo: null } };
  }

  /** A page of what the events changed. */
  private async changes(
    householdId: string,
    household: Household,
    { since, event }: Place,
    limit: number,
  ): Promise<Page> {
    const { months, transactionIds, next } = await this.changed.from(householdId, household, event, limit);
    const models = this.reads.models;
    const monthKeys = [...months].sort().map(month => monthKey(householdId, month));
    const keys = [...transactionIds].map(id => transactionKey(householdId, id));
    const [foundMonths, foundTransactions] = await Promise.all([
      this.documents.getMany(models.months, monthKeys),
      this.documents.getMany(models.transactions, keys),
    ]);
    return {
      months: inOrder(foundMonths, monthKeys),
      transactions: inOrder(foundTransactions, keys),
      next: next.revision > household.revision ? null : { since, event: next, listedTo: null },
    };
  }

  /** Writes a page in steps that give way to other requests: it may have every month of the household. */
  private async render(
    householdId: string,
    { months, transactions }: Page,
    end: { readonly revision: number | null; readonly complete: boolean; readonly cursor: string | null },
  ): Promise<string> {
    const [identities, untrackedCount] = await Promise.all([
      this.reads.identities(householdId),
      this.reads.untrackedCount(householdId),
    ]);
    const present = months.flatMap(document => presentMonth(document) ?? []);
    const removed = months.filter(document => presentMonth(document) === null);
    const monthTexts = await textsOf(present, MONTHS_PER_TURN, some =>
      some.map(document => monthView(document, identities, untrackedCount)),
    );
    const transactionTexts = await this.transactionTexts(transactions, identities);
    const beginning = JSON.stringify(end).slice(0, -1);
    const removedMonths = JSON.stringify(removed.map(({ month }) => month));
    return `${beginning},"months":[${monthTexts}],"removed_months":${removedMonths},"transactions":[${transactionTexts}],"untracked_count":${untrackedCount}}`;
  }

  private async transactionTexts(
    documents: readonly TransactionDocument[],
    identities: IdentitiesDocument,
  ): Promise<string> {
    const records = documents.map(recordOf);
    const userNames = await this.userNames.namesOf(usersOf(records));
    const itemNames = itemNamesOf(identities);
    return textsOf(records, TRANSACTIONS_PER_TURN, some =>
      some.map(record => transactionView(record, itemNames, userNames)),
    );
  }
}

/** Less than the id of any transaction. */
const FIRST_ID = '';

const SINCE_BEYOND_END = { path: 'since', message: 'must not be beyond the last revision' };

/** @param revision the last one of the household */
function firstPlace(since: number, revision: number): Place {
  const [from, listedTo] = since < 0 ? [revision + 1, FIRST_ID] : [since + 1, null];
  return { since, event: { revision: from, transactions: 0 }, listedTo };
}

/** A place in a cursor; `placeOf` is the inverse. */
function positionOf({ since, event, listedTo }: Place): (string | number | null)[] {
  return [since, event.revision, event.transactions, listedTo];
}

function placeOf([since, revision, transactions, listedTo]: readonly unknown[]): Place {
  return {
    since: Number(since),
    event: { revision: Number(revision), transactions: Number(transactions) },
    listedTo: typeof listedTo === 'string' ? listedTo : null,
  };
}

/** Documents in the order of keys; those that are not there are left out. */
function inOrder<T extends { readonly key: string }>(documents: readonly T[], keys: readonly string[]): T[] {
  const byKey = new Map(documents.map(document => [document.key, document]));
  return keys.flatMap(key => byKey.get(key) ?? []);
}

/** The JSON of a list's elements, made in several turns of the event loop. */
async function textsOf<T>(
  list: readonly T[],
  perTurn: number,
  viewsOf: (some: readonly T[]) => readonly object[],
): Promise<string> {
  const texts: string[] = [];
  for (let from = 0; from < list.length; from += perTurn) {
    if (from > 0) await ownTurn();
    texts.push(JSON.stringify(viewsOf(list.slice(from, from + perTurn))).slice(1, -1));
  }
  return texts.join(',');
}
