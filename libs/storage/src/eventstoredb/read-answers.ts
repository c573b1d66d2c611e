import protobuf from 'protobufjs/light.js';
import type { JsonObject, RecordedEvent } from '../event-store/event-store.js';
import { jsonObject, positionOf } from './recorded-event.js';

/** Null for what tells of no event: that there is no such stream, or where it begins. */
export interface ReadAnswer {
  readonly event: RecordedEvent | null;
}

const TEXT_BY_NAME: protobuf.IMapField = { keyType: 'string', type: 'string', id: 6 };

/**
 * What is looked at of the messages of `Streams.Read` (`streams.proto` and `shared.proto` of EventStoreDB); the rest
 * is passed over.
 */
const MESSAGES = protobuf.Root.fromJSON({
  nested: {
    ReadResp: { fields: { event: { type: 'ReadEvent', id: 1 } } },
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
}

interface Recorded {
  readonly id: { readonly string: string } | null;
  readonly streamIdentifier: { readonly streamName: string } | null;
  readonly streamRevision: Unsigned;
  readonly preparePosition: Unsigned;
  readonly commitPosition: Unsigned;
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
 * ADR 19. Without an event is also a link whose event is gone; links are not resolved, so nothing that we write looks
 * like that.
 * @throws RangeError for other bytes
 */
export function readAnswer(message: Uint8Array): ReadAnswer {
  const { event } = READ_RESP.decode(message) as unknown as ReadResp;
  return { event: event?.event ? recordedEvent(event.event) : null };
}

function recordedEvent(recorded: Recorded): RecordedEvent {
  const { id, streamIdentifier, metadata, streamRevision, commitPosition, preparePosition } = recorded;
  return {
    stream: streamIdentifier?.streamName ?? '',
    id: (id?.string ?? '').toLowerCase(),
    revision: upper(streamRevision) + lower(streamRevision),
    position: positionOf(decimal(commitPosition), decimal(preparePosition)),
    type: metadata['type'] ?? '',
    data: metadata['content-type'] === 'application/json' ? parsed(recorded.data) : {},
    metadata: parsed(recorded.customMetadata),
  };
}

function parsed(bytes: Uint8Array): JsonObject {
  try {
    return jsonObject(JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8')));
  } catch {
    return {};
  }
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
