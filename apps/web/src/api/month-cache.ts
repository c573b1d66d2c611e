import type { MonthPatch } from '../month/month-patches.js';
import { inTurn } from './commands.js';
import { queryClient } from './query-client.js';
import { monthKey, monthQuery } from './queries.js';
import type { Month, MonthData } from './types.js';
import { addUnconfirmed, waitingChanges, withUnconfirmed } from './unconfirmed.js';

/** The revision in a tag `"R-H"`, at which the content last changed; −1 where it is not known. */
export function revisionOf(etag: string | null): number {
  const revision = Number(/^(?:W\/)?"(-?\d+)-/.exec(etag ?? '')?.[1] ?? Number.NaN);
  return Number.isNaN(revision) ? -1 : revision;
}

/** A month as it is shown. */
function cachedMonth(household: string, month: string): MonthData | null | undefined {
  return queryClient.getQueryData(monthKey(household, month));
}

/** A month as the service answered it last, without what is not confirmed yet. */
export function confirmedMonth(household: string, month: string): MonthData | null | undefined {
  return waitingChanges(household, month)?.base ?? cachedMonth(household, month);
}

/** Shows the month that a command answered; no second request is needed. */
export function storeMonth(household: string, month: Month, etag: string | null): void {
  const data: MonthData = { month, etag };
  show(household, month.month, data);
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
    // A conditional write compares only the revision of a tag.
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

/** Reads a month again, also where what is shown counts as fresh. */
export function readAgain(household: string, month: string): Promise<MonthData | null> {
  return queryClient.fetchQuery({ ...monthQuery(household, month), staleTime: 0 });
}

/** Sends a command, and shows its effect at once; it goes again if the command is refused. */
export async function optimistically<Result>(
  household: string,
  month: string,
  patch: MonthPatch,
  send: () => Promise<Result>,
): Promise<Result> {
  const shown = cachedMonth(household, month);
  if (!shown) return inTurn(send);
  // A read that began before the command must not put the former figures back.
  await queryClient.cancelQueries({ queryKey: monthKey(household, month) });
  const take = addUnconfirmed(household, month, shown, patch);
  show(household, month, confirmedMonth(household, month) ?? shown);
  try {
    return await inTurn(send);
  } catch (error) {
    // What stopped a read that was under way may not have brought what it would have.
    void queryClient.invalidateQueries({ queryKey: monthKey(household, month) });
    throw error;
  } finally {
    show(household, month, take());
  }
}

function show(household: string, month: string, data: MonthData): void {
  queryClient.setQueryData(monthKey(household, month), withUnconfirmed(household, month, data));
}
