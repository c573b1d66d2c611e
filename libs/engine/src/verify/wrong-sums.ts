import {
  activityOf,
  sumActivity,
  statusOf,
  type Activity,
  type TransactionRecord,
} from '#ledger/transactions/transaction-record';
import type { Household } from '#ledger/household';

/** A figure of a household that its transactions do not add up to. */
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
 * Adds up the transactions of a household, to be compared with the sums that its events carried along. The two come from
 * the same events in different ways, so events that contradict each other show, even where every document agrees with
 * them. Memory holds one sum an item and month.
 */
export class TransactionSums {
  private readonly activity = new Map<string, Activity>();
  private untracked = 0;

  /** @param records some of them, at most some thousand */
  add(records: readonly TransactionRecord[]): void {
    const added = new Map<string, Activity[]>();
    for (const record of records) {
      const { type, budgetMonth, splits, deletedAt } = record;
      if (statusOf(record) === 'untracked') this.untracked++;
      if (deletedAt !== null || splits.length === 0) continue;
      const list = added.get(budgetMonth) ?? [];
      list.push(activityOf(type, splits));
      added.set(budgetMonth, list);
    }
    for (const [month, list] of added) {
      this.activity.set(month, sumActivity([this.activity.get(month) ?? [], ...list]));
    }
  }

  /** What differs from a state that all these transactions belong to. */
  differing(householdId: string, household: Household): WrongSum[] {
    const wrong: WrongSum[] = [];
    const compare = (month: string | null, itemId: string | null, expected: number, found: number): void => {
      if (expected !== found) wrong.push({ householdId, month, itemId, expected, found });
    };
    const left = new Map(this.activity);
    for (const { month, budget } of household.months) {
      const sums = new Map(left.get(month));
      for (const [itemId, { activity: found }] of budget?.items ?? []) {
        compare(month, itemId, sums.get(itemId) ?? 0, found);
        sums.delete(itemId);
      }
      left.set(month, [...sums]);
    }
    // Splits on what the month does not have count nowhere.
    for (const [month, sums] of left) {
      for (const [itemId, expected] of sums) compare(month, itemId, expected, 0);
    }
    compare(null, null, this.untracked, household.untracked.count);
    return wrong;
  }
}
