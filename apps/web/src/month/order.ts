import type { Month } from '../api/types.js';

/** A group with the ids of its items in a new order. */
export interface ItemOrder {
  readonly groupId: string;
  readonly itemIds: readonly string[];
}

/**
 * The order that puts an item at a place of a group; undefined where it is there already, or where an item cannot go
 * from income to expenses or back.
 */
export function placeItem(
  month: Month,
  itemId: string,
  groupId: string,
  index: number,
): ItemOrder | undefined {
  const from = month.groups.find(group => group.items.some(item => item.id === itemId));
  const to = month.groups.find(group => group.id === groupId);
  if (!from || !to || from.is_income !== to.is_income) return undefined;
  const before = to.items.map(item => item.id);
  const itemIds = before.filter(id => id !== itemId);
  const hole = before.indexOf(itemId);
  itemIds.splice(hole !== -1 && hole < index ? index - 1 : index, 0, itemId);
  return itemIds.join() === before.join() ? undefined : { groupId, itemIds };
}

/** The order after one step up or down, into the neighbouring group at the ends. */
export function stepItem(month: Month, itemId: string, step: -1 | 1): ItemOrder | undefined {
  const at = month.groups.findIndex(group => group.items.some(item => item.id === itemId));
  const group = month.groups[at];
  if (!group) return undefined;
  const index = group.items.findIndex(item => item.id === itemId) + step;
  if (index >= 0 && index < group.items.length) {
    return placeItem(month, itemId, group.id, step === 1 ? index + 1 : index);
  }
  const neighbour = month.groups[at + step];
  if (!neighbour) return undefined;
  return placeItem(month, itemId, neighbour.id, step === 1 ? 0 : neighbour.items.length);
}

/** The order of the groups, without income, which puts one of them before the place of another. */
export function placeGroup(month: Month, groupId: string, index: number): readonly string[] | undefined {
  const before = month.groups.filter(group => !group.is_income).map(group => group.id);
  const hole = before.indexOf(groupId);
  if (hole === -1) return undefined;
  const groupIds = before.filter(id => id !== groupId);
  groupIds.splice(hole < index ? index - 1 : index, 0, groupId);
  return groupIds.join() === before.join() ? undefined : groupIds;
}

/** The order of the groups after one step up or down. */
export function stepGroup(month: Month, groupId: string, step: -1 | 1): readonly string[] | undefined {
  const order = month.groups.filter(group => !group.is_income).map(group => group.id);
  const index = order.indexOf(groupId) + step;
  if (index < 0 || index >= order.length) return undefined;
  return placeGroup(month, groupId, step === 1 ? index + 1 : index);
}
