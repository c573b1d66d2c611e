import { hash } from 'node:crypto';
import type { EventTexts } from '#storage/event-store/event-store';
import { chainText, type DecodedEvent, type EventMetadata, type StoredEvent } from '#ledger/event-codec';
import { EVENTS, type LedgerEvent } from '#ledger/events';
import type { DatedEnvelope } from '../commands/command-envelope.js';
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
      schemaVersion: EVENTS[event.type].version,
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
