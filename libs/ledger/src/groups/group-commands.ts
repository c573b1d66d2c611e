import { difference, type Changes, type CommandDeclarations } from '../command-declaration.js';
import { budgetOf } from '../household.js';
import { takenItem } from '../items/item-events.js';
import { requireRoom, requireRoomForIdentities } from '../limits.js';
import { notFound, Refusal, requireBudget, requireExactly, requireGroup } from '../refusal.js';
import { untracking } from '../transactions/tracking.js';
import type { Month, Ulid } from '../values.js';
import { groupRemoved, type GroupAttributes } from './group-events.js';

/** A new group gets the colour after that of the group made before it. */
const PALETTE: readonly string[] = [
  '#2e7d32',
  '#ad1457',
  '#1565c0',
  '#6a1b9a',
  '#ef6c00',
  '#00838f',
  '#9e9d24',
  '#c62828',
  '#4e342e',
  '#283593',
  '#00695c',
  '#37474f',
];

/** @param groupsMade how many groups the household ever made */
export function nextColor(groupsMade: number): string {
  return PALETTE[groupsMade % PALETTE.length]!;
}

/** What can be asked of groups. */
export interface GroupCommands {
  AddGroup: {
    readonly month: Month;
    readonly groupId: Ulid;
    readonly name: string;
    /** `#rrggbb`; the next colour of the palette when absent. */
    readonly color?: string | undefined;
  };
  PlaceGroup: { readonly month: Month; readonly groupId: Ulid };
  ChangeGroup: { readonly groupId: Ulid; readonly changes: Changes<GroupAttributes> };
  RemoveGroup: { readonly month: Month; readonly groupId: Ulid };
  OrderGroups: { readonly month: Month; readonly groupIds: readonly Ulid[] };
}

export const groupCommands: CommandDeclarations<GroupCommands> = {
  /**
   * Makes a group and lays it out in a month, last and without items.
   * @throws Refusal `not_found` for the month, `household_full`, `month_full`
   */
  AddGroup: {
    decide(household, { month, groupId, name, color = nextColor(household.groups.size) }) {
      const budget = requireBudget(household, month);
      requireRoomForIdentities(household, 1);
      requireRoom(budget, { groups: 1 });
      return [{ type: 'GroupAdded', data: { month, group: { id: groupId, name, color, isIncome: false } } }];
    },
  },
  /**
   * Lays a group that the household has out in a month, last and without items.
   * @throws Refusal `not_found` for the month or the group, `already_in_month`, `month_full`
   */
  PlaceGroup: {
    decide(household, { month, groupId }) {
      const budget = requireBudget(household, month);
      if (!household.groups.has(groupId)) throw notFound('group', groupId);
      if (budget.groups.some(group => group.groupId === groupId)) {
        throw new Refusal('already_in_month', `The group is already in ${month}.`);
      }
      requireRoom(budget, { groups: 1 });
      return [{ type: 'GroupPlaced', data: { month, groupId } }];
    },
  },
  /**
   * Changes a group's name and colour in every month.
   * @throws Refusal `not_found` for a group that was never made or is in no month any more
   */
  ChangeGroup: {
    decide(household, { groupId, changes }) {
      const group = household.groups.get(groupId);
      if (!group || group.months === 0) throw notFound('group', groupId);
      const { name, color } = changes;
      const change = difference<GroupAttributes>(group, { name, color });
      return change ? [{ type: 'GroupChanged', data: { groupId, ...change } }] : [];
    },
  },
  /**
   * Takes a group out of a month, with its items there.
   * @throws Refusal `not_found` for the month or a group that is not in it, `income_group`
   */
  RemoveGroup: {
    needs(household, { month, groupId }) {
      const groups = budgetOf(household, month)?.groups ?? [];
      const itemIds = groups.find(group => group.groupId === groupId)?.itemIds ?? [];
      return { tracked: { month, itemIds } };
    },
    decide(household, { month, groupId }, { tracked }) {
      const budget = requireBudget(household, month);
      const group = requireGroup(household, budget, groupId);
      if (group.isIncome) throw incomeGroupStays();
      const laid = budget.groups.find(each => each.groupId === groupId)!;
      const taken = laid.itemIds.map(itemId => takenItem(budget, itemId));
      return [groupRemoved(household, month, groupId, taken, untracking(tracked))];
    },
  },
  /**
   * Orders the groups of a month behind its income group.
   * @throws Refusal `not_found` for the month; `income_group` where the list names that; `order_mismatch`
   */
  OrderGroups: {
    decide(household, { month, groupIds }) {
      const budget = requireBudget(household, month);
      const isIncome = (groupId: Ulid): boolean => household.groups.get(groupId)?.isIncome ?? false;
      if (groupIds.some(isIncome)) throw incomeGroupStays();
      const before = budget.groups.map(group => group.groupId).filter(groupId => !isIncome(groupId));
      requireExactly(groupIds, before, []);
      if (groupIds.every((groupId, i) => groupId === before[i])) return [];
      return [{ type: 'GroupsOrdered', data: { month, before, after: groupIds } }];
    },
  },
};

function incomeGroupStays(): Refusal {
  return new Refusal(
    'income_group',
    'The income group always stays first and cannot be deleted or reordered.',
  );
}
