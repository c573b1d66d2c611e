import type { LedgerEvent, Split, TransactionContent, Ulid, Untracking } from '../events.js';
import { changedFields } from '../transaction-record.js';
import {
  adjustmentIn,
  field,
  fundCells,
  fundThere,
  group,
  groupThere,
  item,
  itemAtLast,
  itemField,
  liveAtLast,
  month,
  reorderedGroups,
  reorderedIn,
  splitsTaken,
  type Cell,
} from './cells.js';
import { written } from './written.js';

/**
 * What figures depend on can only come back as a whole: where one of these fields was changed, all of them must be as
 * the change left them.
 */
const BOUND_TOGETHER: readonly (keyof TransactionContent)[] = ['type', 'amount', 'budgetMonth', 'splits'];

/**
 * What must not have been written since, so that the event can be undone: what its undoing would write. One by one where
 * it is much: a full month has a hundred thousand.
 */
export function neededToUndo(event: LedgerEvent): Iterable<Cell> {
  switch (event.type) {
    case 'CommandUndone':
      return oneAfterTheOther(event.data.events.map(neededToUndo));
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
      const itemIds = taken.map(({ itemId }) => itemId);
      const own = itemIds.map(itemId => item(inMonth, itemId));
      return oneAfterTheOther([
        [group(inMonth, groupId), reorderedGroups(inMonth), ...own],
        neededToRetrack(inMonth, untracked, itemIds),
      ]);
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
      return oneAfterTheOther([
        [item(inMonth, taken.itemId), groupThere(inMonth, groupId), reorderedIn(inMonth, groupId)],
        neededToRetrack(inMonth, untracked, [taken.itemId]),
      ]);
    }
    case 'MonthReplaced':
      return oneAfterTheOther([
        [month(event.data.month)],
        boundFieldsOfEach(event.data.untracked.transactionIds),
      ]);
    default:
      return neededOfAmounts(event);
  }
}

/** As `neededToUndo`, for what lays nothing out: funds and transactions. */
function neededOfAmounts(event: LedgerEvent): readonly Cell[] {
  switch (event.type) {
    case 'FundOpened':
      return [...fundCells(event.data.itemId), itemField(event.data.itemId, 'adjustments')];
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

/** A split can come back onto an item that left the month and is there again: nothing else of the item counts. */
function splitsThere(inMonth: string, splits: readonly Split[]): Cell[] {
  return splits.map(({ itemId }) => itemAtLast(inMonth, itemId));
}

/**
 * Splits can come back only onto transactions that nobody changed, and onto items that are there in the end.
 * @param own the items that come back themselves
 */
function* neededToRetrack(inMonth: string, untracked: Untracking, own: readonly Ulid[]): Iterable<Cell> {
  yield* boundFieldsOfEach(untracked.transactionIds);
  const others = untracked.activity.map(([itemId]) => itemId).filter(itemId => !own.includes(itemId));
  for (const itemId of others) yield itemAtLast(inMonth, itemId);
}

function* boundFieldsOfEach(ids: readonly Ulid[]): Iterable<Cell> {
  for (const id of ids) yield* boundFields(id);
}

function* oneAfterTheOther(parts: readonly Iterable<Cell>[]): Iterable<Cell> {
  for (const part of parts) yield* part;
}

function boundFields(id: Ulid): Cell[] {
  return [...BOUND_TOGETHER, 'deleted'].map(name => field(id, name));
}
