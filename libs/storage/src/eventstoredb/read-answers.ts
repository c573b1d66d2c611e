import type { Position as ClientPosition } from '@eventstore/db-client';
import protobuf from 'protobufjs/light.js';
import type { Delivery, JsonObject, RecordedEvent } from '../event-store/event-store.js';

/** What a server brings: an event, or where a subscription is. */
export type Answer = RecordedEvent | Exclude<Delivery, { readonly kind: 'events' }>;

/** Null for what is neither: that a stream is not there, where it begins, or that a subscription has begun. */
export interface ReadAnswer {
  readonly answer: Answer | null;
}

const TEXT_BY_NAME: protobuf.IMapField = { keyType: 'string', type: 'string', id: 6 };

/**
 * What is looked at of the messages of `Streams.Read` (`streams.proto` and `shared.proto` of EventStoreDB); the rest
 * is passed over.
 */
const MESSAGES = protobuf.Root.fromJSON({
  nested: {
    ReadResp: {
      fields: {
        event: { type: 'ReadEvent', id: 1 },
        checkpoint: { type: 'Checkpoint', id: 3 },
        caughtUp: { type: 'CaughtUp', id: 8 },
      },
    },
    Checkpoint: {
      fields: { commitPosition: { type: 'uint64', id: 1 }, preparePosition: { type: 'uint64', id: 2 } },
    },
    CaughtUp: { fields: {} },
    ReadEvent: { fields: { event: { type: 'RecordedEvent', id: 1 } } },
    RecordedEvent: {
      fields: {
        id: { type: 'UUID', id: 1 },
        streamIdentifier: { type: 'StreamIdentifier', id: 2 },
        streamRevision: { type: 'uint64', id: 3 },
        preparePosition: { type: 'uint64', id: 4 },
        commitPosition: { type: 'uint64', id: 5 },
        metadata: TEXT_BY_NAME,
        customMetadata: { type: 'bytes', id: 7 },
        data: { type: 'bytes', id: 8 },
      },
    },
    UUID: { fields: { string: { type: 'string', id: 2 } } },
    StreamIdentifier: { fields: { streamName: { type: 'string', id: 3 } } },
  },
});
const READ_RESP = MESSAGES.lookupType('ReadResp');

/** As the decoder gives them; what a message left out has the type's empty value, messages are null. */
interface ReadResp {
  readonly event: { readonly event: Recorded | null } | null;
  readonly checkpoint: Position | null;
  readonly caughtUp: object | null;
}

interface Position {
  readonly commitPosition: Unsigned;
  readonly preparePosition: Unsigned;
}

interface Recorded extends Position {
  readonly id: { readonly string: string } | null;
  readonly streamIdentifier: { readonly streamName: string } | null;
  readonly streamRevision: Unsigned;
  /** What the server keeps of an event: `type`, `content-type`, `created`. */
  readonly metadata: Readonly<Record<string, string>>;
  readonly customMetadata: Uint8Array;
  readonly data: Uint8Array;
}

/** 64 bits. */
interface Unsigned {
  readonly low: number;
  readonly high: number;
}

/**
 * ADR 19. Null is also a link whose event is gone; links are not resolved, so nothing that we write looks
 * like that.
 * @throws RangeError for other bytes
 */
export function readAnswer(message: Uint8Array): ReadAnswer {
  const { event, checkpoint, caughtUp } = READ_RESP.decode(message) as unknown as ReadResp;
  if (event?.event) return { answer: recordedEvent(event.event) };
  if (checkpoint) return { answer: { kind: 'checkpoint', position: position(checkpoint) } };
  return { answer: caughtUp && { kind: 'caught-up' } };
}

function recordedEvent(recorded: Recorded): RecordedEvent {
  const { id, streamIdentifier, metadata, streamRevision } = recorded;
  return {
    stream: streamIdentifier?.streamName ?? '',
    id: (id?.string ?? '').toLowerCase(),
    revision: upper(streamRevision) + lower(streamRevision),
    position: position(recorded),
    type: metadata['type'] ?? '',
    data: metadata['content-type'] === 'application/json' ? parsed(recorded.data) : {},
    metadata: parsed(recorded.customMetadata),
  };
}

function position({ commitPosition, preparePosition }: Position): string {
  return positionText(decimal(commitPosition), decimal(preparePosition));
}

function parsed(bytes: Uint8Array): JsonObject {
  try {
    return jsonObject(JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8')));
  } catch {
    return {};
  }
}

/**
 * Anything but a JSON object was not written by us. It is passed on empty rather than left out, so that folding the
 * stream finds the fault.
 */
function jsonObject(value: unknown): JsonObject {
  const isObject =
    typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Uint8Array);
  return isObject ? (value as JsonObject) : {};
}

/** Exact at any size. */
function decimal(value: Unsigned): string {
  return value.high === 0 ? String(lower(value)) : String(BigInt(upper(value)) + BigInt(lower(value)));
}

function upper({ high }: Unsigned): number {
  return (high >>> 0) * 2 ** 32;
}

function lower({ low }: Unsigned): number {
  return low >>> 0;
}

/** Of the largest unsigned 64-bit number. */
const POSITION_DIGITS = 20;
const POSITION = /^(\d{20})(\d{20})$/;

/** Commit and prepare position, given in decimal digits, each in fixed width. */
export function positionText(commit: string, prepare: string): string {
  return commit.padStart(POSITION_DIGITS, '0') + prepare.padStart(POSITION_DIGITS, '0');
}

/** @throws RangeError */
export function parsePosition(text: string): ClientPosition {
  const [, commit, prepare] = POSITION.exec(text) ?? [];
  if (commit === undefined || prepare === undefined) {
    throw new RangeError(`${text} is no position of an EventStoreDB`);
  }
  return { commit: BigInt(commit), prepare: BigInt(prepare) };
}

/** The type of the event by which the server records that a stream was deleted for good, at the end of that stream. */
const TOMBSTONE = '$streamDeleted';

export function isTombstone({ type }: Pick<RecordedEvent, 'type'>): boolean {
  return type === TOMBSTONE;
}
