import { statusOf, type TransactionRecord, type TransactionStatus } from '#ledger/transaction-record';
import { foldCase } from './fold-case.js';

/** The read model of one transaction. */
export interface TransactionDocument {
  /** `HOUSEHOLD|TRANSACTION` */
  readonly key: string;
  /** Stream revision of the last event that touched it. */
  readonly revision: number;
  readonly record: TransactionRecord;
}

/** What transactions are found by. A type, so that it can stand for any fields. */
export type TransactionIndexFields = {
  readonly household: string;
  readonly view: TransactionStatus;
  /** As `transactionPlace`. */
  readonly sort: string;
  /** The merchant, folded for searching. */
  readonly search: string;
  readonly amount: number;
  /** What a tracked transaction is listed under besides: its month and its items. */
  readonly tags: readonly string[];
};

export function transactionKey(householdId: string, transactionId: string): string {
  return `${householdId}|${transactionId}`;
}

export function monthTag(month: string): string {
  return month;
}

export function itemTag(itemId: string): string {
  return itemId;
}

export function transactionDocument(householdId: string, record: TransactionRecord): TransactionDocument {
  return { key: transactionKey(householdId, record.id), revision: record.revision, record };
}

/** `DATE|ID`: ascending by date, then by id; listings run backwards. No two of a household have the same. */
export function transactionPlace({ date, id }: TransactionRecord): string {
  return `${date}|${id}`;
}

/** The fields that the indexes of transactions name, made of the document. */
export function transactionIndexFields({ key, record }: TransactionDocument): TransactionIndexFields {
  const view = statusOf(record);
  return {
    household: key.slice(0, key.indexOf('|')),
    view,
    sort: transactionPlace(record),
    search: foldCase(record.merchant),
    amount: record.amount,
    tags: view === 'tracked' ? tagsOf(record) : [],
  };
}

function tagsOf({ budgetMonth, splits }: TransactionRecord): string[] {
  const tags = [monthTag(budgetMonth)];
  for (const { itemId } of splits) tags.push(itemTag(itemId));
  return tags;
}
