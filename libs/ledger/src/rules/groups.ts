import type { CommandOf } from '../commands.js';
import type { GroupAttributes, LedgerEvent, Ulid } from '../events.js';
import type { Household } from '../household.js';
import { notFound, Refusal } from '../refusal.js';
import { nextColor } from '../template.js';
import type { TransactionRecord } from '../transaction-record.js';
import {
  requireBudget,
  requireExactly,
  requireGroup,
  requireRoom,
  requireRoomForIdentities,
  takenItem,
  untracking,
} from './checks.js';
import { groupRemoved } from './removals.js';

/**
 * Makes a group and lays it out in a month, last and without items.
 * @throws Refusal `not_found` for the month, `household_full`, `month_full`
 */
export function addGroup(household: Household, command: CommandOf<'AddGroup'>): LedgerEvent[] {
  const budget = requireBudget(household, command.month);
  requireRoomForIdentities(household, 1);
  requireRoom(budget, { groups: 1 });
  const color = command.color ?? nextColor(household.groups.size);
  const group = { id: command.groupId, name: command.name, color, isIncome: false };
  return [{ type: 'GroupAdded', data: { month: command.month, group } }];
}

/**
 * Lays a group that the household has out in a month, last and without items.
 * @throws Refusal `not_found` for the month or the group, `already_in_month`, `month_full`
 */
export function placeGroup(household: Household, command: CommandOf<'PlaceGroup'>): LedgerEvent[] {
  const { month, groupId } = command;
  const budget = requireBudget(household, month);
  if (!household.groups.has(groupId)) throw notFound('group', groupId);
  if (budget.groups.some(group => group.groupId === groupId)) {
    throw new Refusal('already_in_month', `The group is already in ${month}.`);
  }
  requireRoom(budget, { groups: 1 });
  return [{ type: 'GroupPlaced', data: { month, groupId } }];
}

/**
 * Changes a group's name and colour in every month.
 * @throws Refusal `not_found` for a group that was never made or is in no month any more
 */
export function changeGroup(household: Household, command: CommandOf<'ChangeGroup'>): LedgerEvent[] {
  const group = household.groups.get(command.groupId);
  if (!group || group.months === 0) throw notFound('group', command.groupId);
  const before: { -readonly [K in keyof GroupAttributes]: GroupAttributes[K] } = {};
  const after: typeof before = {};
  for (const attribute of ['name', 'color'] as const) {
    const value = command.changes[attribute];
    if (value === undefined || value === group[attribute]) continue;
    before[attribute] = group[attribute];
    after[attribute] = value;
  }
  if (Object.keys(after).length === 0) return [];
  return [{ type: 'GroupChanged', data: { groupId: command.groupId, before, after } }];
}

/**
 * Takes a group out of a month, with its items there.
 * @param tracked the month's transactions with a split on one of these items
 * @throws Refusal `not_found` for the month or a group that is not in it, `income_group`
 */
export function removeGroup(
  household: Household,
  command: CommandOf<'RemoveGroup'>,
  tracked: readonly TransactionRecord[],
): LedgerEvent[] {
  const { month, groupId } = command;
  const budget = requireBudget(household, month);
  const group = requireGroup(household, budget, groupId);
  if (group.isIncome) throw incomeGroupStays();
  const laid = budget.groups.find(each => each.groupId === groupId)!;
  const taken = laid.itemIds.map(itemId => takenItem(budget, itemId));
  return [groupRemoved(budget, groupId, taken, untracking(tracked))];
}

/**
 * Orders the groups of a month behind its income group.
 * @throws Refusal `not_found` for the month; `income_group` where the list names that; `order_mismatch`
 */
export function orderGroups(household: Household, command: CommandOf<'OrderGroups'>): LedgerEvent[] {
  const { month, groupIds } = command;
  const budget = requireBudget(household, month);
  const isIncome = (groupId: Ulid): boolean => household.groups.get(groupId)?.isIncome ?? false;
  if (groupIds.some(isIncome)) throw incomeGroupStays();
  const before = budget.groups.map(group => group.groupId).filter(groupId => !isIncome(groupId));
  requireExactly(groupIds, before, []);
  if (groupIds.every((groupId, i) => groupId === before[i])) return [];
  return [{ type: 'GroupsOrdered', data: { month, before, after: groupIds } }];
}

function incomeGroupStays(): Refusal {
  return new Refusal(
    'income_group',
    'The income group always stays first and cannot be deleted or reordered.',
  );
}
