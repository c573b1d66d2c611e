import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { it } from 'node:test';
import {
  APPEND_BYTES_MAX,
  AppendTooLarge,
  NO_STREAM,
  WrongExpectedRevision,
  type Appended,
  type NewEvent,
} from '../event-store.js';
import { idsOf, newEvent, newEvents, readEvents, wrongRevision, type Context } from './streams.fixture.js';

export function describeAppends({ names, store }: Context): void {
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

export function describeRepetitions({ names, store, harness }: Context): void {
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

export function describeRefusals({ names, store }: Context): void {
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
    // Two bytes a character, so that characters cannot be taken for bytes.
    const events = newEvents(2).map(event => ({ ...event, metadata: { author: 'é' } }));
    const size = (event: NewEvent): number =>
      Buffer.byteLength(JSON.stringify(event.data) + JSON.stringify(event.metadata) + event.type + event.id);
    const room =
      APPEND_BYTES_MAX - events.reduce((sum, event) => sum + size(event), 0) - `,"filler":""`.length;
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

  it('takes the texts of events from whoever has made them, and counts their bytes', async () => {
    const stream = names.stream();
    const events = newEvents(2).map(event => {
      const texts = { data: JSON.stringify(event.data), metadata: JSON.stringify(event.metadata) };
      return { ...event, texts };
    });
    const large = { data: JSON.stringify({ filler: 'x'.repeat(APPEND_BYTES_MAX) }), metadata: '{}' };
    await assert.rejects(
      store().append(stream, NO_STREAM, [{ ...events[0]!, texts: large }]),
      AppendTooLarge,
    );
    await store().append(stream, NO_STREAM, events);
    const expected = events.map(({ data, metadata }) => ({ data, metadata }));
    const read = await readEvents(store().readStream(stream));
    assert.deepEqual(
      read.map(({ data, metadata }) => ({ data, metadata })),
      expected,
    );
  });

  it('refuses an empty append, ids that are no UUIDs in lower case, and an id given twice', async () => {
    const stream = names.stream();
    const twice = newEvent();
    const upperCase = randomUUID().toUpperCase();
    const wrong = ['x', '', upperCase, `0${randomUUID()}`, `${randomUUID()}0`].map(id => [newEvent({ id })]);
    for (const events of [[], ...wrong, [twice, twice]]) {
      await assert.rejects(store().append(stream, NO_STREAM, events), RangeError);
    }
    assert.deepEqual(await readEvents(store().readStream(stream)), []);
  });

  it('refuses what is no revision', async () => {
    const stream = names.stream();
    for (const expected of [NO_STREAM - 1, 0.5, Number.NaN, 2 ** 53]) {
      await assert.rejects(store().append(stream, expected, newEvents(1)), RangeError);
    }
    assert.deepEqual(await readEvents(store().readStream(stream)), []);
  });
}
