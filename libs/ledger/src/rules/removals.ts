import type { LedgerEvent, LedgerEventData, TakenItem, Ulid, Untracking } from '../events.js';
import { groupOfItem, type Budget } from '../household.js';
import { takenItem } from './checks.js';

/** The groups of a month in their order, income first. */
export function groupOrder({ groups }: Budget): readonly Ulid[] {
  return groups.map(({ groupId }) => groupId);
}

/** That a group leaves its month, with the items that it takes along. */
export function groupRemoved(
  budget: Budget,
  groupId: Ulid,
  taken: readonly TakenItem[],
  untracked: Untracking,
): LedgerEvent {
  const among = groupOrder(budget);
  const index = among.indexOf(groupId);
  return { type: 'GroupRemoved', data: { month: budget.month, groupId, index, among, taken, untracked } };
}

/** That an item leaves its month. */
export function itemRemoved(budget: Budget, itemId: Ulid, untracked: Untracking): LedgerEvent {
  const { groupId, itemIds: among } = groupOfItem(budget, itemId)!;
  const data: LedgerEventData['ItemRemoved'] = {
    month: budget.month,
    groupId,
    index: among.indexOf(itemId),
    among,
    taken: takenItem(budget, itemId),
    untracked,
  };
  return { type: 'ItemRemoved', data };
}
