import { pagesOf } from '#documents/pages';
import { activityOf, sumActivity } from '#ledger/evolve';
import type { Activity } from '#ledger/events';
import type { Household } from '#ledger/household';
import { statusOf, type TransactionRecord } from '#ledger/transaction-record';
import { recordOf } from '#projections/transaction-document';
import { householdRange } from '#streams/household-making';
import type { Scratch } from './scratch-fold.js';

/** Transactions that are read at once. */
const PAGE_TRANSACTIONS = 5_000;

/** What a household's figures hold is not what its transactions give. */
export interface WrongSum {
  readonly householdId: string;
  /** `YYYY-MM`; null for the count of untracked transactions. */
  readonly month: string | null;
  /** The item whose splits are added up in minor units, expenses upwards; null for that count. */
  readonly itemId: string | null;
  /** The sum over the transactions. */
  readonly expected: number;
  /** What the figures are made of. */
  readonly found: number;
}

/**
 * Adds up the transactions of a household that was folded into a scratch, and compares with the sums that its events
 * carried along. The two come from the same events in different ways, so that events which contradict each other show
 * themselves, however right each document is by them. Memory holds one sum an item and month.
 * @throws DocumentsUnavailable
 */
export async function findWrongSums(
  scratch: Scratch,
  householdId: string,
  household: Household,
): Promise<WrongSum[]> {
  const { activity, untracked } = await addedUp(scratch, householdId);
  const wrong: WrongSum[] = [];
  const compare = (month: string | null, itemId: string | null, expected: number, found: number): void => {
    if (expected !== found) wrong.push({ householdId, month, itemId, expected, found });
  };
  for (const { month, budget } of household.months) {
    const sums = new Map(activity.get(month));
    for (const [itemId, { activity: found }] of budget?.items ?? []) {
      compare(month, itemId, sums.get(itemId) ?? 0, found);
      sums.delete(itemId);
    }
    activity.set(month, [...sums]);
  }
  // Splits on what the month does not have count nowhere.
  for (const [month, sums] of activity) {
    for (const [itemId, expected] of sums) compare(month, itemId, expected, 0);
  }
  compare(null, null, untracked, household.untracked.count);
  return wrong;
}

async function addedUp(
  { documents, models }: Scratch,
  householdId: string,
): Promise<{ readonly activity: Map<string, Activity>; readonly untracked: number }> {
  const activity = new Map<string, Activity>();
  let untracked = 0;
  const { transactions } = models;
  for await (const page of pagesOf(documents, transactions, householdRange(householdId), PAGE_TRANSACTIONS)) {
    const records = page.map(recordOf);
    addTo(activity, records);
    untracked += records.filter(record => statusOf(record) === 'untracked').length;
  }
  return { activity, untracked };
}

function addTo(activity: Map<string, Activity>, records: readonly TransactionRecord[]): void {
  const added = new Map<string, Activity[]>();
  for (const { type, budgetMonth, splits, deletedAt } of records) {
    if (deletedAt !== null || splits.length === 0) continue;
    const list = added.get(budgetMonth) ?? [];
    list.push(activityOf(type, splits));
    added.set(budgetMonth, list);
  }
  for (const [month, list] of added) {
    activity.set(month, sumActivity([activity.get(month) ?? [], ...list]));
  }
}
