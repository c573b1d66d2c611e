import { queryClient } from './query-client.js';
import { monthKey, type Month, type MonthData } from './queries.js';

/** The revision in a tag `"R-H"`, at which the content last changed; −1 where it is not known. */
export function revisionOf(etag: string | null): number {
  const revision = Number(/^(?:W\/)?"(-?\d+)-/.exec(etag ?? '')?.[1] ?? Number.NaN);
  return Number.isNaN(revision) ? -1 : revision;
}

export function cachedMonth(household: string, month: string): MonthData | null | undefined {
  return queryClient.getQueryData<MonthData | null>(monthKey(household, month));
}

/** Shows the month that a command answered; no second request is needed. */
export function storeMonth(household: string, month: Month, etag: string | null): void {
  queryClient.setQueryData(monthKey(household, month.month), { month, etag } satisfies MonthData);
  void queryClient.invalidateQueries({ queryKey: [household, 'explain'] });
  storeUntrackedCount(household, month.untracked_count);
}

/**
 * Shows the months that a command on transactions answered. Their tags are not in the answer; what is known is the
 * revision at which they changed, from the tag of the transaction.
 */
export function storeMonths(
  household: string,
  months: readonly Month[],
  transactionTag: string | null,
): void {
  for (const month of months) {
    // Only the revision of a tag is compared by a conditional write.
    const etag = transactionTag === null ? null : `"${revisionOf(transactionTag)}-0"`;
    storeMonth(household, month, etag);
  }
}

/** The count of untracked transactions is the household's, so every month shows the same. */
export function storeUntrackedCount(household: string, count: number): void {
  queryClient.setQueriesData<MonthData | null>({ queryKey: [household, 'month'] }, data =>
    data && data.month.untracked_count !== count
      ? { ...data, month: { ...data.month, untracked_count: count } }
      : data,
  );
}
