import { sumOrNaN, type Amount, type Kind, type Month, type Timestamp, type Ulid } from './values.js';

/** A group's name and colour, shared by every month. */
export interface GroupIdentity {
  readonly id: Ulid;
  readonly name: string;
  readonly color: string;
  readonly isIncome: boolean;
  /** In how many months it is laid out now. */
  readonly months: number;
  /** Revision at which the colour last changed; names do not count (they are joined when read). */
  readonly colorRevision: number;
}

/** The time for which an item is a fund. */
export interface Fund {
  /** The opening month: from it on the item is a fund. */
  readonly since: Month;
  readonly openingBalance: Amount;
  readonly term: number;
}

/** That an item was laid out in another group than the one in which it had counted. */
export interface Move {
  readonly groupId: Ulid;
  /** The event that did it. */
  readonly by: string;
  /** Undoings of it, and of such undoings, in their order. */
  readonly toggledBy: readonly string[];
  readonly isUndone: boolean;
}

/** What an item is in every month. */
export interface ItemIdentity {
  readonly id: Ulid;
  readonly name: string;
  readonly kind: Kind;
  readonly months: number;
  /** The group in which it counts: that of the latest move that is not undone, else the origin. */
  readonly lastGroupId: Ulid;
  readonly originGroupId: Ulid;
  /** In the order in which they were recorded. */
  readonly moves: readonly Move[];
  readonly fund: Fund | null;
  readonly fundTarget: Amount | null;
  /** How often it was made a fund. */
  readonly terms: number;
  /** Revisions at which favourite and target last changed. */
  readonly favoriteRevision: number;
  readonly targetRevision: number;
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

/** An item in one month. */
export interface LaidItem {
  readonly planned: Amount;
  readonly note: string | null;
  readonly adjustments: readonly Adjustment[];
  /** Splits of expenses minus splits of incomes, over the month's transactions that are not deleted. */
  readonly activity: Amount;
  /** What the fund brings into this month; null unless the item is a fund in this month. */
  readonly carryIn: Amount | null;
}

export interface LaidGroup {
  readonly groupId: Ulid;
  readonly itemIds: readonly Ulid[];
}

/** The budget of one month. */
export interface Budget {
  readonly month: Month;
  readonly copiedFrom: Month | null;
  readonly createdAt: Timestamp;
  /** Revision at which its own content last changed, carry-ins included. */
  readonly revision: number;
  readonly groups: readonly LaidGroup[];
  /** In the order in which they came into the month. */
  readonly items: ReadonlyMap<Ulid, LaidItem>;
}

/** What a household has in one calendar month. The budget may be missing: transactions can come before it. */
export interface MonthState {
  readonly month: Month;
  /** Transactions with this budget month that are not deleted. */
  readonly live: number;
  readonly budget: Budget | null;
  /** Revision at which the budget was taken back, while there is none; absent when there never was one. */
  readonly removedAt?: number;
}

/** A fund's balance at the end of the latest month that has it; null once it has none or has ceased to be a fund. */
export interface FundBalance {
  readonly month: Month | null;
  readonly ending: Amount | null;
  readonly revision: number;
}

/**
 * Everything that a decision about a household needs, folded from its events, but for transactions: those are looked up
 * one by one. Values are never changed in place; unchanged parts are shared between states.
 */
export interface Household {
  /** Revision of the last event folded in; -1 for none. */
  readonly revision: number;
  /** In the order in which they were made. */
  readonly groups: ReadonlyMap<Ulid, GroupIdentity>;
  readonly items: ReadonlyMap<Ulid, ItemIdentity>;
  /** Favourite items in the order in which they were made favourites. */
  readonly favorites: readonly Ulid[];
  /** Revision at which groups, items or favourites last changed. */
  readonly identitiesRevision: number;
  /** Ascending by month. */
  readonly months: readonly MonthState[];
  readonly fundBalances: ReadonlyMap<Ulid, FundBalance>;
  /** Transactions without splits that are not deleted, and when that number last changed. */
  readonly untracked: { readonly count: number; readonly revision: number };
  /** Of every transaction that was ever created; empty before the first. A greater id is surely new. */
  readonly greatestTransactionId: Ulid;
}

export const NO_HOUSEHOLD: Household = {
  revision: -1,
  groups: new Map(),
  items: new Map(),
  favorites: [],
  identitiesRevision: -1,
  months: [],
  fundBalances: new Map(),
  untracked: { count: 0, revision: -1 },
  greatestTransactionId: '',
};

/** Index of the month, or of the place where it would be inserted (as its complement, `~index`). */
export function monthIndex(months: readonly { readonly month: Month }[], month: Month): number {
  let low = 0;
  let high = months.length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const found = months[middle]!.month;
    if (found === month) return middle;
    if (found < month) low = middle + 1;
    else high = middle - 1;
  }
  return ~low;
}

/** The budget of a month, or null where it was never created. */
export function budgetOf(household: Household, month: Month): Budget | null {
  const index = monthIndex(household.months, month);
  return index < 0 ? null : household.months[index]!.budget;
}

/** The months of a state that are not as in another one of the same history, oldest first: states share what is. */
export function changedMonthStates(before: Household, after: Household): readonly MonthState[] {
  const others = before.months;
  let at = 0;
  return after.months.filter(state => {
    while (others[at] !== state && at < others.length && others[at]!.month < state.month) at += 1;
    const other = others[at];
    if (other?.month === state.month) at += 1;
    return other !== state;
  });
}

/** The months whose budget has something. */
export function monthsWith({ months }: Household, has: (budget: Budget) => boolean): Month[] {
  return months.flatMap(({ month, budget }) => (budget && has(budget) ? [month] : []));
}

/** How many transactions that are not deleted belong to the month. */
export function liveCount(household: Household, month: Month): number {
  const index = monthIndex(household.months, month);
  return index < 0 ? 0 : household.months[index]!.live;
}

/** The household with more transactions in a month, or fewer. All else stays as it is, also what they would change. */
export function withMoreLive(household: Household, month: Month, count: number): Household {
  const months = [...household.months];
  const index = monthIndex(months, month);
  if (index < 0) months.splice(~index, 0, { month, live: count, budget: null });
  else months[index] = { ...months[index]!, live: months[index]!.live + count };
  return { ...household, months };
}

/** The latest budget before the month, or null. */
export function latestBudgetBefore({ months }: Household, month: Month): Budget | null {
  return months.findLast(state => state.month < month && state.budget)?.budget ?? null;
}

/** The group of a month that holds the item, or undefined. */
export function groupOfItem(budget: Budget, itemId: Ulid): LaidGroup | undefined {
  return budget.groups.find(group => group.itemIds.includes(itemId));
}

/** An item's fund if it is one in this month: funds begin with their opening month. */
export function fundIn(item: ItemIdentity, month: Month): Fund | null {
  return item.fund && item.fund.since <= month ? item.fund : null;
}

/** A fund's ending in a month: carry-in + planned + adjustments of this term − activity. NaN where it is out of range. */
export function ending({ carryIn, planned, activity, adjustments }: LaidItem, term: number): Amount {
  const own = adjustments.filter(adjustment => adjustment.term === term).map(({ amount }) => amount);
  return sumOrNaN([carryIn ?? 0, planned, -activity, ...own]);
}

/** The kind that a group's items have. */
export function kindOf({ isIncome }: Pick<GroupIdentity, 'isIncome'>): Kind {
  return isIncome ? 'income' : 'expense';
}
