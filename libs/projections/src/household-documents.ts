import { evolveTransaction, touchedTransactions, type RecordedLedgerEvent } from '#ledger/events';
import {
  sameSplits,
  type TransactionContent,
  type TransactionRecord,
} from '#ledger/transactions/transaction-record';
import { changedMonthStates, type Household } from '#ledger/household';
import {
  identitiesDocument,
  type IdentitiesDocument,
  monthDocument,
  removedMonthDocument,
  type MonthDocument,
  type RemovedMonthDocument,
} from './month-document.js';
import { transactionDocument, type TransactionDocument, foldCase } from './transaction-document.js';

/** How many transactions of a household are untracked. */
interface UntrackedCountDocument {
  /** The household. */
  readonly key: string;
  readonly revision: number;
  readonly count: number;
}

/** A fund's balance at the end of the latest month that has it; null when it has ceased to be a fund. */
interface FundBalanceDocument {
  /** `HOUSEHOLD|ITEM` */
  readonly key: string;
  readonly revision: number;
  readonly month: string | null;
  readonly ending: number | null;
}

/** That an event touched a transaction after its creation: the index behind a transaction's history. */
interface TransactionChangeDocument {
  /** `HOUSEHOLD|TRANSACTION|REVISION`, the revision padded. */
  readonly key: string;
  readonly revision: number;
}

/** Everything that events change in the read models of one household. Each document is whole. */
export interface HouseholdDocuments {
  readonly months: readonly (MonthDocument | RemovedMonthDocument)[];
  readonly identities: readonly IdentitiesDocument[];
  readonly untrackedCounts: readonly UntrackedCountDocument[];
  readonly fundBalances: readonly FundBalanceDocument[];
  readonly transactions: readonly TransactionDocument[];
  readonly merchants: readonly MerchantDocument[];
  readonly transactionChanges: readonly TransactionChangeDocument[];
}

/** A revision as part of a key: fixed width, so that keys order as numbers do. */
export function paddedRevision(revision: number): string {
  return String(revision).padStart(12, '0');
}

/** Transactions that must be read before the events can be projected: touched, and created before them. */
export function neededTransactions(events: readonly RecordedLedgerEvent[]): readonly string[] {
  const created = new Set<string>();
  const needed = new Set<string>();
  for (const event of events) {
    if (event.type === 'TransactionCreated') created.add(event.data.id);
    else for (const id of touchedTransactions(event)) if (!created.has(id)) needed.add(id);
  }
  return [...needed];
}

/** How many transactions are projected in one step. */
const TRANSACTIONS_PER_STEP = 512;

/**
 * The documents that a run of events changes, all as they are after the last one. A document's revision is
 * that of the event that last changed it, so that projecting events one by one or many at once gives the same.
 * @param before the household before the first event, `after` that after the last one
 * @param records the transactions named by `neededTransactions`
 */
export function projectHousehold(
  householdId: string,
  before: Household,
  after: Household,
  events: readonly RecordedLedgerEvent[],
  records: ReadonlyMap<string, TransactionRecord>,
): HouseholdDocuments {
  const steps = projectionSteps(householdId, before, after, events, records);
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
  }
}

/** As `projectHousehold`, in steps: one event may touch every transaction of a full month. */
export function* projectionSteps(
  householdId: string,
  before: Household,
  after: Household,
  events: readonly RecordedLedgerEvent[],
  records: ReadonlyMap<string, TransactionRecord>,
): Generator<void, HouseholdDocuments> {
  return {
    months: projectMonths(householdId, before, after),
    identities: after.identitiesRevision > before.revision ? [identitiesDocument(householdId, after)] : [],
    untrackedCounts:
      after.untracked.revision > before.revision ? [{ key: householdId, ...after.untracked }] : [],
    fundBalances: projectFundBalances(householdId, before, after),
    merchants: merchantDocuments(householdId, events),
    ...(yield* projectTransactions(householdId, events, records)),
  };
}

function projectFundBalances(
  householdId: string,
  before: Household,
  after: Household,
): readonly FundBalanceDocument[] {
  if (after.fundBalances === before.fundBalances) return [];
  return [...after.fundBalances]
    .filter(([, { revision }]) => revision > before.revision)
    .map(([itemId, balance]) => ({ key: `${householdId}|${itemId}`, ...balance }));
}

function projectMonths(
  householdId: string,
  before: Household,
  after: Household,
): HouseholdDocuments['months'] {
  return changedMonthStates(before, after).flatMap<MonthDocument | RemovedMonthDocument>(
    ({ month, budget, removedAt = -1 }) => {
      if (budget && budget.revision > before.revision) return monthDocument(householdId, after, budget);
      const isRemoved = !budget && removedAt > before.revision;
      return isRemoved ? removedMonthDocument(householdId, month, removedAt) : [];
    },
  );
}

function* projectTransactions(
  householdId: string,
  events: readonly RecordedLedgerEvent[],
  records: ReadonlyMap<string, TransactionRecord>,
): Generator<void, Pick<HouseholdDocuments, 'transactions' | 'transactionChanges'>> {
  const changed = new Map<string, TransactionRecord>();
  const transactionChanges: TransactionChangeDocument[] = [];
  let sinceStep = 0;
  for (const event of events) {
    for (const id of touchedTransactions(event)) {
      if (++sinceStep % TRANSACTIONS_PER_STEP === 0) yield;
      const record = changed.get(id) ?? records.get(id) ?? null;
      const next = evolveTransaction(record, event);
      if (next !== record) changed.set(id, next);
      if (event.type === 'TransactionCreated') continue;
      const key = `${householdId}|${id}|${paddedRevision(event.revision)}`;
      transactionChanges.push({ key, revision: event.revision });
    }
  }
  const transactions: TransactionDocument[] = [];
  for (const record of changed.values()) {
    if (++sinceStep % TRANSACTIONS_PER_STEP === 0) yield;
    transactions.push(transactionDocument(householdId, record));
  }
  return { transactions, transactionChanges };
}

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
