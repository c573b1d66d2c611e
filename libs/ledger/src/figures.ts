import { ending } from './funds/fund-chain.js';
import {
  budgetOf,
  changedMonthStates,
  type Budget,
  type Household,
  type LaidGroup,
  type LaidItem,
} from './household.js';
import { exactSum, type Amount, type Month, type Ulid } from './values.js';

/** Figures of an item in a month; `carryIn` and `ending` are null unless it is a fund there. */
export interface ItemFigures {
  readonly planned: Amount;
  readonly spent: Amount;
  readonly received: Amount;
  readonly remaining: Amount;
  readonly carryIn: Amount | null;
  readonly ending: Amount | null;
}

export interface Totals {
  readonly planned: Amount;
  readonly spent: Amount;
  readonly received: Amount;
  readonly remaining: Amount;
}

/** Every figure of a month. */
export interface MonthFigures {
  readonly leftToBudget: Amount;
  readonly center: { readonly planned: Amount; readonly spent: Amount; readonly remaining: Amount };
  readonly groups: ReadonlyMap<Ulid, Totals>;
  readonly items: ReadonlyMap<Ulid, ItemFigures>;
}

/** Figures of a group, with those of its items in their order. */
export interface GroupFigures {
  readonly totals: Totals;
  readonly items: readonly ItemFigures[];
}

/** Every figure of a month, as its budget is laid out: groups in their order. */
export interface LaidFigures extends Pick<MonthFigures, 'leftToBudget' | 'center'> {
  readonly groups: readonly GroupFigures[];
}

/** A figure does not fit in ±(2^53 − 1). */
export class FigureOutOfRange extends RangeError {
  override readonly name = 'FigureOutOfRange';
}

/** What is remembered with the items of a budget. */
interface Computed {
  readonly budget: Budget;
  readonly figures: LaidFigures;
}

function computedOf(budget: Budget): Computed | null {
  const computed = budget.items.derived as Computed | null;
  return computed?.budget === budget ? computed : null;
}

/**
 * The figures of a budget, computed once for each version of it: they depend on nothing but the budget, and on
 * which items are income and funds, which cannot change without the budget's changing.
 *
 * @param before a state that this one came from: the figures of groups and items of which nothing has changed since are
 *   the same objects, so that whatever is made of them need not be made again
 * @throws FigureOutOfRange
 */
export function laidFiguresOf(household: Household, budget: Budget, before?: Household): LaidFigures {
  const computed = computedOf(budget);
  if (computed) return computed.figures;
  const figures = compute(household, budget, before && earlierOf(before, budget));
  const made: Computed = { budget, figures };
  budget.items.derive(made);
  return figures;
}

/** `laidFiguresOf` by ids. @throws FigureOutOfRange */
export function figuresOf(household: Household, budget: Budget): MonthFigures {
  const { leftToBudget, center, groups } = laidFiguresOf(household, budget);
  return {
    leftToBudget,
    center,
    groups: new Map(budget.groups.map(({ groupId }, at) => [groupId, groups[at]!.totals])),
    items: new Map(
      budget.groups.flatMap(({ itemIds }, at) =>
        itemIds.map((itemId, place) => [itemId, groups[at]!.items[place]!] as const),
      ),
    ),
  };
}

/** An earlier version of a budget, as far as its figures are known. */
function earlierOf(household: Household, { month }: Budget): Computed | null {
  const budget = budgetOf(household, month);
  return budget && computedOf(budget);
}

function compute(household: Household, budget: Budget, earlier?: Computed | null): LaidFigures {
  let incomePlanned = 0;
  const expenses: Totals[] = [];
  const changed = earlier ? budget.items.changedSince(earlier.budget.items) : null;
  const groups = budget.groups.map((group, at): GroupFigures => {
    const isIncome = household.groups.get(group.groupId)!.isIncome;
    const known =
      changed && earlier?.budget.groups[at] === group
        ? { figures: earlier.figures.groups[at]!, changed }
        : null;
    const isSame = known && !known.changed.some(itemId => group.itemIds.includes(itemId));
    const figures = isSame ? known.figures : groupFigures(household, budget, group, isIncome, known);
    if (isIncome) incomePlanned = figures.totals.planned;
    else expenses.push(figures.totals);
    return figures;
  });
  const { planned, spent, remaining } = totalsOf(expenses);
  return {
    leftToBudget: inRange(incomePlanned - planned),
    center: { planned, spent, remaining },
    groups,
  };
}

/** @param known what the figures were when the group had the same items, and which of these have changed since */
function groupFigures(
  household: Household,
  budget: Budget,
  { itemIds }: LaidGroup,
  isIncome: boolean,
  known: { readonly figures: GroupFigures; readonly changed: readonly Ulid[] } | null,
): GroupFigures {
  const items = itemIds.map((itemId, place) => {
    if (known && !known.changed.includes(itemId)) return known.figures.items[place]!;
    const term = household.items.get(itemId)!.fund?.term ?? -1;
    return itemFigures(budget.items.get(itemId)!, isIncome, term);
  });
  return { totals: totalsOf(items), items };
}

function itemFigures(laid: LaidItem, isIncome: boolean, term: number): ItemFigures {
  const planned = laid.planned;
  if (isIncome) {
    const received = inRange(-laid.activity);
    return {
      planned,
      spent: 0,
      received,
      remaining: inRange(planned - received),
      carryIn: null,
      ending: null,
    };
  }
  const spent = inRange(laid.activity);
  if (laid.carryIn === null) {
    return { planned, spent, received: 0, remaining: inRange(planned - spent), carryIn: null, ending: null };
  }
  const end = inRange(ending(laid, term));
  return { planned, spent, received: 0, remaining: end, carryIn: inRange(laid.carryIn), ending: end };
}

/** Doubles add exactly while every partial sum is a safe integer; `exactTotals` adds whatever is not so. */
function totalsOf(parts: readonly Totals[]): Totals {
  let planned = 0;
  let spent = 0;
  let received = 0;
  let remaining = 0;
  for (const part of parts) {
    planned += part.planned;
    spent += part.spent;
    received += part.received;
    remaining += part.remaining;
    const isExact =
      Number.isSafeInteger(planned) &&
      Number.isSafeInteger(spent) &&
      Number.isSafeInteger(received) &&
      Number.isSafeInteger(remaining);
    if (!isExact) return exactTotals(parts);
  }
  return { planned, spent, received, remaining };
}

function exactTotals(parts: readonly Totals[]): Totals {
  return {
    planned: sum(parts.map(part => part.planned)),
    spent: sum(parts.map(part => part.spent)),
    received: sum(parts.map(part => part.received)),
    remaining: sum(parts.map(part => part.remaining)),
  };
}

function sum(amounts: readonly Amount[]): Amount {
  const total = exactSum(amounts);
  if (total === null) throw new FigureOutOfRange();
  return total;
}

function inRange(amount: Amount): Amount {
  if (!Number.isSafeInteger(amount)) throw new FigureOutOfRange();
  // −0 is 0: JSON would write it so, and comparisons must agree with what was written.
  return amount === 0 ? 0 : amount;
}

/**
 * Months in which at least one figure differs between two states of a household, oldest first. A figure that
 * appears or goes (with an item, a group or a whole month) counts.
 */
export function changedMonths(before: Household, after: Household): Month[] {
  const changed: Month[] = [];
  for (const { month, budget } of changedMonthStates(before, after)) {
    if (!budget || budget.revision <= before.revision) continue;
    const earlier = budgetOf(before, month);
    if (!earlier || !haveSameFigures(before, earlier, after, budget)) changed.push(month);
  }
  for (const { month, budget } of changedMonthStates(after, before)) {
    if (budget && !budgetOf(after, month)) changed.push(month);
  }
  return changed.sort();
}

function haveSameFigures(before: Household, earlier: Budget, after: Household, budget: Budget): boolean {
  const [a, b] = [laidFiguresOf(before, earlier), laidFiguresOf(after, budget)];
  if (
    a.leftToBudget !== b.leftToBudget ||
    a.center.planned !== b.center.planned ||
    a.center.spent !== b.center.spent ||
    a.center.remaining !== b.center.remaining
  ) {
    return false;
  }
  // Mostly everything is laid out as before. In another order the same figures are still the same.
  if (earlier.groups === budget.groups) return a.groups.every((group, at) => sameGroup(group, b.groups[at]!));
  const [byIdBefore, byId] = [figuresOf(before, earlier), figuresOf(after, budget)];
  return (
    sameMap(byIdBefore.groups, byId.groups, sameTotals) && sameMap(byIdBefore.items, byId.items, sameItem)
  );
}

function sameGroup(a: GroupFigures, b: GroupFigures): boolean {
  return (
    a === b || (sameTotals(a.totals, b.totals) && a.items.every((item, at) => sameItem(item, b.items[at]!)))
  );
}

function sameMap<T>(
  a: ReadonlyMap<Ulid, T>,
  b: ReadonlyMap<Ulid, T>,
  same: (one: T, other: T) => boolean,
): boolean {
  if (a.size !== b.size) return false;
  for (const [id, figures] of a) {
    const others = b.get(id);
    if (others === undefined || (others !== figures && !same(figures, others))) return false;
  }
  return true;
}

function sameTotals(a: Totals, b: Totals): boolean {
  return (
    a.planned === b.planned && a.spent === b.spent && a.received === b.received && a.remaining === b.remaining
  );
}

function sameItem(a: ItemFigures, b: ItemFigures): boolean {
  return sameTotals(a, b) && a.carryIn === b.carryIn && a.ending === b.ending;
}
