import { hash } from 'node:crypto';
import { CLOCKS_APART_MS_MAX } from '#concurrency/clock';
import type { EventStore, RecordedEvent, JsonObject, EventTexts } from '#storage/event-store/event-store';
import type { Write } from '#storage/documents/documents';
import type { IdempotencyKeys, KeyedCommand } from '#storage/documents/idempotency-keys';
import type { Actor, DecodedEvent, EventMetadata, StoredEvent } from '#ledger/event-codec';
import { versionOf, type LedgerEvent } from '#ledger/events';

export const STREAM_PREFIX = 'household-';

/** The stream of a household's budget. */
export function streamOf(householdId: string): string {
  return `${STREAM_PREFIX}${householdId}`;
}

/** The household of a stream whose name begins with `STREAM_PREFIX`; other names are not told apart. */
export function householdOf(stream: string): string {
  return stream.slice(STREAM_PREFIX.length);
}

/** Whether a household's stream has any event. @throws EventStoreUnavailable */
export async function hasEvents(store: EventStore, householdId: string): Promise<boolean> {
  return (await eventAt(store, householdId, 0)) !== null;
}

/** When an event was recorded, as `timeAfter` gave it; null where its text is damaged. */
export function timeOf({ metadata }: RecordedEvent): string | null {
  const { at } = metadata;
  return typeof at === 'string' ? at : null;
}

/** How many events `eventsInParts` reads at once, and about how much of them, in characters. */
const PART_EVENTS = 256;
export const PART_WEIGHT = 4 * 1024 * 1024;

/**
 * The events of a household from a revision on, in parts: no read is open while a client takes its time over one, for
 * EventStoreDB has room for a hundred of a process.
 * @param last the last revision that is wanted
 * @param first how many events the first part has at most; each later one may have twice as many
 * @throws EventStoreUnavailable
 */
export async function* eventsInParts(
  store: EventStore,
  householdId: string,
  from: number,
  last = Number.MAX_SAFE_INTEGER,
  first = PART_EVENTS,
): AsyncGenerator<readonly RecordedEvent[]> {
  let part = first;
  for (let next = from; next <= last; part = Math.min(2 * part, PART_EVENTS)) {
    const limit = Math.min(part, last - next + 1);
    const { events, isHeavy } = await readAtMost(store, householdId, {
      from: next,
      limit,
      weightMax: PART_WEIGHT,
    });
    if (events.length > 0) yield events;
    if (!isHeavy && events.length < limit) return;
    next += events.length;
  }
}

interface ReadLimits {
  readonly from: number;
  readonly limit: number;
  /** As `weightOf` weighs events: with so much, or a page more, it is enough. */
  readonly weightMax: number;
}

/** Events of a household. @returns whether their weight was enough, so that there may be more. @throws EventStoreUnavailable */
export async function readAtMost(
  store: EventStore,
  householdId: string,
  { weightMax, ...range }: ReadLimits,
): Promise<{ readonly events: readonly RecordedEvent[]; readonly isHeavy: boolean }> {
  const events: RecordedEvent[] = [];
  let weight = 0;
  for await (const page of store.readStream(streamOf(householdId), range)) {
    events.push(...page);
    for (const { data } of page) weight += weightOf(data);
    if (weight >= weightMax) break;
  }
  return { events, isHeavy: weight >= weightMax };
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

type Value = RecordedEvent['data'][string];

/** Of a value that holds no others, and of what an object or array is besides its values. */
const BASE_BYTES = 48;

/** About how many bytes of memory an event's data take. Elements of an array are all taken to be as large as its first. */
export function weightOf(value: Value | RecordedEvent['data']): number {
  if (typeof value === 'string') return BASE_BYTES + value.length;
  if (typeof value !== 'object' || value === null) return BASE_BYTES;
  if (Array.isArray(value)) return BASE_BYTES + value.length * weightOf(value[0] ?? null);
  let weight = BASE_BYTES;
  // Every event is weighed: this makes no list of the values. Events have no inherited keys.
  const object = value as JsonObject;
  for (const key in object) weight += weightOf(object[key]!);
  return weight;
}

/**
 * SHA-256 over everything that is stored of an event, in hexadecimal: what the next event's metadata carries. Stores keep
 * JSON as written, so that the same text can be made again from what they answer.
 * @param texts of the event, where they have been made already
 */
export function hashOf(stream: string, event: StoredEvent, texts?: EventTexts): string {
  const { revision, id, type } = event;
  const { data, metadata } = texts ?? {
    data: JSON.stringify(event.data),
    metadata: JSON.stringify(event.metadata),
  };
  return hash('sha256', `${JSON.stringify([stream, revision, id, type]).slice(0, -1)},${data},${metadata}]`);
}

/** The last event of a stream, as the next one needs it. */
export interface StreamEnd {
  /** What the next event's metadata carries. */
  readonly hash: string;
  /** When it was recorded; ISO timestamp with milliseconds, UTC. */
  readonly at: string;
}

export function endAt(last: RecordedEvent): StreamEnd {
  return { hash: hashOf(last.stream, last), at: timeOf(last)! };
}

/** What a command brings along besides what it asks for, and its events keep. */
export interface Envelope {
  readonly actor: Actor;
  /** Unique to this command; the ids of its events derive from it, so that a repeated append is recognised. */
  readonly commandId: string;
  readonly requestId: string;
  /** The client's `Idempotency-Key` with a hash of what it asked for. */
  readonly idempotency?: { readonly key: string; readonly commandHash: string };
  /** The time of the decision, not of its coming: it may wait for others. ISO timestamp with milliseconds, UTC. */
  readonly at: string;
}

/**
 * The present time, or that of the stream's last event where it is later: clocks of several processes differ, and times
 * are to rise along the stream. One clock that is far ahead sets the time of no other process's events.
 */
export function timeAfter(end: { readonly at: string } | null, now: string): string {
  if (end === null || end.at <= now) return now;
  const isFarAhead = Date.parse(end.at) - Date.parse(now) > CLOCKS_APART_MS_MAX;
  return isFarAhead ? now : end.at;
}

/** RFC 9562, 4.1: the two highest bits of this digit are 10. */
const VARIANT_DIGITS = '89ab';

/** A UUID of version 8, which applications derive themselves, from a command's id and the event's place in it. */
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
  envelope: Envelope,
): DecodedEvent[] {
  const { at, actor, commandId, requestId } = envelope;
  // Field by field: ADR 26.
  return events.map(
    ({ type, data }, index) =>
      ({
        type,
        data,
        id: eventIdOf(householdId, commandId, index),
        revision: afterRevision + 1 + index,
        at,
        by: actor.userId,
        metadata: {
          schemaVersion: versionOf(type),
          at,
          actor,
          commandId,
          requestId,
          previousHash: null,
        },
      }) as DecodedEvent,
  );
}

/** A command's events as they are recorded. */
export interface Chained {
  readonly events: readonly DecodedEvent[];
  readonly texts: readonly EventTexts[];
  readonly end: StreamEnd;
}

/**
 * Completes the metadata of decided events: the chain of hashes, and on the first event what the command changed.
 * @param events at least one, as `recordedEvents` made them
 * @param previousHash of the stream's last event
 */
export function chained(
  householdId: string,
  events: readonly DecodedEvent[],
  previousHash: string | null,
  months: readonly string[],
  { idempotency }: Pick<Envelope, 'idempotency'>,
): Chained {
  const stream = streamOf(householdId);
  const texts: EventTexts[] = [];
  let hash = previousHash;
  for (const [index, event] of events.entries()) {
    const metadata: Writable<EventMetadata> = event.metadata;
    metadata.previousHash = hash;
    if (index === 0) metadata.months = months;
    if (index === 0 && idempotency) metadata.idempotency = idempotency;
    const own = { data: JSON.stringify(event.data), metadata: JSON.stringify(metadata) };
    texts.push(own);
    hash = hashOf(stream, event, own);
  }
  return { events, texts, end: { hash: hash!, at: events.at(-1)!.at } };
}

/** The command under its client's key; null where the client sent none. */
export function keyedCommandOf({
  actor,
  idempotency,
}: Pick<Envelope, 'actor' | 'idempotency'>): KeyedCommand | null {
  if (idempotency === undefined) return null;
  const { key, commandHash } = idempotency;
  return { userId: actor.userId, clientKey: key, commandHash };
}

/** What settles the keys of recorded commands, as far as they are still remembered. */
export function settledKeys(
  keys: IdempotencyKeys,
  householdId: string,
  events: readonly DecodedEvent[],
): readonly Write[] {
  const settled = events.flatMap(({ metadata, revision, at }) => {
    // Only a command's first event names its key.
    const command = keyedCommandOf(metadata);
    if (command === null) return [];
    return [{ ...command, firstRevision: revision, made: null, finished: true, at: Date.parse(at) }];
  });
  if (settled.length === 0) return [];
  const write = keys.settled(householdId, settled);
  return write.documents.length > 0 ? [write] : [];
}
