import type {
  FundEventType,
  GroupEventType,
  ItemEventType,
  LedgerEvent,
  PlacedAdjustment,
  Split,
  TransactionContent,
  TransactionEventType,
  Ulid,
  Untracking,
} from '../events.js';
import { sameSplits } from '../transaction-record.js';

/**
 * A part of a household that events write, as a path whose steps end with `|`. A path covers every longer one that
 * begins with it: `m|2026-01|` is all of that month, `m|2026-01|i|ITEM|planned|` one figure.
 */
export type Cell = string;

const month = (inMonth: string): Cell => `m|${inMonth}|`;
const groupsOf = (inMonth: string): Cell => `${month(inMonth)}groups|`;
const reorderedGroups = (inMonth: string): Cell => `${month(inMonth)}reordered|`;
const group = (inMonth: string, id: Ulid): Cell => `${month(inMonth)}g|${id}|`;
const orderIn = (inMonth: string, id: Ulid): Cell => `${group(inMonth, id)}order|`;
const reorderedIn = (inMonth: string, id: Ulid): Cell => `${group(inMonth, id)}reordered|`;
const item = (inMonth: string, id: Ulid): Cell => `${month(inMonth)}i|${id}|`;
/** Written only together with the whole item: whether it is there. */
const itemThere = (inMonth: string, id: Ulid): Cell => `${item(inMonth, id)}there|`;
const groupThere = (inMonth: string, id: Ulid): Cell => `${group(inMonth, id)}there|`;
const transaction = (id: Ulid): Cell => `t|${id}|`;
const field = (id: Ulid, name: string): Cell => `t|${id}|${name}|`;
/** Written by no event: that it is not deleted in the end, however often it was in between. */
const liveAtLast = (id: Ulid): Cell => field(id, 'live');

/** Whether one of the cells covers one of the others. */
export function overlap(a: readonly Cell[], b: readonly Cell[]): boolean {
  return a.some(one => b.some(other => one.startsWith(other) || other.startsWith(one)));
}

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
      return event.data.planned.map(([id]) => `${item(event.data.month, id)}planned|`);
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
      return Object.keys(event.data.after).map(name => `g|${event.data.groupId}|${name}|`);
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
      const moved = after.filter(id => !own.includes(id)).map(id => `${item(inMonth, id)}group|`);
      return [
        ...before.flatMap(order => [orderIn(inMonth, order.groupId), reorderedIn(inMonth, order.groupId)]),
        ...moved,
      ];
    }
    case 'ItemChanged':
      return Object.keys(event.data.after).map(name => `i|${event.data.itemId}|${name}|`);
    case 'ItemPlanned':
    case 'ItemHarvested':
      return [`${item(event.data.month, event.data.itemId)}planned|`];
    case 'ItemNoted':
      return [`${item(event.data.month, event.data.itemId)}note|`];
  }
}

function fundCells(itemId: Ulid): readonly Cell[] {
  return [`i|${itemId}|fund|`, `i|${itemId}|fundTarget|`];
}

function fundThere(inMonth: string, itemId: Ulid): readonly Cell[] {
  return [itemThere(inMonth, itemId), `i|${itemId}|fund|`];
}

function adjustmentIn({ month: inMonth, itemId, adjustment }: PlacedAdjustment): Cell {
  return `${item(inMonth, itemId)}adjustments|${adjustment.eventId}|`;
}

function writtenToFund(event: FundEvent): readonly Cell[] {
  const { itemId } = event.data;
  switch (event.type) {
    case 'FundOpened':
      return [`${item(event.data.month, itemId)}opened|`, ...fundCells(itemId)];
    case 'FundEnded':
    case 'FundReopened':
      return fundCells(itemId);
    case 'FundBalanceUpdated':
      return [`${item(event.data.month, itemId)}adjustments|`, `i|${itemId}|adjustments|`];
    case 'AdjustmentRemoved':
    case 'AdjustmentPutBack':
      return [adjustmentIn(event.data), `i|${itemId}|adjustments|`];
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

/** A transaction, and whether it was deleted or came back. */
export type Deletion = readonly [id: Ulid, isDeleted: boolean];

/** What an event deletes and restores of the transactions that must not be deleted in the end. */
export function deletions(event: LedgerEvent, needed: readonly Cell[]): readonly Deletion[] {
  switch (event.type) {
    case 'CommandUndone':
      return event.data.events.flatMap(part => deletions(part, needed));
    case 'TransactionDeleted':
    case 'TransactionRestored': {
      const { id } = event.data;
      return needed.includes(liveAtLast(id)) ? [[id, event.type === 'TransactionDeleted']] : [];
    }
    default:
      return [];
  }
}

function splitCells(inMonth: string, splits: readonly Split[]): Cell[] {
  return splits.map(({ itemId }) => `${item(inMonth, itemId)}splits|`);
}

/** Transactions come back with all their splits, also on items that were there all the time. */
function splitsPutBack(event: GroupEvent | ItemEvent): Cell[] {
  if (event.type !== 'GroupPutBack' && event.type !== 'ItemPutBack') return [];
  const { month: inMonth, retracked } = event.data;
  return retracked.activity.map(([itemId]) => `${item(inMonth, itemId)}splits|`);
}

function splitsTaken(ids: readonly Ulid[]): Cell[] {
  return ids.map(id => field(id, 'splits'));
}

/** Fields that a change changed. */
export function changedFields(
  before: TransactionContent,
  after: TransactionContent,
): (keyof TransactionContent)[] {
  return (Object.keys(after) as (keyof TransactionContent)[]).filter(name =>
    name === 'splits'
      ? !sameSplits(before.splits, after.splits)
      : JSON.stringify(before[name]) !== JSON.stringify(after[name]),
  );
}

/**
 * What figures depend on can only come back as a whole: where one of these fields was changed, all of them must be as
 * the change left them.
 */
const BOUND_TOGETHER: readonly (keyof TransactionContent)[] = ['type', 'amount', 'budgetMonth', 'splits'];

/** What must not have been written since, so that the event can be undone: what its undoing would write. */
export function neededToUndo(event: LedgerEvent): readonly Cell[] {
  switch (event.type) {
    case 'CommandUndone':
      return event.data.events.flatMap(neededToUndo);
    case 'GroupAdded':
      return [group(event.data.month, event.data.group.id)];
    case 'GroupPlaced':
      return [group(event.data.month, event.data.groupId)];
    case 'GroupPutBack': {
      const { month: inMonth, groupId, items, retracked } = event.data;
      const cells = items.map(({ itemId }) => item(inMonth, itemId));
      return [group(inMonth, groupId), ...cells, ...splitsTaken(retracked.transactionIds)];
    }
    case 'GroupRemoved': {
      const { month: inMonth, groupId, taken, untracked } = event.data;
      const items = taken.map(({ itemId }) => item(inMonth, itemId));
      return [
        group(inMonth, groupId),
        reorderedGroups(inMonth),
        ...items,
        ...neededToRetrack(inMonth, untracked, items),
      ];
    }
    case 'ItemAdded':
      return [item(event.data.month, event.data.item.id)];
    case 'ItemPlaced':
      return [item(event.data.month, event.data.itemId)];
    case 'ItemPutBack':
      return [
        item(event.data.month, event.data.item.itemId),
        ...splitsTaken(event.data.retracked.transactionIds),
      ];
    case 'ItemRemoved': {
      const { month: inMonth, groupId, taken, untracked } = event.data;
      const own = item(inMonth, taken.itemId);
      return [
        own,
        groupThere(inMonth, groupId),
        reorderedIn(inMonth, groupId),
        ...neededToRetrack(inMonth, untracked, [own]),
      ];
    }
    case 'MonthReplaced':
      return [month(event.data.month), ...event.data.untracked.transactionIds.flatMap(boundFields)];
    default:
      return neededOfAmounts(event);
  }
}

/** As `neededToUndo`, for what lays nothing out: funds and transactions. */
function neededOfAmounts(event: LedgerEvent): readonly Cell[] {
  switch (event.type) {
    case 'FundOpened':
      return [...fundCells(event.data.itemId), `i|${event.data.itemId}|adjustments|`];
    case 'FundBalanceUpdated':
      return fundThere(event.data.month, event.data.itemId);
    case 'AdjustmentRemoved':
    case 'AdjustmentPutBack':
      return [adjustmentIn(event.data), ...fundThere(event.data.month, event.data.itemId)];
    // It becomes a deleted one: its note and the like may have been changed, and stay.
    case 'TransactionCreated':
    case 'TransactionRestored':
      return boundFields(event.data.id);
    case 'TransactionDeleted':
      return [field(event.data.id, 'deleted'), ...splitsThere(event.data.budgetMonth, event.data.splits)];
    case 'TransactionChanged':
      return neededToChangeBack(event.data.id, event.data.before, event.data.after);
    default:
      return written(event);
  }
}

function neededToChangeBack(
  id: Ulid,
  before: TransactionContent,
  after: TransactionContent,
): readonly Cell[] {
  const changed = changedFields(before, after);
  const bound = changed.some(name => BOUND_TOGETHER.includes(name));
  const fields = bound ? [...new Set([...changed, ...BOUND_TOGETHER])] : changed;
  const there = bound ? splitsThere(before.budgetMonth, before.splits) : [];
  return [liveAtLast(id), ...fields.map(name => field(id, name)), ...there];
}

function splitsThere(inMonth: string, splits: readonly Split[]): Cell[] {
  return splits.map(({ itemId }) => itemThere(inMonth, itemId));
}

/** Splits can come back only onto transactions that nobody changed, and onto items that are still there. */
function neededToRetrack(inMonth: string, untracked: Untracking, own: readonly Cell[]): Cell[] {
  const others = untracked.activity.map(([id]) => item(inMonth, id)).filter(cell => !own.includes(cell));
  return [...untracked.transactionIds.flatMap(boundFields), ...others.map(cell => `${cell}there|`)];
}

function boundFields(id: Ulid): Cell[] {
  return [...BOUND_TOGETHER, 'deleted'].map(name => field(id, name));
}
