import type { Month } from '../calendar.js';
import { activityByItem, activityOf } from '../evolve.js';
import type { Kind, TakenItem, TakenMonth, Ulid, Untracking } from '../events.js';
import { FigureOutOfRange, laidFiguresOf } from '../figures.js';
import {
  budgetOf,
  changedMonthStates,
  groupOfItem,
  liveCount,
  type Budget,
  type GroupIdentity,
  type Household,
  type ItemIdentity,
} from '../household.js';
import type { LaidItem } from '../laid-items.js';
import {
  ADJUSTMENTS_PER_MONTH_MAX,
  BUDGETS_MAX,
  GROUPS_PER_MONTH_MAX,
  IDENTITIES_MAX,
  ITEMS_PER_MONTH_MAX,
  NOTES_LENGTH_PER_MONTH_MAX,
  PLACES_MAX,
  TRANSACTIONS_PER_MONTH_MAX,
} from '../limits.js';
import { notFound, Refusal } from '../refusal.js';
import type { TransactionRecord } from '../transaction-record.js';

/** The budget of a month that a command names. @throws Refusal `not_found` */
export function requireBudget(household: Household, month: Month): Budget {
  const budget = budgetOf(household, month);
  if (!budget) throw notFound('month', month);
  return budget;
}

/** A group of the month. @throws Refusal `not_found` */
export function requireGroup(household: Household, budget: Budget, groupId: Ulid): GroupIdentity {
  const group = household.groups.get(groupId);
  if (!group || !budget.groups.some(laid => laid.groupId === groupId)) throw notFound('group', groupId);
  return group;
}

/** An item of the month. @throws Refusal `not_found` */
export function requireItem(
  household: Household,
  budget: Budget,
  itemId: Ulid,
): { readonly item: ItemIdentity; readonly laid: LaidItem } {
  const item = household.items.get(itemId);
  const laid = budget.items.get(itemId);
  if (!item || !laid) throw notFound('item', itemId);
  return { item, laid };
}

export function itemNotInMonth(itemId: Ulid, month: Month): Refusal {
  return new Refusal('item_not_in_month', `Item ${itemId} is not in ${month}.`, { item_id: itemId, month });
}

/** What each limit counts, as its refusal says it. */
const COUNTED = {
  months: 'months',
  identities: 'groups and items together',
  places: 'items in all its months together',
  groups: 'groups',
  items: 'items',
  notes: 'characters of notes',
  adjustments: 'adjustments of funds',
  transactions: 'transactions',
} as const;

type Limit = keyof typeof COUNTED;

/** @throws Refusal `household_full` */
export function requireRoomForIdentities(household: Household, made: number): void {
  if (made === 0) return;
  requireRoomInHousehold('identities', household.groups.size + household.items.size + made, IDENTITIES_MAX);
}

/** @throws Refusal `household_full` naming the limit */
export function requireRoomInHousehold(limit: Limit, count: number, max: number): void {
  if (count <= max) return;
  throw new Refusal('household_full', `A household can hold at most ${max} ${COUNTED[limit]}.`, {
    limit,
    max,
  });
}

/** @throws Refusal `month_full` */
export function requireRoom(
  budget: Budget,
  added: { groups?: number; items?: number; notes?: number },
): void {
  let notes = added.notes ?? 0;
  if (notes > 0) for (const laid of budget.items.values()) notes += noteLength(laid.note);
  requireAtMost('groups', budget.groups.length + (added.groups ?? 0), GROUPS_PER_MONTH_MAX, budget.month);
  requireAtMost('items', budget.items.size + (added.items ?? 0), ITEMS_PER_MONTH_MAX, budget.month);
  requireAtMost('notes', notes, NOTES_LENGTH_PER_MONTH_MAX, budget.month);
}

/**
 * That nothing came back for which there is no room any more. What was over a limit may shrink.
 * @throws Refusal `month_full`, `household_full`
 */
export function requireRoomAfter(before: Household, after: Household): void {
  const months = ({ months: all }: Household): number => all.filter(({ budget }) => budget !== null).length;
  if (months(after) > months(before)) requireRoomInHousehold('months', months(after), BUDGETS_MAX);
  for (const { month, budget } of after.months) {
    if (!budget || budget.revision <= before.revision) continue;
    const former = budgetOf(before, month);
    const [was, is] = [former && held(former), held(budget)];
    for (const limit of ['groups', 'items', 'notes', 'adjustments'] as const) {
      if (is[limit] > (was?.[limit] ?? 0)) requireAtMost(limit, is[limit], HELD_MAX[limit], month);
    }
  }
}

/**
 * That every figure of the months that are not as before is exact.
 * @throws Refusal `figure_out_of_range` where one would leave ±(2^53 − 1)
 */
export function requireExactFigures(before: Household, after: Household): void {
  refusingInexact(() => {
    for (const { budget } of changedMonthStates(before, after)) {
      if (budget && budget.revision > before.revision) laidFiguresOf(after, budget, before);
    }
  });
}

/** What is made of figures. @throws Refusal `figure_out_of_range` */
export function refusingInexact<T>(compute: () => T): T {
  try {
    return compute();
  } catch (error) {
    if (!(error instanceof FigureOutOfRange)) throw error;
    throw new Refusal('figure_out_of_range', 'A figure of the budget would become too large to be exact.');
  }
}

/** That all months together have room for the items that came into one of them. @throws Refusal `household_full` */
export function requirePlaces(before: Household, after: Household): void {
  const places = ({ months }: Household): number =>
    months.reduce((sum, { budget }) => sum + (budget?.items.size ?? 0), 0);
  const count = places(after);
  if (count > places(before)) requireRoomInHousehold('places', count, PLACES_MAX);
}

const HELD_MAX = {
  groups: GROUPS_PER_MONTH_MAX,
  items: ITEMS_PER_MONTH_MAX,
  notes: NOTES_LENGTH_PER_MONTH_MAX,
  adjustments: ADJUSTMENTS_PER_MONTH_MAX,
} as const;

/** In Unicode code points, as every length that a client is told. */
export function noteLength(note: string | null): number {
  let count = 0;
  for (const _ of note ?? '') count += 1;
  return count;
}

function held({ groups, items }: Budget): Record<keyof typeof HELD_MAX, number> {
  let notes = 0;
  let adjustments = 0;
  for (const laid of items.values()) {
    notes += noteLength(laid.note);
    adjustments += laid.adjustments.length;
  }
  return { groups: groups.length, items: items.size, notes, adjustments };
}

/** Room for one more, of those that are not deleted. @throws Refusal `month_full` */
export function requireRoomForTransaction(household: Household, month: Month): void {
  requireAtMost('transactions', liveCount(household, month) + 1, TRANSACTIONS_PER_MONTH_MAX, month);
}

/** @throws Refusal `month_full` naming the limit */
export function requireAtMost(limit: Limit, count: number, max: number, month: Month): void {
  if (count <= max) return;
  throw new Refusal('month_full', `${month} can hold at most ${max} ${COUNTED[limit]}.`, {
    limit,
    max,
    month,
  });
}

/** What an item has in a month, for the event that takes it away. */
export function takenItem(budget: Budget, itemId: Ulid): TakenItem {
  const { planned, note, adjustments } = budget.items.get(itemId)!;
  return { itemId, planned, note, adjustments };
}

/** What a month has, for the event that takes its layout away. */
export function takenMonth(budget: Budget): TakenMonth {
  return {
    copiedFrom: budget.copiedFrom,
    groups: budget.groups.map(({ groupId, itemIds }) => ({
      groupId,
      items: itemIds.map(itemId => takenItem(budget, itemId)),
    })),
  };
}

/** The untracking of these transactions: all their splits go, also those on items that stay. */
export function untracking(tracked: readonly TransactionRecord[]): Untracking {
  return {
    transactionIds: tracked.map(({ id }) => id),
    // Also of items where it cancels out: splits come back onto these as well.
    activity: activityByItem(tracked.map(({ type, splits }) => activityOf(type, splits))),
  };
}

/**
 * That a list orders exactly what it must.
 * @throws Refusal `order_mismatch`
 */
export function requireExactly(
  given: readonly Ulid[],
  wanted: readonly Ulid[],
  allowed: readonly Ulid[],
): void {
  const missing = wanted.filter(id => !given.includes(id));
  const unexpected = given.filter(id => !wanted.includes(id) && !allowed.includes(id));
  if (missing.length === 0 && unexpected.length === 0) return;
  throw new Refusal('order_mismatch', 'The list must contain exactly the entries to order.', {
    missing,
    unexpected,
  });
}

/** The kind that a group's items have. */
export function kindOf({ isIncome }: Pick<GroupIdentity, 'isIncome'>): Kind {
  return isIncome ? 'income' : 'expense';
}

/** The kind of the group that an item of the month is in. */
export function kindOfGroupWith(household: Household, budget: Budget, itemId: Ulid): Kind {
  return kindOf(household.groups.get(groupOfItem(budget, itemId)?.groupId ?? '') ?? { isIncome: false });
}
