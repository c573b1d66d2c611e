import type { UndoFacts } from '#ledger/decide';
import { touchedTransactions, type TransactionRecord } from '#ledger/transaction-record';
import { cellSteps, laterCommand, type LaterCommand } from '#ledger/undo/undo-command';
import { COMMANDS_AT_ONCE, type CommandLog, type RecordedCommandEvents } from './command-log.js';
import { requestsFirst } from '#concurrency/requests-first';
import { stepByStep } from './household-fold.js';

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
  log: CommandLog,
  householdId: string,
  eventId: string,
  transaction: (id: string) => Promise<TransactionRecord | null>,
): Promise<UndoFacts | undefined> {
  const target = await log.commandOf(householdId, eventId);
  if (!target) return undefined;
  const later = await laterThan(log, householdId, target);
  const id = transactionOf(target);
  return { target, later, transaction: id === null ? null : await transaction(id) };
}

/**
 * What every command after this one did to the same, in their order.
 * @throws EventStoreUnavailable, UnknownEvent
 */
export async function laterThan(
  log: CommandLog,
  householdId: string,
  target: RecordedCommandEvents,
): Promise<LaterCommand[]> {
  const cells = await stepByStep(cellSteps(target));
  const later: LaterCommand[] = [];
  for await (const events of log.backwards(householdId, null, COMMANDS_AT_ONCE)) {
    if (events[0].revision <= target[0].revision) break;
    later.push(laterCommand(events, cells));
    if (events.some(event => touchedTransactions(event).length > 1)) await requestsFirst();
  }
  return later.reverse();
}
