import type { Actor, DecodedEvent } from '#ledger/event-codec';
import type { Write } from '#storage/documents/documents';
import type { IdempotencyKeys, KeyedCommand } from '#storage/documents/idempotency-keys';

/** What a command brings along besides what it asks for, and its events keep. */
interface Envelope {
  readonly actor: Actor;
  /** Unique to this command; the ids of its events derive from it, so that a repeated append is recognised. */
  readonly commandId: string;
  readonly requestId: string;
  /** The client's `Idempotency-Key` with a hash of what it asked for. */
  readonly idempotency?: { readonly key: string; readonly commandHash: string };
}

/**
 * As a command comes. Its time is that of its decision, and not of its coming: it may wait for others, and a moment that
 * has passed would come to stand for another state.
 */
export interface CommandEnvelope extends Envelope {
  /** The present time as an ISO timestamp with milliseconds, UTC. */
  readonly now: () => string;
}

/** As its events are recorded. */
export interface DatedEnvelope extends Envelope {
  /** ISO timestamp with milliseconds, UTC. */
  readonly at: string;
}

/**
 * A process whose clock is behind by more than this does not follow: one clock far ahead must not set the times of all
 * events.
 */
const CLOCKS_APART_MS_MAX = 60_000;

/**
 * The envelope with the present time, where that is not before the stream's last event. Clocks of several processes
 * differ: without this, times would not rise along the stream, and a moment would stand for no state.
 */
export function dated(envelope: CommandEnvelope, end: { readonly at: string } | null): DatedEnvelope {
  const { actor, commandId, requestId, idempotency } = envelope;
  const at = notBefore(end, envelope.now());
  return idempotency === undefined
    ? { actor, commandId, requestId, at }
    : { actor, commandId, requestId, at, idempotency };
}

function notBefore(end: { readonly at: string } | null, now: string): string {
  if (end === null || end.at <= now) return now;
  const isFarAhead = Date.parse(end.at) - Date.parse(now) > CLOCKS_APART_MS_MAX;
  return isFarAhead ? now : end.at;
}

/** The command under its client's key; null where the client sent none. */
export function keyedCommandOf({
  actor,
  idempotency,
}: Pick<CommandEnvelope, 'actor' | 'idempotency'>): KeyedCommand | null {
  if (idempotency === undefined) return null;
  const { key, commandHash } = idempotency;
  return { userId: actor.userId, clientKey: key, commandHash };
}

/** What settles the keys of recorded commands. */
export function settledKeys(
  keys: IdempotencyKeys,
  householdId: string,
  events: readonly DecodedEvent[],
): Write {
  const settled = events.flatMap(({ metadata, revision, at }) => {
    // Only a command's first event names its key.
    const command = keyedCommandOf(metadata);
    if (command === null) return [];
    return [{ ...command, firstRevision: revision, made: null, finished: true, at: Date.parse(at) }];
  });
  return keys.settled(householdId, settled);
}
