import { dataOf } from '#client/client';
import { apiOf } from '../api/client.js';
import { undoEvent } from '../api/undo.js';
import { batch, type Operation } from '../transactions/transaction-commands.js';
import { OPERATIONS_MAX } from '../transactions/track.js';

/** What an import did. */
export interface Imported {
  readonly recorded: number;
  /** Of the commands, the first one first: they are undone together. */
  readonly eventIds: readonly string[];
}

/**
 * Records operations in pieces, each as one command. What was recorded before is skipped, so an import that broke off
 * can simply be run once more.
 */
export async function runImport(
  household: string,
  operations: readonly Operation[],
  onProgress: (done: number) => void,
): Promise<Imported> {
  const eventIds: string[] = [];
  let recorded = 0;
  for (let from = 0; from < operations.length; from += OPERATIONS_MAX) {
    const piece = operations.slice(from, from + OPERATIONS_MAX);
    const { replayed } = await batch(household, piece, { skip_known: true });
    const added = piece.length - replayed.length;
    recorded += added;
    if (added > 0) eventIds.push(await latestEvent(household));
    onProgress(from + piece.length);
  }
  return { recorded, eventIds };
}

/** Takes back all pieces, the last one first. */
export async function undoImport(household: string, { eventIds }: Imported): Promise<void> {
  for (const eventId of eventIds.toReversed()) await undoEvent(household, eventId);
}

/** The event of the command that was just recorded: answers to batches do not name it. */
async function latestEvent(household: string): Promise<string> {
  const call = apiOf(household).GET('/activity', { params: { query: { limit: 1 } } });
  const { activity } = await dataOf(call);
  return activity[0]!.event_id;
}
