import type {
  Adjustment,
  EventOf,
  FundEventType,
  GroupEventType,
  ItemEventType,
  LaidOut,
  LedgerEvent,
  LedgerEventData,
  RecordedLedgerEvent,
  Retracking,
  TakenMonth,
  TransactionContent,
  TransactionEventType,
  Ulid,
  Untracking,
} from '../events.js';
import { layoutOf, partOf } from '../evolve.js';
import { budgetOf, type Household } from '../household.js';
import { requireRoomForTransaction, takenMonth } from '../rules/checks.js';
import { groupOrder, groupRemoved, itemRemoved } from '../rules/removals.js';
import { changedFields, contentChanged, contentOf, type TransactionEvent } from '../transaction-record.js';
import type { TransactionsAhead } from '../transactions-ahead.js';
import {
  listOfAdjustments,
  FAVORITES,
  formerPlace,
  listOfGroups,
  listOfItems,
  type PutBack,
} from './former-place.js';

/** What the ways back depend on besides the event: the present, in the parts that nobody changed since. */
interface Present {
  readonly household: Household;
  /** As the ways back that were found already leave them: one command may have changed a transaction several times. */
  readonly transactions: TransactionsAhead;
  /** What came back to lists after the command, and had left them before it. */
  readonly putBack: readonly PutBack[];
}

/** The events that bring back what was before an event. @throws Refusal `month_full` */
export function wayBack(event: RecordedLedgerEvent, present: Present): readonly LedgerEvent[] {
  switch (event.type) {
    case 'CommandUndone':
      return undoingBack(event, present);
    case 'MonthCreated':
    case 'MonthRemoved':
    case 'MonthZeroed':
    case 'MonthReplaced':
    case 'LayoutPutBack':
      return monthBack(event, present);
    case 'TransactionCreated':
    case 'TransactionChanged':
    case 'TransactionDeleted':
    case 'TransactionRestored':
      return [transactionBack(event, present)];
    default:
      return partBack(event, present);
  }
}

/** What an undoing wrote goes back part by part, the last one first; but orders depend on one another. */
function undoingBack(event: EventOf<'CommandUndone'>, present: Present): readonly LedgerEvent[] {
  const { events } = event.data;
  const orders = events.flatMap(part => (part.type === 'ItemsOrdered' ? [part.data] : []));
  if (orders.length > 0 && orders.length === events.length) return ordersBack(orders);
  return [...events].reverse().flatMap(part => wayBack(partOf(event, part), present));
}

/** The ways back of what changes a part of a month's layout, or an identity. */
function partBack(event: GroupEvent | FundEvent | ItemEvent, present: Present): readonly LedgerEvent[] {
  switch (event.type) {
    case 'GroupAdded':
    case 'GroupPlaced':
    case 'GroupRemoved':
    case 'GroupPutBack':
    case 'GroupChanged':
    case 'GroupsOrdered':
      return groupBack(event, present);
    case 'FundOpened':
    case 'FundEnded':
    case 'FundReopened':
    case 'FundBalanceUpdated':
    case 'AdjustmentRemoved':
    case 'AdjustmentPutBack':
      return fundBack(event, present);
    default:
      return itemBack(event, present);
  }
}

type GroupEvent = EventOf<GroupEventType>;
type FundEvent = EventOf<FundEventType>;
type ItemEvent = EventOf<ItemEventType>;

function monthBack(
  event: EventOf<'MonthCreated' | 'MonthRemoved' | 'MonthZeroed' | 'MonthReplaced' | 'LayoutPutBack'>,
  { household }: Present,
): LedgerEvent[] {
  const { month } = event.data;
  switch (event.type) {
    case 'MonthCreated': {
      const { createdAt } = budgetOf(household, month)!;
      return [{ type: 'MonthRemoved', data: { month, createdAt, taken: laidOutNow(household, month) } }];
    }
    case 'MonthRemoved': {
      const { taken, createdAt } = event.data;
      return [{ type: 'MonthCreated', data: { ...laidOutAgain(month, taken), createdAt } }];
    }
    case 'MonthZeroed':
      return event.data.planned.map(([itemId, after]) => ({
        type: 'ItemPlanned',
        data: { month, itemId, before: 0, after },
      }));
    case 'MonthReplaced': {
      const { taken, untracked } = event.data;
      const retracked = { ...untracked, takenBy: event.id };
      const data = { month, ...taken, taken: laidOutNow(household, month), retracked };
      return [{ type: 'LayoutPutBack', data }];
    }
    case 'LayoutPutBack': {
      const { copiedFrom, groups, taken, retracked } = event.data;
      const untracked = untrackingOf(retracked);
      const data = { ...laidOutAgain(month, taken), taken: { copiedFrom, groups }, untracked };
      return [{ type: 'MonthReplaced', data }];
    }
  }
}

function laidOutNow(household: Household, month: string): TakenMonth {
  return takenMonth(budgetOf(household, month)!);
}

function laidOutAgain(month: string, taken: TakenMonth): LaidOut {
  return { month, copiedFrom: taken.copiedFrom, newGroups: [], newItems: [], layout: layoutOf(taken) };
}

/** Nothing is tracked on what was added only now: whoever tracked something keeps its adding from being undone. */
const NOTHING_TRACKED: Untracking = { transactionIds: [], activity: [] };

/** What was tracked again is taken away again. */
function untrackingOf({ transactionIds, activity }: Retracking): Untracking {
  return { transactionIds, activity };
}

function groupBack(event: GroupEvent, { household, putBack }: Present): LedgerEvent[] {
  switch (event.type) {
    case 'GroupAdded':
    case 'GroupPlaced': {
      const { month } = event.data;
      const groupId = event.type === 'GroupAdded' ? event.data.group.id : event.data.groupId;
      return [groupRemoved(budgetOf(household, month)!, groupId, [], NOTHING_TRACKED)];
    }
    case 'GroupRemoved': {
      const { month, groupId, index, among, taken: items, untracked } = event.data;
      const retracked = { ...untracked, takenBy: event.id };
      const now = groupOrder(budgetOf(household, month)!);
      const leaving = { list: listOfGroups(month), id: groupId, index, among };
      const place = formerPlace(leaving, now, putBack);
      return [{ type: 'GroupPutBack', data: { month, groupId, ...place, items, retracked } }];
    }
    case 'GroupPutBack': {
      const { month, groupId, items, retracked } = event.data;
      return [groupRemoved(budgetOf(household, month)!, groupId, items, untrackingOf(retracked))];
    }
    case 'GroupChanged':
    case 'GroupsOrdered': {
      const { before, after, ...same } = event.data;
      return [{ type: event.type, data: { ...same, before: after, after: before } } as LedgerEvent];
    }
  }
}

function itemBack(event: ItemEvent, present: Present): LedgerEvent[] {
  const { household, putBack } = present;
  switch (event.type) {
    case 'ItemAdded':
    case 'ItemPlaced': {
      const itemId = event.type === 'ItemAdded' ? event.data.item.id : event.data.itemId;
      const budget = budgetOf(household, event.data.month)!;
      return [itemRemoved(budget, itemId, NOTHING_TRACKED)];
    }
    case 'ItemRemoved': {
      const { month, groupId, index, among, taken: item, untracked } = event.data;
      const retracked = { ...untracked, takenBy: event.id };
      const leaving = { list: listOfItems(month, groupId), id: item.itemId, index, among };
      const { itemIds } = budgetOf(household, month)!.groups.find(group => group.groupId === groupId)!;
      const place = formerPlace(leaving, itemIds, putBack);
      return [{ type: 'ItemPutBack', data: { month, groupId, ...place, item, retracked } }];
    }
    case 'ItemPutBack': {
      const { month, item, retracked } = event.data;
      return [itemRemoved(budgetOf(household, month)!, item.itemId, untrackingOf(retracked))];
    }
    case 'ItemsOrdered':
      return ordersBack([event.data]);
    case 'ItemChanged': {
      const { itemId, before, after } = event.data;
      const place = after.favorite === undefined ? {} : favoritePlace(event.data, present);
      return [{ type: 'ItemChanged', data: { itemId, before: after, after: before, ...place } }];
    }
    case 'ItemPlanned':
    case 'ItemHarvested': {
      const { month, itemId, before, after } = event.data;
      return [{ type: 'ItemPlanned', data: { month, itemId, before: after, after: before } }];
    }
    case 'ItemNoted': {
      const { month, itemId, before, after } = event.data;
      return [{ type: 'ItemNoted', data: { month, itemId, before: after, after: before } }];
    }
  }
}

/** What was given up comes back to its place; what was made a favourite remembers the one it had. */
function favoritePlace(
  { itemId, after, favoriteIndex, among }: LedgerEventData['ItemChanged'],
  { household: { favorites }, putBack }: Present,
): Pick<LedgerEventData['ItemChanged'], 'favoriteIndex' | 'among'> {
  if (after.favorite === true) return { favoriteIndex: favorites.indexOf(itemId), among: favorites };
  if (favoriteIndex === undefined) return {};
  const leaving = { list: FAVORITES, id: itemId, index: favoriteIndex, among };
  const { index, ...rest } = formerPlace(leaving, favorites, putBack);
  return { favoriteIndex: index, ...rest };
}

/**
 * Every group that an item had left or entered gets its former order, one event each, all with the same `before`.
 * @param orders as they were made together: the first one's `before` has every group that they changed
 */
function ordersBack(orders: readonly LedgerEventData['ItemsOrdered'][]): LedgerEvent[] {
  const { month, before } = orders[0]!;
  const now = orders.reduce(ordered, before);
  return before.map(({ groupId, itemIds }) => ({
    type: 'ItemsOrdered',
    data: { month, groupId, before: now, after: itemIds },
  }));
}

type Orders = LedgerEventData['ItemsOrdered']['before'];

/** The orders of groups after one of them took the items that it has now. */
function ordered(orders: Orders, { groupId, after }: LedgerEventData['ItemsOrdered']): Orders {
  return orders.map(order => {
    if (order.groupId === groupId) return { groupId, itemIds: after };
    return { groupId: order.groupId, itemIds: order.itemIds.filter(id => !after.includes(id)) };
  });
}

function fundBack(event: FundEvent, { household, putBack }: Present): LedgerEvent[] {
  const { itemId } = event.data;
  switch (event.type) {
    case 'FundOpened':
    case 'FundReopened': {
      const { openingBalance, term } = event.data;
      const openedIn = event.type === 'FundOpened' ? event.data.month : event.data.openedIn;
      const target = household.items.get(itemId)!.fundTarget;
      return [{ type: 'FundEnded', data: { itemId, openedIn, openingBalance, term, target } }];
    }
    case 'FundEnded':
      return [{ type: 'FundReopened', data: event.data }];
    case 'FundBalanceUpdated':
      return [adjustmentRemoved(household, event.data.month, itemId, event.id)];
    case 'AdjustmentRemoved': {
      const { month, index, among, adjustment } = event.data;
      const leaving = { list: listOfAdjustments(month, itemId), id: adjustment.eventId, index, among };
      const now = adjustmentsIn(household, month, itemId).map(({ eventId }) => eventId);
      const place = formerPlace(leaving, now, putBack);
      return [{ type: 'AdjustmentPutBack', data: { month, itemId, ...place, adjustment } }];
    }
    case 'AdjustmentPutBack':
      return [adjustmentRemoved(household, event.data.month, itemId, event.data.adjustment.eventId)];
  }
}

function adjustmentsIn(household: Household, month: string, itemId: Ulid): readonly Adjustment[] {
  return budgetOf(household, month)!.items.get(itemId)!.adjustments;
}

function adjustmentRemoved(household: Household, month: string, itemId: Ulid, id: string): LedgerEvent {
  const adjustments = adjustmentsIn(household, month, itemId);
  const among = adjustments.map(({ eventId }) => eventId);
  const index = among.indexOf(id);
  const adjustment = adjustments[index]!;
  return { type: 'AdjustmentRemoved', data: { month, itemId, index, among, adjustment } };
}

function transactionBack(event: EventOf<TransactionEventType>, { transactions }: Present): TransactionEvent {
  const back = wayBackOfTransaction(event, transactions);
  transactions.add(back);
  return back;
}

function wayBackOfTransaction(
  event: EventOf<TransactionEventType>,
  transactions: TransactionsAhead,
): TransactionEvent {
  const { household } = transactions;
  const { id } = event.data;
  const present = transactions.get(id)!;
  const brief = { amount: present.amount, merchant: present.merchant };
  switch (event.type) {
    case 'TransactionCreated': {
      const { type, budgetMonth, splits } = event.data.content;
      return { type: 'TransactionDeleted', data: { id, type, budgetMonth, splits, ...brief } };
    }
    case 'TransactionChanged': {
      const { before, after, forgets = null } = event.data;
      const former = changedBack(contentOf(present), before, after);
      if (former.budgetMonth !== present.budgetMonth)
        requireRoomForTransaction(household, former.budgetMonth);
      return contentChanged(present, former, forgets);
    }
    case 'TransactionDeleted': {
      const { type, budgetMonth, splits, keeps } = event.data;
      requireRoomForTransaction(household, budgetMonth);
      const dropped = (keeps ?? []).filter(({ itemId }) => !splits.some(split => split.itemId === itemId));
      const former = keeps && { former: keeps };
      const data = { id, type, budgetMonth, splits, ...brief, dropped, ...former };
      return { type: 'TransactionRestored', data };
    }
    case 'TransactionRestored': {
      const { type, budgetMonth, splits, former } = event.data;
      const keeps = former && { keeps: former };
      return { type: 'TransactionDeleted', data: { id, type, budgetMonth, splits, ...brief, ...keeps } };
    }
  }
}

/** The present content with the fields that a change had changed as they were; later changes of others stay. */
function changedBack(
  present: TransactionContent,
  before: TransactionContent,
  after: TransactionContent,
): TransactionContent {
  const fields = changedFields(before, after).map(name => [name, before[name]]);
  return { ...present, ...(Object.fromEntries(fields) as Partial<TransactionContent>) };
}
