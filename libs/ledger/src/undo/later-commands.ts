import { departures, neededToUndo, putBackBy, written, type RecordedLedgerEvent } from '../events.js';
import { CellSet, type Departure } from './cells.js';
import type { PutBack } from './former-place.js';

/** A command that came after the one to be undone, as far as an undoing must know it. */
export interface LaterCommand {
  /** Id of its first event. */
  readonly eventId: string;
  /** The command that it undoes, if it does. */
  readonly undoes: string | null;
  /** Whether it wrote what the undoing would write. */
  readonly inTheWay: boolean;
  /** What went and came back: in the way where it stays away, and the undoing needs it. */
  readonly departures: readonly Departure[];
  /** What it put back into lists. */
  readonly putBack: readonly PutBack[];
}

/** How many cells are added in one step. */
const CELLS_PER_STEP = 8_192;

/** What an undoing of these events would write, in steps: it may be a hundred thousand cells. */
export function* cellSteps(events: readonly RecordedLedgerEvent[]): Generator<void, CellSet> {
  const cells = new CellSet();
  let added = 0;
  for (const event of events) {
    for (const cell of neededToUndo(event)) {
      cells.add(cell);
      if (++added % CELLS_PER_STEP === 0) yield;
    }
  }
  return cells;
}

/** @param cells of the command to be undone */
export function laterCommand(events: readonly RecordedLedgerEvent[], cells: CellSet): LaterCommand {
  const first = events[0]!;
  return {
    eventId: first.id,
    undoes: first.type === 'CommandUndone' ? first.data.undoes : null,
    inTheWay: events.some(event => written(event).some(cell => cells.overlaps(cell))),
    departures: events.flatMap(event => departures(event).filter(([cell]) => cells.has(cell))),
    putBack: events.flatMap(event => (event.type === 'CommandUndone' ? putBackBy(event) : [])),
  };
}

/** The undoing that holds for a command, or null. */
export function undoneBy(eventId: string, later: readonly LaterCommand[]): string | null {
  return undoingsThatHold(later).get(eventId) ?? null;
}

/** By what they undo. An undoing comes after what it undoes: from the last one back, whether it holds is known. */
export function undoingsThatHold(later: readonly LaterCommand[]): ReadonlyMap<string, string> {
  const undoings = new Map<string, string>();
  for (const { eventId, undoes } of later.toReversed()) {
    if (undoes !== null && !undoings.has(eventId)) undoings.set(undoes, eventId);
  }
  return undoings;
}
