import { IdempotencyKeys, type KeyedCommand } from '#documents/idempotency-keys';
import type { DecodedEvent } from '#ledger/event-codec';
import type { CommandEnvelope } from './command-envelope.js';

/** The command under its client's key; null where the client sent none. */
export function keyedCommandOf({
  actor,
  idempotency,
}: Pick<CommandEnvelope, 'actor' | 'idempotency'>): KeyedCommand | null {
  if (idempotency === undefined) return null;
  const { key, commandHash } = idempotency;
  return { userId: actor.userId, clientKey: key, commandHash };
}

/** Settles the keys of recorded commands. @throws DocumentsUnavailable */
export async function settleRecorded(
  keys: IdempotencyKeys,
  householdId: string,
  events: readonly DecodedEvent[],
): Promise<void> {
  const settled = events.flatMap(({ metadata, revision, at }) => {
    // Only a command's first event names its key.
    const command = keyedCommandOf(metadata);
    if (command === null) return [];
    return [{ ...command, firstRevision: revision, made: null, finished: true, at: Date.parse(at) }];
  });
  await keys.settle(householdId, settled);
}
