import type {
  FundEventType,
  GroupEventType,
  ItemEventType,
  LedgerEvent,
  Split,
  TransactionEventType,
} from '../events.js';
import { changedFields } from '../transaction-record.js';
import {
  adjustmentIn,
  field,
  fundCells,
  group,
  groupField,
  groupsOf,
  item,
  itemField,
  itemPart,
  month,
  newAdjustmentIn,
  orderIn,
  reorderedGroups,
  reorderedIn,
  splitsTaken,
  transaction,
  type Cell,
} from './cells.js';

/** What an event writes. */
export function written(event: LedgerEvent): readonly Cell[] {
  switch (event.type) {
    case 'MonthCreated':
    case 'MonthRemoved':
      return [month(event.data.month)];
    case 'MonthReplaced':
      return [month(event.data.month), ...splitsTaken(event.data.untracked.transactionIds)];
    case 'LayoutPutBack':
      return [month(event.data.month), ...splitsTaken(event.data.retracked.transactionIds)];
    case 'MonthZeroed':
      return event.data.planned.map(([id]) => itemPart(event.data.month, id, 'planned'));
    case 'CommandUndone':
      return event.data.events.flatMap(written);
    case 'TransactionCreated':
    case 'TransactionChanged':
    case 'TransactionDeleted':
    case 'TransactionRestored':
      return writtenToTransaction(event);
    default:
      return writtenToPart(event);
  }
}

function writtenToPart(event: GroupEvent | FundEvent | ItemEvent): readonly Cell[] {
  switch (event.type) {
    case 'FundOpened':
    case 'FundEnded':
    case 'FundReopened':
    case 'FundBalanceUpdated':
    case 'AdjustmentRemoved':
    case 'AdjustmentPutBack':
      return writtenToFund(event);
    case 'GroupAdded':
    case 'GroupPlaced':
    case 'GroupRemoved':
    case 'GroupPutBack':
    case 'GroupChanged':
    case 'GroupsOrdered':
      return writtenToGroup(event);
    default:
      return writtenToItem(event);
  }
}

type GroupEvent = Extract<LedgerEvent, { type: GroupEventType }>;
type ItemEvent = Extract<LedgerEvent, { type: ItemEventType }>;
type FundEvent = Extract<LedgerEvent, { type: FundEventType }>;
type TransactionEvent = Extract<LedgerEvent, { type: TransactionEventType }>;

function writtenToGroup(event: GroupEvent): readonly Cell[] {
  switch (event.type) {
    case 'GroupAdded':
      return [group(event.data.month, event.data.group.id), groupsOf(event.data.month)];
    case 'GroupPlaced':
      return [group(event.data.month, event.data.groupId), groupsOf(event.data.month)];
    case 'GroupRemoved':
    case 'GroupPutBack': {
      const { month: inMonth, groupId } = event.data;
      const items = event.type === 'GroupRemoved' ? event.data.taken : event.data.items;
      const moved = event.type === 'GroupRemoved' ? event.data.untracked : event.data.retracked;
      const cells = items.map(({ itemId }) => item(inMonth, itemId));
      const splits = [...splitsTaken(moved.transactionIds), ...splitsPutBack(event)];
      return [group(inMonth, groupId), groupsOf(inMonth), ...cells, ...splits];
    }
    case 'GroupChanged':
      return Object.keys(event.data.after).map(name => groupField(event.data.groupId, name));
    case 'GroupsOrdered':
      return [reorderedGroups(event.data.month), groupsOf(event.data.month)];
  }
}

function writtenToItem(event: ItemEvent): readonly Cell[] {
  switch (event.type) {
    case 'ItemAdded':
      return [item(event.data.month, event.data.item.id), orderIn(event.data.month, event.data.groupId)];
    case 'ItemPlaced':
      return [item(event.data.month, event.data.itemId), orderIn(event.data.month, event.data.groupId)];
    case 'ItemRemoved': {
      const { month: inMonth, groupId, taken, untracked } = event.data;
      return [
        item(inMonth, taken.itemId),
        orderIn(inMonth, groupId),
        ...splitsTaken(untracked.transactionIds),
      ];
    }
    case 'ItemPutBack': {
      const { month: inMonth, groupId, item: back, retracked } = event.data;
      const splits = [...splitsTaken(retracked.transactionIds), ...splitsPutBack(event)];
      return [item(inMonth, back.itemId), orderIn(inMonth, groupId), ...splits];
    }
    case 'ItemsOrdered': {
      const { month: inMonth, groupId, before, after } = event.data;
      const own = before.find(order => order.groupId === groupId)?.itemIds ?? [];
      const moved = after.filter(id => !own.includes(id)).map(id => itemPart(inMonth, id, 'group'));
      return [
        ...before.flatMap(order => [orderIn(inMonth, order.groupId), reorderedIn(inMonth, order.groupId)]),
        ...moved,
      ];
    }
    case 'ItemChanged':
      return Object.keys(event.data.after).map(name => itemField(event.data.itemId, name));
    case 'ItemPlanned':
    case 'ItemHarvested':
      return [itemPart(event.data.month, event.data.itemId, 'planned')];
    case 'ItemNoted':
      return [itemPart(event.data.month, event.data.itemId, 'note')];
  }
}

function writtenToFund(event: FundEvent): readonly Cell[] {
  const { itemId } = event.data;
  switch (event.type) {
    case 'FundOpened':
      return [itemPart(event.data.month, itemId, 'opened'), ...fundCells(itemId)];
    case 'FundEnded':
    case 'FundReopened':
      return fundCells(itemId);
    case 'FundBalanceUpdated':
      return [newAdjustmentIn(event.data.month, itemId), itemField(itemId, 'adjustments')];
    case 'AdjustmentRemoved':
    case 'AdjustmentPutBack':
      return [adjustmentIn(event.data), itemField(itemId, 'adjustments')];
  }
}

function writtenToTransaction(event: TransactionEvent): readonly Cell[] {
  const { id } = event.data;
  switch (event.type) {
    case 'TransactionCreated': {
      const { budgetMonth, splits } = event.data.content;
      return [transaction(id), ...splitCells(budgetMonth, splits)];
    }
    case 'TransactionChanged': {
      const { before, after } = event.data;
      const fields = changedFields(before, after).map(name => field(id, name));
      return [
        ...fields,
        ...splitCells(before.budgetMonth, before.splits),
        ...splitCells(after.budgetMonth, after.splits),
      ];
    }
    case 'TransactionDeleted':
    case 'TransactionRestored':
      return [
        field(id, 'deleted'),
        ...(changesSplits(event) ? [field(id, 'splits')] : []),
        ...splitCells(event.data.budgetMonth, event.data.splits),
      ];
  }
}

/** A restoration may drop splits, and the undoing of one brings them back to the deleted transaction. */
function changesSplits(
  event: Extract<LedgerEvent, { type: 'TransactionDeleted' | 'TransactionRestored' }>,
): boolean {
  return event.type === 'TransactionRestored'
    ? event.data.dropped.length > 0
    : event.data.keeps !== undefined;
}

function splitCells(inMonth: string, splits: readonly Split[]): Cell[] {
  return splits.map(({ itemId }) => itemPart(inMonth, itemId, 'splits'));
}

/** Transactions come back with all their splits, also on items that were there all the time. */
function splitsPutBack(event: GroupEvent | ItemEvent): Cell[] {
  if (event.type !== 'GroupPutBack' && event.type !== 'ItemPutBack') return [];
  const { month: inMonth, retracked } = event.data;
  return retracked.activity.map(([itemId]) => itemPart(inMonth, itemId, 'splits'));
}
