import { monthOf, type CalendarDate, type Month, type Timestamp, type Ulid } from '#ledger/values';
import {
  statusOf,
  type TakenSplits,
  type TransactionContent,
  type TransactionRecord,
  type TransactionStatus,
} from '#ledger/transactions/transaction-record';
import { UnknownIdentity } from './month-document.js';

/** The read model of one transaction; `recordOf` makes its record whole. */
export interface TransactionDocument {
  /** `HOUSEHOLD|TRANSACTION` */
  readonly key: string;
  /** Stream revision of the last event that touched it. */
  readonly revision: number;
  readonly record: StoredRecord;
}

/** A record without what its document says already, has no value, or is as for most: written far more often than read. */
export interface StoredRecord extends Omit<TransactionContent, 'note' | 'location' | 'budgetMonth'> {
  readonly createdAt: Timestamp;
  readonly createdBy: Ulid;
  readonly note?: NonNullable<TransactionContent['note']>;
  readonly location?: NonNullable<TransactionContent['location']>;
  /** Absent where it is the month of the date. */
  readonly budgetMonth?: Month;
  /** Absent where no other event has touched the transaction: then it is the document's revision. */
  readonly createdRevision?: number;
  /** Absent where it is `createdAt`. */
  readonly updatedAt?: Timestamp;
  readonly updatedBy?: Ulid;
  readonly deletedAt?: Timestamp;
  readonly taken?: TakenSplits;
}

/** What transactions are found by. A type, so that it can stand for any fields. */
type TransactionIndexFields = {
  readonly household: string;
  readonly view: TransactionStatus;
  /** Null for a deleted transaction, which keeps it out of the index of the others. */
  readonly live: true | null;
  /** As `transactionPlace`. */
  readonly sort: string;
  /** For searching. */
  readonly merchant_folded: string;
  readonly amount: number;
  /** What a tracked transaction is listed under besides: its budget month, and the ids of the items of its splits. */
  readonly tags: readonly string[];
};

/** `HOUSEHOLD|TRANSACTION`; `transactionIdOf` is its inverse. */
export function transactionKey(householdId: string, transactionId: string): string {
  return `${householdId}|${transactionId}`;
}

/** The document of a record; `recordOf` is its inverse. */
export function transactionDocument(householdId: string, record: TransactionRecord): TransactionDocument {
  const { id, revision } = record;
  return { key: transactionKey(householdId, id), revision, record: storedRecord(record) };
}

function storedRecord(record: TransactionRecord): StoredRecord {
  const { type, amount, date, merchant, splits, createdAt, createdBy } = record;
  const stored: { -readonly [K in keyof StoredRecord]: StoredRecord[K] } = {
    type,
    amount,
    date,
    merchant,
    splits,
    createdAt,
    createdBy,
  };
  // One by one: to spread what is there would make a slow object of each.
  if (record.note !== null) stored.note = record.note;
  if (record.location !== null) stored.location = record.location;
  if (record.budgetMonth !== monthOf(date)) stored.budgetMonth = record.budgetMonth;
  if (record.createdRevision !== record.revision) stored.createdRevision = record.createdRevision;
  if (record.updatedAt !== createdAt) stored.updatedAt = record.updatedAt;
  if (record.updatedBy !== null) stored.updatedBy = record.updatedBy;
  if (record.deletedAt !== null) stored.deletedAt = record.deletedAt;
  if (record.taken !== null) stored.taken = record.taken;
  return stored;
}

/** The whole record of a document; of one that was stored with everything in it, too. */
export function recordOf({ key, revision, record }: TransactionDocument): TransactionRecord {
  return {
    id: transactionIdOf(key),
    type: record.type,
    amount: record.amount,
    date: record.date,
    merchant: record.merchant,
    note: record.note ?? null,
    budgetMonth: record.budgetMonth ?? monthOf(record.date),
    splits: record.splits,
    location: record.location ?? null,
    revision,
    createdRevision: record.createdRevision ?? revision,
    createdAt: record.createdAt,
    createdBy: record.createdBy,
    updatedAt: record.updatedAt ?? record.createdAt,
    updatedBy: record.updatedBy ?? null,
    deletedAt: record.deletedAt ?? null,
    taken: record.taken ?? null,
  };
}

/** Adds the records of documents to others, by id. */
export function addRecords(
  records: Map<Ulid, TransactionRecord>,
  documents: readonly TransactionDocument[],
): void {
  for (const document of documents) records.set(transactionIdOf(document.key), recordOf(document));
}

/** The transaction of a document's key. */
export function transactionIdOf(key: string): Ulid {
  return key.slice(key.indexOf('|') + 1);
}

/** `DATE|ID`: ascending by date, then by id; listings run backwards. No two of a household have the same. */
export function transactionPlace({ date, id }: Pick<TransactionRecord, 'date' | 'id'>): string {
  return `${date}|${id}`;
}

/** Behind the places of all transactions of a date, and before those of the next: ids have no `~`. */
export function lastPlaceOf(date: CalendarDate): string {
  return `${date}|~`;
}

/** The fields that the indexes of transactions name, made of the document. */
export function transactionIndexFields({ key, record }: TransactionDocument): TransactionIndexFields {
  const { date, splits, budgetMonth = monthOf(date), deletedAt = null } = record;
  const view = statusOf({ deletedAt, splits });
  return {
    household: key.slice(0, key.indexOf('|')),
    view,
    live: view === 'deleted' ? null : true,
    sort: transactionPlace({ date, id: transactionIdOf(key) }),
    merchant_folded: foldCase(record.merchant),
    amount: record.amount,
    tags: view === 'tracked' ? [budgetMonth, ...splits.map(({ itemId }) => itemId)] : [],
  };
}

/** The dot that upper case puts on a letter which has one anyway: the capital İ is i with it. */
const DOT_ON_SOFT_DOTTED = /\u0307(?<=\p{Soft_Dotted}\p{M}*)/gu;

/**
 * Text as it is compared without regard to case. By way of upper case, so that ß and SS and both Turkish letters i meet,
 * and of lower case before it, for ẞ, which stays in upper case; a final sigma is the same letter as any other.
 * Stored documents are found by it: where it changes, the index field `merchant_folded` and the collection of merchants
 * need another name, so that both are made again.
 */
export function foldCase(text: string): string {
  const folded = text.toLowerCase().toUpperCase().toLowerCase().replaceAll('ς', 'σ');
  return folded.replace(DOT_ON_SOFT_DOTTED, '').normalize('NFC');
}

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
