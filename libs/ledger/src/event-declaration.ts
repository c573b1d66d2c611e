import type { Draft } from './draft.js';
import type { Household } from './household.js';
import type { PresentNames } from './present-names.js';
import type { TransactionRecord } from './transactions/transaction-record.js';
import type { Cell, Departure } from './undo/cells.js';
import type { PutBack } from './undo/former-place.js';
import type { Month, Timestamp, Ulid } from './values.js';

/** What the log adds to an event. */
export interface EventHeader {
  readonly id: string;
  /** Place in the household's stream. */
  readonly revision: number;
  readonly at: Timestamp;
  /** The user whose command it was. */
  readonly by: Ulid;
}

/** An event of some types, as a decision makes it. `Shapes` maps each type to its data. */
export type EventAmong<Shapes> = {
  [T in keyof Shapes]: { readonly type: T; readonly data: Shapes[T] };
}[keyof Shapes];

/** The present, on which an inverse depends besides the event. What the event wrote has not changed since. */
export interface Present {
  readonly household: Household;
  /** As the inverses that were found already leave it: one command may have changed a transaction several times. */
  transaction(id: Ulid): TransactionRecord;
  /** Notes an inverse that was found. */
  found(event: EventAmong<Readonly<Record<string, object>>>): void;
  /** What came back to lists after the command, and had left them before it. */
  readonly putBack: readonly PutBack[];
}

/** All that the ledger knows of the events of one type. `Made` are the events that its inverse may consist of. */
export interface EventDeclaration<Data, Made> {
  /** Each brings data up to the next schema version, the first one from version 1. Pure. Absent: it has no other. */
  readonly upcasters?: readonly ((data: object) => object)[];

  /** What becomes of the household. Nothing is checked: history is true. */
  fold(draft: Draft, data: Data, header: EventHeader): void;
  /** The transactions that it touches. Absent: none. */
  transactions?(data: Data): readonly Ulid[];
  /** What becomes of each of them; that it was updated is known already. */
  record?(record: TransactionRecord, data: Data, header: EventHeader): TransactionRecord;
  /** The months that show it, where their layout decides which these are. Absent: its own `month`, if it has one. */
  months?(data: Data, household: Household): readonly Month[];

  /** The parts of the household that it writes. */
  writes(data: Data): readonly Cell[];
  /** What must not have been written since, so that it can be undone: what that would write. Absent: as `writes`. */
  undoNeeds?(data: Data): Iterable<Cell>;
  /** What goes and comes back by it, of all that must be there in the end. */
  departures?(data: Data): readonly Departure[];
  /** What it puts back into lists, where an undoing made it. */
  putBack?(data: Data): readonly PutBack[];
  /** The events that bring back what was before it. @throws Refusal `month_full` */
  inverse(data: Data, present: Present, header: EventHeader): readonly Made[];

  /** What happened, for a person: as it goes on after who did it. */
  sentence(data: Data, names: PresentNames): string;
  /** What was undone where an undoing made it. Absent: an earlier change. */
  readonly undid?: string;
}

/** A declaration for each of these shapes. */
export type EventDeclarations<Shapes, Made = EventAmong<Shapes>> = {
  readonly [T in keyof Shapes]: EventDeclaration<Shapes[T], Made>;
};
