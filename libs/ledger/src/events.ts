import { BrokenHistory, Draft } from './draft.js';
import type {
  EventAmong,
  EventDeclaration,
  EventDeclarations,
  EventHeader,
  Present,
} from './event-declaration.js';
import { fundEvents, type FundEvents } from './funds/fund-events.js';
import { groupEvents, type GroupEvents } from './groups/group-events.js';
import type { Household } from './household.js';
import { itemEvents, ordersBack, type ItemEvents } from './items/item-events.js';
import { monthEvents, type MonthEvents } from './months/month-events.js';
import { countOfTransactions, type PresentNames } from './present-names.js';
import {
  createdRecord,
  isTransactionEvent,
  transactionEvents,
  type TransactionEvent,
  type TransactionEvents,
} from './transactions/transaction-events.js';
import type { TransactionRecord } from './transactions/transaction-record.js';
import { oneAfterTheOther, type Cell, type Departure } from './undo/cells.js';
import type { PutBack } from './undo/former-place.js';
import type { Month, Ulid } from './values.js';

/**
 * Everything that can happen to a household's budget, by name. The names and shapes are stored for ever: a shape that
 * changes gets an upcaster, a meaning that changes a new name. Every event carries what a fold of sums needs without the
 * history, and what it takes away.
 */
export interface LedgerEventData extends MonthEvents, GroupEvents, ItemEvents, FundEvents, TransactionEvents {
  /** A command is undone whole: the inverses of its events, last first. */
  CommandUndone: {
    /** Id of the first event of the command that is undone. */
    readonly undoes: string;
    readonly events: readonly LedgerEvent[];
  };
}

export type LedgerEventType = keyof LedgerEventData;

/** An event as a decision makes it. */
export type LedgerEvent = EventAmong<LedgerEventData>;

/** An event as it is folded: what happened, when, and by whom. */
export type RecordedLedgerEvent = EventHeader & LedgerEvent;

/** What undoing a command does: each of these is what its parts do. */
const CommandUndone: EventDeclaration<LedgerEventData['CommandUndone'], LedgerEvent> = {
  // Its version rises with those of the events in it.
  upcasters: [data => data, data => data],
  fold(draft, { undoes, events }, header) {
    for (const part of events) declarationOf(part).fold(draft, part.data, header);
    draft.takeBackMoves(undoes);
  },
  transactions: ({ events }) => [...new Set(events.flatMap(part => touchedTransactions(part)))],
  months: ({ events }, household) => events.flatMap(part => touchedMonths(household, part)),
  writes: ({ events }) => events.flatMap(written),
  undoNeeds: ({ events }) => oneAfterTheOther(...events.map(neededToUndo)),
  departures: ({ events }) => events.flatMap(departures),
  putBack: ({ events }) => events.flatMap(putBackBy),
  // The last part first; but orders depend on one another.
  inverse({ events }, present, header) {
    const orders = events.flatMap(part => (part.type === 'ItemsOrdered' ? [part.data] : []));
    if (orders.length > 0 && orders.length === events.length) return ordersBack(orders);
    return events.toReversed().flatMap(part => inverseOf(part, present, header));
  },
  sentence: ({ events }, names) => `${phraseOfAll(events, names)} (undid ${undoneThing(events)})`,
};

/** Each type of event, declared. A type that is missing here, or a part of it, is an error of the compiler. */
export const EVENTS: EventDeclarations<LedgerEventData> = {
  ...monthEvents,
  ...groupEvents,
  ...itemEvents,
  ...fundEvents,
  ...transactionEvents,
  CommandUndone,
};

/** The newest schema version of a type: what new events are written with. */
export function versionOf(type: LedgerEventType): number {
  return (EVENTS[type].upcasters?.length ?? 0) + 1;
}

/** The declaration of an event's type, which takes the event's own data. */
function declarationOf({ type }: LedgerEvent): EventDeclaration<LedgerEvent['data'], LedgerEvent> {
  return EVENTS[type];
}

/**
 * Folds events into a household. History is true: nothing is checked.
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
 * Folds one event into one transaction that it touches. One that the record already holds (by revision) changes nothing.
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
  const parts = partsByTransaction(event.data).get(record.id) ?? [];
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

/** The parts of an undoing by the transactions that they touch, in their order. */
function partsByTransaction(undoing: { readonly events: Parts }): ReadonlyMap<Ulid, Parts> {
  const known = partsOfUndoings.get(undoing);
  if (known) return known;
  const parts = new Map<Ulid, Parts>();
  partsOfUndoings.set(undoing, parts);
  for (const part of undoing.events) {
    for (const id of touchedTransactions(part)) parts.set(id, [...(parts.get(id) ?? []), part]);
  }
  return parts;
}

/** The transactions that an event touches. */
export function touchedTransactions(event: LedgerEvent): readonly Ulid[] {
  return declarationOf(event).transactions?.(event.data) ?? [];
}

/**
 * The months of which an event changes the layout, a note, or what they show of a group or an item. Figures that
 * follow from it elsewhere, in later months of a fund and by transactions, come with the command's record.
 * @param household with the event folded in; later ones may be as well where it does not touch by layout
 */
export function touchedMonths(household: Household, event: LedgerEvent): readonly Month[] {
  const { months } = declarationOf(event);
  if (months) return months(event.data, household);
  return 'month' in event.data ? [event.data.month] : [];
}

/** Whether it is the months' layout that decides which of them an event touches. */
export function touchesByLayout(event: LedgerEvent): boolean {
  if (event.type === 'CommandUndone') return event.data.events.some(touchesByLayout);
  return declarationOf(event).months !== undefined;
}

/** What an event writes. */
export function written(event: LedgerEvent): readonly Cell[] {
  return declarationOf(event).writes(event.data);
}

/** What must not have been written since, so that the event can be undone. One by one: it may be a hundred thousand. */
export function neededToUndo(event: LedgerEvent): Iterable<Cell> {
  const { undoNeeds, writes } = declarationOf(event);
  return (undoNeeds ?? writes)(event.data);
}

/** What goes and comes back by an event. */
export function departures(event: LedgerEvent): readonly Departure[] {
  return declarationOf(event).departures?.(event.data) ?? [];
}

/** What an event puts back into lists, where an undoing made it. */
export function putBackBy(event: LedgerEvent): readonly PutBack[] {
  return declarationOf(event).putBack?.(event.data) ?? [];
}

/** The events that bring back what was before an event; the present knows them then. @throws Refusal `month_full` */
export function inverseOf(event: LedgerEvent, present: Present, header: EventHeader): readonly LedgerEvent[] {
  const inverse = declarationOf(event).inverse(event.data, present, header);
  if (event.type !== 'CommandUndone') for (const each of inverse) present.found(each);
  return inverse;
}

/** A sentence says at most this many changes one by one. */
const PHRASES_MAX = 5;
const EARLIER_CHANGE = 'an earlier change';
const TRANSACTION_VERBS: Readonly<Record<TransactionEvent['type'], string>> = {
  TransactionCreated: 'recorded',
  TransactionChanged: 'changed',
  TransactionDeleted: 'deleted',
  TransactionRestored: 'restored',
};

/** What happened together, as it goes on after who did it. What happened to many items or transactions is said as one. */
export function phraseOfAll(events: readonly LedgerEvent[], names: PresentNames): string {
  const [first, ...others] = events;
  if (first && others.length > 0 && others.every(({ type }) => type === first.type)) {
    if (first.type === 'ItemPlanned') return `changed ${events.length} plans in ${first.data.month}`;
    if (first.type === 'ItemsOrdered') return `ordered the items of ${first.data.month}`;
  }
  const ofTransactions = events.filter(isTransactionEvent);
  if (ofTransactions.length === events.length) {
    if (new Set(ofTransactions.map(({ data }) => data.id)).size > 1) return countsPhrase(ofTransactions);
  }
  const phrases = events.slice(0, PHRASES_MAX).map(event => declarationOf(event).sentence(event.data, names));
  const more = events.length - phrases.length;
  if (more > 0) phrases.push(`made ${more} more ${more === 1 ? 'change' : 'changes'}`);
  return listed(phrases);
}

/** As `a, b and c`. */
function listed(phrases: readonly string[]): string {
  const last = phrases.at(-1) ?? '';
  return phrases.length < 2 ? last : `${phrases.slice(0, -1).join(', ')} and ${last}`;
}

/** As `recorded 40 transactions, changed 3 and deleted one`. */
function countsPhrase(events: readonly TransactionEvent[]): string {
  const ids = new Map<TransactionEvent['type'], Set<Ulid>>();
  for (const { type, data } of events) ids.set(type, (ids.get(type) ?? new Set()).add(data.id));
  return listed(
    [...ids].map(([type, { size }], at) => {
      const count = at === 0 ? countOfTransactions(size) : size === 1 ? 'one' : String(size);
      return `${TRANSACTION_VERBS[type]} ${count}`;
    }),
  );
}

/** What an undoing with these parts undid, as far as they tell. */
function undoneThing([part, ...others]: readonly LedgerEvent[]): string {
  if (part === undefined) return EARLIER_CHANGE;
  const { undid = EARLIER_CHANGE } = declarationOf(part);
  if (others.length === 0) return undid;
  const areAlike = isTransactionEvent(part) && others.every(({ type }) => type === part.type);
  return areAlike ? undid.replace('its', 'their') : EARLIER_CHANGE;
}
