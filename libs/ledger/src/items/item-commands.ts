import { difference, type Changes, type CommandDeclarations } from '../command-declaration.js';
import type { LedgerEvent } from '../events.js';
import { fundIn, kindOf, type Household, type ItemIdentity } from '../household.js';
import { noteLength, requireRoom, requireRoomForIdentities } from '../limits.js';
import {
  itemNotInMonth,
  notFound,
  Refusal,
  requireBudget,
  requireExactly,
  requireGroup,
  requireItem,
} from '../refusal.js';
import { untracking } from '../transactions/tracking.js';
import type { Amount, Month, Ulid } from '../values.js';
import { itemRemoved, type ItemAttributes } from './item-events.js';

interface PlaceItem {
  readonly month: Month;
  readonly groupId: Ulid;
  readonly itemId: Ulid;
  readonly planned: Amount;
  readonly note: string | null;
}

/** What can be asked of items. */
export interface ItemCommands {
  AddItem: PlaceItem & { readonly name: string };
  PlaceItem: PlaceItem;
  ChangeItem: Changes<ItemAttributes> & { readonly itemId: Ulid; readonly endFund?: boolean | undefined };
  PlanItem: {
    readonly month: Month;
    readonly itemId: Ulid;
    readonly planned?: Amount | undefined;
    readonly note?: string | null | undefined;
  };
  RemoveItem: { readonly month: Month; readonly itemId: Ulid };
  OrderItems: { readonly month: Month; readonly groupId: Ulid; readonly itemIds: readonly Ulid[] };
  HarvestItem: { readonly month: Month; readonly itemId: Ulid };
}

export const itemCommands: CommandDeclarations<ItemCommands> = {
  /**
   * Makes an item, of its group's kind, and lays it out in a month, last in the group.
   * @throws Refusal `not_found` for the month or a group that is not in it, `household_full`, `month_full`
   */
  AddItem: {
    decide(household, { month, groupId, itemId, name, planned, note }) {
      const budget = requireBudget(household, month);
      const group = requireGroup(household, budget, groupId);
      requireRoomForIdentities(household, 1);
      requireRoom(budget, { items: 1, notes: noteLength(note) });
      const item = { id: itemId, name, kind: kindOf(group) };
      return [{ type: 'ItemAdded', data: { month, groupId, item, planned, note } }];
    },
  },
  /**
   * Lays an item that the household has out in a month, last in a group of its kind.
   * @throws Refusal `not_found` for month, group or item; `already_in_month`, `kind_mismatch`, `month_full`
   */
  PlaceItem: {
    decide(household, { month, groupId, itemId, planned, note }) {
      const budget = requireBudget(household, month);
      const group = requireGroup(household, budget, groupId);
      const item = household.items.get(itemId);
      if (!item) throw notFound('item', itemId);
      if (budget.items.has(itemId)) {
        throw new Refusal('already_in_month', `The item is already in ${month}.`);
      }
      if (item.kind !== kindOf(group)) throw kindMismatch();
      requireRoom(budget, { items: 1, notes: noteLength(note) });
      return [{ type: 'ItemPlaced', data: { month, groupId, itemId, planned, note } }];
    },
  },
  /**
   * Changes what an item is in every month; ending a fund is an event of its own.
   * @throws Refusal `not_found` for an item that is in no month; `not_a_fund` for a target where it is, or becomes, none
   */
  ChangeItem: {
    decide(household, { itemId, name, favorite, fundTarget, endFund }) {
      const item = household.items.get(itemId);
      if (!item || item.months === 0) throw notFound('item', itemId);
      const { fund, fundTarget: target } = item;
      const ends = endFund === true && fund !== null;
      if (typeof fundTarget === 'number' && (!fund || ends)) {
        throw new Refusal('not_a_fund', 'Only a fund has a target.');
      }
      // A fund that ends loses its target anyway.
      const events = changedAttributes(household, item, {
        name,
        favorite,
        fundTarget: ends ? undefined : fundTarget,
      });
      if (ends) {
        const { since: openedIn, openingBalance, term } = fund;
        events.push({ type: 'FundEnded', data: { itemId, openedIn, openingBalance, term, target } });
      }
      return events;
    },
  },
  /**
   * Changes an item's plan and note in one month, by an event each.
   * @throws Refusal `not_found` for the month or an item that is not in it; `month_full` for a longer note
   */
  PlanItem: {
    decide(household, { month, itemId, planned, note }) {
      const budget = requireBudget(household, month);
      const { laid } = requireItem(household, budget, itemId);
      const events: LedgerEvent[] = [];
      if (planned !== undefined && planned !== laid.planned) {
        events.push({ type: 'ItemPlanned', data: { month, itemId, before: laid.planned, after: planned } });
      }
      if (note !== undefined && note !== laid.note) {
        const longer = noteLength(note) - noteLength(laid.note);
        requireRoom(budget, { notes: longer });
        events.push({ type: 'ItemNoted', data: { month, itemId, before: laid.note, after: note } });
      }
      return events;
    },
  },
  /**
   * Takes an item out of a month. The month's transactions with a split on it lose all their splits.
   * @throws Refusal `not_found` for the month or an item that is not in it
   */
  RemoveItem: {
    needs: (_, { month, itemId }) => ({ tracked: { month, itemIds: [itemId] } }),
    decide(household, { month, itemId }, { tracked }) {
      requireItem(household, requireBudget(household, month), itemId);
      return [itemRemoved(household, month, itemId, untracking(tracked))];
    },
  },
  /**
   * Orders a group's items; items of other groups of the same kind may move in.
   * @throws Refusal `not_found` for the month or a group that is not in it; then, in this order,
   *   `item_not_in_month`, `kind_mismatch`, and `order_mismatch` where one of the group's own items is missing
   */
  OrderItems: {
    decide(household, { month, groupId, itemIds }) {
      const budget = requireBudget(household, month);
      const group = requireGroup(household, budget, groupId);
      const outside = itemIds.find(itemId => !budget.items.has(itemId));
      if (outside !== undefined) throw itemNotInMonth(outside, month);
      const kind = kindOf(group);
      if (itemIds.some(itemId => household.items.get(itemId)!.kind !== kind)) throw kindMismatch();
      const own = budget.groups.find(laid => laid.groupId === groupId)!.itemIds;
      requireExactly(itemIds, own, itemIds);
      if (itemIds.length === own.length && itemIds.every((itemId, i) => itemId === own[i])) return [];
      const before = budget.groups.filter(
        laid => laid.groupId === groupId || laid.itemIds.some(itemId => itemIds.includes(itemId)),
      );
      return [{ type: 'ItemsOrdered', data: { month, groupId, before, after: itemIds } }];
    },
  },
  /**
   * Sets a regular expense item's plan to what was spent, so that the rest is left to budget again.
   * @throws Refusal `not_found` for the month or an item that is not in it; `not_harvestable` with the reason
   */
  HarvestItem: {
    decide(household, { month, itemId }) {
      const { item, laid } = requireItem(household, requireBudget(household, month), itemId);
      if (item.kind === 'income') throw notHarvestable('income');
      if (fundIn(item, month)) throw notHarvestable('fund');
      const { planned: before, activity } = laid;
      const after = Math.max(activity, 0);
      // Where something was refunded, what remains may be above the plan: the plan is all that can move back.
      if (before - activity <= 0 || after >= before) throw notHarvestable('nothing_remaining');
      return [{ type: 'ItemHarvested', data: { month, itemId, before, after } }];
    },
  },
};

function changedAttributes(
  { favorites }: Household,
  item: ItemIdentity,
  { name, favorite, fundTarget }: Changes<ItemAttributes>,
): LedgerEvent[] {
  const now = { name: item.name, favorite: favorites.includes(item.id), fundTarget: item.fundTarget };
  const change = difference<ItemAttributes>(now, { name, favorite, fundTarget });
  if (!change) return [];
  // A favourite that is given up remembers its place, so that an undoing can bring it back there.
  const place = change.after.favorite === false && {
    favoriteIndex: favorites.indexOf(item.id),
    among: favorites,
  };
  return [{ type: 'ItemChanged', data: { itemId: item.id, ...change, ...place } }];
}

function notHarvestable(reason: 'income' | 'fund' | 'nothing_remaining'): Refusal {
  const sentence = {
    income: 'An income item cannot be harvested.',
    fund: 'A fund keeps its balance and cannot be harvested.',
    nothing_remaining: 'The item has nothing left to harvest.',
  }[reason];
  return new Refusal('not_harvestable', sentence, { reason });
}

function kindMismatch(): Refusal {
  return new Refusal('kind_mismatch', 'An item cannot move between income and expense groups.');
}
