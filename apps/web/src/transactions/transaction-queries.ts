import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { dataOf, LedgerError } from '#client/client';
import { apiOf, type Schemas } from '../api/client.js';

type Transaction = Schemas['Transaction'];

export const VIEWS = ['untracked', 'tracked', 'deleted', 'all'] as const;
export type View = (typeof VIEWS)[number];

/** What a list of transactions is narrowed to; empty texts narrow nothing. */
export interface ListFilter {
  readonly view: View;
  readonly q: string;
  /** Applies to tracked ones alone, as the item does. */
  readonly month: string;
  readonly item: string;
}

const PAGE_ROWS = 200;

/** A list of transactions, newest first, page by page. */
export function transactionsQuery(household: string, filter: ListFilter) {
  return infiniteQueryOptions({
    queryKey: [household, 'transactions', 'list', filter],
    initialPageParam: '',
    queryFn: ({ pageParam, signal }) => {
      const { view, q, month, item } = filter;
      const query = {
        view,
        limit: PAGE_ROWS,
        ...(q !== '' && { q }),
        ...(view === 'tracked' && month !== '' && { month }),
        ...(view === 'tracked' && item !== '' && { item_id: item }),
        ...(pageParam !== '' && { cursor: pageParam }),
      };
      return dataOf(apiOf(household).GET('/transactions', { params: { query }, signal }));
    },
    getNextPageParam: page => page.next_cursor ?? undefined,
  });
}

/** A transaction as it is now, with the tag that a conditional change names. */
interface TaggedTransaction {
  readonly transaction: Transaction;
  readonly etag: string | null;
}

export async function readTransaction(household: string, id: string): Promise<TaggedTransaction> {
  const { data, error, response } = await apiOf(household).GET('/transactions/{transactionId}', {
    params: { path: { transactionId: id } },
  });
  if (!data) throw LedgerError.of(response, error);
  return { transaction: data, etag: response.headers.get('ETag') };
}

/** The transaction of the edit dialog: read when the dialog opens, and not again while somebody types. */
export function transactionQuery(household: string, id: string) {
  return queryOptions({
    queryKey: [household, 'transaction', id],
    queryFn: () => readTransaction(household, id),
    staleTime: 0,
    gcTime: 0,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
}

/** For each merchant, the item that its spending last went to. */
export function merchantsQuery(household: string) {
  return queryOptions({
    queryKey: [household, 'merchants'],
    queryFn: async ({ signal }) => (await dataOf(apiOf(household).GET('/merchants', { signal }))).merchants,
  });
}

/** Who changed a transaction, oldest first. */
export function transactionHistoryQuery(household: string, id: string) {
  return queryOptions({
    queryKey: [household, 'activity', 'transaction', id],
    queryFn: async ({ signal }) =>
      (
        await dataOf(
          apiOf(household).GET('/transactions/{transactionId}/history', {
            params: { path: { transactionId: id } },
            signal,
          }),
        )
      ).history,
  });
}
