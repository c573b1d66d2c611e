import { HOUSEHOLDS } from '#identity/households/household-records';
import { lastEventOf } from '#streams/household-stream';
import { CommandFailed } from './failures.js';
import type { ReadableStores } from './reading.js';

/** @throws CommandFailed where neither a record nor an event tells of the household */
export async function requireHousehold(
  { documents, eventStore }: Pick<ReadableStores, 'documents' | 'eventStore'>,
  householdId: string,
): Promise<void> {
  if (await documents.get(HOUSEHOLDS, householdId)) return;
  if (await lastEventOf(eventStore, householdId)) return;
  throw new CommandFailed(`There is no household ${householdId}; \`ledger households\` lists them.`);
}
