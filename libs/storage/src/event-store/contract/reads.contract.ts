import assert from 'node:assert/strict';
import { before, it } from 'node:test';
import fc from 'fast-check';
import {
  NO_STREAM,
  READ_PAGE_EVENTS,
  type EventStore,
  type JsonObject,
  type NewEvent,
} from '../event-store.js';
import {
  PROPERTY_RUNS,
  assertGrowing,
  idsOf,
  newEvent,
  newEvents,
  readEvents,
  type Context,
} from './streams.fixture.js';

/** JSON that has been stored wrongly before by one program or another. */
const UNUSUAL_JSON: Record<string, JsonObject> = {
  empty: {},
  'order of keys': { zebra: 1, apple: 2, Mango: 3, _: 4, 'key with "quotes" and \\': 5 },
  'safe integers': { numbers: [Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER, 0, -1] },
  'other numbers': { numbers: [0.1, 1e21, 1e-7, 5e-324, 1.7976931348623157e308] },
  'scalar values': { values: [true, false, null, '', [], {}] },
  unicode: { text: 'Zürich – 東京 – 🏠👩‍👩‍👧 – e\u0301 – \u2028\u2029 – \ufeff' },
  'control characters': { text: '\u0000\u0001\b\t\n\f\r\u001f\u007f "\\/' },
  'lone surrogates': { text: 'a\ud800b\udc00c' },
  nested: { deep: [[[[{ a: { b: { c: [1, [2, [3]]] } } }]]]] },
  'keys like members': { constructor: 1, toString: 2, length: 3, data: { metadata: null } },
  large: { text: 'x'.repeat(200_000), list: Array.from({ length: 5_000 }, (_, index) => index) },
};

export function describeJson({ names, store }: Context): void {
  for (const [title, value] of Object.entries(UNUSUAL_JSON)) {
    it(`survives byte for byte, as data and as metadata: ${title}`, async () => {
      const stream = names.stream();
      const event = newEvent({ data: value, metadata: { ...value, schema: 1 } });
      await store().append(stream, NO_STREAM, [event]);
      const [stored] = await readEvents(store().readStream(stream));
      assert.equal(JSON.stringify(stored?.data), JSON.stringify(event.data));
      assert.equal(JSON.stringify(stored?.metadata), JSON.stringify(event.metadata));
      assert.deepEqual([stored?.stream, stored?.id, stored?.type], [stream, event.id, event.type]);
    });
  }

  it('survives byte for byte, whatever it is', async () => {
    const key = fc
      .string({ unit: 'binary', maxLength: 8 })
      .filter(text => !/^\d+$/.test(text) && text !== '__proto__');
    const object = fc.object({
      key,
      values: [fc.string({ unit: 'binary' }), fc.maxSafeInteger(), fc.boolean()],
    });
    await fc.assert(
      fc.asyncProperty(fc.array(object, { minLength: 1, maxLength: 5 }), async values => {
        const stream = names.stream();
        const events = values.map(value =>
          newEvent({ data: JSON.parse(JSON.stringify(value)) as JsonObject }),
        );
        await store().append(stream, NO_STREAM, events);
        const stored = await readEvents(store().readStream(stream));
        assert.equal(
          JSON.stringify(stored.map(({ data }) => data)),
          JSON.stringify(events.map(({ data }) => data)),
        );
      }),
      { numRuns: PROPERTY_RUNS },
    );
  });
}

export function describeReadStream({ names, store }: Context): void {
  const COUNT = READ_PAGE_EVENTS * 2 + 276;
  let stream: string;
  let events: NewEvent[];
  before(async () => {
    stream = names.stream();
    events = newEvents(COUNT);
    await store().append(stream, NO_STREAM, events);
  });
  const revisionsOf = async (range: Parameters<EventStore['readStream']>[1]): Promise<number[]> =>
    (await readEvents(store().readStream(stream, range))).map(({ revision }) => revision);
  const numbers = (from: number, to: number): number[] =>
    Array.from({ length: Math.abs(to - from) + 1 }, (_, index) => (from < to ? from + index : from - index));

  it('yields pages from the beginning to the end', async () => {
    const stored = await readEvents(store().readStream(stream));
    assert.deepEqual(idsOf(stored), idsOf(events));
    assert.deepEqual(await revisionsOf(undefined), numbers(0, COUNT - 1));
  });

  it('begins at a revision, inclusive', async () => {
    assert.deepEqual(await revisionsOf({ from: 700 }), numbers(700, COUNT - 1));
    assert.deepEqual(await revisionsOf({ from: COUNT - 1 }), [COUNT - 1]);
    assert.deepEqual(await revisionsOf({ from: COUNT }), []);
  });

  it('reads backwards from the end or from a revision, inclusive', async () => {
    assert.deepEqual(await revisionsOf({ direction: 'backwards' }), numbers(COUNT - 1, 0));
    assert.deepEqual(await revisionsOf({ direction: 'backwards', from: 600 }), numbers(600, 0));
    assert.deepEqual(await revisionsOf({ direction: 'backwards', from: 0 }), [0]);
  });

  it('yields at most the limit, in both directions', async () => {
    for (const limit of [1, READ_PAGE_EVENTS, READ_PAGE_EVENTS + 1]) {
      assert.deepEqual(await revisionsOf({ from: 3, limit }), numbers(3, limit + 2).slice(0, limit));
    }
    assert.deepEqual(await revisionsOf({ direction: 'backwards', limit: 1 }), [COUNT - 1]);
    assert.deepEqual(await revisionsOf({ limit: COUNT + 1 }), numbers(0, COUNT - 1));
    assert.deepEqual(await revisionsOf({ limit: 0 }), []);
  });

  it('yields nothing for a stream that does not exist', async () => {
    assert.deepEqual(await readEvents(store().readStream(names.stream())), []);
    assert.deepEqual(
      await readEvents(store().readStream(names.stream(), { direction: 'backwards', limit: 1 })),
      [],
    );
  });

  it('can be left early, again and again', async () => {
    for (let count = 0; count < 20; count += 1) {
      for await (const page of store().readStream(stream)) {
        assert.equal(page[0]?.revision, 0);
        break;
      }
    }
    await store().ping();
  });
}

export function describeReadAll({ names, store }: Context): void {
  /** Events in two streams of each of two prefixes, interleaved. */
  const interleaved = async (): Promise<{ prefix: string; other: string; appended: string[] }> => {
    const [prefix, other] = [names.prefix(), names.prefix()];
    const appended: string[] = [];
    for (let round = 0; round < 4; round += 1) {
      for (const stream of ['b', 'a']) {
        const events = newEvents(2);
        await store().append(prefix + stream, round * 2 - 1, events);
        appended.push(...idsOf(events));
        await store().append(other + stream, round - 1, newEvents(1));
      }
    }
    return { prefix, other, appended };
  };

  it('yields the events of the prefix in the order of the store', async () => {
    const { prefix, other, appended } = await interleaved();
    const events = await readEvents(store().readAll({ prefix }));
    assert.deepEqual(idsOf(events), appended);
    assertGrowing(events);
    const others = await readEvents(store().readAll({ prefix: other }));
    assert.ok(others.length === 8 && others.every(({ stream }) => stream.startsWith(other)));
    for (const { stream, revision, ...event } of events.slice(0, 3)) {
      const [same] = await readEvents(store().readStream(stream, { from: revision, limit: 1 }));
      assert.deepEqual({ stream, revision, ...event }, same);
    }
  });

  it('goes on after a position, exclusive, also after one of another prefix', async () => {
    const { prefix, other, appended } = await interleaved();
    const events = await readEvents(store().readAll({ prefix }));
    const rest = await readEvents(store().readAll({ prefix, after: events[4]?.position }));
    assert.deepEqual(idsOf(rest), appended.slice(5));
    const [first] = await readEvents(store().readAll({ prefix: other }));
    assert.deepEqual(
      idsOf(await readEvents(store().readAll({ prefix, after: first?.position }))),
      appended.slice(2),
    );
    assert.deepEqual(await readEvents(store().readAll({ prefix, after: events.at(-1)?.position })), []);
  });

  it('yields many pages of many streams', async () => {
    const prefix = names.prefix();
    const batches = Array.from({ length: 10 }, () => newEvents(150));
    for (const [index, batch] of batches.entries())
      await store().append(`${prefix}${index}`, NO_STREAM, batch);
    assert.deepEqual(idsOf(await readEvents(store().readAll({ prefix }))), idsOf(batches.flat()));
  });

  it('yields nothing and has no head where there is no such stream', async () => {
    const prefix = names.prefix();
    assert.deepEqual(await readEvents(store().readAll({ prefix })), []);
    assert.equal(await store().head(prefix), null);
  });

  it('has the position of the last event of the prefix as its head', async () => {
    const { prefix, other } = await interleaved();
    const events = await readEvents(store().readAll({ prefix }));
    assert.equal(await store().head(prefix), events.at(-1)?.position);
    const answer = await store().append(`${other}new`, NO_STREAM, newEvents(2));
    assert.equal(await store().head(other), answer.position);
    assert.equal(await store().head(prefix), events.at(-1)?.position);
  });
}
