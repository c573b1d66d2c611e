import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import fc from 'fast-check';
import {
  APPEND_BYTES_MAX,
  AppendTooLarge,
  NO_STREAM,
  READ_PAGE_EVENTS,
  WrongExpectedRevision,
} from './event-store.js';
import type {
  Appended,
  Delivery,
  EventStore,
  JsonObject,
  NewEvent,
  RecordedEvent,
  SubscriptionOptions,
} from './event-store.js';

/** One store under test. */
export interface EventStoreHarness {
  readonly store: EventStore;
  /** Ends the connection and opens another to the same events, for adapters that can. `store` is void afterwards. */
  readonly reopen?: () => Promise<EventStore>;
  /** Ends the connection that is open last, and removes what the harness made. */
  close(): Promise<void>;
}

/** Bound of every wait for a delivery; nothing depends on how long it really takes. */
const WAIT_MS_MAX = 30_000;
const PROPERTY_RUNS = 40;

/** An event that differs from every other one. */
export function newEvent(changes: Partial<NewEvent> = {}): NewEvent {
  return { id: randomUUID(), type: 'tested', data: { amount: 1250 }, metadata: { schema: 1 }, ...changes };
}

export function newEvents(count: number): NewEvent[] {
  return Array.from({ length: count }, (_, index) => newEvent({ data: { index } }));
}

/** Every event of a read. */
export async function readEvents(pages: AsyncIterable<readonly RecordedEvent[]>): Promise<RecordedEvent[]> {
  const events: RecordedEvent[] = [];
  for await (const page of pages) {
    assert.ok(page.length > 0 && page.length <= READ_PAGE_EVENTS, `a page of ${page.length} events`);
    events.push(...page);
  }
  return events;
}

/** A subscription that runs until it is stopped, with what it delivered. */
export class Follower {
  readonly deliveries: Delivery[] = [];
  readonly events: RecordedEvent[] = [];
  private readonly controller = new AbortController();
  private readonly finished: Promise<void>;
  private changed: () => void = () => undefined;
  private failure: { readonly error: unknown } | undefined;

  /** @param handle what the consumer does with each delivery before it asks for the next one */
  constructor(
    store: EventStore,
    options: Omit<SubscriptionOptions, 'signal'>,
    private readonly handle: (delivery: Delivery) => Promise<void> | void = () => undefined,
  ) {
    this.finished = this.run(store.subscribe({ ...options, signal: this.controller.signal }));
  }

  get isCaughtUp(): boolean {
    return this.deliveries.some(({ kind }) => kind === 'caught-up');
  }

  /** The position from which another subscription goes on. */
  get position(): string | undefined {
    return this.deliveries.reduce<string | undefined>((position, delivery) => {
      if (delivery.kind === 'events') return delivery.events.at(-1)?.position;
      return delivery.kind === 'checkpoint' ? delivery.position : position;
    }, undefined);
  }

  /** Waits for deliveries until the condition holds. */
  async until(condition: () => boolean): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const timedOut = new Promise<never>((_, reject) => {
      timer = setTimeout(
        () => reject(new Error(`not delivered in ${WAIT_MS_MAX} ms; so far ${this.events.length} events`)),
        WAIT_MS_MAX,
      );
    });
    try {
      while (!condition()) {
        if (this.failure !== undefined) throw this.failure.error;
        await Promise.race([timedOut, new Promise<void>(resolve => (this.changed = resolve))]);
      }
    } finally {
      clearTimeout(timer);
    }
  }

  /** Aborts and waits for the end of the iteration, which must be without an error. */
  async stop(): Promise<void> {
    this.controller.abort();
    await this.ended();
  }

  async ended(): Promise<void> {
    await this.finished;
    if (this.failure !== undefined) throw this.failure.error;
  }

  private async run(deliveries: AsyncIterable<Delivery>): Promise<void> {
    try {
      for await (const delivery of deliveries) {
        this.deliveries.push(delivery);
        if (delivery.kind === 'events') this.events.push(...delivery.events);
        this.changed();
        await this.handle(delivery);
      }
    } catch (error) {
      this.failure = { error };
      this.changed();
    }
  }
}

/** Names of streams that no other test uses, also not on a server that many runs share. */
class Names {
  private readonly run = `contract${randomUUID().slice(0, 8)}`;
  private count = 0;

  /** A prefix under which there is no stream yet. */
  prefix(): string {
    this.count += 1;
    return `${this.run}x${this.count}-`;
  }

  stream(): string {
    return `${this.prefix()}stream`;
  }
}

interface Context {
  readonly names: Names;
  store(): EventStore;
  harness(): EventStoreHarness;
}

/** Every rule of the port `EventStore`, to be kept by each adapter. */
export function eventStoreContract(name: string, open: () => Promise<EventStoreHarness>): void {
  const suites: Record<string, (context: Context) => void> = {
    appends: describeAppends,
    'repeated appends': describeRepetitions,
    'refused appends': describeRefusals,
    'stored JSON': describeJson,
    'reading a stream': describeReadStream,
    'reading all': describeReadAll,
    subscriptions: describeSubscriptions,
    'random histories': describeProperties,
    closing: describeClosing,
  };
  for (const [title, describeSuite] of Object.entries(suites)) {
    describe(`${name}: ${title}`, () => {
      let harness: EventStoreHarness;
      before(async () => {
        harness = await open();
      });
      after(() => harness.close());
      describeSuite({ names: new Names(), store: () => harness.store, harness: () => harness });
    });
  }
}

function describeAppends({ names, store }: Context): void {
  it('numbers the events of a stream from 0 and answers the last revision and position', async () => {
    const stream = names.stream();
    const first = await store().append(stream, NO_STREAM, newEvents(1));
    const second = await store().append(stream, 0, newEvents(3));
    assert.equal(first.revision, 0);
    assert.equal(second.revision, 3);
    const events = await readEvents(store().readStream(stream));
    assert.deepEqual(
      events.map(({ revision }) => revision),
      [0, 1, 2, 3],
    );
    assert.equal(events[0]?.position, first.position);
    assert.equal(events[3]?.position, second.position);
  });

  it('gives positions of one width that grow with the order of the appends', async () => {
    const positions: string[] = [];
    for (let count = 0; count < 12; count += 1) {
      positions.push((await store().append(names.stream(), NO_STREAM, newEvents(2))).position);
    }
    assert.deepEqual([...positions].sort(), positions);
    assert.equal(new Set(positions.map(({ length }) => length)).size, 1);
    assert.equal(new Set(positions).size, positions.length);
  });

  it('lets exactly one of 20 racing appends win', async () => {
    const stream = names.stream();
    await store().append(stream, NO_STREAM, newEvents(1));
    const racers = Array.from({ length: 20 }, () => newEvents(2));
    const outcomes = await Promise.allSettled(racers.map(events => store().append(stream, 0, events)));
    const winners = racers.filter((_, index) => outcomes[index]?.status === 'fulfilled');
    assert.equal(winners.length, 1);
    for (const outcome of outcomes) {
      if (outcome.status === 'rejected') assert.ok(outcome.reason instanceof WrongExpectedRevision);
    }
    const stored = await readEvents(store().readStream(stream, { from: 1 }));
    assert.deepEqual(idsOf(stored), idsOf(winners.flat()));
  });

  it('takes concurrent appends to many streams', async () => {
    const streams = Array.from({ length: 50 }, () => names.stream());
    const batches = streams.map(() => newEvents(3));
    await Promise.all(
      streams.map((stream, index) => store().append(stream, NO_STREAM, batches[index] ?? [])),
    );
    for (const [index, stream] of streams.entries()) {
      assert.deepEqual(idsOf(await readEvents(store().readStream(stream))), idsOf(batches[index] ?? []));
    }
  });

  it('answers a ping', () => store().ping());
}

function describeRepetitions({ names, store, harness }: Context): void {
  /** Three batches, at revisions 0–1, 2–4 and 5. */
  const history = async (stream: string): Promise<{ batches: NewEvent[][]; answers: Appended[] }> => {
    const batches = [newEvents(2), newEvents(3), newEvents(1)];
    const answers: Appended[] = [];
    let expected = NO_STREAM;
    for (const batch of batches) {
      const answer = await store().append(stream, expected, batch);
      answers.push(answer);
      expected = answer.revision;
    }
    return { batches, answers };
  };
  const assertUnchanged = async (stream: string, batches: NewEvent[][]): Promise<void> =>
    assert.deepEqual(idsOf(await readEvents(store().readStream(stream))), idsOf(batches.flat()));

  it('answers what the original answered, for the first, a middle and the last append', async () => {
    const stream = names.stream();
    const { batches, answers } = await history(stream);
    const expected = [NO_STREAM, 1, 4];
    for (const [index, batch] of batches.entries()) {
      assert.deepEqual(await store().append(stream, expected[index] ?? NaN, batch), answers[index]);
    }
    await assertUnchanged(stream, batches);
  });

  it('answers so at any age', async () => {
    const stream = names.stream();
    const original = newEvents(2);
    const answer = await store().append(stream, NO_STREAM, original);
    for (let revision = 1; revision < 2_000; revision += 400)
      await store().append(stream, revision, newEvents(400));
    assert.deepEqual(await store().append(stream, NO_STREAM, original), answer);
  });

  it('answers so when the repetitions race with the original', async () => {
    const stream = names.stream();
    const events = newEvents(2);
    const answers = await Promise.all([1, 2, 3, 4, 5].map(() => store().append(stream, NO_STREAM, events)));
    assert.equal(new Set(answers.map(answer => JSON.stringify(answer))).size, 1);
    await assertUnchanged(stream, [events]);
  });

  it('takes the beginning of a past batch as a repetition', async () => {
    const stream = names.stream();
    const { batches } = await history(stream);
    const answer = await store().append(stream, 1, batches[1]?.slice(0, 2) ?? []);
    const [last] = await readEvents(store().readStream(stream, { from: 3, limit: 1 }));
    assert.deepEqual(answer, { revision: 3, position: last?.position });
    await assertUnchanged(stream, batches);
  });

  it('takes two past batches in one append as a repetition', async () => {
    const stream = names.stream();
    const { batches, answers } = await history(stream);
    assert.deepEqual(await store().append(stream, NO_STREAM, batches.slice(0, 2).flat()), answers[1]);
    assert.deepEqual(await store().append(stream, NO_STREAM, batches.flat()), answers[2]);
    await assertUnchanged(stream, batches);
  });

  it('compares ids only', async () => {
    const stream = names.stream();
    const { batches, answers } = await history(stream);
    const others = batches[0]?.map(({ id }) => newEvent({ id, type: 'other', data: { other: true } })) ?? [];
    assert.deepEqual(await store().append(stream, NO_STREAM, others), answers[0]);
    const [first] = await readEvents(store().readStream(stream));
    assert.deepEqual([first?.type, first?.data], [batches[0]?.[0]?.type, batches[0]?.[0]?.data]);
  });

  it('knows repetitions and revisions after it was opened anew', async t => {
    const { reopen } = harness();
    if (reopen === undefined) return t.skip('this harness cannot open its store anew');
    const stream = names.stream();
    const { batches, answers } = await history(stream);
    const reopened = await reopen();
    assert.deepEqual(await reopened.append(stream, 1, batches[1] ?? []), answers[1]);
    await assert.rejects(reopened.append(stream, 1, newEvents(1)), wrongRevision(stream, 1, 5));
    assert.equal((await reopened.append(stream, 5, newEvents(1))).revision, 6);
  });
}

function describeRefusals({ names, store }: Context): void {
  const assertRefused = async (stream: string, expected: number, events: NewEvent[], actual: number) => {
    const stored = idsOf(await readEvents(store().readStream(stream)));
    await assert.rejects(store().append(stream, expected, events), wrongRevision(stream, expected, actual));
    assert.deepEqual(idsOf(await readEvents(store().readStream(stream))), stored);
  };

  it('refuses a revision that the stream has not reached', async () => {
    const stream = names.stream();
    await assertRefused(stream, 0, newEvents(2), NO_STREAM);
    await store().append(stream, NO_STREAM, newEvents(2));
    await assertRefused(stream, 2, newEvents(1), 1);
    await assertRefused(stream, 1_000_000, newEvents(1), 1);
  });

  it('refuses new events where the stream has gone on', async () => {
    const stream = names.stream();
    await store().append(stream, NO_STREAM, newEvents(3));
    await assertRefused(stream, NO_STREAM, newEvents(1), 2);
    await assertRefused(stream, 1, newEvents(3), 2);
  });

  it('refuses past ids that are followed by a new one, and new ones followed by past ids', async () => {
    const stream = names.stream();
    const past = newEvents(3);
    await store().append(stream, NO_STREAM, past);
    await assertRefused(stream, NO_STREAM, [...past, newEvent()], 2);
    await assertRefused(stream, 1, [...past.slice(2), newEvent()], 2);
    await assertRefused(stream, NO_STREAM, [newEvent(), ...past.slice(1)], 2);
  });

  it('refuses past ids in another order or at another place', async () => {
    const stream = names.stream();
    const past = newEvents(4);
    await store().append(stream, NO_STREAM, past);
    await assertRefused(stream, NO_STREAM, past.toReversed(), 3);
    await assertRefused(stream, 0, past.slice(0, 2), 3);
    await assertRefused(names.stream(), 3, past, NO_STREAM);
  });

  it('accepts an append of the largest size and refuses one byte more before it is sent', async () => {
    const stream = names.stream();
    const events = newEvents(2);
    const size = (event: NewEvent): number =>
      Buffer.byteLength(JSON.stringify(event.data) + JSON.stringify(event.metadata) + event.type + event.id);
    const room =
      APPEND_BYTES_MAX - events.reduce((sum, event) => sum + size(event), 0) - `,"filler":""`.length;
    // Two bytes a character, so that characters cannot be taken for bytes.
    const filled = (bytes: number): NewEvent[] =>
      events.map((event, index) =>
        index === 0
          ? event
          : { ...event, data: { ...event.data, filler: 'é'.repeat(bytes / 2) + 'x'.repeat(bytes % 2) } },
      );
    await assert.rejects(
      store().append(stream, NO_STREAM, filled(room + 1)),
      (error: unknown) =>
        error instanceof AppendTooLarge &&
        error.bytes === APPEND_BYTES_MAX + 1 &&
        error.bytesMax === APPEND_BYTES_MAX,
    );
    assert.deepEqual(await readEvents(store().readStream(stream)), []);
    await store().append(stream, NO_STREAM, filled(room));
    assert.equal((await readEvents(store().readStream(stream))).length, 2);
  });

  it('refuses an empty append, ids that are no UUIDs in lower case, and an id given twice', async () => {
    const stream = names.stream();
    const twice = newEvent();
    const upperCase = newEvent({ id: randomUUID().toUpperCase() });
    for (const events of [[], [newEvent({ id: 'x' })], [newEvent({ id: '' })], [upperCase], [twice, twice]]) {
      await assert.rejects(store().append(stream, NO_STREAM, events), RangeError);
    }
    assert.deepEqual(await readEvents(store().readStream(stream)), []);
  });
}

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

function describeJson({ names, store }: Context): void {
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

function describeReadStream({ names, store }: Context): void {
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

function describeReadAll({ names, store }: Context): void {
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
    const [first] = await readEvents(store().readAll({ prefix: other, limit: 1 }));
    assert.deepEqual(
      idsOf(await readEvents(store().readAll({ prefix, after: first?.position }))),
      appended.slice(2),
    );
    assert.deepEqual(await readEvents(store().readAll({ prefix, after: events.at(-1)?.position })), []);
  });

  it('yields at most the limit', async () => {
    const { prefix, appended } = await interleaved();
    for (const limit of [0, 1, 7, 1_000]) {
      assert.deepEqual(idsOf(await readEvents(store().readAll({ prefix, limit }))), appended.slice(0, limit));
    }
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

function describeSubscriptions({ names, store }: Context): void {
  /** Appends batches to streams of a prefix, one after the other. */
  const appendMany = async (prefix: string, batches: number, size: number): Promise<string[]> => {
    const ids: string[] = [];
    for (let batch = 0; batch < batches; batch += 1) {
      const events = newEvents(size);
      await store().append(`${prefix}${randomUUID()}`, NO_STREAM, events);
      ids.push(...idsOf(events));
    }
    return ids;
  };
  const assertDelivered = async (follower: Follower, prefix: string, after?: string): Promise<void> => {
    assert.deepEqual(follower.events, await readEvents(store().readAll({ prefix, after })));
    assertGrowing(follower.events);
  };

  it('delivers what is stored, then says that it is live, then delivers live', async () => {
    const prefix = names.prefix();
    await appendMany(prefix, 3, 2);
    const follower = new Follower(store(), { prefix });
    await follower.until(() => follower.isCaughtUp);
    assert.equal(follower.events.length, 6);
    await appendMany(prefix, 2, 2);
    await follower.until(() => follower.events.length >= 10);
    await assertDelivered(follower, prefix);
    await follower.stop();
  });

  it('is live at once where nothing is stored', async () => {
    const prefix = names.prefix();
    const follower = new Follower(store(), { prefix });
    await follower.until(() => follower.isCaughtUp);
    const ids = await appendMany(prefix, 1, 1);
    await follower.until(() => follower.events.length > 0);
    assert.deepEqual(idsOf(follower.events), ids);
    await follower.stop();
  });

  it('leaves out other prefixes, stored and live', async () => {
    const [prefix, other] = [names.prefix(), names.prefix()];
    await appendMany(other, 2, 1);
    await appendMany(prefix, 2, 1);
    const follower = new Follower(store(), { prefix });
    await follower.until(() => follower.isCaughtUp);
    await appendMany(other, 2, 1);
    await appendMany(prefix, 2, 1);
    await follower.until(() => follower.events.length >= 4);
    await assertDelivered(follower, prefix);
    await follower.stop();
  });

  it('passes from stored to live events without gap or repetition while appends go on', async () => {
    const prefix = names.prefix();
    await appendMany(prefix, 20, 60);
    const writers = Promise.all(Array.from({ length: 4 }, () => appendMany(prefix, 60, 3)));
    const followers = Array.from({ length: 3 }, () => new Follower(store(), { prefix }));
    await writers;
    const total = 20 * 60 + 4 * 60 * 3;
    for (const follower of followers) {
      await follower.until(() => follower.events.length >= total);
      await assertDelivered(follower, prefix);
      await follower.stop();
    }
  });

  it('goes on after a position, exclusive', async () => {
    const prefix = names.prefix();
    await appendMany(prefix, 5, 2);
    const events = await readEvents(store().readAll({ prefix }));
    for (const after of [events[0]?.position, events[6]?.position]) {
      const follower = new Follower(store(), { prefix, after });
      await follower.until(() => follower.isCaughtUp);
      await assertDelivered(follower, prefix, after);
      await follower.stop();
    }
  });

  it('goes on where another subscription ended, without gap or repetition', async () => {
    const prefix = names.prefix();
    const delivered: string[] = [];
    let position: string | undefined;
    for (let part = 0; part < 4; part += 1) {
      const follower = new Follower(store(), { prefix, after: position });
      const ids = await appendMany(prefix, 3, 2);
      await follower.until(() => idsOf(follower.events).includes(ids.at(-1) ?? ''));
      await follower.stop();
      delivered.push(...idsOf(follower.events));
      position = follower.position;
    }
    assert.deepEqual(delivered, idsOf(await readEvents(store().readAll({ prefix }))));
  });

  it('is caught up and delivers nothing when it begins at the head', async () => {
    const prefix = names.prefix();
    await appendMany(prefix, 2, 2);
    const follower = new Follower(store(), { prefix, after: (await store().head(prefix)) ?? undefined });
    await follower.until(() => follower.isCaughtUp);
    assert.equal(follower.events.length, 0);
    await follower.stop();
  });

  it('waits for a slow consumer and loses nothing', async () => {
    const prefix = names.prefix();
    let release: () => void = () => undefined;
    const gate = new Promise<void>(resolve => (release = resolve));
    const follower = new Follower(store(), { prefix }, delivery =>
      delivery.kind === 'caught-up' ? gate : undefined,
    );
    await follower.until(() => follower.isCaughtUp);
    await Promise.all(Array.from({ length: 4 }, () => appendMany(prefix, 10, 100)));
    assert.equal(follower.events.length, 0);
    release();
    await follower.until(() => follower.events.length >= 4_000);
    await assertDelivered(follower, prefix);
    const ids = await appendMany(prefix, 1, 1);
    await follower.until(() => follower.events.length > 4_000);
    assert.deepEqual(follower.events.at(-1)?.id, ids[0]);
    await follower.stop();
  });

  it('ends when it is aborted: before it began, while it waits, while it catches up', async () => {
    const prefix = names.prefix();
    await appendMany(prefix, 10, 120);
    const aborted = store().subscribe({ prefix, signal: AbortSignal.abort() });
    for await (const delivery of aborted) assert.fail(`delivered ${delivery.kind}`);

    const waiting = new Follower(store(), { prefix });
    await waiting.until(() => waiting.isCaughtUp);
    await waiting.stop();

    const controller = new AbortController();
    let count = 0;
    for await (const delivery of store().subscribe({ prefix, signal: controller.signal })) {
      if (delivery.kind === 'events') count += delivery.events.length;
      controller.abort();
    }
    assert.ok(count <= READ_PAGE_EVENTS);
    await appendMany(prefix, 1, 1);
    assert.equal(waiting.events.length, 1_200);
  });

  it('can be left early', async () => {
    const prefix = names.prefix();
    await appendMany(prefix, 1, 3);
    const controller = new AbortController();
    for await (const delivery of store().subscribe({ prefix, signal: controller.signal })) {
      if (delivery.kind === 'events') break;
    }
    await appendMany(prefix, 1, 1);
    await store().ping();
  });
}

/** One append of a random history: where it expects the stream to be, and which of the ids it gives are past ones. */
interface RandomAppend {
  readonly stream: number;
  /** The expected revision, counted back from the true one. */
  readonly back: number;
  /** How many past ids it begins with, and how many new ones follow. */
  readonly past: number;
  readonly fresh: number;
}

function describeProperties({ names, store }: Context): void {
  const STREAMS = 3;
  const randomAppend = fc.record<RandomAppend>({
    stream: fc.nat(STREAMS - 1),
    back: fc.oneof(
      { weight: 3, arbitrary: fc.constant(0) },
      { weight: 2, arbitrary: fc.integer({ min: -2, max: 8 }) },
    ),
    past: fc.oneof(fc.constant(0), fc.nat(4)),
    fresh: fc.nat(3),
  });

  it('decides as the model decides, and keeps the order', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(randomAppend, { maxLength: 5 }), { maxLength: 12 }),
        async rounds => {
          const prefix = names.prefix();
          const model = Array.from({ length: STREAMS }, () => new StreamModel());
          for (const round of rounds) {
            const concurrent = round.filter(
              ({ stream }, index) => round.findIndex(other => other.stream === stream) === index,
            );
            await Promise.all(
              concurrent.map(append => compare(store(), `${prefix}${append.stream}`, model, append)),
            );
          }
          const all = await readEvents(store().readAll({ prefix }));
          assertGrowing(all);
          for (const [index, { ids }] of model.entries()) {
            const stored = await readEvents(store().readStream(`${prefix}${index}`));
            assert.deepEqual(idsOf(stored), ids);
            assert.deepEqual(
              all.filter(({ stream }) => stream === `${prefix}${index}`),
              stored,
            );
          }
        },
      ),
      { numRuns: PROPERTY_RUNS },
    );
  });
}

/** The ids of a stream, and the decision of `CheckCommit` on them. */
class StreamModel {
  readonly ids: string[] = [];

  /** @returns the revision answered, or undefined for a refusal */
  append(expected: number, ids: readonly string[]): number | undefined {
    const last = this.ids.length - 1;
    if (expected > last) return undefined;
    if (expected === last) this.ids.push(...ids);
    else if (ids.some((id, index) => this.ids[expected + 1 + index] !== id)) return undefined;
    return expected + ids.length;
  }
}

async function compare(
  store: EventStore,
  stream: string,
  model: StreamModel[],
  append: RandomAppend,
): Promise<void> {
  const streamModel = model[append.stream] as StreamModel;
  const actual = streamModel.ids.length - 1;
  const expected = Math.max(NO_STREAM, actual - append.back);
  const past = streamModel.ids.slice(expected + 1, expected + 1 + append.past).map(id => newEvent({ id }));
  const events = [...past, ...newEvents(past.length === 0 ? append.fresh + 1 : append.fresh)];
  const answer = streamModel.append(expected, idsOf(events));
  if (answer === undefined) {
    await assert.rejects(store.append(stream, expected, events), wrongRevision(stream, expected, actual));
    return;
  }
  const { revision, position } = await store.append(stream, expected, events);
  assert.equal(revision, answer);
  const [last] = await readEvents(store.readStream(stream, { from: revision, limit: 1 }));
  assert.deepEqual([last?.position, last?.id], [position, events.at(-1)?.id]);
}

function describeClosing({ names, store, harness }: Context): void {
  it('finishes appends under way and ends subscriptions', async t => {
    const { reopen } = harness();
    if (reopen === undefined) return t.skip('this harness cannot open its store anew');
    const prefix = names.prefix();
    const old = store();
    const follower = new Follower(old, { prefix });
    await follower.until(() => follower.isCaughtUp);
    const events = newEvents(3);
    const append = old.append(`${prefix}stream`, NO_STREAM, events);
    await nextTurn();
    const reopened = await reopen();
    assert.equal((await append).revision, 2);
    await follower.ended();
    assert.deepEqual(idsOf(await readEvents(reopened.readStream(`${prefix}stream`))), idsOf(events));
    await assert.rejects(old.append(`${prefix}stream`, 2, newEvents(1)), { name: 'EventStoreUnavailable' });
    await assert.rejects(readEvents(old.readStream(`${prefix}stream`)), { name: 'EventStoreUnavailable' });
    await assert.rejects(old.ping(), { name: 'EventStoreUnavailable' });
  });
}

function idsOf(events: readonly { readonly id: string }[]): string[] {
  return events.map(({ id }) => id);
}

function assertGrowing(events: readonly RecordedEvent[]): void {
  for (const [index, event] of events.entries()) {
    const earlier = events[index - 1];
    assert.ok(earlier === undefined || earlier.position < event.position, `position of event ${index}`);
  }
}

/** For `assert.rejects`. */
function wrongRevision(stream: string, expected: number, actual: number): (error: unknown) => boolean {
  return error => {
    assert.ok(error instanceof WrongExpectedRevision, String(error));
    assert.deepEqual([error.stream, error.expected, error.actual], [stream, expected, actual]);
    return true;
  };
}
