import type { CommandOf, TransactionChanges, TransactionCommand } from '../commands.js';
import type { Month } from '../calendar.js';
import type { Split, TransactionContent, Ulid } from '../events.js';
import { budgetOf, type Household } from '../household.js';
import { exactSum } from '../money.js';
import { notFound, Refusal } from '../refusal.js';
import {
  contentChanged,
  contentOf,
  sameContent,
  sameSplits,
  type TransactionEvent,
  type TransactionRecord,
} from '../transaction-record.js';
import { itemNotInMonth, requireRoomForTransaction } from './checks.js';

/**
 * Decides a command about one transaction.
 * @param existing the transaction of its id, deleted or not
 * @param posted what was first posted under that id, for a repeated creation
 */
export function decideTransaction(
  household: Household,
  command: TransactionCommand,
  existing: TransactionRecord | null,
  posted: TransactionContent | null,
): TransactionEvent[] {
  switch (command.type) {
    case 'CreateTransaction':
      return createTransaction(household, command, existing, posted);
    case 'ChangeTransaction':
      return changeTransaction(household, command, existing);
    case 'DeleteTransaction':
      return deleteTransaction(command, existing);
    case 'RestoreTransaction':
      return restoreTransaction(household, command, existing);
  }
}

/**
 * Creates a transaction once, however often it is posted: the same id with the content that was first posted
 * makes no event, whatever became of the transaction since.
 * @param existing the transaction of that id, deleted or not
 * @throws Refusal `transaction_id_conflict`, before anything else is looked at; where there are splits,
 *   `not_found` for the month, `splits_total_mismatch`, `item_not_in_month`; `month_full`
 */
function createTransaction(
  household: Household,
  command: CommandOf<'CreateTransaction'>,
  existing: TransactionRecord | null,
  posted: TransactionContent | null,
): TransactionEvent[] {
  const { id, content } = command;
  if (existing) {
    if (posted && sameContent(posted, content)) return [];
    throw new Refusal('transaction_id_conflict', 'Another transaction already has this id.');
  }
  if (content.splits.length > 0) {
    if (!budgetOf(household, content.budgetMonth)) throw notFound('month', content.budgetMonth);
    requireSplitsTotal(content);
    requireItemsIn(household, content.budgetMonth, content.splits);
  }
  requireRoomForTransaction(household, content.budgetMonth);
  return [{ type: 'TransactionCreated', data: { id, content } }];
}

/**
 * Changes what the command names and leaves the rest; splits move along with the budget month.
 * @throws Refusal `not_found` for the transaction, or for the month where splits are sent;
 *   `transaction_deleted`; `splits_total_mismatch` where amount or splits change; `item_not_in_month`;
 *   `month_full` for another month
 */
function changeTransaction(
  household: Household,
  command: CommandOf<'ChangeTransaction'>,
  existing: TransactionRecord | null,
): TransactionEvent[] {
  const { id, changes } = command;
  const record = requireTransaction(existing, id);
  if (record.deletedAt !== null) {
    throw new Refusal('transaction_deleted', 'The transaction is deleted. Restore it first.');
  }
  const before = contentOf(record);
  const after = changed(before, changes);
  if (sameContent(before, after)) return [];
  const sendsSplits = after.splits.length > 0 && changes.splits !== undefined;
  // Splits that a caller sends need the month; splits that move along need their items in it.
  if (sendsSplits && !budgetOf(household, after.budgetMonth)) throw notFound('month', after.budgetMonth);
  if (after.amount !== before.amount || !sameSplits(after.splits, before.splits)) requireSplitsTotal(after);
  const moved = after.budgetMonth !== before.budgetMonth;
  if (moved || sendsSplits) requireItemsIn(household, after.budgetMonth, after.splits);
  if (moved) requireRoomForTransaction(household, after.budgetMonth);
  return [contentChanged(record, after, null)];
}

/** A new amount alone is the new amount of a single split; several splits must be sent along. */
function changed(before: TransactionContent, changes: TransactionChanges): TransactionContent {
  const given = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
  const after: TransactionContent = { ...before, ...given };
  const [only, second] = before.splits;
  const resizesOnlySplit = changes.splits === undefined && after.amount !== before.amount && only && !second;
  return resizesOnlySplit ? { ...after, splits: [{ ...only, amount: after.amount }] } : after;
}

/**
 * Deletes a transaction, which keeps its splits for being restored. No event where it is deleted already.
 * @throws Refusal `not_found`
 */
function deleteTransaction(
  command: CommandOf<'DeleteTransaction'>,
  existing: TransactionRecord | null,
): TransactionEvent[] {
  const record = requireTransaction(existing, command.id);
  if (record.deletedAt !== null) return [];
  const { id, type, budgetMonth, splits, amount, merchant } = record;
  return [{ type: 'TransactionDeleted', data: { id, type, budgetMonth, splits, amount, merchant } }];
}

/**
 * Brings a transaction back with the splits whose items are still in its month. No event where it is live.
 * @throws Refusal `not_found`, `month_full`
 */
function restoreTransaction(
  household: Household,
  command: CommandOf<'RestoreTransaction'>,
  existing: TransactionRecord | null,
): TransactionEvent[] {
  const record = requireTransaction(existing, command.id);
  if (record.deletedAt === null) return [];
  const { id, type, budgetMonth, amount, merchant } = record;
  requireRoomForTransaction(household, budgetMonth);
  const items = budgetOf(household, budgetMonth)?.items;
  const splits = record.splits.filter(({ itemId }) => items?.has(itemId));
  const dropped = record.splits.filter(({ itemId }) => !items?.has(itemId));
  const former = dropped.length > 0 && { former: record.splits };
  const data = { id, type, budgetMonth, splits, amount, merchant, dropped, ...former };
  return [{ type: 'TransactionRestored', data }];
}

function requireTransaction(existing: TransactionRecord | null, id: Ulid): TransactionRecord {
  if (!existing) throw notFound('transaction', id);
  return existing;
}

function requireSplitsTotal({ amount, splits }: TransactionContent): void {
  if (splits.length === 0) return;
  const total = exactSum(splits.map(split => split.amount));
  if (total === amount) return;
  throw new Refusal('splits_total_mismatch', 'The splits do not add up to the amount.', {
    amount,
    splits_total: total,
  });
}

function requireItemsIn(household: Household, month: Month, splits: readonly Split[]): void {
  const items = budgetOf(household, month)?.items;
  for (const { itemId } of splits) if (!items?.has(itemId)) throw itemNotInMonth(itemId, month);
}
