import { queryOptions } from '@tanstack/react-query';
import { dataOf, type LedgerClient } from '#client/client';
import type { Month } from '../api/types.js';

const DRY = { dry_run: true } as const;

/** Asked again each time: what others change meanwhile counts as well. */
const UNKEPT = { staleTime: 0, gcTime: 0 } as const;

/** The month as it would be without an item. */
export function withoutItemQuery(api: LedgerClient, household: string, month: string, itemId: string) {
  return queryOptions({
    ...UNKEPT,
    queryKey: [household, 'dry-run', month, 'item', itemId] as readonly string[],
    queryFn: (): Promise<Month> =>
      dataOf(
        api.DELETE('/months/{month}/items/{itemId}', { params: { path: { month, itemId }, query: DRY } }),
      ),
  });
}

/** The month as it would be without a group. */
export function withoutGroupQuery(api: LedgerClient, household: string, month: string, groupId: string) {
  return queryOptions({
    ...UNKEPT,
    queryKey: [household, 'dry-run', month, 'group', groupId] as readonly string[],
    queryFn: (): Promise<Month> =>
      dataOf(
        api.DELETE('/months/{month}/groups/{groupId}', { params: { path: { month, groupId }, query: DRY } }),
      ),
  });
}

/** The month as it would be after a reset. */
export function resetQuery(api: LedgerClient, household: string, month: string, mode: 'zero' | 'replace') {
  return queryOptions({
    ...UNKEPT,
    queryKey: [household, 'dry-run', month, 'reset', mode] as readonly string[],
    queryFn: (): Promise<Month> =>
      dataOf(api.POST('/months/{month}/reset', { params: { path: { month }, query: DRY }, body: { mode } })),
  });
}
