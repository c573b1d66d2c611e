import type { UndoFacts } from '#ledger/decide';
import type { LedgerEvent } from '#ledger/events';
import { touchedTransactions } from '#ledger/transaction-record';
import { cellSteps, laterCommand, type LaterCommand } from '#ledger/undo/undo-command';
import { COMMANDS_AT_ONCE, type CommandLog, type RecordedCommandEvents } from './command-log.js';
import { requestsFirst, stepByStep } from '#concurrency/requests-first';

/** The transactions that a command was about: those that it untracked along the way are not meant. */
export function transactionsOf(events: readonly LedgerEvent[]): readonly string[] {
  const parts = events.flatMap(event => (event.type === 'CommandUndone' ? event.data.events : [event]));
  return [...new Set(parts.flatMap(({ data }) => ('id' in data ? [data.id] : [])))];
}

/** The one transaction that a command was about; null where it was about none, or several. */
export function transactionOf(events: RecordedCommandEvents): string | null {
  const [id, another] = transactionsOf(events);
  return id === undefined || another !== undefined ? null : id;
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
): Promise<UndoFacts | undefined> {
  const target = await log.commandOf(householdId, eventId);
  if (!target) return undefined;
  const later = await laterThan(log, householdId, target);
  return { target, later };
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
