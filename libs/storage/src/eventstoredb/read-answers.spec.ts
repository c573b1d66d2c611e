import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { convertGrpcEvent } from '@eventstore/db-client/dist/utils/convertGrpcEvent.js';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import type { AllStreamResolvedEvent } from '@eventstore/db-client';
import fc from 'fast-check';
import type { JsonObject, RecordedEvent } from '../event-store/event-store.js';
import { positionText, readAnswer } from './read-answers.js';
import { propertyRuns } from '../../../../test/property-runs.js';

const { ReadEvent } = streams.ReadResp;
type ReadEvent = InstanceType<typeof ReadEvent>;

const anyBytes = fc.oneof(
  fc.jsonValue().map(value => Buffer.from(JSON.stringify(value))),
  fc.dictionary(fc.string(), fc.jsonValue()).map(value => Buffer.from(JSON.stringify(value))),
  fc.uint8Array({ maxLength: 40 }),
);
const unsigned = fc.bigInt(0n, 2n ** 64n - 1n).map(String);
const anyEvent = fc.record({
  id: fc.oneof(
    fc.uuid(),
    fc.uuid().map(id => id.toUpperCase()),
  ),
  stream: fc.string({ unit: 'grapheme' }),
  revision: fc.nat(Number.MAX_SAFE_INTEGER).map(String),
  prepare: unsigned,
  commit: unsigned,
  type: fc.string({ unit: 'grapheme' }),
  contentType: fc.constantFrom('application/json', 'application/json', 'application/octet-stream'),
  data: anyBytes,
  metadata: anyBytes,
});

describe('an answer to a read', () => {
  it('is decoded to what the official client makes of it', () => {
    fc.assert(
      fc.property(anyEvent, given => {
        const event = readEvent(given);
        const official: AllStreamResolvedEvent = convertGrpcEvent(event);
        const { answer: ours } = readAnswer(new streams.ReadResp().setEvent(event).serializeBinary());
        assert.deepEqual(ours, recordedEvent(official));
      }),
      { numRuns: propertyRuns(500) },
    );
  });

  it('has no event where there is none', () => {
    const link = readEvent(fc.sample(anyEvent, 1)[0]!).getEvent();
    for (const answer of [
      new streams.ReadResp().setEvent(new ReadEvent().setLink(link).setNoPosition(new shared.Empty())),
      new streams.ReadResp().setStreamNotFound(new streams.ReadResp.StreamNotFound()),
      new streams.ReadResp().setFirstStreamPosition('7'),
      new streams.ReadResp().setLastStreamPosition('7'),
      new streams.ReadResp().setConfirmation(new streams.ReadResp.SubscriptionConfirmation()),
      new streams.ReadResp(),
    ]) {
      assert.deepEqual(readAnswer(answer.serializeBinary()), { answer: null });
    }
  });

  it('tells where a subscription is', () => {
    fc.assert(
      fc.property(unsigned, unsigned, (commit, prepare) => {
        const checkpoint = new streams.ReadResp.Checkpoint()
          .setCommitPosition(commit)
          .setPreparePosition(prepare);
        const position = positionText(commit, prepare);
        const answer = new streams.ReadResp().setCheckpoint(checkpoint).serializeBinary();
        assert.deepEqual(readAnswer(answer), { answer: { kind: 'checkpoint', position } });
      }),
      { numRuns: propertyRuns(100) },
    );
    const caughtUp = new streams.ReadResp().setCaughtUp(new streams.ReadResp.CaughtUp()).serializeBinary();
    assert.deepEqual(readAnswer(caughtUp), { answer: { kind: 'caught-up' } });
  });

  it('is refused where it is cut off', () => {
    const whole = new streams.ReadResp().setEvent(readEvent(fc.sample(anyEvent, 1)[0]!)).serializeBinary();
    assert.throws(() => readAnswer(whole.subarray(0, -1)), RangeError);
  });
});

/** What the official client decodes, as we keep it. */
function recordedEvent({ event }: AllStreamResolvedEvent): RecordedEvent | null {
  if (event === undefined) return null;
  const { streamId, id, revision, type, data, metadata, position } = event;
  return {
    stream: streamId,
    id: id.toLowerCase(),
    revision: Number(revision),
    position: positionText(String(position.commit), String(position.prepare)),
    type,
    data: objectOf(data),
    metadata: objectOf(metadata),
  };
}

function objectOf(value: unknown): JsonObject {
  const isObject = typeof value === 'object' && value !== null;
  return isObject && !Array.isArray(value) && !(value instanceof Uint8Array) ? (value as JsonObject) : {};
}

function readEvent(given: typeof anyEvent extends fc.Arbitrary<infer T> ? T : never): ReadEvent {
  const recorded = new ReadEvent.RecordedEvent()
    .setId(new shared.UUID().setString(given.id))
    .setStreamIdentifier(new shared.StreamIdentifier().setStreamName(Buffer.from(given.stream)))
    .setStreamRevision(given.revision)
    .setPreparePosition(given.prepare)
    .setCommitPosition(given.commit)
    .setCustomMetadata(given.metadata)
    .setData(given.data);
  const map = recorded.getMetadataMap();
  map.set('type', given.type).set('content-type', given.contentType).set('created', '17954165075614455');
  return new ReadEvent().setEvent(recorded).setCommitPosition(given.commit);
}
