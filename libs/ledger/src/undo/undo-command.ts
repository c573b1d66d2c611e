import type { LedgerEvent, RecordedLedgerEvent, Ulid } from '../events.js';
import type { Household } from '../household.js';
import { Refusal } from '../refusal.js';
import { atOnce } from '../steps.js';
import type { TransactionRecord } from '../transaction-record.js';
import { TransactionsAhead } from '../transactions-ahead.js';
import { CellSet, type Cell } from './cells.js';
import { departures, type Departure } from './departures.js';
import { putBackBy, type PutBack } from './former-place.js';
import { neededToUndo } from './needed.js';
import { wayBack } from './way-back.js';
import { written } from './written.js';

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

/** The present, from which a command is undone. */
interface UndoneFrom {
  readonly household: Household;
  /** Those that the command was about. */
  readonly transactions: ReadonlyMap<Ulid, TransactionRecord>;
}

/** How many cells are added in one step. */
const CELLS_PER_STEP = 8_192;

/** What an undoing of these events would write. */
export function cellsOf(events: readonly RecordedLedgerEvent[]): CellSet {
  return atOnce(cellSteps(events));
}

/** As `cellsOf`, in steps: a command that touched every transaction of a full month has a hundred thousand cells. */
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
    departures: events.flatMap(event => departures(event, cells)),
    putBack: events.flatMap(putBackBy),
  };
}

/**
 * Undoes a command whole: an undoing that is itself undone no longer counts.
 *
 * @param target the events of the command, in order
 * @param later every command after it, in order
 * @returns one event, or none where the command is undone already
 * @throws Refusal `undo_blocked` naming the latest command in the way, `month_full`
 */
export function undoCommand(
  target: readonly RecordedLedgerEvent[],
  later: readonly LaterCommand[],
  { household, transactions }: UndoneFrom,
): LedgerEvent[] {
  const undoes = target[0]!.id;
  const undoings = undoingsThatHold(later);
  if (undoings.has(undoes)) return [];
  const blocking = latestInTheWay(remaining(later, undoings));
  if (blocking) {
    throw new Refusal('undo_blocked', 'A later change prevents this undo. Undo that change first.', {
      by_event_id: blocking.eventId,
    });
  }
  const putBack = leftBefore(later);
  const present = { household, transactions: new TransactionsAhead(household, transactions), putBack };
  const events = [...target].reverse().flatMap(event => wayBack(event, present));
  return [{ type: 'CommandUndone', data: { undoes, events } }];
}

function latestInTheWay(later: readonly LaterCommand[]): LaterCommand | undefined {
  const goneBy = new Map<Cell, LaterCommand>();
  for (const command of later) {
    for (const [cell, isGone] of command.departures) {
      if (isGone) goneBy.set(cell, command);
      else goneBy.delete(cell);
    }
  }
  const missed = new Set(goneBy.values());
  return later.findLast(command => command.inTheWay || missed.has(command));
}

/** What later commands put back that had left its list before all of them. */
function leftBefore(later: readonly LaterCommand[]): readonly PutBack[] {
  const ids = new Set(later.map(({ eventId }) => eventId));
  return later.flatMap(({ undoes, putBack }) => (undoes !== null && ids.has(undoes) ? [] : putBack));
}

/** The undoing that holds for a command, or null. */
export function undoneBy(eventId: string, later: readonly LaterCommand[]): string | null {
  return undoingsThatHold(later).get(eventId) ?? null;
}

/** By what they undo. An undoing comes after what it undoes: from the last one back, whether it holds is known. */
function undoingsThatHold(later: readonly LaterCommand[]): ReadonlyMap<string, string> {
  const undoings = new Map<string, string>();
  for (const { eventId, undoes } of later.toReversed()) {
    if (undoes !== null && !undoings.has(eventId)) undoings.set(undoes, eventId);
  }
  return undoings;
}

/** A command and the undoing that holds for it cancel out, where both came after the one to be undone. */
function remaining(
  later: readonly LaterCommand[],
  undoings: ReadonlyMap<string, string>,
): readonly LaterCommand[] {
  const ids = new Set(later.map(({ eventId }) => eventId));
  return later.filter(
    ({ eventId, undoes }) => !undoings.has(eventId) && !(undoes !== null && ids.has(undoes)),
  );
}
