import { hash } from 'node:crypto';
import { chainText, type Actor, type DecodedEvent, type EventMetadata } from '#ledger/event-codec';
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

/** An event of a stream as the hash chain sees it. */
interface ChainedEvent {
  readonly id: string;
  readonly revision: number;
  readonly type: string;
  readonly data: object;
  readonly metadata: object;
}

/** SHA-256 over everything that is stored of an event, in hexadecimal: what the next event's metadata carries. */
export function hashOf(stream: string, event: ChainedEvent): string {
  return hash('sha256', chainText(stream, event));
}

/** When an event was recorded, by the clock of the process that did it. */
export function timeOf({ metadata }: RecordedEvent): string {
  return (metadata as unknown as EventMetadata).at;
}

/** The last event of a household, or null before its first. @throws EventStoreUnavailable */
export async function lastEventOf(store: EventStore, householdId: string): Promise<RecordedEvent | null> {
  const range = { direction: 'backwards', limit: 1 } as const;
  for await (const [last] of store.readStream(streamOf(householdId), range)) return last ?? null;
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
 * @param previousHash hash of the stream's last event, null for none
 * @returns the events, and the hash of the last one
 */
export function chained(
  householdId: string,
  events: readonly DecodedEvent[],
  previousHash: string | null,
  months: readonly string[],
  envelope: CommandEnvelope,
): { readonly events: DecodedEvent[]; readonly lastHash: string | null } {
  const stream = streamOf(householdId);
  let lastHash = previousHash;
  const complete = events.map((event, index) => {
    const first =
      index === 0 ? { months, ...(envelope.idempotency && { idempotency: envelope.idempotency }) } : {};
    const metadata: EventMetadata = { ...event.metadata, previousHash: lastHash, ...first };
    const chainedEvent: DecodedEvent = { ...event, metadata };
    lastHash = hashOf(stream, chainedEvent);
    return chainedEvent;
  });
  return { events: complete, lastHash };
}
