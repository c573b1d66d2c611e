import { budgetOf, liveCount, type Budget, type Household } from './household.js';
import { Refusal } from './refusal.js';
import type { Month } from './values.js';

/**
 * What a month or a household may hold. They keep every event under the event store's limit of one append, also the
 * largest: replacing a full month, which names all that it untracks and takes away.
 */
export const TRANSACTIONS_PER_MONTH_MAX = 20_000;
export const GROUPS_PER_MONTH_MAX = 100;
export const ITEMS_PER_MONTH_MAX = 300;
export const ADJUSTMENTS_PER_MONTH_MAX = 1_000;
/** All notes on the items of one month together, in Unicode code points. */
export const NOTES_LENGTH_PER_MONTH_MAX = 40_000;
/** Budgets of a household, a century: a change of a fund names every later month that it reaches. */
export const BUDGETS_MAX = 1_200;
/** Items of all budgets together, a century with 50 in each month: what a household costs in memory grows with these. */
export const PLACES_MAX = 60_000;
/** Groups and items that a household ever made. */
export const IDENTITIES_MAX = 10_000;
export const SPLITS_MAX = 100;
export const OPERATIONS_PER_BATCH_MAX = 500;

/** The most that there may be of each thing, and how a refusal calls it. */
const LIMITS = {
  months: { max: BUDGETS_MAX, counted: 'months' },
  identities: { max: IDENTITIES_MAX, counted: 'groups and items together' },
  places: { max: PLACES_MAX, counted: 'items in all its months together' },
  groups: { max: GROUPS_PER_MONTH_MAX, counted: 'groups' },
  items: { max: ITEMS_PER_MONTH_MAX, counted: 'items' },
  notes: { max: NOTES_LENGTH_PER_MONTH_MAX, counted: 'characters of notes' },
  adjustments: { max: ADJUSTMENTS_PER_MONTH_MAX, counted: 'adjustments of funds' },
  transactions: { max: TRANSACTIONS_PER_MONTH_MAX, counted: 'transactions' },
} as const;

type Limit = keyof typeof LIMITS;

/** What a budget holds of what is limited. */
const HELD = ['groups', 'items', 'notes', 'adjustments'] as const;

type Held = Readonly<Record<(typeof HELD)[number], number>>;

/** @throws Refusal `household_full` */
export function requireRoomForIdentities(household: Household, made: number): void {
  requireRoomInHousehold('identities', household.groups.size + household.items.size + made);
}

/** @throws Refusal `household_full` */
export function requireRoomForBudget(household: Household, made: number): void {
  requireRoomInHousehold('months', budgetCount(household) + made);
}

function budgetCount({ months }: Household): number {
  return months.filter(({ budget }) => budget !== null).length;
}

/** @throws Refusal `household_full` naming the limit */
export function requireRoomInHousehold(limit: Limit, count: number): void {
  const { max, counted } = LIMITS[limit];
  if (count <= max) return;
  throw new Refusal('household_full', `A household can hold at most ${max} ${counted}.`, { limit, max });
}

/** @param added how much more the month is to hold @throws Refusal `month_full` */
export function requireRoom(budget: Budget, added: Partial<Held>): void {
  const is = held(budget);
  for (const limit of HELD) {
    const more = added[limit] ?? 0;
    if (more > 0) requireAtMost(limit, is[limit] + more, budget.month);
  }
}

/**
 * That nothing came back for which there is no room any more. What was over a limit may shrink.
 * @throws Refusal `month_full`, `household_full`
 */
export function requireRoomAfter(before: Household, after: Household): void {
  if (budgetCount(after) > budgetCount(before)) requireRoomForBudget(after, 0);
  for (const { month, budget } of after.months) {
    if (!budget || budget.revision <= before.revision) continue;
    const former = budgetOf(before, month);
    const [was, is] = [former && held(former), held(budget)];
    for (const limit of HELD) {
      if (is[limit] > (was?.[limit] ?? 0)) requireAtMost(limit, is[limit], month);
    }
  }
}

/** That all months together have room for the items that came into one of them. @throws Refusal `household_full` */
export function requirePlaces(before: Household, after: Household): void {
  const places = ({ months }: Household): number =>
    months.reduce((sum, { budget }) => sum + (budget?.items.size ?? 0), 0);
  const count = places(after);
  if (count > places(before)) requireRoomInHousehold('places', count);
}

/** In Unicode code points, as every length that a client is told. */
export function noteLength(note: string | null): number {
  let count = 0;
  for (const _ of note ?? '') count += 1;
  return count;
}

function held({ groups, items }: Budget): Held {
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
  requireAtMost('transactions', liveCount(household, month) + 1, month);
}

/** @throws Refusal `month_full` naming the limit */
export function requireAtMost(limit: Limit, count: number, month: Month): void {
  const { max, counted } = LIMITS[limit];
  if (count <= max) return;
  throw new Refusal('month_full', `${month} can hold at most ${max} ${counted}.`, { limit, max, month });
}
