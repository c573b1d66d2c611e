import type { Changes, CommandAmong, CommandDeclarations, NeededFacts } from '../command-declaration.js';
import { budgetOf, type Household } from '../household.js';
import { requireRoomForTransaction } from '../limits.js';
import { itemNotInMonth, notFound, Refusal } from '../refusal.js';
import { exactSum, type Month, type Ulid } from '../values.js';
import { contentChanged } from './transaction-events.js';
import {
  contentOf,
  sameContent,
  sameSplits,
  type Split,
  type TransactionContent,
  type TransactionRecord,
} from './transaction-record.js';

/** What can be asked of one transaction. */
export interface TransactionCommands {
  CreateTransaction: { readonly id: Ulid; readonly content: TransactionContent };
  ChangeTransaction: { readonly id: Ulid; readonly changes: Changes<TransactionContent> };
  DeleteTransaction: { readonly id: Ulid };
  RestoreTransaction: { readonly id: Ulid };
}

/** A command about one transaction. */
export type TransactionCommand = CommandAmong<TransactionCommands>;

export const transactionCommands: CommandDeclarations<TransactionCommands> = {
  /**
   * Creates a transaction once: the same id with the content that was first posted makes no event.
   * @throws Refusal `transaction_id_conflict`, before anything else is looked at; where there are splits,
   *   `not_found` for the month, `splits_total_mismatch`, `item_not_in_month`; `month_full`
   */
  CreateTransaction: {
    needs: (household, { id }) => neededTransactions(household, [id], [id]),
    decide(household, { id, content }, { transactions, posted }) {
      if (transactions.has(id)) {
        const first = posted.get(id);
        if (first && sameContent(first, content)) return [];
        throw new Refusal('transaction_id_conflict', 'Another transaction already has this id.');
      }
      if (content.splits.length > 0) {
        if (!budgetOf(household, content.budgetMonth)) throw notFound('month', content.budgetMonth);
        requireSplitsTotal(content);
        requireItemsIn(household, content.budgetMonth, content.splits);
      }
      requireRoomForTransaction(household, content.budgetMonth);
      return [{ type: 'TransactionCreated', data: { id, content } }];
    },
  },
  /**
   * Changes what the command names and leaves the rest; splits move along with the budget month.
   * @throws Refusal `not_found` for the transaction, or for the month where splits are sent;
   *   `transaction_deleted`; `splits_total_mismatch` where amount or splits change; `item_not_in_month`;
   *   `month_full` for another month
   */
  ChangeTransaction: {
    needs: (household, { id }) => neededTransactions(household, [id], []),
    decide(household, { id, changes }, { transactions }) {
      const record = requireTransaction(transactions, id);
      if (record.deletedAt !== null) {
        throw new Refusal('transaction_deleted', 'The transaction is deleted. Restore it first.');
      }
      const before = contentOf(record);
      const after = changed(before, changes);
      if (sameContent(before, after)) return [];
      const sendsSplits = after.splits.length > 0 && changes.splits !== undefined;
      // Splits that a caller sends need the month; splits that move along need their items in it.
      if (sendsSplits && !budgetOf(household, after.budgetMonth)) throw notFound('month', after.budgetMonth);
      if (after.amount !== before.amount || !sameSplits(after.splits, before.splits)) {
        requireSplitsTotal(after);
      }
      const moved = after.budgetMonth !== before.budgetMonth;
      if (moved || sendsSplits) requireItemsIn(household, after.budgetMonth, after.splits);
      if (moved) requireRoomForTransaction(household, after.budgetMonth);
      return [contentChanged(record, after, null)];
    },
  },
  /**
   * Deletes a transaction, which keeps its splits for being restored. No event where it is deleted already.
   * @throws Refusal `not_found`
   */
  DeleteTransaction: {
    needs: (household, { id }) => neededTransactions(household, [id], []),
    decide(_, { id }, { transactions }) {
      const { deletedAt, type, budgetMonth, splits, amount, merchant } = requireTransaction(transactions, id);
      if (deletedAt !== null) return [];
      return [{ type: 'TransactionDeleted', data: { id, type, budgetMonth, splits, amount, merchant } }];
    },
  },
  /**
   * Brings a transaction back with the splits whose items are still in its month. No event where it is live.
   * @throws Refusal `not_found`, `month_full`
   */
  RestoreTransaction: {
    needs: (household, { id }) => neededTransactions(household, [id], []),
    decide(household, { id }, { transactions }) {
      const record = requireTransaction(transactions, id);
      if (record.deletedAt === null) return [];
      const { type, budgetMonth, amount, merchant } = record;
      requireRoomForTransaction(household, budgetMonth);
      const items = budgetOf(household, budgetMonth)?.items;
      const splits = record.splits.filter(({ itemId }) => items?.has(itemId));
      const dropped = record.splits.filter(({ itemId }) => !items?.has(itemId));
      const former = dropped.length > 0 && { former: record.splits };
      const data = { id, type, budgetMonth, splits, amount, merchant, dropped, ...former };
      return [{ type: 'TransactionRestored', data }];
    },
  },
};

/** What commands about these transactions need. @param created those that they create */
export function neededTransactions(
  { greatestTransactionId }: Household,
  ids: readonly Ulid[],
  created: readonly Ulid[],
): NeededFacts {
  // Clients draw ids by the time: most of new ones are greater than all before, and so need no look-up.
  const transactionIds = ids.filter(id => id <= greatestTransactionId);
  if (transactionIds.length === 0) return {};
  const creates = new Set(created);
  return { transactionIds, posted: transactionIds.filter(id => creates.has(id)) };
}

/** A new amount alone is the new amount of a single split; several splits must be sent along. */
function changed(before: TransactionContent, changes: Changes<TransactionContent>): TransactionContent {
  const given = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
  const after = { ...before, ...given } as TransactionContent;
  const [only, second] = before.splits;
  const resizesOnlySplit = changes.splits === undefined && after.amount !== before.amount && only && !second;
  return resizesOnlySplit ? { ...after, splits: [{ ...only, amount: after.amount }] } : after;
}

function requireTransaction(transactions: ReadonlyMap<Ulid, TransactionRecord>, id: Ulid): TransactionRecord {
  const record = transactions.get(id);
  if (!record) throw notFound('transaction', id);
  return record;
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
