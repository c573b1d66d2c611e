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

export function addGroup(household: Household, command: CommandOf<'AddGroup'>): LedgerEvent[] {
  const budget = requireBudget(household, command.month);
  requireRoomForIdentities(household, 1);
  requireRoom(budget, { groups: 1 });
  const color = command.color ?? nextColor(household.groups.size);
  const group = { id: command.groupId, name: command.name, color, isIncome: false };
  return [{ type: 'GroupAdded', data: { month: command.month, group } }];
}

export function placeGroup(household: Household, command: CommandOf<'PlaceGroup'>): LedgerEvent[] {
  const { month, groupId } = command;
  const budget = requireBudget(household, month);
  if (!household.groups.has(groupId)) throw notFound('group', groupId);
  if (budget.groups.some(group => group.groupId === groupId)) {
    throw new Refusal('already_in_month', `The group is in ${month} already.`);
  }
  requireRoom(budget, { groups: 1 });
  return [{ type: 'GroupPlaced', data: { month, groupId } }];
}

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
