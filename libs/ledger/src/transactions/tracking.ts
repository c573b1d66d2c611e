import type { Draft } from '../draft.js';
import type { EventHeader } from '../event-declaration.js';
import { countOfTransactions } from '../present-names.js';
import * as cells from '../undo/cells.js';
import type { Month, Ulid } from '../values.js';
import {
  activityByItem,
  activityOf,
  changing,
  type Activity,
  type TransactionContent,
  type TransactionRecord,
} from './transaction-record.js';

/** The transactions that lost their splits through another command. */
export interface Untracking {
  readonly transactionIds: readonly Ulid[];
  /** Of every item that they were split over, also where it comes to 0: splits come back onto these as well. */
  readonly activity: Activity;
}

/** Transactions that get back the splits that another command took, and the activity that comes with them. */
export interface Retracking extends Untracking {
  /** The event that took them. */
  readonly takenBy: string;
}

/** Nothing is tracked on what was only added: a transaction on it would keep the addition from being undone. */
export const NOTHING_TRACKED: Untracking = { transactionIds: [], activity: [] };

/** The untracking of these transactions: all their splits go, also those on items that stay. */
export function untracking(tracked: readonly TransactionRecord[]): Untracking {
  return {
    transactionIds: tracked.map(({ id }) => id),
    activity: activityByItem(tracked.map(({ type, splits }) => activityOf(type, splits))),
  };
}

/** What was tracked again is taken away again. */
export function untrackingOf({ transactionIds, activity }: Retracking): Untracking {
  return { transactionIds, activity };
}

/** What becomes of the transactions that an event untracks: part of its declaration. */
export const UNTRACKS = {
  transactions: ({ untracked }: { readonly untracked: Untracking }) => untracked.transactionIds,
  record: (record: TransactionRecord, _: unknown, { id }: EventHeader) => ({
    ...record,
    splits: [],
    taken: { eventId: id, splits: record.splits },
  }),
};

/** Likewise of those that an event tracks again. */
export const RETRACKS = {
  transactions: ({ retracked }: { readonly retracked: Retracking }) => retracked.transactionIds,
  record: (record: TransactionRecord) => ({
    ...record,
    splits: record.taken?.splits ?? record.splits,
    taken: null,
  }),
};

export function untrack(draft: Draft, month: Month, untracked: Untracking): void {
  draft.addActivity(month, changing(untracked.activity), -1);
  draft.addUntracked(untracked.transactionIds.length);
}

export function retrack(draft: Draft, month: Month, { transactionIds, activity }: Retracking): void {
  draft.addActivity(month, changing(activity), 1);
  draft.addUntracked(-transactionIds.length);
}

/** The splits of transactions that lose them, or get them back, by what becomes of items. */
export function splitsTaken({ transactionIds }: Untracking): cells.Cell[] {
  return transactionIds.map(id => cells.field(id, 'splits'));
}

/** Transactions come back with all their splits, also on items that were there all the time. */
export function splitsPutBack(month: Month, retracked: Retracking): cells.Cell[] {
  const onItems = retracked.activity.map(([itemId]) => cells.itemPart(month, itemId, 'splits'));
  return [...splitsTaken(retracked), ...onItems];
}

type Field = keyof TransactionContent;

/** Where one of these was changed, all of them must still be as the change left them: they come back as a whole. */
export const BOUND_TOGETHER: readonly Field[] = ['type', 'amount', 'budgetMonth', 'splits'];

export function boundFields(id: Ulid): cells.Cell[] {
  return [...BOUND_TOGETHER, 'deleted'].map(name => cells.field(id, name));
}

export function* boundFieldsOfEach({ transactionIds }: Untracking): Iterable<cells.Cell> {
  for (const id of transactionIds) yield* boundFields(id);
}

/**
 * Splits can come back only onto transactions that have not changed since, and onto items that are there in the end.
 * @param own the items that come back themselves
 */
export function* neededToRetrack(
  month: Month,
  untracked: Untracking,
  own: readonly Ulid[],
): Iterable<cells.Cell> {
  yield* boundFieldsOfEach(untracked);
  const others = untracked.activity.map(([itemId]) => itemId).filter(itemId => !own.includes(itemId));
  for (const itemId of others) yield cells.itemAtLast(month, itemId);
}

/** What a sentence adds about them. */
export function untrackedToo({ transactionIds: { length } }: Untracking): string {
  return length === 0 ? '' : `, which untracked ${countOfTransactions(length)}`;
}

export function trackedAgain({ transactionIds: { length } }: Untracking): string {
  return length === 0 ? '' : `, which tracked ${countOfTransactions(length)} again`;
}
