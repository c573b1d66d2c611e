import { BrokenHistory } from './broken-history.js';
import type { Month, Timestamp } from './calendar.js';
import { partOf } from './evolve.js';
import type {
  EventOf,
  LedgerEvent,
  RecordedLedgerEvent,
  Split,
  TakenSplits,
  TransactionContent,
  TransactionEventType,
  Ulid,
} from './events.js';

/** An event about one transaction, as a decision makes it. */
export type TransactionEvent = Extract<LedgerEvent, { readonly type: TransactionEventType }>;

/** A transaction as its events left it. */
export interface TransactionRecord extends TransactionContent {
  readonly id: Ulid;
  /** Revision of the last event that touched it. */
  readonly revision: number;
  /** Revision of the event that created it: there stands what was first posted. */
  readonly createdRevision: number;
  readonly createdAt: Timestamp;
  readonly createdBy: Ulid;
  readonly updatedAt: Timestamp;
  readonly updatedBy: Ulid | null;
  readonly deletedAt: Timestamp | null;
  /** Splits that another command took away; null once splits were set again, until that is undone. */
  readonly taken: TakenSplits | null;
}

export type TransactionStatus = 'tracked' | 'untracked' | 'deleted';

/** A deleted transaction keeps its splits: deletions of items never touch them, only a restore drops some. */
export function statusOf(record: Pick<TransactionRecord, 'deletedAt' | 'splits'>): TransactionStatus {
  if (record.deletedAt !== null) return 'deleted';
  return record.splits.length === 0 ? 'untracked' : 'tracked';
}

/** What clients say about a transaction, as it is now; `posted` of `Facts` is what they first said. */
export function contentOf(record: TransactionRecord): TransactionContent {
  const { type, amount, date, merchant, note, budgetMonth, splits, location } = record;
  return { type, amount, date, merchant, note, budgetMonth, splits, location };
}

/** The transactions that an event touches. */
export function touchedTransactions(event: RecordedLedgerEvent): readonly Ulid[] {
  switch (event.type) {
    case 'TransactionCreated':
    case 'TransactionChanged':
    case 'TransactionDeleted':
    case 'TransactionRestored':
      return [event.data.id];
    case 'ItemRemoved':
    case 'GroupRemoved':
    case 'MonthReplaced':
      return event.data.untracked.transactionIds;
    case 'ItemPutBack':
    case 'GroupPutBack':
    case 'LayoutPutBack':
      return event.data.retracked.transactionIds;
    case 'CommandUndone':
      return [...new Set(event.data.events.flatMap(part => touchedTransactions(partOf(event, part))))];
    default:
      return [];
  }
}

type Parts = readonly RecordedLedgerEvent[];

/** Found once for each undoing: it may have hundreds of parts, or touch every transaction of a full month. */
const partsOfUndoings = new WeakMap<object, ReadonlyMap<Ulid, Parts>>();

/** The parts of an undoing that touch a transaction, in their order. */
function partsTouching(event: EventOf<'CommandUndone'>, id: Ulid): Parts {
  let parts = partsOfUndoings.get(event);
  if (!parts) {
    parts = partsByTransaction(event);
    partsOfUndoings.set(event, parts);
  }
  return parts.get(id) ?? [];
}

function partsByTransaction(event: EventOf<'CommandUndone'>): ReadonlyMap<Ulid, Parts> {
  const parts = new Map<Ulid, Parts>();
  for (const part of event.data.events.map(each => partOf(event, each))) {
    // Shared by all that it alone touches.
    const alone = [part];
    for (const id of touchedTransactions(part)) {
      const known = parts.get(id);
      parts.set(id, known ? [...known, part] : alone);
    }
  }
  return parts;
}

/**
 * Folds one event into one transaction that it touches. An event that the record already holds (by revision)
 * changes nothing, so events may come again.
 * @throws BrokenHistory when the history changes a transaction that it never created
 */
export function evolveTransaction(
  record: TransactionRecord | null,
  event: RecordedLedgerEvent,
): TransactionRecord {
  if (record && record.revision >= event.revision) return record;
  if (event.type === 'TransactionCreated') return created(event);
  if (!record) {
    throw new BrokenHistory(`event ${event.id} changes a transaction that the history never created`);
  }
  return changedBy(record, event);
}

function changedBy(record: TransactionRecord, event: RecordedLedgerEvent): TransactionRecord {
  const touched = { ...record, revision: event.revision, updatedAt: event.at, updatedBy: event.by };
  switch (event.type) {
    case 'TransactionChanged': {
      const { before, after, recalls = null } = event.data;
      const taken = sameSplits(before.splits, after.splits) ? record.taken : recalls;
      return { ...touched, ...after, taken };
    }
    case 'TransactionDeleted':
      return { ...touched, deletedAt: event.at, splits: event.data.keeps ?? record.splits };
    case 'TransactionRestored':
      return { ...touched, deletedAt: null, splits: event.data.splits };
    case 'ItemRemoved':
    case 'GroupRemoved':
    case 'MonthReplaced':
      return { ...touched, splits: [], taken: { eventId: event.id, splits: record.splits } };
    case 'ItemPutBack':
    case 'GroupPutBack':
    case 'LayoutPutBack':
      return { ...touched, splits: record.taken?.splits ?? record.splits, taken: null };
    case 'CommandUndone':
      return partsTouching(event, record.id).reduce(changedBy, record);
    default:
      return record;
  }
}

function created(event: Extract<RecordedLedgerEvent, { type: 'TransactionCreated' }>): TransactionRecord {
  return {
    id: event.data.id,
    ...event.data.content,
    revision: event.revision,
    createdRevision: event.revision,
    createdAt: event.at,
    createdBy: event.by,
    updatedAt: event.at,
    updatedBy: null,
    deletedAt: null,
    taken: null,
  };
}

/**
 * A transaction after an event about it that was decided and is not recorded yet, for what is decided next in the same
 * command: its content and whether it is deleted are true; when and by whom is not known.
 */
export function afterDecided(record: TransactionRecord | null, event: TransactionEvent): TransactionRecord {
  const revision = (record?.revision ?? -1) + 1;
  return evolveTransaction(record, { ...event, id: '', at: '', by: '', revision });
}

/** Fields that a change changed. */
export function changedFields(
  before: TransactionContent,
  after: TransactionContent,
): (keyof TransactionContent)[] {
  return (Object.keys(after) as (keyof TransactionContent)[]).filter(name =>
    name === 'splits'
      ? !sameSplits(before.splits, after.splits)
      : JSON.stringify(before[name]) !== JSON.stringify(after[name]),
  );
}

/**
 * The event of a change of content, which carries what it puts out of reach.
 * @param recalls what it brings within reach again; null for nothing
 */
export function contentChanged(
  record: TransactionRecord,
  after: TransactionContent,
  recalls: TakenSplits | null,
): TransactionEvent {
  const before = contentOf(record);
  const forgets = sameSplits(before.splits, after.splits) ? null : record.taken;
  return {
    type: 'TransactionChanged',
    data: { id: record.id, before, after, ...(forgets && { forgets }), ...(recalls && { recalls }) },
  };
}

/** Whether these are the same splits in the same order. */
export function sameSplits(a: readonly Split[], b: readonly Split[]): boolean {
  return (
    a.length === b.length &&
    a.every((split, i) => split.itemId === b[i]!.itemId && split.amount === b[i]!.amount)
  );
}

/** Whether a client would see no difference. */
export function sameContent(a: TransactionContent, b: TransactionContent): boolean {
  return (
    a.type === b.type &&
    a.amount === b.amount &&
    a.date === b.date &&
    a.merchant === b.merchant &&
    a.note === b.note &&
    a.budgetMonth === b.budgetMonth &&
    sameSplits(a.splits, b.splits) &&
    a.location?.lat === b.location?.lat &&
    a.location?.lng === b.location?.lng &&
    a.location?.accuracyM === b.location?.accuracyM
  );
}

/** Which transactions of a month a command is about to untrack: those with a split on one of the items, or all. */
export interface TrackedIn {
  readonly month: Month;
  readonly itemIds: readonly Ulid[] | 'all';
}
