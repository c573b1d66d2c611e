import { queryOptions } from '@tanstack/react-query';
import { dataOf, LedgerError } from '#client/client';
import { api, apiOf } from './client.js';
import { hasCode } from './sentences.js';
import type { Me, MonthData } from './types.js';
import { withUnconfirmed } from './unconfirmed.js';

export type * from './types.js';

/** The signed-in person; null if there is none. */
export const meQuery = queryOptions({
  queryKey: ['me'],
  queryFn: async ({ signal }): Promise<Me | null> => {
    try {
      return await dataOf(api.GET('/me', { signal }));
    } catch (error) {
      if (hasCode(error, 'unauthenticated')) return null;
      throw error;
    }
  },
});

export const settingsQuery = queryOptions({
  queryKey: ['settings'],
  queryFn: ({ signal }) => dataOf(api.GET('/settings', { signal })),
});

export const monthKey = (household: string, month: string) =>
  [household, 'month', month] as readonly [string, string, string];

/** A month of a household; null where it has no budget for that month yet. */
export function monthQuery(household: string, month: string) {
  return queryOptions({
    queryKey: monthKey(household, month),
    queryFn: async ({ signal }): Promise<MonthData | null> => {
      const { data, error, response } = await apiOf(household).GET('/months/{month}', {
        params: { path: { month } },
        signal,
      });
      if (data) {
        const etag = response.headers.get('ETag');
        return withUnconfirmed(household, month, { month: data, etag });
      }
      if (response.status === 404) return null;
      throw LedgerError.of(response, error);
    },
  });
}

/** A month as it was at a moment, or at the end of a day. */
export function pastMonthQuery(household: string, month: string, asOf: string) {
  return queryOptions({
    queryKey: [household, 'past-month', `${month} ${asOf}`] as readonly [string, string, string],
    queryFn: async ({ signal }): Promise<MonthData | null> => {
      const { data, error, response } = await apiOf(household).GET('/months/{month}', {
        params: { path: { month }, query: { as_of: asOf } },
        signal,
      });
      if (data) return { month: data, etag: null };
      if (response.status === 404) return null;
      throw LedgerError.of(response, error);
    },
  });
}

export function monthsQuery(household: string) {
  return queryOptions({
    queryKey: [household, 'months'],
    queryFn: async ({ signal }) => (await dataOf(apiOf(household).GET('/months', { signal }))).months,
  });
}

export function explainItemQuery(household: string, month: string, itemId: string) {
  return queryOptions({
    queryKey: [household, 'explain', month, itemId],
    queryFn: ({ signal }) =>
      dataOf(
        apiOf(household).GET('/months/{month}/items/{itemId}/explain', {
          params: { path: { month, itemId } },
          signal,
        }),
      ),
  });
}

export function explainMonthQuery(household: string, month: string) {
  return queryOptions({
    queryKey: [household, 'explain', month],
    queryFn: ({ signal }) =>
      dataOf(apiOf(household).GET('/months/{month}/explain', { params: { path: { month } }, signal })),
  });
}

export function fundHistoryQuery(household: string, itemId: string) {
  return queryOptions({
    queryKey: [household, 'fund-history', itemId],
    queryFn: async ({ signal }) =>
      (
        await dataOf(
          apiOf(household).GET('/items/{itemId}/fund-history', { params: { path: { itemId } }, signal }),
        )
      ).entries,
  });
}

/** The tracked transactions of an item in a month, newest first. */
export function itemTransactionsQuery(household: string, month: string, itemId: string) {
  return queryOptions({
    queryKey: [household, 'transactions', 'item', month, itemId],
    queryFn: async ({ signal }) =>
      (
        await dataOf(
          apiOf(household).GET('/transactions', {
            params: { query: { view: 'tracked', month, item_id: itemId, limit: 50 } },
            signal,
          }),
        )
      ).transactions,
  });
}

export function membersQuery(household: string) {
  return queryOptions({
    queryKey: [household, 'members'],
    queryFn: async ({ signal }) =>
      (
        await dataOf(
          api.GET('/households/{householdId}/members', {
            params: { path: { householdId: household } },
            signal,
          }),
        )
      ).members,
  });
}

export function householdInvitesQuery(household: string) {
  return queryOptions({
    queryKey: [household, 'invites'],
    queryFn: async ({ signal }) =>
      (
        await dataOf(
          api.GET('/households/{householdId}/invites', {
            params: { path: { householdId: household } },
            signal,
          }),
        )
      ).invites,
  });
}

export const ownInvitesQuery = queryOptions({
  queryKey: ['own-invites'],
  queryFn: async ({ signal }) => (await dataOf(api.GET('/invites', { signal }))).invites,
});

export const sessionsQuery = queryOptions({
  queryKey: ['sessions'],
  queryFn: async ({ signal }) => (await dataOf(api.GET('/auth/sessions', { signal }))).sessions,
});

export const tokensQuery = queryOptions({
  queryKey: ['tokens'],
  queryFn: async ({ signal }) => (await dataOf(api.GET('/tokens', { signal }))).tokens,
});
