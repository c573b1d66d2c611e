import { statusOf, type TransactionRecord, type TransactionStatus } from '#ledger/transaction-record';
import { foldCase } from './fold-case.js';

/** The read model of one transaction: its record, and the fields by which it is found. */
export interface TransactionDocument {
  /** `HOUSEHOLD|TRANSACTION` */
  readonly key: string;
  /** Stream revision of the last event that touched it. */
  readonly revision: number;
  readonly household: string;
  readonly view: TransactionStatus;
  /** `DATE|ID`: ascending by date, then by id; listings run backwards. */
  readonly sort: string;
  /** The merchant, folded for searching. */
  readonly search: string;
  readonly amount: number;
  /** What a tracked transaction is listed under besides: its month, its items, its items in its month. */
  readonly tags: readonly string[];
  readonly record: TransactionRecord;
}

export function transactionKey(householdId: string, transactionId: string): string {
  return `${householdId}|${transactionId}`;
}

export function monthTag(month: string): string {
  return month;
}

export function itemTag(itemId: string): string {
  return itemId;
}

export function itemInMonthTag(itemId: string, month: string): string {
  return `${itemId}|${month}`;
}

export function transactionDocument(householdId: string, record: TransactionRecord): TransactionDocument {
  const view = statusOf(record);
  return {
    key: transactionKey(householdId, record.id),
    revision: record.revision,
    household: householdId,
    view,
    sort: `${record.date}|${record.id}`,
    search: foldCase(record.merchant),
    amount: record.amount,
    tags: view === 'tracked' ? tagsOf(record) : [],
    record,
  };
}

function tagsOf({ budgetMonth, splits }: TransactionRecord): string[] {
  const tags = [monthTag(budgetMonth)];
  for (const { itemId } of splits) tags.push(itemTag(itemId), itemInMonthTag(itemId, budgetMonth));
  return tags;
}
