import type { Draft } from '../draft.js';
import type { EventAmong, EventDeclarations, Present } from '../event-declaration.js';
import {
  budgetOf,
  fundIn,
  groupOfItem,
  monthsWith,
  type Adjustment,
  type Budget,
  type Household,
  type LaidItem,
  type Move,
} from '../household.js';
import type { PresentNames } from '../present-names.js';
import * as tracking from '../transactions/tracking.js';
import * as cells from '../undo/cells.js';
import { formerPlace, type FormerPlace, type PlaceInMonth } from '../undo/former-place.js';
import type { Amount, Kind, Month, Ulid } from '../values.js';

export interface NewItem {
  readonly id: Ulid;
  readonly name: string;
  readonly kind: Kind;
}

/** What an item had in a month. */
export interface TakenItem {
  readonly itemId: Ulid;
  readonly planned: Amount;
  readonly note: string | null;
  readonly adjustments: readonly Adjustment[];
}

export interface ItemAttributes {
  readonly name?: string;
  readonly favorite?: boolean;
  readonly fundTarget?: Amount | null;
}

type Orders = readonly { readonly groupId: Ulid; readonly itemIds: readonly Ulid[] }[];

/** How an item comes into a month. */
interface Laid {
  readonly month: Month;
  readonly groupId: Ulid;
  readonly planned: Amount;
  readonly note: string | null;
}

/** That something about an item in a month was changed. */
interface Changed<Value> {
  readonly month: Month;
  readonly itemId: Ulid;
  readonly before: Value;
  readonly after: Value;
}

/** What happens to items. */
export interface ItemEvents {
  ItemAdded: Laid & { readonly item: NewItem };
  ItemPlaced: Laid & { readonly itemId: Ulid };
  ItemChanged: FormerPlace & {
    readonly itemId: Ulid;
    readonly before: ItemAttributes;
    readonly after: ItemAttributes;
    /** Place among the favourites: where it was, or where it comes back to. Absent: it is made one, as the last. */
    readonly favoriteIndex?: number;
  };
  ItemPlanned: Changed<Amount>;
  ItemNoted: Changed<string | null>;
  ItemHarvested: Changed<Amount>;
  ItemRemoved: PlaceInMonth & {
    readonly taken: TakenItem;
    readonly untracked: tracking.Untracking;
  };
  /** Only an undoing makes it: the inverse of a removal. */
  ItemPutBack: PlaceInMonth & {
    readonly item: TakenItem;
    readonly retracked: tracking.Retracking;
  };
  ItemsOrdered: {
    readonly month: Month;
    readonly groupId: Ulid;
    /** The order of this group and of every group that an item leaves. */
    readonly before: Orders;
    readonly after: readonly Ulid[];
  };
}

/** The list of them, as `PutBack` names it: no event writes it as a whole. */
const FAVORITES: cells.Cell = 'favorites|';

export const itemEvents: EventDeclarations<ItemEvents> = {
  ItemAdded: {
    fold(draft, { month, groupId, item, planned, note }) {
      makeItem(draft, item, groupId);
      draft.placeItem(month, groupId, item.id, laidItem({ planned, note }));
    },
    writes: ({ month, groupId, item }) => [cells.item(month, item.id), cells.orderIn(month, groupId)],
    undoNeeds: ({ month, item }) => [cells.item(month, item.id)],
    departures: ({ month, item }) => cells.came(month, [item.id]),
    inverse: ({ month, item }, { household }) => [itemRemoved(household, month, item.id)],
    sentence: ({ month, item, planned }, names) =>
      `added ${names.item(item.id, item.name)} to ${month}${names.withPlan(planned)}`,
  },
  ItemPlaced: {
    fold(draft, { month, groupId, itemId, planned, note }) {
      draft.placeItem(month, groupId, itemId, laidItem({ planned, note }));
    },
    writes: ({ month, groupId, itemId }) => [cells.item(month, itemId), cells.orderIn(month, groupId)],
    undoNeeds: ({ month, itemId }) => [cells.item(month, itemId)],
    departures: ({ month, itemId }) => cells.came(month, [itemId]),
    inverse: ({ month, itemId }, { household }) => [itemRemoved(household, month, itemId)],
    sentence: ({ month, itemId, planned }, names) =>
      `put ${names.item(itemId)} into ${month}${names.withPlan(planned)}`,
  },
  ItemChanged: {
    fold(draft, { itemId, after: { name, favorite, fundTarget }, favoriteIndex }, { revision }) {
      const item = draft.item(itemId);
      if (name !== undefined || fundTarget !== undefined) {
        draft.setItem({
          ...item,
          name: name ?? item.name,
          fundTarget: fundTarget === undefined ? item.fundTarget : fundTarget,
          targetRevision: fundTarget === undefined ? item.targetRevision : revision,
        });
      }
      if (favorite !== undefined) draft.setFavorite(itemId, favorite, favorite ? favoriteIndex : undefined);
    },
    // A target is shown only where the item is a fund.
    months({ itemId, after }, household) {
      const item = household.items.get(itemId)!;
      const isShownAlways = after.name !== undefined || after.favorite !== undefined;
      return monthsWith(
        household,
        ({ month, items }) => items.has(itemId) && (isShownAlways || fundIn(item, month) !== null),
      );
    },
    writes: ({ itemId, after }) => Object.keys(after).map(name => cells.itemField(itemId, name)),
    putBack({ itemId, after, among = [] }) {
      return after.favorite === true ? [{ list: FAVORITES, id: itemId, among }] : [];
    },
    inverse(data, present) {
      const { itemId, before, after } = data;
      const place = after.favorite === undefined ? {} : favoritePlace(data, present);
      return [{ type: 'ItemChanged', data: { itemId, before: after, after: before, ...place } }];
    },
    sentence: changeSentence,
  },
  ItemPlanned: {
    fold: (draft, { month, itemId, after }) => draft.setItemIn(month, itemId, { planned: after }),
    writes: ({ month, itemId }) => [cells.itemPart(month, itemId, 'planned')],
    inverse: data => [{ type: 'ItemPlanned', data: reversed(data) }],
    sentence: ({ month, itemId, before, after }, names) =>
      `planned ${names.money(after)} for ${names.item(itemId)} in ${month} instead of ${names.money(before)}`,
  },
  ItemNoted: {
    fold: (draft, { month, itemId, after }) => draft.setItemIn(month, itemId, { note: after }),
    writes: ({ month, itemId }) => [cells.itemPart(month, itemId, 'note')],
    inverse: data => [{ type: 'ItemNoted', data: reversed(data) }],
    sentence({ month, itemId, before, after }, names) {
      const did = after === null ? 'cleared the note' : before === null ? 'wrote a note' : 'changed the note';
      return `${did} on ${names.item(itemId)} in ${month}`;
    },
  },
  ItemHarvested: {
    fold: (draft, { month, itemId, after }) => draft.setItemIn(month, itemId, { planned: after }),
    writes: ({ month, itemId }) => [cells.itemPart(month, itemId, 'planned')],
    inverse: data => [{ type: 'ItemPlanned', data: reversed(data) }],
    sentence: ({ month, itemId, before, after }, names) =>
      `harvested ${names.money(before - after)} from ${names.item(itemId)} in ${month}`,
  },
  ItemRemoved: {
    fold(draft, { month, taken, untracked }) {
      tracking.untrack(draft, month, untracked);
      draft.removeItem(month, taken.itemId);
    },
    ...tracking.UNTRACKS,
    writes: ({ month, groupId, taken, untracked }) => [
      cells.item(month, taken.itemId),
      cells.orderIn(month, groupId),
      ...tracking.splitsTaken(untracked),
    ],
    undoNeeds({ month, groupId, taken: { itemId }, untracked }) {
      return cells.oneAfterTheOther(
        [cells.item(month, itemId), cells.groupThere(month, groupId), cells.reorderedIn(month, groupId)],
        tracking.neededToRetrack(month, untracked, [itemId]),
      );
    },
    departures: ({ month, taken }) => cells.went(month, [taken.itemId]),
    inverse({ month, groupId, index, among, taken: item, untracked }, { household, putBack }, { id }) {
      const retracked = { ...untracked, takenBy: id };
      const left = { list: cells.orderIn(month, groupId), id: item.itemId, index, among };
      const { itemIds } = budgetOf(household, month)!.groups.find(group => group.groupId === groupId)!;
      const place = formerPlace(left, itemIds, putBack);
      return [{ type: 'ItemPutBack', data: { month, groupId, ...place, item, retracked } }];
    },
    sentence: ({ month, taken, untracked }, names) =>
      `deleted ${names.item(taken.itemId)} from ${month}${names.withPlans([taken])}${tracking.untrackedToo(untracked)}`,
    undid: 'its addition',
  },
  ItemPutBack: {
    fold(draft, { month, groupId, index, item, retracked }) {
      draft.placeItem(month, groupId, item.itemId, laidItem(item), index);
      tracking.retrack(draft, month, retracked);
    },
    ...tracking.RETRACKS,
    writes: ({ month, groupId, item, retracked }) => [
      cells.item(month, item.itemId),
      cells.orderIn(month, groupId),
      ...tracking.splitsPutBack(month, retracked),
    ],
    undoNeeds: ({ month, item, retracked }) => [
      cells.item(month, item.itemId),
      ...tracking.splitsTaken(retracked),
    ],
    departures: ({ month, item }) => cells.came(month, [item.itemId]),
    putBack({ month, groupId, item, among = [] }) {
      return [{ list: cells.orderIn(month, groupId), id: item.itemId, among }];
    },
    inverse: ({ month, item, retracked }, { household }) => [
      itemRemoved(household, month, item.itemId, tracking.untrackingOf(retracked)),
    ],
    sentence: ({ month, item, retracked }, names) =>
      `restored ${names.item(item.itemId)} in ${month}${names.withPlans([item])}${tracking.trackedAgain(retracked)}`,
    undid: 'its deletion',
  },
  ItemsOrdered: {
    fold: (draft, { month, groupId, after }) => draft.setItemIds(month, groupId, after),
    writes({ month, groupId, before, after }) {
      const own = before.find(order => order.groupId === groupId)?.itemIds ?? [];
      const moved = after.filter(id => !own.includes(id)).map(id => cells.itemPart(month, id, 'group'));
      const orders = before.flatMap(order => [
        cells.orderIn(month, order.groupId),
        cells.reorderedIn(month, order.groupId),
      ]);
      return [...orders, ...moved];
    },
    inverse: data => ordersBack([data]),
    sentence: ({ month, groupId }, names) => `ordered the items of ${names.groupName(groupId)} in ${month}`,
  },
};

/** That an item leaves its month. */
export function itemRemoved(
  household: Household,
  month: Month,
  itemId: Ulid,
  untracked = tracking.NOTHING_TRACKED,
): EventAmong<ItemEvents> {
  const budget = budgetOf(household, month)!;
  const { groupId, itemIds: among } = groupOfItem(budget, itemId)!;
  const [index, taken] = [among.indexOf(itemId), takenItem(budget, itemId)];
  return { type: 'ItemRemoved', data: { month, groupId, index, among, taken, untracked } };
}

/** What an item has in a month, for the event that takes it away. */
export function takenItem(budget: Budget, itemId: Ulid): TakenItem {
  const { planned, note, adjustments } = budget.items.get(itemId)!;
  return { itemId, planned, note, adjustments };
}

/** An item's plan in a month, and what it may have besides. */
export type PlannedItem = Pick<TakenItem, 'itemId' | 'planned'> & Partial<TakenItem>;

/** What an item starts with in a month, or comes back with. */
export function laidItem({ planned, note = null, adjustments = [] }: Omit<PlannedItem, 'itemId'>): LaidItem {
  return { planned, note, adjustments, activity: 0, carryIn: null };
}

/** Shared by most items. */
const NEVER_MOVED: readonly Move[] = [];

export function makeItem(draft: Draft, item: NewItem, groupId: Ulid): void {
  draft.setItem({
    ...item,
    months: 0,
    lastGroupId: groupId,
    originGroupId: groupId,
    moves: NEVER_MOVED,
    fund: null,
    fundTarget: null,
    terms: 0,
    favoriteRevision: -1,
    targetRevision: -1,
  });
}

function reversed<Value>({ month, itemId, before, after }: Changed<Value>): Changed<Value> {
  return { month, itemId, before: after, after: before };
}

/** What was given up comes back to its place; what was made a favourite remembers the one it had. */
function favoritePlace(
  { itemId, after, favoriteIndex, among }: ItemEvents['ItemChanged'],
  { household: { favorites }, putBack }: Present,
): Pick<ItemEvents['ItemChanged'], 'favoriteIndex' | 'among'> {
  if (after.favorite === true) return { favoriteIndex: favorites.indexOf(itemId), among: favorites };
  if (favoriteIndex === undefined) return {};
  const left = { list: FAVORITES, id: itemId, index: favoriteIndex, among };
  const { index, ...rest } = formerPlace(left, favorites, putBack);
  return { favoriteIndex: index, ...rest };
}

/**
 * Every group that an item had left or entered gets its former order, one event each, all with the same `before`.
 * @param orders as they were made together: the first one's `before` has every group that they changed
 */
export function ordersBack(orders: readonly ItemEvents['ItemsOrdered'][]): EventAmong<ItemEvents>[] {
  const { month, before } = orders[0]!;
  const now = orders.reduce(ordered, before);
  return before.map(({ groupId, itemIds }) => ({
    type: 'ItemsOrdered',
    data: { month, groupId, before: now, after: itemIds },
  }));
}

/** The orders of groups after one of them took the items that it has now. */
function ordered(orders: Orders, { groupId, after }: ItemEvents['ItemsOrdered']): Orders {
  return orders.map(order => {
    if (order.groupId === groupId) return { groupId, itemIds: after };
    return { groupId: order.groupId, itemIds: order.itemIds.filter(id => !after.includes(id)) };
  });
}

function changeSentence({ itemId, before, after }: ItemEvents['ItemChanged'], names: PresentNames): string {
  const name = names.item(itemId);
  const parts: string[] = [];
  if (after.name !== undefined) parts.push(`renamed ${before.name ?? ''} to ${after.name}`);
  if (after.favorite !== undefined) {
    parts.push(after.favorite ? `made ${name} a favourite` : `removed ${name} from the favourites`);
  }
  if (after.fundTarget === null) parts.push(`removed the target of ${name}`);
  else if (after.fundTarget !== undefined) {
    parts.push(`set the target of ${name} to ${names.money(after.fundTarget)}`);
  }
  return parts.join(' and ');
}
