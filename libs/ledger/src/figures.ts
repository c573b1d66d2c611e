import { ending } from './draft.js';
import type { Ulid } from './events.js';
import { budgetOf, type Budget, type Household, type LaidItem } from './household.js';
import { exactSum, type Amount } from './money.js';
import type { Month } from './calendar.js';

/** Figures of an item in a month; `carryIn` and `ending` are null where it is no fund there. */
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

/** A figure does not fit in ±(2^53 − 1). */
export class FigureOutOfRange extends RangeError {
  override readonly name = 'FigureOutOfRange';
}

const computed = new WeakMap<Budget, MonthFigures>();

/**
 * The figures of a budget, computed once for each version of it: they depend on nothing but the budget, and on
 * which items are income and funds, which cannot change without the budget's changing.
 * @throws FigureOutOfRange
 */
export function figuresOf(household: Household, budget: Budget): MonthFigures {
  let figures = computed.get(budget);
  if (!figures) {
    figures = compute(household, budget);
    computed.set(budget, figures);
  }
  return figures;
}

function compute(household: Household, budget: Budget): MonthFigures {
  const items = new Map<Ulid, ItemFigures>();
  const groups = new Map<Ulid, Totals>();
  let incomePlanned = 0;
  const expenses: Totals[] = [];
  for (const { groupId, itemIds } of budget.groups) {
    const isIncome = household.groups.get(groupId)!.isIncome;
    const figures = itemIds.map(itemId => {
      const term = household.items.get(itemId)!.fund?.term ?? -1;
      const item = itemFigures(budget.items.get(itemId)!, isIncome, term);
      items.set(itemId, item);
      return item;
    });
    const totals = totalsOf(figures);
    groups.set(groupId, totals);
    if (isIncome) incomePlanned = totals.planned;
    else expenses.push(totals);
  }
  const { planned, spent, remaining } = totalsOf(expenses);
  return {
    leftToBudget: inRange(incomePlanned - planned),
    center: { planned, spent, remaining },
    groups,
    items,
  };
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
  for (const { month, budget } of after.months) {
    if (!budget || budget.revision <= before.revision) continue;
    const earlier = budgetOf(before, month);
    if (!earlier || !sameFigures(figuresOf(before, earlier), figuresOf(after, budget))) changed.push(month);
  }
  for (const { month, budget } of before.months) {
    if (budget && !budgetOf(after, month)) changed.push(month);
  }
  return changed.sort();
}

function sameFigures(a: MonthFigures, b: MonthFigures): boolean {
  return (
    a.leftToBudget === b.leftToBudget &&
    a.center.planned === b.center.planned &&
    a.center.spent === b.center.spent &&
    a.center.remaining === b.center.remaining &&
    sameMap(a.groups, b.groups, sameTotals) &&
    sameMap(a.items, b.items, sameItem)
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
