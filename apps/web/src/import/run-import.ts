import { dataOf } from '#client/client';
import { recordRows, type Imported, type RecordableRow } from '#client/record-rows';
import { apiOf } from '../api/client.js';
import { undoEvent } from '../api/undo.js';
import { batch } from '../transactions/transaction-commands.js';

/** What an import did, and the events of its commands, the first one first: they are undone together. */
export interface UndoableImport extends Imported {
  readonly eventIds: readonly string[];
}

/** Records rows in pieces, each as one command. An import that broke off can simply be run once more. */
export async function runImport(
  household: string,
  rows: readonly RecordableRow[],
  onProgress: (done: number) => void,
): Promise<UndoableImport> {
  const imported: Imported = { recorded: 0, known: 0, refused: [] };
  const eventIds: string[] = [];
  await recordRows(
    async operations => {
      const recorded = await batch(household, operations, { skip_known: true });
      if (recorded.replayed.length < operations.length) eventIds.push(await latestEvent(household));
      return recorded;
    },
    rows,
    imported,
    onProgress,
  );
  return { ...imported, eventIds };
}

/** Takes back all pieces, the last one first. */
export async function undoImport(household: string, { eventIds }: UndoableImport): Promise<void> {
  for (const eventId of eventIds.toReversed()) await undoEvent(household, eventId);
}

/** The event of the command that was just recorded: answers to batches do not name it. */
async function latestEvent(household: string): Promise<string> {
  const call = apiOf(household).GET('/activity', { params: { query: { limit: 1 } } });
  const { activity } = await dataOf(call);
  return activity[0]!.event_id;
}
