import type { CommandOf } from '../commands.js';
import type { Month } from '../calendar.js';
import { isSameLayout } from '../evolve.js';
import type { LaidOut, Layout, LedgerEvent, NewGroup, NewItem, Ulid } from '../events.js';
import { budgetOf, incomeGroup, latestBudgetBefore, type Budget, type Household } from '../household.js';
import { BUDGETS_MAX } from '../limits.js';
import { Refusal } from '../refusal.js';
import { DEFAULT_TEMPLATE, nextColor } from '../template.js';
import type { TransactionRecord } from '../transaction-record.js';
import {
  kindOf,
  requireBudget,
  requireRoomForIdentities,
  requireRoomInHousehold,
  takenMonth,
  untracking,
} from './checks.js';

/**
 * Lays a month out as a copy of the latest earlier one, or by the default template where there is none.
 * @throws Refusal `month_exists`, `household_full`; Error where the template needs more ids than the command
 *   brings
 */
export function createMonth(household: Household, command: CommandOf<'CreateMonth'>): LedgerEvent[] {
  if (budgetOf(household, command.month)) {
    throw new Refusal('month_exists', `The budget for ${command.month} already exists.`);
  }
  const budgets = household.months.filter(({ budget }) => budget !== null).length;
  requireRoomInHousehold('months', budgets + 1, BUDGETS_MAX);
  return [{ type: 'MonthCreated', data: layOut(household, command.month, command.newIds) }];
}

/**
 * Sets every plan of a month to 0 and leaves all else (`zero`), or untracks its transactions and lays it out
 * again as its creation would (`replace`). Makes no event where nothing would be different.
 * @param tracked for `replace`: every transaction of the month that has splits
 * @throws Refusal `not_found` for the month; `household_full` where `replace` lays out the default template
 */
export function resetMonth(
  household: Household,
  command: CommandOf<'ResetMonth'>,
  tracked: readonly TransactionRecord[],
): LedgerEvent[] {
  const budget = requireBudget(household, command.month);
  return command.mode === 'zero'
    ? zeroMonth(budget)
    : replaceMonth(household, budget, command.newIds, tracked);
}

function zeroMonth(budget: Budget): LedgerEvent[] {
  const planned = [...budget.items]
    .filter(([, laid]) => laid.planned !== 0)
    .map(([itemId, laid]) => [itemId, laid.planned] as const);
  return planned.length === 0 ? [] : [{ type: 'MonthZeroed', data: { month: budget.month, planned } }];
}

function replaceMonth(
  household: Household,
  budget: Budget,
  newIds: readonly Ulid[],
  tracked: readonly TransactionRecord[],
): LedgerEvent[] {
  const laidOut = layOut(household, budget.month, newIds);
  const taken = takenMonth(budget);
  if (tracked.length === 0 && isSameLayout(taken, laidOut)) return [];
  return [{ type: 'MonthReplaced', data: { ...laidOut, taken, untracked: untracking(tracked) } }];
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
 * The default template, with the household's own income group and any group or item of the same name (the
 * oldest first, those in no month now included) rather than a second one. An item counts in the group in which
 * it was last laid out.
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
    const group = isIncome ? incomeGroup(household) : groupNamed(household, name);
    const groupId = group?.id ?? fresh();
    if (!group) {
      const color = nextColor(household.groups.size + newGroups.length);
      newGroups.push({ id: groupId, name, color, isIncome });
    }
    const kind = kindOf({ isIncome });
    return {
      groupId,
      items: items.map(itemName => {
        const itemId = (group && itemNamed(household, groupId, itemName)) ?? fresh();
        if (!household.items.has(itemId)) newItems.push({ id: itemId, name: itemName, kind });
        return { itemId, planned: 0 };
      }),
    };
  });
  requireRoomForIdentities(household, newGroups.length + newItems.length);
  return { month, copiedFrom: null, newGroups, newItems, layout };
}

function groupNamed(household: Household, name: string): { readonly id: Ulid } | null {
  for (const group of household.groups.values()) {
    if (!group.isIncome && sameName(group.name, name)) return group;
  }
  return null;
}

function itemNamed(household: Household, groupId: Ulid, name: string): Ulid | null {
  for (const item of household.items.values()) {
    if (item.lastGroupId === groupId && sameName(item.name, name)) return item.id;
  }
  return null;
}

function sameName(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase();
}
