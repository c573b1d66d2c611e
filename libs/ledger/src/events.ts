import type { Month, CalendarDate, Timestamp } from './calendar.js';
import type { Amount } from './money.js';

/** A ULID: 26 characters of Crockford's base 32. */
export type Ulid = string;

export type Kind = 'income' | 'expense';

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

/** A correction of a fund's balance. It keeps who made it and when, also when it is taken away and put back. */
export interface Adjustment {
  readonly amount: Amount;
  readonly at: Timestamp;
  readonly by: Ulid;
  readonly eventId: string;
  /** Which of the item's times as a fund it belongs to; see `FundOpened.term`. */
  readonly term: number;
}

/** Activity by item: what a transaction, or many, add to the item's net spending. Expenses count up. */
export type Activity = readonly (readonly [itemId: Ulid, amount: Amount])[];

/** The splits of a transaction that another command took away. */
export interface TakenSplits {
  /** The event that took them, and whose undoing brings them back. */
  readonly eventId: string;
  readonly splits: readonly Split[];
}

/**
 * The transactions that lost their splits through another command, and the activity that went with them: of every item
 * that they were split over, also where it comes to 0.
 */
export interface Untracking {
  readonly transactionIds: readonly Ulid[];
  readonly activity: Activity;
}

export interface NewGroup {
  readonly id: Ulid;
  readonly name: string;
  readonly color: string;
  readonly isIncome: boolean;
}

export interface NewItem {
  readonly id: Ulid;
  readonly name: string;
  readonly kind: Kind;
}

/** Groups in their order, with their items in theirs. */
export type Layout = readonly {
  readonly groupId: Ulid;
  readonly items: readonly { readonly itemId: Ulid; readonly planned: Amount }[];
}[];

/** What an item had in a month. */
export interface TakenItem {
  readonly itemId: Ulid;
  readonly planned: Amount;
  readonly note: string | null;
  readonly adjustments: readonly Adjustment[];
}

/** A month's whole layout as it was before it was replaced. */
export interface TakenMonth {
  readonly copiedFrom: Month | null;
  readonly groups: readonly { readonly groupId: Ulid; readonly items: readonly TakenItem[] }[];
}

/** Transactions that get back the splits that another command took, and the activity that comes with them. */
export interface Retracking extends Untracking {
  /** The event that took them. */
  readonly takenBy: string;
}

/** How a month was laid out: copied from an earlier one, or from the default template. */
export interface LaidOut {
  readonly month: Month;
  readonly copiedFrom: Month | null;
  /** Identities that did not exist before. */
  readonly newGroups: readonly NewGroup[];
  readonly newItems: readonly NewItem[];
  readonly layout: Layout;
  /** When the month was first made, where it comes back; absent: now. */
  readonly createdAt?: Timestamp;
}

export interface GroupAttributes {
  readonly name?: string;
  readonly color?: string;
}

/**
 * What an undoing knows of a place in a list: the list as it was when somebody left it, who left it included. With it
 * a place is found again between neighbours that have left or come back meanwhile, which `index` alone cannot tell.
 * Absent in events that were recorded before there was this field.
 */
export interface FormerPlace {
  readonly among?: readonly string[];
}

/** A correction, and its place among those of its item and month. */
export interface PlacedAdjustment extends FormerPlace {
  readonly month: Month;
  readonly itemId: Ulid;
  readonly index: number;
  readonly adjustment: Adjustment;
}

/** What a person knows a transaction by, as it was at the time; absent in version 1 of an event. */
export type TransactionBrief = Partial<Pick<TransactionContent, 'amount' | 'merchant'>>;

export interface ItemAttributes {
  readonly name?: string;
  readonly favorite?: boolean;
  readonly fundTarget?: Amount | null;
}

/**
 * Everything that can happen to a household's budget, by name.
 *
 * The names and shapes are stored for ever: a shape that changes gets a new schema version with an upcaster,
 * a meaning that changes gets a new name. Every event carries what a fold of sums needs without the history,
 * and what it takes away.
 */
export interface LedgerEventData {
  MonthCreated: LaidOut;
  MonthZeroed: {
    readonly month: Month;
    readonly planned: readonly (readonly [itemId: Ulid, planned: Amount])[];
  };
  MonthReplaced: LaidOut & { readonly taken: TakenMonth; readonly untracked: Untracking };

  GroupAdded: { readonly month: Month; readonly group: NewGroup };
  GroupPlaced: { readonly month: Month; readonly groupId: Ulid };
  GroupChanged: {
    readonly groupId: Ulid;
    readonly before: GroupAttributes;
    readonly after: GroupAttributes;
  };
  GroupRemoved: FormerPlace & {
    readonly month: Month;
    readonly groupId: Ulid;
    readonly index: number;
    readonly taken: readonly TakenItem[];
    readonly untracked: Untracking;
  };
  GroupsOrdered: {
    readonly month: Month;
    /** The non-income groups; income stays first. */
    readonly before: readonly Ulid[];
    readonly after: readonly Ulid[];
  };

  ItemAdded: {
    readonly month: Month;
    readonly groupId: Ulid;
    readonly item: NewItem;
    readonly planned: Amount;
    readonly note: string | null;
  };
  ItemPlaced: {
    readonly month: Month;
    readonly groupId: Ulid;
    readonly itemId: Ulid;
    readonly planned: Amount;
    readonly note: string | null;
  };
  ItemChanged: FormerPlace & {
    readonly itemId: Ulid;
    readonly before: ItemAttributes;
    readonly after: ItemAttributes;
    /** Place among the favourites: where it was, or where it comes back to. Absent: it is made one, as the last. */
    readonly favoriteIndex?: number;
  };
  ItemPlanned: {
    readonly month: Month;
    readonly itemId: Ulid;
    readonly before: Amount;
    readonly after: Amount;
  };
  ItemNoted: {
    readonly month: Month;
    readonly itemId: Ulid;
    readonly before: string | null;
    readonly after: string | null;
  };
  ItemHarvested: {
    readonly month: Month;
    readonly itemId: Ulid;
    readonly before: Amount;
    readonly after: Amount;
  };
  ItemRemoved: FormerPlace & {
    readonly month: Month;
    readonly groupId: Ulid;
    readonly index: number;
    readonly taken: TakenItem;
    readonly untracked: Untracking;
  };
  ItemsOrdered: {
    readonly month: Month;
    readonly groupId: Ulid;
    /** The order of this group and of every group that an item leaves. */
    readonly before: readonly { readonly groupId: Ulid; readonly itemIds: readonly Ulid[] }[];
    readonly after: readonly Ulid[];
  };

  FundOpened: {
    readonly month: Month;
    readonly itemId: Ulid;
    readonly openingBalance: Amount;
    /** How often the item had been a fund before: adjustments of an earlier term never count again. */
    readonly term: number;
  };
  FundEnded: {
    readonly itemId: Ulid;
    readonly openedIn: Month;
    readonly openingBalance: Amount;
    readonly term: number;
    readonly target: Amount | null;
  };
  FundBalanceUpdated: { readonly month: Month; readonly itemId: Ulid; readonly amount: Amount };

  TransactionCreated: { readonly id: Ulid; readonly content: TransactionContent };
  TransactionChanged: {
    readonly id: Ulid;
    readonly before: TransactionContent;
    readonly after: TransactionContent;
    /** Splits that had been taken away, and that new ones put out of reach; never told in version 1. */
    readonly forgets?: TakenSplits;
    /** Those that an undoing brings within reach again: the undoing of what took them can bring them back. */
    readonly recalls?: TakenSplits;
  };
  TransactionDeleted: TransactionBrief & {
    readonly id: Ulid;
    readonly type: Kind;
    readonly budgetMonth: Month;
    readonly splits: readonly Split[];
    /** The splits that it has as a deleted one, where these are others. */
    readonly keeps?: readonly Split[];
  };
  TransactionRestored: TransactionBrief & {
    readonly id: Ulid;
    readonly type: Kind;
    readonly budgetMonth: Month;
    readonly splits: readonly Split[];
    /** Splits whose item was no longer in the month. */
    readonly dropped: readonly Split[];
    /** All splits as they were, where some were dropped. */
    readonly former?: readonly Split[];
  };

  /* What only an undoing makes: the ways back of the events above. */
  MonthRemoved: { readonly month: Month; readonly createdAt: Timestamp; readonly taken: TakenMonth };
  LayoutPutBack: {
    readonly month: Month;
    readonly copiedFrom: Month | null;
    readonly groups: TakenMonth['groups'];
    readonly taken: TakenMonth;
    readonly retracked: Retracking;
  };
  GroupPutBack: FormerPlace & {
    readonly month: Month;
    readonly groupId: Ulid;
    readonly index: number;
    readonly items: readonly TakenItem[];
    readonly retracked: Retracking;
  };
  ItemPutBack: FormerPlace & {
    readonly month: Month;
    readonly groupId: Ulid;
    readonly index: number;
    readonly item: TakenItem;
    readonly retracked: Retracking;
  };
  FundReopened: {
    readonly itemId: Ulid;
    readonly openedIn: Month;
    readonly openingBalance: Amount;
    readonly term: number;
    readonly target: Amount | null;
  };
  AdjustmentRemoved: PlacedAdjustment;
  AdjustmentPutBack: PlacedAdjustment;

  /** A command is undone whole: the ways back of its events, last first. */
  CommandUndone: {
    /** Id of the first event of the command that is undone. */
    readonly undoes: string;
    readonly events: readonly LedgerEvent[];
  };
}

export type LedgerEventType = keyof LedgerEventData;

/** The types by what they are about, those that only an undoing makes included. */
export type GroupEventType = Extract<LedgerEventType, `Group${string}`>;
export type ItemEventType = Extract<LedgerEventType, `Item${string}`>;
export type FundEventType = Extract<LedgerEventType, `Fund${string}` | `Adjustment${string}`>;
export type TransactionEventType = Extract<LedgerEventType, `Transaction${string}`>;

/** The types that only an undoing makes: the ways back of the others. */
export type WayBackType = Extract<
  LedgerEventType,
  'MonthRemoved' | `${string}PutBack` | 'FundReopened' | `Adjustment${string}`
>;

/** An event as a decision makes it. */
export type LedgerEvent = {
  [T in LedgerEventType]: { readonly type: T; readonly data: LedgerEventData[T] };
}[LedgerEventType];

/** What the log adds to an event. */
interface EventHeader {
  readonly id: string;
  /** Place in the household's stream. */
  readonly revision: number;
  readonly at: Timestamp;
  /** The user whose command it was. */
  readonly by: Ulid;
}

/** An event as it is folded: what happened, when, and by whom. */
export type RecordedLedgerEvent = {
  [T in LedgerEventType]: EventHeader & { readonly type: T; readonly data: LedgerEventData[T] };
}[LedgerEventType];

/** Events of some types, as they are folded. */
export type EventOf<T extends LedgerEventType> = Extract<RecordedLedgerEvent, { readonly type: T }>;
