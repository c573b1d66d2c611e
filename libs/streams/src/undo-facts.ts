import type { EventStore } from '#event-store/event-store';
import type { UndoFacts } from '#ledger/decide';
import type { TransactionRecord } from '#ledger/transaction-record';
import { cellsOf, laterCommand, type LaterCommand } from '#ledger/undo/undo-command';
import { CommandLog, type RecordedCommandEvents } from './command-log.js';

/** Commands read at once on the way back to the one that is undone. */
const COMMANDS_AT_ONCE = 256;

/**
 * The command that recorded the event with this id, or null. Its cost grows with how much came after it.
 * @throws EventStoreUnavailable, UnknownEvent
 */
export async function findCommand(
  store: EventStore,
  householdId: string,
  eventId: string,
): Promise<RecordedCommandEvents | null> {
  for await (const events of new CommandLog(store).backwards(householdId, null, COMMANDS_AT_ONCE)) {
    if (events.some(({ id }) => id === eventId)) return events;
  }
  return null;
}

/** The transaction that a command was about, or null: what it untracked along the way is not meant. */
export function transactionOf([first]: RecordedCommandEvents): string | null {
  if (first.type === 'CommandUndone') {
    const ids = new Set(first.data.events.flatMap(part => ('id' in part.data ? [part.data.id] : [])));
    return ids.size === 1 ? [...ids][0]! : null;
  }
  return 'id' in first.data ? first.data.id : null;
}

/**
 * What an undoing is decided on: the command, and what every later one did to the same. Two passes, so that
 * only what matters of the later commands is held in memory.
 * @throws EventStoreUnavailable, UnknownEvent
 */
export async function undoFacts(
  store: EventStore,
  householdId: string,
  eventId: string,
  transaction: (id: string) => Promise<TransactionRecord | null>,
): Promise<UndoFacts | undefined> {
  const target = await findCommand(store, householdId, eventId);
  if (!target) return undefined;
  const cells = cellsOf(target);
  const later: LaterCommand[] = [];
  for await (const events of new CommandLog(store).backwards(householdId, null, COMMANDS_AT_ONCE)) {
    if (events[0].revision <= target[0].revision) break;
    later.unshift(laterCommand(events, cells));
  }
  const id = transactionOf(target);
  return { target, later, transaction: id === null ? null : await transaction(id) };
}
