import { BrokenHistory, Draft } from './draft.js';
import type { EventHeader } from './event-declaration.js';
import { declarationOf, touchedTransactions, type LedgerEvent, type RecordedLedgerEvent } from './events.js';
import type { Household } from './household.js';
import { createdRecord } from './transactions/transaction-events.js';
import type { TransactionRecord } from './transactions/transaction-record.js';
import type { Ulid } from './values.js';

/**
 * Folds events into a household. History is true: nothing is checked, and an event that contradicts what came
 * before it is a defect of the log.
 *
 * @param events in the order of their revisions
 * @throws BrokenHistory when an event names what the history never made
 */
export function evolve(household: Household, events: readonly RecordedLedgerEvent[]): Household {
  if (events.length === 0) return household;
  const draft = new Draft(household);
  for (const event of events) {
    draft.begin(event);
    declarationOf(event).fold(draft, event.data, event);
  }
  return draft.finish();
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
  if (event.type === 'TransactionCreated') return createdRecord(event.data, event);
  if (!record) {
    throw new BrokenHistory(`event ${event.id} changes a transaction that the history never created`);
  }
  if (event.type !== 'CommandUndone') return changedBy(record, event, event);
  const parts = partsTouching(event.data, record.id);
  return parts.reduce((changed, part) => changedBy(changed, part, event), record);
}

function changedBy(record: TransactionRecord, part: LedgerEvent, event: EventHeader): TransactionRecord {
  const { record: changed } = declarationOf(part);
  if (!changed) return record;
  const touched = { ...record, revision: event.revision, updatedAt: event.at, updatedBy: event.by };
  return changed(touched, part.data, event);
}

type Parts = readonly LedgerEvent[];

/** Found once for each undoing: it may have hundreds of parts, or touch every transaction of a full month. */
const partsOfUndoings = new WeakMap<object, ReadonlyMap<Ulid, Parts>>();

/** The parts of an undoing that touch a transaction, in their order. */
function partsTouching(undoing: { readonly events: Parts }, id: Ulid): Parts {
  let parts = partsOfUndoings.get(undoing);
  if (!parts) {
    parts = partsByTransaction(undoing.events);
    partsOfUndoings.set(undoing, parts);
  }
  return parts.get(id) ?? [];
}

function partsByTransaction(events: Parts): ReadonlyMap<Ulid, Parts> {
  const parts = new Map<Ulid, Parts>();
  for (const part of events) {
    // Shared by all that it alone touches.
    const alone = [part];
    for (const id of touchedTransactions(part)) {
      const known = parts.get(id);
      parts.set(id, known ? [...known, part] : alone);
    }
  }
  return parts;
}
