import { isDeepStrictEqual } from 'node:util';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { ApiSchema } from '@nestjs/swagger';
import { satisfies, withIndexed } from '#storage/documents/declared';
import {
  Documents,
  type Collection,
  type IndexQuery,
  type Json,
  type Where,
} from '#storage/documents/documents';
import { decimalsOf } from '#http/currencies';
import { CursorCodec } from '#http/cursor';
import {
  CursorField,
  DateField,
  EnumField,
  IntegerField,
  MonthField,
  TextField,
  UlidField,
  UlidTextListField,
} from '#http/fields';
import { ListOf, NextCursor, ResponseOf, Whole } from '#http/response-fields';
import { UserNames } from '#identity/accounts/accounts';
import { amountOfText } from '#ledger/values';
import type { TransactionStatus } from '#ledger/transactions/transaction-record';
import {
  foldCase,
  lastPlaceOf,
  recordOf,
  transactionIndexFields,
  transactionKey,
  transactionPlace,
  type TransactionDocument,
  transactionView,
  usersOf,
} from '#projections/transaction-document';
import type { HouseholdInCurrency } from '../household-call.js';
import { HouseholdReads, itemNamesOf } from '../household-reads.js';
import { KeptPages, type KeptPage } from './kept-pages.js';
import { TransactionResponse } from './transaction.response.js';

/** The most transactions of one page. */
const PAGE_MAX = 200;
const PAGE_DEFAULT = 100;
const SEARCH_MAX = 100;
const IDS_MAX = 100;

/** What `GET /transactions` can be asked for. */
export class ListTransactionsQuery {
  @EnumField(['untracked', 'tracked', 'deleted', 'all'], {
    description: '`all` lists tracked and untracked transactions',
  })
  view!: TransactionStatus | 'all';

  @MonthField({
    optional: true,
    description: 'Only transactions of this budget month; applies to `tracked` only',
  })
  month?: string;

  @UlidField({
    optional: true,
    description: 'Only transactions with a split on this item; applies to `tracked` only',
  })
  item_id?: string;

  @TextField({
    min: 1,
    max: SEARCH_MAX,
    optional: true,
    description:
      'Part of the merchant in any letter case, or an amount such as `12.50`, with at most the decimals of the currency',
    example: 'costco',
  })
  q?: string;

  @DateField({ optional: true, description: 'Only transactions of this date or later' })
  from?: string;

  @DateField({ optional: true, description: 'Only transactions of this date or earlier' })
  to?: string;

  @UlidTextListField({
    min: 1,
    max: IDS_MAX,
    optional: true,
    description: `Only transactions with these ids: 1 to ${IDS_MAX}, separated by commas`,
  })
  ids?: string[];

  @CursorField()
  cursor?: string;

  @IntegerField({ min: 1, max: PAGE_MAX, default: PAGE_DEFAULT })
  limit!: number;
}

/** A page of `GET /transactions`. */
@ApiSchema({ name: 'TransactionList' })
export class TransactionListResponse extends ResponseOf({
  transactions: ListOf(TransactionResponse, 'By date and id, newest first'),
  next_cursor: NextCursor(),
  untracked_count: Whole('Untracked transactions of the household', 0),
}) {}

/** One page of a view of the transactions, as the JSON of a `TransactionListResponse`. */
export class ListTransactions extends Query<string> {
  constructor(
    readonly household: HouseholdInCurrency,
    readonly query: ListTransactionsQuery,
  ) {
    super();
  }
}

@QueryHandler(ListTransactions)
export class ListTransactionsHandler implements IQueryHandler<ListTransactions> {
  constructor(
    private readonly documents: Documents,
    private readonly reads: HouseholdReads,
    private readonly userNames: UserNames,
    private readonly cursors: CursorCodec,
    private readonly pages: KeptPages,
  ) {}

  /** @throws ApiError `invalid_cursor` */
  async execute({ household, query }: ListTransactions): Promise<string> {
    const { householdId } = household;
    const scope = scopeOf(householdId, query);
    const after = query.cursor === undefined ? null : this.cursors.decode(scope, query.cursor)[0];
    const page = indexQuery(household, query, typeof after === 'string' ? after : null);
    const asked = { householdId, scope, query, page };
    return this.reads.joined(householdId, async () => {
      // What people ask for again and again; a page further on, or of a search, is asked for once.
      const isRepeated = query.cursor === undefined && query.q === undefined && query.ids === undefined;
      return isRepeated ? this.firstPage(asked) : (await this.render(asked)).body;
    });
  }

  private async firstPage(asked: Asked): Promise<string> {
    const { householdId, scope, query } = asked;
    const name = JSON.stringify([this.reads.models.version, scope, query.limit]);
    const shelf = this.pages.shelf(householdId);
    const kept = shelf.get(name);
    if (kept && isDeepStrictEqual(kept.names, await this.userNames.namesOf(kept.users))) return kept.body;
    const page = await this.render(asked);
    this.pages.keep(householdId, shelf, name, page);
    return page.body;
  }

  private async render(asked: Asked): Promise<KeptPage> {
    const { householdId, scope, query } = asked;
    const { limit } = query;
    const [[found, untracked_count], identities] = await Promise.all([
      this.counted(asked),
      this.reads.identities(householdId),
    ]);
    const records = found.slice(0, limit).map(recordOf);
    const users = usersOf(records);
    const names = await this.userNames.namesOf(users);
    const itemNames = itemNamesOf(identities);
    const list: TransactionListResponse = {
      transactions: records.map(record => transactionView(record, itemNames, names)),
      next_cursor:
        found.length > limit ? this.cursors.encode(scope, [transactionPlace(records.at(-1)!)]) : null,
      untracked_count,
    };
    return { body: JSON.stringify(list), users, names };
  }

  /** Read again where the number changed meanwhile: a page and the number are not read in one moment. */
  private async counted(asked: Asked): Promise<readonly [TransactionDocument[], number]> {
    let count = await this.reads.untrackedCount(asked.householdId);
    for (let reads = 1; ; reads++) {
      const found = await this.found(asked);
      const countBefore = count;
      count = await this.reads.untrackedCount(asked.householdId);
      if (count === countBefore || reads === READS_MAX) return [found, count];
    }
  }

  /** The transactions of a page and one more. The order is by date, so what is before `from` can only come last. */
  private async found({ householdId, query, page }: Asked): Promise<TransactionDocument[]> {
    const { transactions } = this.reads.models;
    const { ids, from = '' } = query;
    const keys = ids?.map(id => transactionKey(householdId, id));
    const found = keys
      ? among(await this.documents.getMany(transactions, keys), transactions, page)
      : await this.documents.query(transactions, page);
    return found.filter(({ record }) => record.date >= from);
  }
}

/** How often a page is read for one request, where commands come all the time. */
const READS_MAX = 3;

interface Asked {
  readonly householdId: string;
  /** What a cursor is tied to. */
  readonly scope: readonly unknown[];
  readonly query: ListTransactionsQuery;
  readonly page: IndexQuery;
}

/** What a cursor is tied to: filters count only where they limit something. */
function scopeOf(
  householdId: string,
  { view, q, month, item_id, from, to, ids }: ListTransactionsQuery,
): readonly unknown[] {
  const filters = view === 'tracked' ? [month ?? null, item_id ?? null] : [];
  const limits = [from ?? null, to ?? null, ids?.toSorted() ?? null];
  return ['transactions', householdId, view, q ?? null, ...limits, ...filters];
}

/** Asks for one more than a page, to know whether there is a next one. */
function indexQuery(
  { householdId, currency }: HouseholdInCurrency,
  query: ListTransactionsQuery,
  cursor: string | null,
): IndexQuery {
  const { q, to, limit } = query;
  const after = cursor ?? (to === undefined ? null : lastPlaceOf(to));
  return {
    ...entriesOf(householdId, query),
    order: 'descending',
    limit: limit + 1,
    ...(after !== null && { after: { sort: after } }),
    ...(q !== undefined && { where: matching(q, decimalsOf(currency)) }),
  };
}

function entriesOf(household: string, query: ListTransactionsQuery): Pick<IndexQuery, 'index' | 'equals'> {
  const { view } = query;
  if (view === 'all') return { index: 'by_date', equals: { household, live: true } };
  const tags = view === 'tracked' ? tagsOf(query) : [];
  return tags.length === 0
    ? { index: 'by_view', equals: { household, view } }
    : { index: 'by_tag', equals: { household, view, tags } };
}

/** Those of some documents that a query would find, in its order. */
function among(
  documents: readonly TransactionDocument[],
  collection: Collection<TransactionDocument>,
  { equals, after, where, limit }: IndexQuery,
): TransactionDocument[] {
  return documents
    .map(document => ({ document, fields: transactionIndexFields(document) }))
    .filter(
      ({ document, fields }) =>
        stands(fields, equals) &&
        (after === undefined || fields.sort < after.sort) &&
        (where === undefined || satisfies(withIndexed(collection, document), where)),
    )
    .toSorted((a, b) => (a.fields.sort < b.fields.sort ? 1 : -1))
    .slice(0, limit)
    .map(({ document }) => document);
}

function stands(fields: Readonly<Record<string, Json>>, equals: IndexQuery['equals']): boolean {
  return Object.entries(equals).every(([name, value]) => {
    const own = fields[name];
    return typeof value === 'object'
      ? Array.isArray(own) && value.every(element => own.includes(element))
      : own === value;
  });
}

/** The month first: it has a limited number of transactions, an item may have more with every year. */
function tagsOf({ month, item_id }: ListTransactionsQuery): string[] {
  const tags = month === undefined ? [] : [month];
  if (item_id !== undefined) tags.push(item_id);
  return tags;
}

function matching(q: string, decimals: number): Where {
  const amount = amountOfText(q, decimals);
  const inMerchant = { field: 'merchant_folded', contains: foldCase(q) };
  return amount === null ? [inMerchant] : [inMerchant, { field: 'amount', equals: amount }];
}
