import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import {
  NO_STREAM,
  READ_PAGE_EVENTS,
  type EventStore,
  type RecordedEvent,
} from '../event-store/event-store.js';
import { idsOf, newEvents, readEvents } from '../event-store/contract/streams.fixture.js';
import { EventStoreDbEventStore } from './eventstoredb-event-store.js';
import * as faults from '#test-servers/eventstoredb-fake/faults';
import type { Fault } from '#test-servers/eventstoredb-fake/faults';
import {
  IMPATIENT,
  PATIENT,
  QUICK,
  eventually,
  unavailable,
  withFake,
  type Pair,
} from '#test-servers/eventstoredb-fake/fault-tests';

const COUNT = 1_300;
/** After the first page, 128 wait in the feed and the others in the call, which has room for 16. */
const COUNT_WITH_SOME_WAITING = READ_PAGE_EVENTS + 128 + 10;
/** What the server has sent is here by then. */
const ARRIVED_AFTER_MS = 200;
const PATIENCE_MS = 120_000;
const STREAM = 'household-a';

type Read = (store: EventStore) => AsyncIterable<readonly RecordedEvent[]>;
const READS: Readonly<Record<string, Read>> = {
  'of a stream': store => store.readStream(STREAM, { limit: COUNT }),
  'of all': store => store.readAll({ prefix: 'household-' }),
};

/** The ids of many events, recorded among other streams' events. */
function history({ fake }: Pair): string[] {
  const events = newEvents(COUNT);
  for (let at = 0; at < COUNT; at += 100) {
    fake.log.store(STREAM, events.slice(at, at + 100));
    fake.log.store(`other-${at}`, newEvents(1));
    fake.log.writeSystemEvent();
  }
  return idsOf(events);
}

/** Does something at the n-th event that is read. */
function atEvent({ fake }: Pair, number: number, act: () => void): void {
  let count = 0;
  fake.beforeEvent = async () => {
    count += 1;
    if (count === number) act();
    await nextTurn();
  };
}

for (const [title, read] of Object.entries(READS)) {
  describe(`a read ${title}`, () => {
    for (const [fault, act] of Object.entries({
      'the connection breaks': ({ fake }: Pair) => fake.disconnect(),
      'the server falls silent': ({ fake }: Pair) => [...fake.openReads].at(-1)?.mute(),
      'the server fails': ({ fake }: Pair) => [...fake.openReads].at(-1)?.fail(faults.unknown.error),
    })) {
      it(`goes on without gap or repetition when ${fault}`, () =>
        withFake(async pair => {
          const ids = history(pair);
          atEvent(pair, 700, () => act(pair));
          assert.deepEqual(idsOf(await readEvents(read(pair.store))), ids);
        }));
    }

    it('waits for a server that answers slowly but does answer', () =>
      withFake(async pair => {
        const ids = history(pair);
        pair.fake.beforeEvent = async () => {
          for (let turns = 0; turns < 5; turns += 1) await nextTurn();
        };
        assert.deepEqual(idsOf(await readEvents(read(pair.store))), ids);
      }));

    it('begins again after failures of every kind', () =>
      withFake(async pair => {
        const ids = history(pair);
        pair.fake.faults.read.push(faults.notReady, faults.silence, faults.disconnect, faults.unknown);
        assert.deepEqual(idsOf(await readEvents(read(pair.store))), ids);
      }));

    it('is unavailable when its time is over', () =>
      withFake(
        async pair => {
          history(pair);
          pair.fake.faults.read.push(...Array<Fault>(100).fill(faults.notReady));
          await assert.rejects(readEvents(read(pair.store)), unavailable(/is starting and not ready yet/));
        },
        // At least the first answer is waited for: it is told, whatever becomes of the other tries.
        { timings: { ...PATIENT, attemptMs: 300, retryBudgetMs: 1_000 } },
      ));

    it('is unavailable at once when the password is wrong', () =>
      withFake(
        async pair => {
          pair.fake.faults.read.push(faults.wrongPassword);
          await assert.rejects(readEvents(read(pair.store)), unavailable(/rejects the user and password/));
          assert.equal(pair.fake.calls.length, 1);
        },
        { timings: PATIENT },
      ));

    it('ends its call at the server when it is left early', () =>
      withFake(async pair => {
        history(pair);
        for (let count = 0; count < 5; count += 1) {
          for await (const page of read(pair.store)) {
            assert.ok(page.length > 0);
            break;
          }
        }
        await eventually(() => pair.fake.openReads.size === 0);
      }));

    it('keeps no store open that is left while its last events wait', { timeout: PATIENCE_MS }, () =>
      withFake(async pair => {
        pair.fake.log.store(STREAM, newEvents(COUNT_WITH_SOME_WAITING));
        for await (const page of read(pair.store)) {
          assert.equal(page.length, READ_PAGE_EVENTS);
          await eventually(() => pair.fake.openReads.size === 0);
          await pause(ARRIVED_AFTER_MS);
          break;
        }
        await pair.store.close();
      }),
    );

    it('keeps no store open whose last events wait while a page is held', { timeout: PATIENCE_MS }, () =>
      withFake(async pair => {
        pair.fake.log.store(STREAM, newEvents(COUNT_WITH_SOME_WAITING));
        const reading = (async () => {
          for await (const page of read(pair.store)) {
            assert.equal(page.length, READ_PAGE_EVENTS);
            await eventually(() => pair.fake.openReads.size === 0);
            await pause(ARRIVED_AFTER_MS);
            await pair.store.close();
          }
        })();
        await assert.rejects(reading, { name: 'EventStoreUnavailable' });
      }),
    );

    it('fails when the store is closed meanwhile', () =>
      withFake(async pair => {
        history(pair);
        let pages = 0;
        const reading = (async () => {
          for await (const page of read(pair.store)) {
            pages += page.length;
            await pair.store.close();
          }
        })();
        await assert.rejects(reading, { name: 'EventStoreUnavailable' });
        assert.ok(pages < COUNT);
      }));
  });
}

describe('a read of a stream', () => {
  it('goes on backwards where it was interrupted', () =>
    withFake(async pair => {
      const ids = history(pair);
      atEvent(pair, 700, () => pair.fake.disconnect());
      const events = await readEvents(pair.store.readStream(STREAM, { direction: 'backwards' }));
      assert.deepEqual(idsOf(events), ids.toReversed());
    }));

  it('waits no longer than a try where no call is answered any more', { timeout: PATIENCE_MS }, () =>
    withFake(
      async pair => {
        history(pair);
        pair.fake.faults.append.push(...Array<Fault>(10).fill(faults.silence));
        pair.fake.faults.read.push(...Array<Fault>(10).fill(faults.silence));
        await assert.rejects(pair.store.append(STREAM, NO_STREAM, newEvents(1)), unavailable(/in time/));
        await assert.rejects(readEvents(pair.store.readStream(STREAM)), unavailable(/in time/));
      },
      { timings: { ...IMPATIENT, silenceMs: 10 * PATIENCE_MS } },
    ),
  );

  it('finds nothing where the stream was deleted, softly or for good', () =>
    withFake(async ({ fake, store }) => {
      await store.append(STREAM, NO_STREAM, newEvents(2));
      fake.log.delete(STREAM);
      assert.deepEqual(await readEvents(store.readStream(STREAM)), []);
      assert.deepEqual(await readEvents(store.readStream(STREAM, { direction: 'backwards' })), []);
      fake.faults.read.push(faults.streamDeleted(STREAM));
      assert.deepEqual(await readEvents(store.readStream(STREAM)), []);
    }));

  it('passes events on that are no JSON objects, with nothing in them', () =>
    withFake(async ({ fake, store }) => {
      const bytes = new TextEncoder();
      const foreign = { id: newEvents(1)[0]!.id, type: 'foreign', metadata: bytes.encode('[1]') };
      fake.log.append(STREAM, NO_STREAM, [
        { ...foreign, contentType: 'application/json', data: bytes.encode('{broken') },
        { ...foreign, contentType: 'application/octet-stream', data: bytes.encode('binary') },
      ]);
      const events = await readEvents(store.readStream(STREAM));
      assert.deepEqual(
        events.map(({ revision, type, data, metadata }) => ({ revision, type, data, metadata })),
        [0, 1].map(revision => ({ revision, type: 'foreign', data: {}, metadata: {} })),
      );
    }));

  it('refuses what is no revision', () =>
    withFake(async ({ store }) => {
      await assert.rejects(readEvents(store.readStream(STREAM, { from: 1.5 })), RangeError);
    }));
});

describe('a read of a stream', () => {
  it('keeps its limit when it is interrupted', () =>
    withFake(async pair => {
      const ids = history(pair);
      atEvent(pair, 600, () => pair.fake.disconnect());
      assert.deepEqual(
        idsOf(await readEvents(pair.store.readStream(STREAM, { limit: 800 }))),
        ids.slice(0, 800),
      );
    }));
});

describe('many reads at once', () => {
  it('do not warn of listeners', () =>
    withFake(async pair => {
      const ids = history(pair);
      const warnings: string[] = [];
      const warned = ({ message }: Error): number => warnings.push(message);
      process.on('warning', warned);
      const reads = Array.from({ length: 30 }, () =>
        readEvents(pair.store.readStream(STREAM, { limit: 20 })),
      );
      for (const events of await Promise.all(reads)) assert.deepEqual(idsOf(events), ids.slice(0, 20));
      await nextTurn();
      process.off('warning', warned);
      assert.deepEqual(warnings, []);
    }));
});

describe('a position', () => {
  it('of another store is refused', () =>
    withFake(async ({ store }) => {
      const after = '00000000000000000042';
      await assert.rejects(readEvents(store.readAll({ after, prefix: '' })), RangeError);
    }));
});

describe('the head', () => {
  it('is found again after failures, past the events of other streams', () =>
    withFake(async ({ fake, store }) => {
      const { position } = await store.append(STREAM, NO_STREAM, newEvents(2));
      for (let count = 0; count < 50; count += 1) fake.log.writeSystemEvent();
      fake.faults.read.push(faults.notReady, faults.silence, faults.disconnect);
      assert.equal(await store.head('household-'), position);
      assert.equal(await store.head(''), position);
    }));
});

describe('a ping', () => {
  const cases: readonly (readonly [string, Fault, RegExp])[] = [
    ['starts', faults.notReady, /is starting and not ready yet/],
    ['is silent', faults.silence, /does not respond in time/],
    ['refuses the password', faults.wrongPassword, /rejects the user and password of EVENTSTORE_URL/],
    ['refuses the user', faults.accessDenied, /use an admin/],
    ['breaks the connection', faults.disconnect, /dropped the connection|cannot be reached/],
  ];
  for (const [what, fault, words] of cases) {
    it(`says in one sentence what it waits for where the server ${what}`, () =>
      withFake(
        async ({ fake, store }) => {
          fake.faults.read.push(fault);
          await assert.rejects(store.ping(), unavailable(words));
          fake.faults.read.length = 0;
          if (fault !== faults.silence) await store.ping();
        },
        { timings: fault === faults.silence ? QUICK : PATIENT },
      ));
  }

  it('tells a server without TLS from one that is away', () =>
    withFake(async ({ fake }) => {
      const url = `esdb://admin:p4ss@127.0.0.1:${fake.port}?tls=true`;
      const store = EventStoreDbEventStore.open({ url, timings: PATIENT });
      await assert.rejects(
        store.ping(),
        unavailable(/does not speak TLS: without it, EVENTSTORE_URL needs tls=false/),
      );
      await store.close();
    }));
});
