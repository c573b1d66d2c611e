import {
  statusOf,
  type TransactionRecord,
  type TransactionStatus,
} from '#ledger/transactions/transaction-record';
import { UnknownIdentity } from './identities-document.js';

/** A transaction as clients see it. */
export interface TransactionView {
  readonly id: string;
  readonly type: 'income' | 'expense';
  readonly amount: number;
  readonly date: string;
  readonly merchant: string;
  readonly note: string | null;
  readonly budget_month: string;
  /** Those of a deleted transaction are kept. */
  readonly splits: readonly SplitView[];
  readonly status: TransactionStatus;
  readonly deleted_at: string | null;
  readonly location: { readonly lat: number; readonly lng: number; readonly accuracy_m: number } | null;
  readonly created_by: string;
  readonly created_by_name: string;
  /** Null before the first change, as its name is. */
  readonly updated_by: string | null;
  readonly updated_by_name: string | null;
  readonly created_at: string;
  readonly updated_at: string;
}

export interface SplitView {
  readonly item_id: string;
  readonly amount: number;
  readonly item_name: string;
}

/** Present names by id: they are joined when a transaction is read, so that a new name shows everywhere. */
export interface Names {
  /** Undefined for an id that names nothing known. */
  get(id: string): string | undefined;
}

/**
 * A transaction joined with the present names of its items and of the users who made and changed it. A user
 * who is not known any more has the name `""`.
 * @throws UnknownIdentity when a split names an item that the household never had
 */
export function transactionView(
  record: TransactionRecord,
  itemNames: Names,
  userNames: Names,
): TransactionView {
  const { location, updatedBy } = record;
  return {
    id: record.id,
    type: record.type,
    amount: record.amount,
    date: record.date,
    merchant: record.merchant,
    note: record.note,
    budget_month: record.budgetMonth,
    splits: record.splits.map(({ itemId, amount }) => {
      const name = itemNames.get(itemId);
      if (name === undefined)
        throw new UnknownIdentity(`transaction ${record.id} names the unknown item ${itemId}`);
      return { item_id: itemId, amount, item_name: name };
    }),
    status: statusOf(record),
    deleted_at: record.deletedAt,
    location: location && { lat: location.lat, lng: location.lng, accuracy_m: location.accuracyM },
    created_by: record.createdBy,
    created_by_name: userNames.get(record.createdBy) ?? '',
    updated_by: updatedBy,
    updated_by_name: updatedBy === null ? null : (userNames.get(updatedBy) ?? ''),
    created_at: record.createdAt,
    updated_at: record.updatedAt,
  };
}

/** The users whose names a view of these transactions needs. */
export function usersOf(records: readonly TransactionRecord[]): string[] {
  const users = new Set<string>();
  for (const { createdBy, updatedBy } of records) {
    users.add(createdBy);
    if (updatedBy !== null) users.add(updatedBy);
  }
  return [...users];
}
