import {
  sumOrNaN,
  type Amount,
  type CalendarDate,
  type Kind,
  type Month,
  type Timestamp,
  type Ulid,
} from '../values.js';

export interface Split {
  readonly itemId: Ulid;
  readonly amount: Amount;
}

export interface Location {
  readonly lat: number;
  readonly lng: number;
  readonly accuracyM: number;
}

/** What a client says about a transaction. */
export interface TransactionContent {
  readonly type: Kind;
  readonly amount: Amount;
  readonly date: CalendarDate;
  readonly merchant: string;
  readonly note: string | null;
  readonly budgetMonth: Month;
  readonly splits: readonly Split[];
  readonly location: Location | null;
}

/** What a person knows a transaction by, as it was at the time; absent in version 1 of an event. */
export type TransactionBrief = Partial<Pick<TransactionContent, 'amount' | 'merchant'>>;

/** The splits of a transaction that another command took away. */
export interface TakenSplits {
  /** The event that took them, and whose undoing brings them back. */
  readonly eventId: string;
  readonly splits: readonly Split[];
}

/** A transaction as its events left it. */
export interface TransactionRecord extends TransactionContent {
  readonly id: Ulid;
  /** Revision of the last event that touched it. */
  readonly revision: number;
  /** Revision of the event that created it: there stands what was first posted. */
  readonly createdRevision: number;
  readonly createdAt: Timestamp;
  readonly createdBy: Ulid;
  readonly updatedAt: Timestamp;
  readonly updatedBy: Ulid | null;
  readonly deletedAt: Timestamp | null;
  /** Splits that another command took away; null once splits were set again, until that is undone. */
  readonly taken: TakenSplits | null;
}

export type TransactionStatus = 'tracked' | 'untracked' | 'deleted';

/** A deleted transaction keeps its splits: deletions of items never touch them, only a restore drops some. */
export function statusOf(record: Pick<TransactionRecord, 'deletedAt' | 'splits'>): TransactionStatus {
  if (record.deletedAt !== null) return 'deleted';
  return record.splits.length === 0 ? 'untracked' : 'tracked';
}

/** What clients say about a transaction, as it is now; `posted` of `Facts` is what they first said. */
export function contentOf(record: TransactionRecord): TransactionContent {
  const { type, amount, date, merchant, note, budgetMonth, splits, location } = record;
  return { type, amount, date, merchant, note, budgetMonth, splits, location };
}

/** Fields that a change changed. */
export function changedFields(
  before: TransactionContent,
  after: TransactionContent,
): (keyof TransactionContent)[] {
  return (Object.keys(after) as (keyof TransactionContent)[]).filter(name =>
    name === 'splits'
      ? !sameSplits(before.splits, after.splits)
      : JSON.stringify(before[name]) !== JSON.stringify(after[name]),
  );
}

/** Whether these are the same splits in the same order. */
export function sameSplits(a: readonly Split[], b: readonly Split[]): boolean {
  return (
    a.length === b.length &&
    a.every((split, i) => split.itemId === b[i]!.itemId && split.amount === b[i]!.amount)
  );
}

/** Whether a client would see no difference. */
export function sameContent(a: TransactionContent, b: TransactionContent): boolean {
  return changedFields(a, b).length === 0;
}

/** Activity by item: what a transaction, or many, add to the item's net spending. Expenses count up. */
export type Activity = readonly (readonly [itemId: Ulid, amount: Amount])[];

/** What splits add to each item's activity: expenses count up, incomes down. */
export function activityOf(type: Kind, splits: readonly Split[]): Activity {
  return splits.map(split => [split.itemId, type === 'expense' ? split.amount : -split.amount] as const);
}

/** As `activityByItem`, without those that cancel out. */
export function sumActivity(activities: Iterable<Activity>): Activity {
  return changing(activityByItem(activities));
}

/** What of an activity changes a figure. */
export function changing(activity: Activity): Activity {
  return activity.filter(([, amount]) => amount !== 0);
}

/** Activities added up by item. NaN where a sum is out of range: the figures made of it are refused. */
export function activityByItem(activities: Iterable<Activity>): Activity {
  const amounts = new Map<Ulid, Amount[]>();
  for (const activity of activities) {
    for (const [itemId, amount] of activity) {
      const known = amounts.get(itemId);
      if (known) known.push(amount);
      else amounts.set(itemId, [amount]);
    }
  }
  return [...amounts].map(([itemId, list]) => [itemId, sumOrNaN(list)] as const);
}
