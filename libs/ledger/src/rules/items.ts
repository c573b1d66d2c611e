import type { CommandOf } from '../commands.js';
import type { ItemAttributes, LedgerEvent, Ulid } from '../events.js';
import { fundIn, type Budget, type Household, type ItemIdentity } from '../household.js';
import { notFound, Refusal } from '../refusal.js';
import type { TransactionRecord } from '../transaction-record.js';
import {
  itemNotInMonth,
  kindOf,
  kindOfGroupWith,
  noteLength,
  requireBudget,
  requireExactly,
  requireGroup,
  requireItem,
  requireRoom,
  requireRoomForIdentities,
  untracking,
} from './checks.js';
import { itemRemoved } from './removals.js';

/**
 * Makes an item, of its group's kind, and lays it out in a month, last in the group.
 * @throws Refusal `not_found` for the month or a group that is not in it, `household_full`, `month_full`
 */
export function addItem(household: Household, command: CommandOf<'AddItem'>): LedgerEvent[] {
  const { month, groupId, itemId, name, planned, note } = command;
  const budget = requireBudget(household, month);
  const group = requireGroup(household, budget, groupId);
  requireRoomForIdentities(household, 1);
  requireRoom(budget, { items: 1, notes: noteLength(note) });
  const kind = kindOf(group);
  return [{ type: 'ItemAdded', data: { month, groupId, item: { id: itemId, name, kind }, planned, note } }];
}

/**
 * Lays an item that the household has out in a month, last in a group of its kind.
 * @throws Refusal `not_found` for the month, a group that is not in it, or the item; `already_in_month`,
 *   `kind_mismatch`, `month_full`
 */
export function placeItem(household: Household, command: CommandOf<'PlaceItem'>): LedgerEvent[] {
  const { month, groupId, itemId, planned, note } = command;
  const budget = requireBudget(household, month);
  const group = requireGroup(household, budget, groupId);
  const item = household.items.get(itemId);
  if (!item) throw notFound('item', itemId);
  if (budget.items.has(itemId)) throw new Refusal('already_in_month', `The item is already in ${month}.`);
  if ((item.kind === 'income') !== group.isIncome) throw kindMismatch();
  requireRoom(budget, { items: 1, notes: noteLength(note) });
  return [{ type: 'ItemPlaced', data: { month, groupId, itemId, planned, note } }];
}

/**
 * Changes what an item is in every month; ending a fund is an event of its own.
 * @throws Refusal `not_found` for an item that was never made or is in no month any more; `not_a_fund` for a
 *   target of what is, or by this command becomes, no fund
 */
export function changeItem(household: Household, command: CommandOf<'ChangeItem'>): LedgerEvent[] {
  const item = household.items.get(command.itemId);
  if (!item || item.months === 0) throw notFound('item', command.itemId);
  const ends = command.endFund === true && item.fund !== null;
  if (typeof command.fundTarget === 'number' && (!item.fund || ends)) {
    throw new Refusal('not_a_fund', 'Only a fund has a target.');
  }
  const events = changedAttributes(household, item, ends ? withoutTarget(command) : command);
  if (ends && item.fund) {
    const { since, openingBalance, term } = item.fund;
    const data = { itemId: item.id, openedIn: since, openingBalance, term, target: item.fundTarget };
    events.push({ type: 'FundEnded', data });
  }
  return events;
}

/** A fund that ends loses its target anyway. */
function withoutTarget({ type, itemId, name, favorite }: CommandOf<'ChangeItem'>): CommandOf<'ChangeItem'> {
  return { type, itemId, ...(name !== undefined && { name }), ...(favorite !== undefined && { favorite }) };
}

function changedAttributes(
  household: Household,
  item: ItemIdentity,
  command: CommandOf<'ChangeItem'>,
): LedgerEvent[] {
  const before: { -readonly [K in keyof ItemAttributes]: ItemAttributes[K] } = {};
  const after: typeof before = {};
  const isFavorite = household.favorites.includes(item.id);
  if (command.name !== undefined && command.name !== item.name) {
    before.name = item.name;
    after.name = command.name;
  }
  if (command.favorite !== undefined && command.favorite !== isFavorite) {
    before.favorite = isFavorite;
    after.favorite = command.favorite;
  }
  if (command.fundTarget !== undefined && command.fundTarget !== item.fundTarget) {
    before.fundTarget = item.fundTarget;
    after.fundTarget = command.fundTarget;
  }
  if (Object.keys(after).length === 0) return [];
  // A favourite that is given up remembers its place, so that an undoing can bring it back there.
  const { favorites } = household;
  const place = after.favorite === false && {
    favoriteIndex: favorites.indexOf(item.id),
    among: favorites,
  };
  return [{ type: 'ItemChanged', data: { itemId: item.id, before, after, ...place } }];
}

/**
 * Changes an item's plan and note in one month, by an event each.
 * @throws Refusal `not_found` for the month or an item that is not in it; `month_full` for a longer note
 *   without room
 */
export function planItem(household: Household, command: CommandOf<'PlanItem'>): LedgerEvent[] {
  const { month, itemId, planned, note } = command;
  const budget = requireBudget(household, month);
  const { laid } = requireItem(household, budget, itemId);
  const events: LedgerEvent[] = [];
  if (planned !== undefined && planned !== laid.planned) {
    events.push({ type: 'ItemPlanned', data: { month, itemId, before: laid.planned, after: planned } });
  }
  if (note !== undefined && note !== laid.note) {
    const longer = noteLength(note) - noteLength(laid.note);
    requireRoom(budget, { notes: Math.max(longer, 0) });
    events.push({ type: 'ItemNoted', data: { month, itemId, before: laid.note, after: note } });
  }
  return events;
}

/**
 * Takes an item out of a month.
 * @param tracked the month's transactions with a split on it: they lose all their splits
 * @throws Refusal `not_found` for the month or an item that is not in it
 */
export function removeItem(
  household: Household,
  command: CommandOf<'RemoveItem'>,
  tracked: readonly TransactionRecord[],
): LedgerEvent[] {
  const { month, itemId } = command;
  const budget = requireBudget(household, month);
  requireItem(household, budget, itemId);
  return [itemRemoved(budget, itemId, untracking(tracked))];
}

/**
 * Orders a group's items; items of other groups of the same kind may move in.
 * @throws Refusal `not_found` for the month or a group that is not in it; then, in this order,
 *   `item_not_in_month`, `kind_mismatch`, and `order_mismatch` where one of the group's own items is missing
 */
export function orderItems(household: Household, command: CommandOf<'OrderItems'>): LedgerEvent[] {
  const { month, groupId, itemIds } = command;
  const budget = requireBudget(household, month);
  const group = requireGroup(household, budget, groupId);
  const outside = itemIds.find(itemId => !budget.items.has(itemId));
  if (outside !== undefined) throw itemNotInMonth(outside, month);
  const kind = kindOf(group);
  if (itemIds.some(itemId => kindOfGroupWith(household, budget, itemId) !== kind)) throw kindMismatch();
  const own = budget.groups.find(laid => laid.groupId === groupId)!.itemIds;
  requireExactly(itemIds, own, itemIds);
  if (itemIds.length === own.length && itemIds.every((itemId, i) => itemId === own[i])) return [];
  const before = ordersTouched(budget, groupId, itemIds);
  return [{ type: 'ItemsOrdered', data: { month, groupId, before, after: itemIds } }];
}

function ordersTouched(
  budget: Budget,
  groupId: Ulid,
  itemIds: readonly Ulid[],
): readonly { readonly groupId: Ulid; readonly itemIds: readonly Ulid[] }[] {
  return budget.groups.filter(
    laid => laid.groupId === groupId || laid.itemIds.some(itemId => itemIds.includes(itemId)),
  );
}

/**
 * Sets a regular expense item's plan to what was spent, so that the rest is left to budget again.
 * @throws Refusal `not_found` for the month or an item that is not in it; `not_harvestable` with the reason
 */
export function harvestItem(household: Household, command: CommandOf<'HarvestItem'>): LedgerEvent[] {
  const { month, itemId } = command;
  const budget = requireBudget(household, month);
  const { item, laid } = requireItem(household, budget, itemId);
  if (item.kind === 'income') throw notHarvestable('income');
  if (fundIn(item, month)) throw notHarvestable('fund');
  const after = Math.max(laid.activity, 0);
  // Where something was refunded, what remains may be above the plan: the plan is all that can move back.
  if (laid.planned - laid.activity <= 0 || after >= laid.planned) throw notHarvestable('nothing_remaining');
  return [{ type: 'ItemHarvested', data: { month, itemId, before: laid.planned, after } }];
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
