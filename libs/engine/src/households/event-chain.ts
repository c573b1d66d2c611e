import { hash } from 'node:crypto';
import type { Write } from '#storage/documents/documents';
import type { IdempotencyKeys, KeyedCommand } from '#storage/documents/idempotency-keys';
import type { EventTexts } from '#storage/event-store/event-store';
import {
  chainText,
  type Actor,
  type DecodedEvent,
  type EventMetadata,
  type StoredEvent,
} from '#ledger/event-codec';
import type { LedgerEvent } from '#ledger/events';
import { SCHEMA_VERSIONS } from '#ledger/upcasters';
import { streamOf } from './household-stream.js';

/**
 * SHA-256 over everything that is stored of an event, in hexadecimal: what the next event's metadata carries.
 * @param texts of the event, where they have been made already
 */
export function hashOf(stream: string, event: StoredEvent, texts?: EventTexts): string {
  return hash('sha256', chainText(stream, event, texts));
}

/** The last event of a stream, as the next one needs it. */
export interface StreamEnd {
  /** What the next event's metadata carries. */
  readonly hash: string;
  /** When it was recorded; ISO timestamp with milliseconds, UTC. */
  readonly at: string;
}

/** An event as the next one of its stream needs it. @param event the stream's last */
export function endAt(stream: string, event: StoredEvent): StreamEnd {
  return { hash: hashOf(stream, event), at: (event.metadata as EventMetadata).at };
}

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

/** RFC 9562, 4.1: the two highest bits of this digit are 10. */
const VARIANT_DIGITS = '89ab';

/** A UUID (version 8: an application's own derivation) from a command's id and the event's place in it. */
export function eventIdOf(householdId: string, commandId: string, index: number): string {
  const hex = hash('sha256', `${householdId}|${commandId}|${index}`);
  const variant = VARIANT_DIGITS[Number.parseInt(hex[16]!, 16) & 3]!;
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

type Writable<T> = { -readonly [K in keyof T]: T[K] };

/** Decided events as they would be recorded, still without what depends on the outcome. */
export function recordedEvents(
  householdId: string,
  afterRevision: number,
  events: readonly LedgerEvent[],
  envelope: DatedEnvelope,
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
    // Field by field, here and below: ADR 26.
    return {
      type: event.type,
      data: event.data,
      id: eventIdOf(householdId, envelope.commandId, index),
      revision: afterRevision + 1 + index,
      at: envelope.at,
      by: envelope.actor.userId,
      metadata,
    } as DecodedEvent;
  });
}

/** A command's events as they are recorded. */
export interface Chained {
  readonly events: readonly DecodedEvent[];
  /** JSON of the events, in their order. */
  readonly texts: readonly EventTexts[];
  /** What the last one is to the next. */
  readonly end: StreamEnd;
}

/**
 * Completes the metadata: the chain of hashes, and on the first event what the command changed.
 * @param events at least one
 * @param previousHash hash of the stream's last event, null for none
 */
export function chained(
  householdId: string,
  events: readonly DecodedEvent[],
  previousHash: string | null,
  months: readonly string[],
  { idempotency }: Pick<DatedEnvelope, 'idempotency'>,
): Chained {
  const stream = streamOf(householdId);
  const texts: EventTexts[] = [];
  let hash = previousHash;
  const complete = events.map((event, index) => {
    const { type, data, id, revision, at, by } = event;
    const { schemaVersion, actor, commandId, requestId } = event.metadata;
    const metadata: Writable<EventMetadata> = {
      schemaVersion,
      at,
      actor,
      commandId,
      requestId,
      previousHash: hash,
    };
    if (index === 0) metadata.months = months;
    if (index === 0 && idempotency) metadata.idempotency = idempotency;
    const chainedEvent = { type, data, id, revision, at, by, metadata } as DecodedEvent;
    const own = { data: JSON.stringify(data), metadata: JSON.stringify(metadata) };
    texts.push(own);
    hash = hashOf(stream, chainedEvent, own);
    return chainedEvent;
  });
  return { events: complete, texts, end: { hash: hash!, at: complete.at(-1)!.metadata.at } };
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
