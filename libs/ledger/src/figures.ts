import {
  budgetOf,
  changedMonthStates,
  ending,
  type Budget,
  type Household,
  type LaidGroup,
  type LaidItem,
} from './household.js';
import { Refusal } from './refusal.js';
import { sumOrNaN, type Amount, type Month, type Ulid } from './values.js';

export interface Totals {
  readonly planned: Amount;
  readonly spent: Amount;
  readonly received: Amount;
  readonly remaining: Amount;
}

/** Figures of an item in a month; `carryIn` and `ending` are null unless it is a fund there. */
export interface ItemFigures extends Totals {
  readonly carryIn: Amount | null;
  readonly ending: Amount | null;
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

/** The figures of each version of a budget; a version never changes. */
const ofBudgets = new WeakMap<Budget, LaidFigures>();

/** What was last computed of a group of a month, and of what. */
const ofGroups = new WeakMap<
  LaidGroup,
  { readonly laid: readonly LaidItem[]; readonly figures: GroupFigures }
>();

/**
 * The figures of a budget, computed once for each version of it: which items are income and funds cannot change without
 * the budget's changing. Those of a group of which nothing has changed are the same object as in an earlier version.
 * @throws Refusal `figure_out_of_range` where one would leave ±(2^53 − 1)
 */
export function laidFiguresOf(household: Household, budget: Budget): LaidFigures {
  const known = ofBudgets.get(budget);
  if (known) return known;
  const figures = compute(household, budget);
  ofBudgets.set(budget, figures);
  return figures;
}

/** `laidFiguresOf` by ids. @throws Refusal `figure_out_of_range` */
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

function compute(household: Household, budget: Budget): LaidFigures {
  let incomePlanned = 0;
  const expenses: Totals[] = [];
  const groups = budget.groups.map(group => {
    const { isIncome } = household.groups.get(group.groupId)!;
    const figures = groupFigures(household, budget, group, isIncome);
    if (isIncome) incomePlanned = figures.totals.planned;
    else expenses.push(figures.totals);
    return figures;
  });
  const { planned, spent, remaining } = totalsOf(expenses);
  return { leftToBudget: inRange(incomePlanned - planned), center: { planned, spent, remaining }, groups };
}

function groupFigures(
  household: Household,
  budget: Budget,
  group: LaidGroup,
  isIncome: boolean,
): GroupFigures {
  const laid = group.itemIds.map(itemId => budget.items.get(itemId)!);
  const known = ofGroups.get(group);
  if (known && known.laid.every((item, at) => item === laid[at])) return known.figures;
  const items = group.itemIds.map((itemId, at) =>
    itemFigures(laid[at]!, isIncome, household.items.get(itemId)!.fund?.term ?? -1),
  );
  const figures = { totals: totalsOf(items), items };
  ofGroups.set(group, { laid, figures });
  return figures;
}

function itemFigures(laid: LaidItem, isIncome: boolean, term: number): ItemFigures {
  const { planned } = laid;
  const noFund = { carryIn: null, ending: null };
  if (isIncome) {
    const received = inRange(-laid.activity);
    return { planned, spent: 0, received, remaining: inRange(planned - received), ...noFund };
  }
  const spent = inRange(laid.activity);
  if (laid.carryIn === null) {
    return { planned, spent, received: 0, remaining: inRange(planned - spent), ...noFund };
  }
  const end = inRange(ending(laid, term));
  return { planned, spent, received: 0, remaining: end, carryIn: inRange(laid.carryIn), ending: end };
}

function totalsOf(parts: readonly Totals[]): Totals {
  return {
    planned: sum(parts.map(part => part.planned)),
    spent: sum(parts.map(part => part.spent)),
    received: sum(parts.map(part => part.received)),
    remaining: sum(parts.map(part => part.remaining)),
  };
}

function sum(amounts: readonly Amount[]): Amount {
  return inRange(sumOrNaN(amounts));
}

function inRange(amount: Amount): Amount {
  if (!Number.isSafeInteger(amount)) {
    throw new Refusal('figure_out_of_range', 'A figure of the budget would become too large to be exact.');
  }
  // −0 is 0: JSON would write it so, and comparisons must agree with what was written.
  return amount === 0 ? 0 : amount;
}

/**
 * Months in which a figure differs between two states of a household, comes or goes, oldest first.
 * @throws Refusal `figure_out_of_range` for any figure of the later state that is not as before
 */
export function changedMonths(before: Household, after: Household): Month[] {
  const changed: Month[] = [];
  for (const { month, budget } of changedMonthStates(before, after)) {
    if (!budget || budget.revision <= before.revision) continue;
    if (!haveSameFigures(before, budgetOf(before, month), after, budget)) changed.push(month);
  }
  for (const { month, budget } of changedMonthStates(after, before)) {
    if (budget && !budgetOf(after, month)) changed.push(month);
  }
  return changed.sort();
}

function haveSameFigures(
  before: Household,
  earlier: Budget | null,
  after: Household,
  budget: Budget,
): boolean {
  const b = laidFiguresOf(after, budget);
  if (!earlier) return false;
  const a = laidFiguresOf(before, earlier);
  if (a.leftToBudget !== b.leftToBudget || !areEqual(a.center, b.center)) return false;
  // In another order the same figures are still the same.
  const [was, is] = [figuresOf(before, earlier), figuresOf(after, budget)];
  return allEqual(was.groups, is.groups) && allEqual(was.items, is.items);
}

function allEqual<T extends object>(a: ReadonlyMap<Ulid, T>, b: ReadonlyMap<Ulid, T>): boolean {
  if (a.size !== b.size) return false;
  for (const [id, figures] of a) {
    const others = b.get(id);
    if (!others || !areEqual(figures, others)) return false;
  }
  return true;
}

function areEqual<T extends object>(a: T, b: T): boolean {
  return a === b || (Object.keys(a) as (keyof T)[]).every(name => a[name] === b[name]);
}
