import type { CommandDeclarations } from '../command-declaration.js';
import type { LedgerEvent } from '../events.js';
import { nextColor } from '../groups/group-commands.js';
import type { NewGroup } from '../groups/group-events.js';
import { budgetOf, kindOf, latestBudgetBefore, type Budget, type Household } from '../household.js';
import type { NewItem } from '../items/item-events.js';
import { requireRoomForBudget, requireRoomForIdentities } from '../limits.js';
import { Refusal, requireBudget } from '../refusal.js';
import { untracking } from '../transactions/tracking.js';
import type { Month, Ulid } from '../values.js';
import { isSameLayout, takenMonth, type LaidOut, type Layout } from './month-events.js';

/** The groups and items that a household's first month is laid out with, all planned 0; income first. */
export const DEFAULT_TEMPLATE: readonly { readonly name: string; readonly items: readonly string[] }[] = [
  { name: 'Income', items: ['Paycheck'] },
  { name: 'Giving', items: ['Charity'] },
  { name: 'Savings', items: ['Emergency Fund'] },
  { name: 'Housing', items: ['Rent or Mortgage', 'Electricity', 'Water', 'Internet'] },
  { name: 'Transportation', items: ['Fuel', 'Maintenance'] },
  { name: 'Food', items: ['Groceries', 'Restaurants'] },
  { name: 'Personal', items: ['Clothing', 'Phone'] },
  { name: 'Health', items: ['Doctor', 'Medicine'] },
  { name: 'Insurance', items: ['Health', 'Car'] },
];

/** How many fresh ids a command needs that may lay out the default template. */
export const TEMPLATE_IDS = 40;

/** What can be asked of months. */
export interface MonthCommands {
  CreateMonth: { readonly month: Month; readonly newIds: readonly Ulid[] };
  ResetMonth: {
    readonly month: Month;
    readonly mode: 'zero' | 'replace';
    readonly newIds: readonly Ulid[];
  };
}

export const monthCommands: CommandDeclarations<MonthCommands> = {
  /**
   * Lays a month out as a copy of the latest earlier one, or by the default template without one.
   * @throws Refusal `month_exists`, `household_full`
   */
  CreateMonth: {
    decide(household, { month, newIds }) {
      if (budgetOf(household, month)) {
        throw new Refusal('month_exists', `The budget for ${month} already exists.`);
      }
      requireRoomForBudget(household, 1);
      return [{ type: 'MonthCreated', data: layOut(household, month, newIds) }];
    },
  },
  /**
   * Sets every plan of a month to 0 (`zero`), or untracks its transactions and lays it out again (`replace`).
   * @throws Refusal `not_found` for the month; `household_full` where `replace` lays out the default template
   */
  ResetMonth: {
    needs: (_, { month, mode }) => (mode === 'replace' ? { tracked: { month, itemIds: 'all' } } : {}),
    decide(household, { month, mode, newIds }, { tracked }) {
      const budget = requireBudget(household, month);
      if (mode === 'zero') return zeroMonth(budget);
      const [taken, laidOut] = [takenMonth(household, month), layOut(household, month, newIds)];
      if (tracked.length === 0 && isSameLayout(taken, laidOut)) return [];
      return [{ type: 'MonthReplaced', data: { ...laidOut, taken, untracked: untracking(tracked) } }];
    },
  },
};

function zeroMonth(budget: Budget): LedgerEvent[] {
  const planned = [...budget.items]
    .filter(([, laid]) => laid.planned !== 0)
    .map(([itemId, laid]) => [itemId, laid.planned] as const);
  return planned.length === 0 ? [] : [{ type: 'MonthZeroed', data: { month: budget.month, planned } }];
}

/** A copy of the latest earlier month, without notes, adjustments and activity; else the default template. */
function layOut(household: Household, month: Month, newIds: readonly Ulid[]): LaidOut {
  const earlier = latestBudgetBefore(household, month);
  if (!earlier) return layOutTemplate(household, month, newIds);
  const layout = earlier.groups.map(({ groupId, itemIds }) => ({
    groupId,
    items: itemIds.map(itemId => ({ itemId, planned: earlier.items.get(itemId)!.planned })),
  }));
  return { month, copiedFrom: earlier.month, newGroups: [], newItems: [], layout };
}

/**
 * The default template, with the household's own income group and any group or item of the same name (the oldest first,
 * those in no month now included) rather than a second one.
 */
function layOutTemplate(household: Household, month: Month, newIds: readonly Ulid[]): LaidOut {
  const ids = newIds.values();
  const fresh = (): Ulid => {
    const id = ids.next().value;
    if (id === undefined) throw new Error('the command brought too few fresh ids for the default template');
    return id;
  };
  const newGroups: NewGroup[] = [];
  const newItems: NewItem[] = [];
  const layout: Layout = DEFAULT_TEMPLATE.map(({ name, items }, index) => {
    const isIncome = index === 0;
    const known = groupToReuse(household, isIncome, name);
    const groupId = known ?? fresh();
    if (known === undefined) {
      const color = nextColor(household.groups.size + newGroups.length);
      newGroups.push({ id: groupId, name, color, isIncome });
    }
    const kind = kindOf({ isIncome });
    return {
      groupId,
      items: items.map(itemName => {
        const itemId = (known && itemNamed(household, groupId, itemName)) ?? fresh();
        if (!household.items.has(itemId)) newItems.push({ id: itemId, name: itemName, kind });
        return { itemId, planned: 0 };
      }),
    };
  });
  requireRoomForIdentities(household, newGroups.length + newItems.length);
  return { month, copiedFrom: null, newGroups, newItems, layout };
}

function groupToReuse({ groups }: Household, isIncome: boolean, name: string): Ulid | undefined {
  return [...groups.values()].find(
    group => group.isIncome === isIncome && (isIncome || sameName(group.name, name)),
  )?.id;
}

function itemNamed({ items }: Household, groupId: Ulid, name: string): Ulid | undefined {
  return [...items.values()].find(item => item.lastGroupId === groupId && sameName(item.name, name))?.id;
}

function sameName(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase();
}
