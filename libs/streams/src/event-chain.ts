import { hash } from 'node:crypto';
import {
  chainText,
  type Actor,
  type DecodedEvent,
  type EventMetadata,
  type StoredEvent,
} from '#ledger/event-codec';
import type { EventStore, RecordedEvent } from '#event-store/event-store';
import type { LedgerEvent } from '#ledger/events';
import { SCHEMA_VERSIONS } from '#ledger/upcasters';

/** The stream of a household's budget. */
export function streamOf(householdId: string): string {
  return `${STREAM_PREFIX}${householdId}`;
}

export function householdOf(stream: string): string {
  return stream.slice(STREAM_PREFIX.length);
}

export const STREAM_PREFIX = 'household-';

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

/** SHA-256 over everything that is stored of an event, in hexadecimal: what the next event's metadata carries. */
export function hashOf(stream: string, event: StoredEvent): string {
  return hash('sha256', chainText(stream, event));
}

/** The last event of a stream, as the next one needs it. */
export interface StreamEnd {
  /** What the next event's metadata carries. */
  readonly hash: string;
  /** When it was recorded; ISO timestamp with milliseconds, UTC. */
  readonly at: string;
}

export function endAt(stream: string, event: StoredEvent): StreamEnd {
  return { hash: hashOf(stream, event), at: (event.metadata as EventMetadata).at };
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
export function notBefore(envelope: CommandEnvelope, end: StreamEnd | null): CommandEnvelope {
  if (end === null || end.at <= envelope.at) return envelope;
  const isFarAhead = Date.parse(end.at) - Date.parse(envelope.at) > CLOCKS_APART_MS_MAX;
  return isFarAhead ? envelope : { ...envelope, at: end.at };
}

/**
 * When an event was recorded, by the clock of the process that did it, see `notBefore`; null where its text is damaged,
 * so that it tells nothing any more.
 */
export function timeOf({ metadata }: RecordedEvent): string | null {
  const { at } = metadata;
  return typeof at === 'string' ? at : null;
}

/** The last event of a household, or null before its first. @throws EventStoreUnavailable */
export async function lastEventOf(store: EventStore, householdId: string): Promise<RecordedEvent | null> {
  const range = { direction: 'backwards', limit: 1 } as const;
  for await (const [last] of store.readStream(streamOf(householdId), range)) return last ?? null;
  return null;
}

/** The event of a household at a revision, or null where its stream is shorter. @throws EventStoreUnavailable */
export async function eventAt(
  store: EventStore,
  householdId: string,
  revision: number,
): Promise<RecordedEvent | null> {
  const range = { from: revision, limit: 1 };
  for await (const [event] of store.readStream(streamOf(householdId), range)) return event ?? null;
  return null;
}

/** RFC 9562, 4.1: the two highest bits of this digit are 10. */
const VARIANT_DIGITS = '89ab';

/** A UUID (version 8: an application's own derivation) from a command's id and the event's place in it. */
export function eventIdOf(householdId: string, commandId: string, index: number): string {
  const hex = hash('sha256', `${householdId}|${commandId}|${index}`);
  const variant = VARIANT_DIGITS[Number.parseInt(hex[16]!, 16) & 3]!;
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** Decided events as they would be recorded, still without what depends on the outcome. */
export function recordedEvents(
  householdId: string,
  afterRevision: number,
  events: readonly LedgerEvent[],
  envelope: CommandEnvelope,
): DecodedEvent[] {
  return events.map((event, index) => {
    const metadata: EventMetadata = {
      schemaVersion: SCHEMA_VERSIONS[event.type],
      at: envelope.at,
      actor: envelope.actor,
      commandId: envelope.commandId,
      requestId: envelope.requestId,
      previousHash: null,
    };
    return {
      ...event,
      id: eventIdOf(householdId, envelope.commandId, index),
      revision: afterRevision + 1 + index,
      at: envelope.at,
      by: envelope.actor.userId,
      metadata,
    };
  });
}

/**
 * Completes the metadata: the chain of hashes, and on the first event what the command changed.
 * @param events at least one
 * @param previousHash hash of the stream's last event, null for none
 * @returns the events, and what the last one is to the next
 */
export function chained(
  householdId: string,
  events: readonly DecodedEvent[],
  previousHash: string | null,
  months: readonly string[],
  envelope: CommandEnvelope,
): { readonly events: DecodedEvent[]; readonly end: StreamEnd } {
  const stream = streamOf(householdId);
  let hash = previousHash;
  const complete = events.map((event, index) => {
    const first =
      index === 0 ? { months, ...(envelope.idempotency && { idempotency: envelope.idempotency }) } : {};
    const metadata: EventMetadata = { ...event.metadata, previousHash: hash, ...first };
    const chainedEvent: DecodedEvent = { ...event, metadata };
    hash = hashOf(stream, chainedEvent);
    return chainedEvent;
  });
  return { events: complete, end: { hash: hash!, at: complete.at(-1)!.metadata.at } };
}
