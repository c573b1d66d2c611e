import { queryOptions } from '@tanstack/react-query';
import { send } from '../api/untyped.js';
import type { Month } from '../api/types.js';

/** What a removal or reset would leave, without recording anything. */
export function dryRunQuery(
  household: string,
  month: string,
  method: 'DELETE' | 'POST',
  path: string,
  body?: unknown,
) {
  return queryOptions({
    queryKey: [household, 'dry-run', month, method, path, body ?? null],
    queryFn: () =>
      send<Month>(method, `/months/${month}${path}?dry_run=true`, {
        household,
        ...(body !== undefined && { body }),
      }),
    // What others change meanwhile counts as well.
    staleTime: 0,
    gcTime: 0,
    retry: false,
  });
}
