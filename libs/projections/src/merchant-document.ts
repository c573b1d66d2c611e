import type { RecordedLedgerEvent, TransactionContent } from '#ledger/events';
import { sameSplits } from '#ledger/transaction-record';
import { foldCase } from './fold-case.js';

/** The item that a merchant's spending last went to. */
export interface MerchantDocument {
  /** `HOUSEHOLD|MERCHANT`, the merchant folded. */
  readonly key: string;
  readonly revision: number;
  /** As last spelt. */
  readonly merchant: string;
  readonly item_id: string;
}

/**
 * The merchant that an event teaches: a transaction that got splits with it, by creation or by a change of
 * splits or merchant, points it to the item of its largest split (of equal ones, the first). Deletion and
 * untracking teach nothing.
 */
export function merchantDocument(householdId: string, event: RecordedLedgerEvent): MerchantDocument | null {
  const content = taught(event);
  if (!content) return null;
  const largest = content.splits.reduce((a, b) => (b.amount > a.amount ? b : a));
  return {
    key: `${householdId}|${foldCase(content.merchant)}`,
    revision: event.revision,
    merchant: content.merchant,
    item_id: largest.itemId,
  };
}

function taught(event: RecordedLedgerEvent): TransactionContent | null {
  if (event.type === 'TransactionCreated') {
    return event.data.content.splits.length > 0 ? event.data.content : null;
  }
  if (event.type !== 'TransactionChanged') return null;
  const { before, after } = event.data;
  const teaches = before.merchant !== after.merchant || !sameSplits(before.splits, after.splits);
  return teaches && after.splits.length > 0 ? after : null;
}
