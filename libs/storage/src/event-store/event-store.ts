import type { Json } from '../documents/documents.js';

/** A JSON object, the only shape that event data and metadata take. */
export type JsonObject = { readonly [key: string]: Json };

/** An event that is about to be appended. */
export interface NewEvent {
  /** A UUID in lower case. Appends are recognised by it, so it is derived from the command, never random. */
  readonly id: string;
  readonly type: string;
  readonly data: JsonObject;
  readonly metadata: JsonObject;
  /** Of `data` and `metadata` by `JSON.stringify`, from a caller that has made them already. */
  readonly texts?: EventTexts | undefined;
}

/** What stores keep of an event's data and metadata: JSON. */
export interface EventTexts {
  readonly data: string;
  readonly metadata: string;
}

/** An event as the store holds it. */
export interface RecordedEvent extends Omit<NewEvent, 'texts'> {
  readonly stream: string;
  /** Place in its stream, 0 for the first event. */
  readonly revision: number;
  /** Place in the whole store: opaque, fixed width, compared as text. Greater means later. */
  readonly position: string;
}

/** The expected revision of a stream that must not exist yet. */
export const NO_STREAM = -1;

/** The largest append that every store accepts, in bytes of the events' data, metadata, types and ids. */
export const APPEND_BYTES_MAX = 1_000_000;

/** The most events that one page of a read holds. */
export const READ_PAGE_EVENTS = 512;

export interface Appended {
  /** Revision of the last event of this append. For a repeated append, that of the original. */
  readonly revision: number;
  /** Position of the last event of this append. */
  readonly position: string;
}

export interface StreamRange {
  /** First revision to read (inclusive). Forwards: 0 when absent. Backwards: the end when absent. */
  readonly from?: number;
  readonly direction?: 'forwards' | 'backwards';
  /** At most this many events. */
  readonly limit?: number;
}

export interface AllRange {
  /** Exclusive; from the beginning when absent. */
  readonly after?: string | undefined;
  /** Only streams whose name begins with this. */
  readonly prefix: string;
}

/** What a subscription delivers, in the order of the store. */
export type Delivery =
  | { readonly kind: 'events'; readonly events: readonly RecordedEvent[] }
  /** Every event up to this position was delivered or belongs to streams that were not asked for. */
  | { readonly kind: 'checkpoint'; readonly position: string }
  /** What follows is live. May come again after a reconnection. */
  | { readonly kind: 'caught-up' };

export interface SubscriptionOptions {
  /** Exclusive; from the beginning when absent. */
  readonly after?: string | undefined;
  readonly prefix: string;
  /** Ends the subscription: the iteration then finishes without an error. */
  readonly signal: AbortSignal;
}

/**
 * The log of events: one stream per household, one global order over all of them.
 *
 * An append is decided as EventStoreDB's `IndexWriter.CheckCommit` decides it:
 * - `expected` equals the stream's last revision: the events are appended, all or none.
 * - `expected` is greater: `WrongExpectedRevision`.
 * - `expected` is smaller (or `NO_STREAM` while the stream exists): the ids of the events after `expected`
 *   are compared one by one with the ids of this append. All equal: the append is a repetition and answers
 *   what the original answered, at any age; only ids are compared. Otherwise `WrongExpectedRevision`.
 *
 * An answered append is durable.
 */
export abstract class EventStore {
  /**
   * Appends at an exact revision.
   * @throws WrongExpectedRevision, StreamDeleted, AppendTooLarge; EventStoreUnavailable, where it may have happened, and
   *   the same call with the same ids tells; RangeError for an invalid revision, an empty list, or a wrong or repeated id
   */
  abstract append(stream: string, expected: number, events: readonly NewEvent[]): Promise<Appended>;

  /**
   * Deletes a stream for good: it yields no events and takes none. The positions of others stay. A stream without events
   * may be deleted, and a deleted one again. `readAll` and `subscribe` of a server may go on yielding its events until
   * their space is reclaimed: a reader of all must leave out what is erased.
   * @param expected the stream's last revision; `NO_STREAM` for one without events
   * @throws WrongExpectedRevision when the stream is elsewhere, EventStoreUnavailable
   */
  abstract deleteStream(stream: string, expected: number): Promise<void>;

  /** Pages of one stream's events; none where it does not exist, or was deleted. @throws EventStoreUnavailable */
  abstract readStream(stream: string, range?: StreamRange): AsyncIterable<readonly RecordedEvent[]>;

  /** Pages of the events of every stream with the prefix, in the store's order. @throws EventStoreUnavailable */
  abstract readAll(range: AllRange): AsyncIterable<readonly RecordedEvent[]>;

  /**
   * Every event after a position, first the recorded ones, then live, without gap; after a reconnection of the adapter,
   * which comes by itself, events may come again. Slow consumers are waited for. `ping()` says what is wrong meanwhile.
   */
  abstract subscribe(options: SubscriptionOptions): AsyncIterable<Delivery>;

  /** The position of the last event of the streams with the prefix, or null for none. @throws EventStoreUnavailable */
  abstract head(prefix: string): Promise<string | null>;

  /**
   * Resolves when the store answers, and has not refused a write just now for a reason that others would meet as well.
   * @throws EventStoreUnavailable with a sentence for the operator
   */
  abstract ping(): Promise<void>;

  /** Ends subscriptions and frees the connection. Appends under way are finished first. */
  abstract close(): Promise<void>;
}

/** The stream is at another revision than expected. `actual` is `NO_STREAM` where it does not exist. */
export class WrongExpectedRevision extends Error {
  override readonly name = 'WrongExpectedRevision';
  constructor(
    readonly stream: string,
    readonly expected: number,
    readonly actual: number,
  ) {
    super(`stream ${stream} is at revision ${actual}, expected ${expected}`);
  }
}

/** The stream was deleted for good: it takes no more events. */
export class StreamDeleted extends Error {
  override readonly name = 'StreamDeleted';
  constructor(readonly stream: string) {
    super(`stream ${stream} was deleted for good`);
  }
}

/** The append is over the limit; nothing was sent. */
export class AppendTooLarge extends Error {
  override readonly name = 'AppendTooLarge';
  constructor(
    readonly bytes: number,
    readonly bytesMax: number,
  ) {
    super(`an append of ${bytes} bytes is over the limit of ${bytesMax}`);
  }
}

/** The store is down, unreachable, full, frozen or closing. The sentence names no secret. */
export class EventStoreUnavailable extends Error {
  override readonly name = 'EventStoreUnavailable';
  /** Read by the HTTP layer: this failure answers `503 unavailable`. */
  readonly unavailable = true;
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/**
 * The checks that every adapter makes before it sends anything.
 * @returns the JSON texts, so that no adapter serialises twice
 * @throws RangeError, AppendTooLarge
 */
export function checkedAppend(expected: number, events: readonly NewEvent[]): readonly EventTexts[] {
  if (!Number.isSafeInteger(expected) || expected < NO_STREAM) {
    throw new RangeError(`${expected} is no revision`);
  }
  if (events.length === 0) throw new RangeError('an append needs at least one event');
  const ids = new Set<string>();
  let bytes = 0;
  const texts = events.map(event => {
    if (!UUID.test(event.id)) throw new RangeError(`event id ${event.id} is no lower-case UUID`);
    if (ids.has(event.id)) throw new RangeError(`event id ${event.id} is given twice`);
    ids.add(event.id);
    const { data, metadata } = event.texts ?? {
      data: JSON.stringify(event.data),
      metadata: JSON.stringify(event.metadata),
    };
    bytes += Buffer.byteLength(data) + Buffer.byteLength(metadata) + event.type.length + event.id.length;
    return { data, metadata };
  });
  if (bytes > APPEND_BYTES_MAX) throw new AppendTooLarge(bytes, APPEND_BYTES_MAX);
  return texts;
}
