import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { AppendTooLarge, NO_STREAM, type NewEvent } from '../event-store/event-store.js';
import {
  idsOf,
  newEvent,
  newEvents,
  readEvents,
  wrongRevision,
} from '../event-store/contract/streams.fixture.js';
import * as faults from '#test-servers/eventstoredb-fake/faults';
import type { Fault } from '#test-servers/eventstoredb-fake/faults';
import {
  IMPATIENT,
  PATIENT,
  QUICK,
  eventually,
  insist,
  unavailable,
  withFake,
  type Pair,
} from '#test-servers/eventstoredb-fake/fault-tests';

const UNCLEAR: Readonly<Record<string, Fault>> = {
  'no answer': faults.silence,
  'a connection that breaks': faults.disconnect,
  'a server that is not ready': faults.notReady,
  'a server that is too busy': faults.tooBusy,
  'a commit that times out': faults.commitTimeout,
  'an unknown failure': faults.unknown,
  'a call that the server cancels': faults.cancelled,
};

const STREAM = 'household-a';

async function assertStored({ fake }: Pair, events: readonly NewEvent[]): Promise<void> {
  assert.deepEqual(idsOf(fake.log.stream(STREAM) ?? []), idsOf(events));
  return Promise.resolve();
}

const appends = (pair: Pair): number => pair.fake.calls.filter(({ method }) => method === 'append').length;

describe('an append that fails unclearly', () => {
  for (const [title, fault] of Object.entries(UNCLEAR)) {
    for (const happened of [false, true]) {
      it(`is sent again after ${title}, ${happened ? 'and finds that it has happened' : 'and happens once'}`, () =>
        withFake(
          async pair => {
            const { fake, store } = pair;
            const before = newEvents(2);
            await store.append(STREAM, NO_STREAM, before);
            const events = newEvents(3);
            fake.faults.append.push(happened ? faults.afterCommit(fault) : fault);
            const answer = await store.append(STREAM, 1, events);
            assert.equal(answer.revision, 4);
            await assertStored(pair, [...before, ...events]);
            const stored = await readEvents(store.readStream(STREAM));
            assert.equal(answer.position, stored.at(-1)?.position);
            // What is quickly taken for silence may also be a machine that is busy.
            if (fault === faults.silence) assert.ok(appends(pair) >= 3);
            else assert.equal(appends(pair), 3);
          },
          { timings: fault === faults.silence ? QUICK : PATIENT },
        ));
    }
  }

  it('answers what it answered the first time, though others have appended since', () =>
    withFake(async pair => {
      const { fake, store } = pair;
      const events = newEvents(2);
      fake.faults.append.push(faults.disconnectAfterCommit, faults.notReady, faults.notReady);
      const answer = store.append(STREAM, NO_STREAM, events);
      await eventually(() => fake.log.stream(STREAM) !== undefined);
      const later = newEvents(1);
      await store.append(STREAM, 1, later);
      assert.equal((await answer).revision, 1);
      await assertStored(pair, [...events, ...later]);
    }));

  it('is refused when another append came first', () =>
    withFake(async pair => {
      const { fake, store } = pair;
      fake.faults.append.push(...Array<Fault>(1_000).fill(faults.silence));
      const refused = assert.rejects(
        store.append(STREAM, NO_STREAM, newEvents(2)),
        wrongRevision(STREAM, -1, 0),
      );
      await eventually(() => appends(pair) > 0);
      const winner = newEvents(1);
      fake.log.store(STREAM, winner);
      fake.faults.append.length = 0;
      await refused;
      await assertStored(pair, winner);
    }));

  it('goes through a long series of failures', () =>
    withFake(async pair => {
      const { fake, store } = pair;
      const events = newEvents(2);
      fake.faults.append.push(
        faults.notReady,
        faults.disconnectAfterCommit,
        faults.silence,
        faults.unknown,
        faults.disconnect,
        faults.commitTimeout,
      );
      assert.equal((await store.append(STREAM, NO_STREAM, events)).revision, 1);
      await assertStored(pair, events);
    }));

  it('is unavailable when its time is over, and the same call tells later what became of it', () =>
    withFake(
      async pair => {
        const { fake, store } = pair;
        const events = newEvents(2);
        fake.faults.append.push(faults.silenceAfterCommit, ...Array<Fault>(100).fill(faults.silence));
        await assert.rejects(
          store.append(STREAM, NO_STREAM, events),
          unavailable(/does not respond in time/),
        );
        fake.faults.append.length = 0;
        assert.equal((await insist(() => store.append(STREAM, NO_STREAM, events))).revision, 1);
        await assertStored(pair, events);
      },
      { timings: IMPATIENT },
    ));

  it('does not fail other appends with it', () =>
    withFake(async pair => {
      const { fake, store } = pair;
      for (let count = 0; count < 16; count += 1) {
        fake.faults.append.push(
          faults.silence,
          faults.disconnectAfterCommit,
          faults.notReady,
          faults.disconnect,
        );
      }
      const streams = Array.from({ length: 32 }, (_, index) => `household-${index}`);
      const answers = await Promise.all(streams.map(stream => store.append(stream, NO_STREAM, newEvents(2))));
      assert.ok(answers.every(({ revision }) => revision === 1));
      assert.ok(streams.every(stream => fake.log.stream(stream)?.length === 2));
    }));

  it('is finished before the store closes', () =>
    withFake(async pair => {
      const { fake, store } = pair;
      fake.faults.append.push(faults.notReady, faults.disconnectAfterCommit);
      const events = newEvents(1);
      const answer = store.append(STREAM, NO_STREAM, events);
      await store.close();
      assert.equal((await answer).revision, 0);
      await assertStored(pair, events);
    }));
});

describe('an append to a server that is away', () => {
  it('waits for it', () =>
    withFake(async pair => {
      const { fake, store } = pair;
      fake.kill();
      const events = newEvents(1);
      const answer = store.append(STREAM, NO_STREAM, events);
      await fake.listen();
      assert.equal((await answer).revision, 0);
      await assertStored(pair, events);
    }));

  it('is unavailable in the end, and then at once until the server is back', context =>
    withFake(
      async ({ fake, store }) => {
        fake.kill();
        const away = unavailable(/refuses connections: it is not running/);
        await assert.rejects(store.append(STREAM, NO_STREAM, newEvents(1)), away);
        await assert.rejects(store.ping(), away);
        // It has been away for long, and the clock stands still: who goes on trying would do so without end.
        const later = performance.now() + 60_000;
        const clock = context.mock.method(performance, 'now', () => later);
        const tries = Array.from({ length: 10 }, () => store.append(STREAM, NO_STREAM, newEvents(1)));
        for (const outcome of await Promise.allSettled(tries)) assert.equal(outcome.status, 'rejected');
        clock.mock.restore();
        await fake.listen();
        assert.equal((await store.append(STREAM, NO_STREAM, newEvents(1))).revision, 0);
        await store.ping();
      },
      // Time for a connection to be refused, and made, on a machine that is busy.
      { timings: { ...IMPATIENT, attemptMs: 4_000, retryBudgetMs: 5_000 } },
    ));
});

describe('an append that the server refuses', () => {
  for (const [title, fault, reason] of [
    [
      'the user or password is wrong',
      faults.wrongPassword,
      /rejects the user and password of EVENTSTORE_URL/,
    ],
    ['the user may not write', faults.accessDenied, /denies access to the user of EVENTSTORE_URL/],
  ] as const) {
    it(`is not sent again when ${title}`, () =>
      withFake(
        async pair => {
          const { fake, store } = pair;
          fake.faults.append.push(fault);
          await assert.rejects(store.append(STREAM, NO_STREAM, newEvents(1)), unavailable(reason));
          assert.equal(appends(pair), 1);
        },
        { timings: PATIENT },
      ));
  }

  it('is too large for a server that takes less than we do', () =>
    withFake(
      async pair => {
        const { fake, store } = pair;
        fake.faults.append.push(faults.appendTooLarge(1_000));
        const large = newEvent({ data: { text: 'é'.repeat(600) } });
        await assert.rejects(
          store.append(STREAM, NO_STREAM, [large]),
          (error: unknown) =>
            error instanceof AppendTooLarge && error.bytesMax === 1_000 && error.bytes > 1_200,
        );
        assert.equal(appends(pair), 1);
      },
      { timings: PATIENT },
    ));

  it('fails for a stream that was deleted for good', () =>
    withFake(
      async pair => {
        const { fake, store } = pair;
        fake.faults.append.push(faults.streamDeleted(STREAM));
        await assert.rejects(store.append(STREAM, NO_STREAM, newEvents(1)), /deleted for good/);
        assert.equal(appends(pair), 1);
      },
      { timings: PATIENT },
    ));
});

describe('what is sent', () => {
  it('does not change when the caller changes the events later', () =>
    withFake(async ({ fake, store }) => {
      const data = { amount: 1, list: [1] };
      fake.faults.append.push(faults.notReady, faults.notReady);
      const answer = store.append(STREAM, NO_STREAM, [newEvent({ data })]);
      data.amount = 2;
      data.list.push(2);
      await answer;
      const [event] = await readEvents(store.readStream(STREAM));
      assert.deepEqual(event?.data, { amount: 1, list: [1] });
    }));

  it('is refused before it is sent when it is no JSON', () =>
    withFake(async pair => {
      const circle: Record<string, unknown> = {};
      circle['self'] = circle;
      const events = [newEvent({ data: circle as NewEvent['data'] })];
      await assert.rejects(pair.store.append(STREAM, NO_STREAM, events), TypeError);
      assert.equal(appends(pair), 0);
    }));
});
