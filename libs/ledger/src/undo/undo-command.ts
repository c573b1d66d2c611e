import type { CommandDeclarations } from '../command-declaration.js';
import type { Present } from '../event-declaration.js';
import { inverseOf } from '../events.js';
import { Refusal } from '../refusal.js';
import { isTransactionEvent } from '../transactions/transaction-events.js';
import { TransactionsAhead } from '../transactions/transactions-ahead.js';
import type { Cell } from './cells.js';
import type { PutBack } from './former-place.js';
import { undoingsThatHold, type LaterCommand } from './later-commands.js';

export interface UndoCommands {
  /** Reverses the command whose first event has this id. */
  UndoCommand: { readonly eventId: string };
}

export const undoCommands: CommandDeclarations<UndoCommands> = {
  /**
   * Undoes a command whole: an undoing that is itself undone no longer counts.
   * @returns one event, or none where the command is undone already
   * @throws Refusal `not_found`, `undo_blocked` naming the latest command in the way, `month_full`
   */
  UndoCommand: {
    needs: (_, { eventId }) => ({ undo: eventId }),
    decide(household, _, { undo, transactions }) {
      if (!undo) throw new Refusal('not_found', 'The activity has no such entry.', { resource: 'route' });
      const { target, later } = undo;
      const undoes = target[0]!.id;
      const undoings = undoingsThatHold(later);
      if (undoings.has(undoes)) return [];
      const blocking = latestInTheWay(remaining(later, undoings));
      if (blocking) {
        throw new Refusal('undo_blocked', 'A later change prevents this undo. Undo that change first.', {
          by_event_id: blocking.eventId,
        });
      }
      const present = presentOf(new TransactionsAhead(household, transactions), leftBefore(later));
      const events = target.toReversed().flatMap(event => inverseOf(event, present, event));
      return [{ type: 'CommandUndone', data: { undoes, events } }];
    },
  },
};

function presentOf(ahead: TransactionsAhead, putBack: readonly PutBack[]): Present {
  return {
    get household() {
      return ahead.household;
    },
    putBack,
    transaction: id => ahead.records.get(id)!,
    found(event) {
      if (isTransactionEvent(event)) ahead.add(event);
    },
  };
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
