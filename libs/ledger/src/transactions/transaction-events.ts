import type { Draft } from '../draft.js';
import type { EventAmong, EventDeclarations, EventHeader } from '../event-declaration.js';
import { requireRoomForTransaction } from '../limits.js';
import type { PresentNames } from '../present-names.js';
import * as cells from '../undo/cells.js';
import type { Kind, Month, Ulid } from '../values.js';
import {
  activityOf,
  changedFields,
  contentOf,
  sameSplits,
  sumActivity,
  type Split,
  type TakenSplits,
  type TransactionBrief,
  type TransactionContent,
  type TransactionRecord,
} from './transaction-record.js';
import { BOUND_TOGETHER, boundFields } from './tracking.js';

/** A transaction that is deleted, or comes back. */
interface Toggled extends TransactionBrief {
  readonly id: Ulid;
  readonly type: Kind;
  readonly budgetMonth: Month;
  readonly splits: readonly Split[];
}

/** What happens to transactions. */
export interface TransactionEvents {
  TransactionCreated: { readonly id: Ulid; readonly content: TransactionContent };
  TransactionChanged: {
    readonly id: Ulid;
    readonly before: TransactionContent;
    readonly after: TransactionContent;
    /** Splits that had been taken away, and that new ones put out of reach; never told in version 1. */
    readonly forgets?: TakenSplits;
    /** Those that an undoing brings within reach again: the undoing of what took them can bring them back. */
    readonly recalls?: TakenSplits;
  };
  TransactionDeleted: Toggled & {
    /** The splits that it has as a deleted one, where these are others. */
    readonly keeps?: readonly Split[];
  };
  TransactionRestored: Toggled & {
    /** Splits whose item was no longer in the month. */
    readonly dropped: readonly Split[];
    /** All splits as they were, where some were dropped. */
    readonly former?: readonly Split[];
  };
}

/** An event about one transaction, as a decision makes it. */
export type TransactionEvent = EventAmong<TransactionEvents>;

export const transactionEvents: EventDeclarations<TransactionEvents> = {
  TransactionCreated: {
    fold(draft, { id, content }) {
      draft.noteTransaction(id);
      addTransaction(draft, content, 1);
    },
    transactions: ({ id }) => [id],
    writes: ({ id, content }) => [cells.transaction(id), ...splitCells(content)],
    // It becomes a deleted one: its note and the like may have been changed, and stay.
    undoNeeds: ({ id }) => boundFields(id),
    inverse({ id, content: { type, budgetMonth, splits } }, present) {
      const data = { id, type, budgetMonth, splits, ...briefOf(present.transaction(id)) };
      return [{ type: 'TransactionDeleted', data }];
    },
    sentence({ content }, names) {
      const article = content.type === 'expense' ? 'an ' : '';
      const untracked = content.splits.length === 0 ? ', untracked' : '';
      return `recorded ${article}${content.type} ${names.ofTransaction(content.type, content)}${untracked}`;
    },
  },
  TransactionChanged: {
    // Version 2 may say which taken splits a change puts out of reach, and which its undoing brings back: `forgets` and
    // `recalls`. What was not recorded cannot be known; the number keeps a program that does not know them from folding them.
    upcasters: [data => data],
    fold: (draft, { before, after }) => changeTransaction(draft, before, after),
    transactions: ({ id }) => [id],
    record(record, { before, after, recalls = null }) {
      return { ...record, ...after, taken: sameSplits(before.splits, after.splits) ? record.taken : recalls };
    },
    writes({ id, before, after }) {
      const fields = changedFields(before, after).map(name => cells.field(id, name));
      return [...fields, ...splitCells(before), ...splitCells(after)];
    },
    undoNeeds({ id, before, after }) {
      const changed = changedFields(before, after);
      const bound = changed.some(name => BOUND_TOGETHER.includes(name));
      const fields = bound ? [...new Set([...changed, ...BOUND_TOGETHER])] : changed;
      const there = bound ? splitsThere(before) : [];
      return [cells.liveAtLast(id), ...fields.map(name => cells.field(id, name)), ...there];
    },
    inverse({ id, before, after, forgets = null }, present) {
      const record = present.transaction(id);
      // The fields that it changed as they were; later changes of others stay.
      const fields = changedFields(before, after).map(name => [name, before[name]]);
      const former = { ...contentOf(record), ...(Object.fromEntries(fields) as Partial<TransactionContent>) };
      if (former.budgetMonth !== record.budgetMonth) {
        requireRoomForTransaction(present.household, former.budgetMonth);
      }
      return [contentChanged(record, former, forgets)];
    },
    sentence: changeSentence,
  },
  TransactionDeleted: {
    // Version 2 says the amount and the merchant of the transaction.
    upcasters: [data => data],
    fold: (draft, data) => addTransaction(draft, data, -1),
    transactions: ({ id }) => [id],
    record: (record, { keeps }, { at }) => ({ ...record, deletedAt: at, splits: keeps ?? record.splits }),
    writes: data => toggledCells(data, data.keeps !== undefined),
    undoNeeds: data => [cells.field(data.id, 'deleted'), ...splitsThere(data)],
    departures: ({ id }) => [[cells.liveAtLast(id), true]],
    inverse({ id, type, budgetMonth, splits, keeps }, present) {
      requireRoomForTransaction(present.household, budgetMonth);
      const brief = briefOf(present.transaction(id));
      const dropped = (keeps ?? []).filter(({ itemId }) => !splits.some(split => split.itemId === itemId));
      const former = keeps && { former: keeps };
      const data = { id, type, budgetMonth, splits, ...brief, dropped, ...former };
      return [{ type: 'TransactionRestored', data }];
    },
    sentence: (data, names) => `deleted ${knownTransaction(data, names)}`,
    undid: 'its addition',
  },
  TransactionRestored: {
    // As of the deletion.
    upcasters: [data => data],
    fold: (draft, data) => addTransaction(draft, data, 1),
    transactions: ({ id }) => [id],
    record: (record, { splits }) => ({ ...record, deletedAt: null, splits }),
    // It may drop splits, and the undoing of that brings them back to the deleted transaction.
    writes: data => toggledCells(data, data.dropped.length > 0),
    undoNeeds: ({ id }) => boundFields(id),
    departures: ({ id }) => [[cells.liveAtLast(id), false]],
    inverse({ id, type, budgetMonth, splits, former }, present) {
      const keeps = former && { keeps: former };
      const data = { id, type, budgetMonth, splits, ...briefOf(present.transaction(id)), ...keeps };
      return [{ type: 'TransactionDeleted', data }];
    },
    sentence: (data, names) => `restored ${knownTransaction(data, names)}`,
    undid: 'its deletion',
  },
};

export function isTransactionEvent(event: { readonly type: string }): event is TransactionEvent {
  return event.type in transactionEvents;
}

/** A transaction as its creation left it. */
export function createdRecord(
  { id, content }: TransactionEvents['TransactionCreated'],
  { revision, at, by }: EventHeader,
): TransactionRecord {
  return {
    id,
    ...content,
    revision,
    createdRevision: revision,
    createdAt: at,
    createdBy: by,
    updatedAt: at,
    updatedBy: null,
    deletedAt: null,
    taken: null,
  };
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

type Counted = Pick<TransactionContent, 'type' | 'budgetMonth' | 'splits'>;

function addTransaction(draft: Draft, counted: Counted, sign: 1 | -1): void {
  if (counted.splits.length === 0) draft.addUntracked(sign);
  addToMonth(draft, counted, sign);
}

function addToMonth(draft: Draft, { type, budgetMonth, splits }: Counted, sign: 1 | -1): void {
  draft.addLive(budgetMonth, sign);
  draft.addActivity(budgetMonth, activityOf(type, splits), sign);
}

/** Only what really differs is applied, so that a month whose figures stay the same keeps its revision. */
function changeTransaction(draft: Draft, before: TransactionContent, after: TransactionContent): void {
  draft.addUntracked(Number(after.splits.length === 0) - Number(before.splits.length === 0));
  if (before.budgetMonth !== after.budgetMonth) {
    addToMonth(draft, before, -1);
    return addToMonth(draft, after, 1);
  }
  const difference = sumActivity([
    activityOf(after.type, after.splits),
    activityOf(before.type, before.splits).map(([itemId, amount]) => [itemId, -amount] as const),
  ]);
  draft.addActivity(after.budgetMonth, difference, 1);
}

function briefOf({ amount, merchant }: TransactionRecord): Required<TransactionBrief> {
  return { amount, merchant };
}

function splitCells({ budgetMonth, splits }: Counted): cells.Cell[] {
  return splits.map(({ itemId }) => cells.itemPart(budgetMonth, itemId, 'splits'));
}

/** A split can come back onto an item that left the month and is there again: nothing else of the item counts. */
function splitsThere({ budgetMonth, splits }: Counted): cells.Cell[] {
  return splits.map(({ itemId }) => cells.itemAtLast(budgetMonth, itemId));
}

function toggledCells(data: Toggled, changesSplits: boolean): cells.Cell[] {
  const own = changesSplits ? [cells.field(data.id, 'splits')] : [];
  return [cells.field(data.id, 'deleted'), ...own, ...splitCells(data)];
}

function changeSentence(
  { before, after }: TransactionEvents['TransactionChanged'],
  names: PresentNames,
): string {
  const fields = new Set(changedFields(before, after));
  const parts: string[] = [];
  if (fields.has('type')) parts.push(`type to ${after.type}`);
  if (fields.has('amount')) parts.push(`amount to ${names.money(after.amount)}`);
  if (fields.has('date')) parts.push(`date to ${after.date}`);
  if (fields.has('merchant')) parts.push(`merchant to ${after.merchant}`);
  if (fields.has('budgetMonth')) parts.push(`budget month to ${after.budgetMonth}`);
  if (fields.has('splits')) parts.push(after.splits.length === 0 ? 'splits to none' : 'splits');
  if (fields.has('note')) parts.push('note');
  if (fields.has('location')) parts.push('location');
  return `changed the ${before.type} ${names.ofTransaction(before.type, before)}: ${parts.join(', ')}`;
}

/** As `the expense of 12.50 at Bakery`. Events of an earlier version do not say it; then it is what is said now. */
function knownTransaction({ id, type, budgetMonth, amount, merchant }: Toggled, names: PresentNames): string {
  const brief = amount !== undefined && merchant !== undefined ? { amount, merchant } : names.transaction(id);
  if (brief === undefined) return `${type === 'expense' ? 'an ' : ''}${type} of ${budgetMonth}`;
  return `the ${type} ${names.ofTransaction(type, brief)}`;
}
