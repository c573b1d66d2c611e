import type { Actor } from '#ledger/event-codec';

/** What a command brings along besides what it asks for. */
export interface CommandEnvelope {
  readonly actor: Actor;
  /** ISO timestamp with milliseconds, UTC. */
  readonly at: string;
  /** Unique to this command; the ids of its events derive from it, so that a repeated append is recognised. */
  readonly commandId: string;
  readonly requestId: string;
  /** The client's `Idempotency-Key` with a hash of what it asked for. */
  readonly idempotency?: { readonly key: string; readonly commandHash: string };
}

/**
 * A clock that is behind another one's by more is not followed: one that is far ahead shall not set the times of what
 * everybody records.
 */
const CLOCKS_APART_MS_MAX = 60_000;

/**
 * The envelope with a time that is not before the stream's last event. Commands wait for one another, lose races to
 * other processes, and meet clocks that differ: without this, times would not rise along the stream, and a moment would
 * stand for no state.
 */
export function notBefore(envelope: CommandEnvelope, end: { readonly at: string } | null): CommandEnvelope {
  if (end === null || end.at <= envelope.at) return envelope;
  const isFarAhead = Date.parse(end.at) - Date.parse(envelope.at) > CLOCKS_APART_MS_MAX;
  return isFarAhead ? envelope : { ...envelope, at: end.at };
}
