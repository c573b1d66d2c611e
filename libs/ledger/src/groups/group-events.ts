import type { Draft } from '../draft.js';
import type { EventAmong, EventDeclarations } from '../event-declaration.js';
import { budgetOf, monthsWith, type Household } from '../household.js';
import { laidItem, type TakenItem } from '../items/item-events.js';
import * as tracking from '../transactions/tracking.js';
import * as cells from '../undo/cells.js';
import { formerPlace, type PlaceInMonth } from '../undo/former-place.js';
import type { Month, Ulid } from '../values.js';

export interface NewGroup {
  readonly id: Ulid;
  readonly name: string;
  readonly color: string;
  readonly isIncome: boolean;
}

export interface GroupAttributes {
  readonly name?: string;
  readonly color?: string;
}

/** What happens to groups. */
export interface GroupEvents {
  GroupAdded: { readonly month: Month; readonly group: NewGroup };
  GroupPlaced: { readonly month: Month; readonly groupId: Ulid };
  GroupChanged: {
    readonly groupId: Ulid;
    readonly before: GroupAttributes;
    readonly after: GroupAttributes;
  };
  GroupRemoved: PlaceInMonth & {
    readonly taken: readonly TakenItem[];
    readonly untracked: tracking.Untracking;
  };
  /** Only an undoing makes it: the inverse of a removal. */
  GroupPutBack: PlaceInMonth & {
    readonly items: readonly TakenItem[];
    readonly retracked: tracking.Retracking;
  };
  GroupsOrdered: {
    readonly month: Month;
    /** The non-income groups; income stays first. */
    readonly before: readonly Ulid[];
    readonly after: readonly Ulid[];
  };
}

export const groupEvents: EventDeclarations<GroupEvents> = {
  GroupAdded: {
    fold(draft, { month, group }) {
      makeGroup(draft, group);
      draft.placeGroup(month, group.id);
    },
    writes: ({ month, group }) => [cells.group(month, group.id), cells.groupsOf(month)],
    undoNeeds: ({ month, group }) => [cells.group(month, group.id)],
    inverse: ({ month, group }, { household }) => [groupRemoved(household, month, group.id, [])],
    sentence: ({ month, group }, names) =>
      `added the group ${names.groupName(group.id, group.name)} to ${month}`,
  },
  GroupPlaced: {
    fold: (draft, { month, groupId }) => draft.placeGroup(month, groupId),
    writes: ({ month, groupId }) => [cells.group(month, groupId), cells.groupsOf(month)],
    undoNeeds: ({ month, groupId }) => [cells.group(month, groupId)],
    inverse: ({ month, groupId }, { household }) => [groupRemoved(household, month, groupId, [])],
    sentence: ({ month, groupId }, names) => `put ${names.group(groupId)} into ${month}`,
  },
  GroupChanged: {
    fold(draft, { groupId, before, after }, { revision }) {
      const recolored = after.color !== undefined && after.color !== before.color;
      const group = draft.group(groupId);
      const colorRevision = recolored ? revision : group.colorRevision;
      draft.setGroup({ ...group, ...after, colorRevision });
    },
    months: ({ groupId }, household) =>
      monthsWith(household, ({ groups }) => groups.some(group => group.groupId === groupId)),
    writes: ({ groupId, after }) => Object.keys(after).map(name => cells.groupField(groupId, name)),
    inverse: ({ groupId, before, after }) => [
      { type: 'GroupChanged', data: { groupId, before: after, after: before } },
    ],
    sentence({ groupId, before, after }, names) {
      if (after.name === undefined) return `gave ${names.group(groupId)} another colour`;
      const colouredToo = after.color === undefined ? '' : ' and gave it another colour';
      return `renamed the group ${before.name ?? ''} to ${after.name}${colouredToo}`;
    },
  },
  GroupRemoved: {
    fold(draft, { month, groupId, untracked }) {
      tracking.untrack(draft, month, untracked);
      draft.removeGroup(month, groupId);
    },
    ...tracking.UNTRACKS,
    writes: ({ month, groupId, taken, untracked }) => [
      ...groupCells(month, groupId, taken),
      cells.groupsOf(month),
      ...tracking.splitsTaken(untracked),
    ],
    undoNeeds({ month, groupId, taken, untracked }) {
      return cells.oneAfterTheOther(
        [...groupCells(month, groupId, taken), cells.reorderedGroups(month)],
        tracking.neededToRetrack(month, untracked, idsOf(taken)),
      );
    },
    departures: ({ month, taken }) => cells.went(month, idsOf(taken)),
    inverse({ month, groupId, index, among, taken: items, untracked }, { household, putBack }, { id }) {
      const retracked = { ...untracked, takenBy: id };
      const left = { list: cells.groupsOf(month), id: groupId, index, among };
      const place = formerPlace(left, groupOrder(household, month), putBack);
      return [{ type: 'GroupPutBack', data: { month, groupId, ...place, items, retracked } }];
    },
    sentence: ({ month, groupId, taken, untracked }, names) =>
      `deleted ${names.group(groupId)} from ${month}${names.withPlans(taken)}${tracking.untrackedToo(untracked)}`,
    undid: 'its addition',
  },
  GroupPutBack: {
    fold(draft, { month, groupId, index, items, retracked }) {
      draft.placeGroup(month, groupId, index);
      for (const item of items) draft.placeItem(month, groupId, item.itemId, laidItem(item));
      tracking.retrack(draft, month, retracked);
    },
    ...tracking.RETRACKS,
    writes: ({ month, groupId, items, retracked }) => [
      ...groupCells(month, groupId, items),
      cells.groupsOf(month),
      ...tracking.splitsPutBack(month, retracked),
    ],
    undoNeeds: ({ month, groupId, items, retracked }) => [
      ...groupCells(month, groupId, items),
      ...tracking.splitsTaken(retracked),
    ],
    departures: ({ month, items }) => cells.came(month, idsOf(items)),
    putBack: ({ month, groupId, among = [] }) => [{ list: cells.groupsOf(month), id: groupId, among }],
    inverse: ({ month, groupId, items, retracked }, { household }) => [
      groupRemoved(household, month, groupId, items, tracking.untrackingOf(retracked)),
    ],
    sentence: ({ month, groupId, items, retracked }, names) =>
      `restored ${names.group(groupId)} in ${month}${names.withPlans(items)}${tracking.trackedAgain(retracked)}`,
    undid: 'its deletion',
  },
  GroupsOrdered: {
    fold(draft, { month, after }) {
      const budget = draft.budget(month);
      const [income, ...others] = budget.groups;
      budget.groups = [income!, ...after.map(id => others.find(({ groupId }) => groupId === id)!)];
    },
    writes: ({ month }) => [cells.reorderedGroups(month), cells.groupsOf(month)],
    inverse: ({ month, before, after }) => [
      { type: 'GroupsOrdered', data: { month, before: after, after: before } },
    ],
    sentence: ({ month }) => `ordered the groups of ${month}`,
  },
};

/** That a group leaves its month, with the items that it takes along. */
export function groupRemoved(
  household: Household,
  month: Month,
  groupId: Ulid,
  taken: readonly TakenItem[],
  untracked = tracking.NOTHING_TRACKED,
): EventAmong<GroupEvents> {
  const among = groupOrder(household, month);
  const index = among.indexOf(groupId);
  return { type: 'GroupRemoved', data: { month, groupId, index, among, taken, untracked } };
}

export function makeGroup(draft: Draft, group: NewGroup): void {
  draft.setGroup({ ...group, months: 0, colorRevision: draft.currentRevision });
}

/** The groups of a month in their order, income first. */
function groupOrder(household: Household, month: Month): readonly Ulid[] {
  return budgetOf(household, month)!.groups.map(({ groupId }) => groupId);
}

function idsOf(items: readonly TakenItem[]): Ulid[] {
  return items.map(({ itemId }) => itemId);
}

function groupCells(month: Month, groupId: Ulid, items: readonly TakenItem[]): cells.Cell[] {
  return [cells.group(month, groupId), ...items.map(({ itemId }) => cells.item(month, itemId))];
}
