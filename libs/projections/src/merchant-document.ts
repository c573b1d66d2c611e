import type { RecordedLedgerEvent } from '#ledger/events';
import { sameSplits, type TransactionContent } from '#ledger/transactions/transaction-record';
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
 * The merchants that events teach, each by the last of them: a transaction that got splits with a merchant, by creation
 * or by a change of splits or merchant, points it to the item of its largest split (of equal ones, the first). Deletion
 * and untracking teach nothing.
 *
 * @param events in the order of their revisions
 */
export function merchantDocuments(
  householdId: string,
  events: readonly RecordedLedgerEvent[],
): readonly MerchantDocument[] {
  // From the last one back, and folded once for each spelling: the same merchants come again and again.
  const spellings = new Set<string>();
  const documents = new Map<string, MerchantDocument>();
  for (const event of events.toReversed()) {
    const content = taught(event);
    if (!content || spellings.has(content.merchant)) continue;
    spellings.add(content.merchant);
    const key = merchantKey(householdId, content.merchant);
    if (documents.has(key)) continue;
    const largest = content.splits.reduce((a, b) => (b.amount > a.amount ? b : a));
    documents.set(key, {
      key,
      revision: event.revision,
      merchant: content.merchant,
      item_id: largest.itemId,
    });
  }
  return [...documents.values()];
}

export function merchantKey(householdId: string, merchant: string): string {
  return `${householdId}|${foldCase(merchant)}`;
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
