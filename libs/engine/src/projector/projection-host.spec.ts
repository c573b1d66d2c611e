import assert from 'node:assert/strict';
import { once } from 'node:events';
import { after, before, beforeEach, describe, it, mock, type TestContext } from 'node:test';
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import {
  createMonth,
  envelope,
  freshId,
  workplace,
  SILENT,
  type Workplace,
} from '../households/streams.scenario.js';
import { keysUnder } from '#storage/documents/declared';
import { DocumentsUnavailable, type Document } from '#storage/documents/documents';
import { NO_HOUSEHOLD } from '#ledger/household';
import type { Delivery, EventStore, RecordedEvent } from '#storage/event-store/event-store';
import { householdOf, STREAM_PREFIX } from '../households/household-stream.js';
import { doubled } from './failing.scenario.js';
import {
  EVERY_PARTITION,
  partitionOf,
  PROJECTION_NAME,
  SoleOwner,
  type PartitionOwnership,
} from './partitions.js';
import { ProjectionHost } from './projection-host.js';
import { RETRY_FIRST_MS } from './failing-households.js';
import { until } from '../../../../test/until.js';

/** As long as live events wait for more. */
const LIVE_BATCH_MS = 50;

type Streams = ConstructorParameters<typeof ProjectionHost>[2];

describe('the projection host', () => {
  let place: Workplace;

  before(async () => {
    place = await workplace();
    await place.documents.ensure([ProjectionHost.checkpoints, ProjectionHost.failures]);
    const streams = place.instance();
    for (let count = 0; count < 5; count++) {
      await streams.execute(freshId(), createMonth('2026-01'), envelope());
    }
  });
  beforeEach(async () => {
    for (const collection of [ProjectionHost.checkpoints, ProjectionHost.failures])
      await place.documents.removePrefix<Document>(collection, '');
  });
  after(() => place.close());

  /** Streams whose households are brought ahead only when they are let go. */
  function heldStreams(): { streams: Streams; asked: string[]; release: () => void } {
    const asked: string[] = [];
    let release = (): void => undefined;
    const released = new Promise<void>(resolve => (release = resolve));
    const streams: Streams = {
      advance: async householdId => {
        asked.push(householdId);
        await released;
        return { events: 0, revision: Number.MAX_SAFE_INTEGER, isEnd: true };
      },
      forget: () => undefined,
      catchUp: () => assert.fail('not live yet, and nothing failed'),
    };
    return { streams, asked, release };
  }

  async function askedFor(asked: readonly string[], count: number): Promise<void> {
    while (asked.length < count) await pause(1);
  }

  /** Where the partitions of a host have come to by what is stored, each place once. */
  async function checkpoints(): Promise<string[]> {
    const stored = await place.documents.range(ProjectionHost.checkpoints, {
      ...keysUnder(PROJECTION_NAME),
      limit: 100,
    });
    return [...new Set(stored.map(({ position }) => position))];
  }

  it('stops while it catches up after the two households under way, and says no more than it did', async () => {
    const { streams, asked, release } = heldStreams();
    const host = new ProjectionHost(place.store, place.documents, streams, { log: SILENT });
    host.start();
    await askedFor(asked, 2);
    const stopped = host.stop();
    release();
    await stopped;
    assert.equal(asked.length, 2);
    assert.equal(host.status().position, null);
    assert.deepEqual(await checkpoints(), ['']);
  });

  async function recorded(): Promise<readonly RecordedEvent[]> {
    const events: RecordedEvent[] = [];
    for await (const page of place.store.readAll({ prefix: STREAM_PREFIX })) events.push(...page);
    return events;
  }

  /** The events that are recorded, and a store that delivers what it is told to. */
  async function storeDelivering(
    deliveries: (events: readonly RecordedEvent[], signal: AbortSignal) => AsyncGenerator<Delivery>,
  ): Promise<{ store: EventStore; events: readonly RecordedEvent[] }> {
    const events = await recorded();
    const store: EventStore = Object.assign(Object.create(place.store) as EventStore, {
      subscribe: ({ signal }: { signal: AbortSignal }) => deliveries(events, signal),
    });
    return { store, events };
  }

  it('goes no further than it has applied where it stops while a store is away', async () => {
    const { store } = await storeDelivering(async function* (events) {
      yield { kind: 'caught-up' };
      yield { kind: 'events', events: events.slice(0, 1) };
      yield { kind: 'checkpoint', position: '9'.repeat(20) };
    });
    const away = (): Promise<never> => Promise.reject(new DocumentsUnavailable('away'));
    const streams: Streams = { ...heldStreams().streams, catchUp: away };
    const host = new ProjectionHost(store, place.documents, streams, { log: SILENT });
    host.start();
    await until(() => host.status().waitingFor !== null);
    await host.stop();
    assert.deepEqual(await checkpoints(), ['']);
  });

  it('applies what it was given before it stops', async () => {
    let allTaken = (): void => undefined;
    const delivered = new Promise<void>(resolve => (allTaken = resolve));
    const { store, events } = await storeDelivering(async function* (recorded, signal) {
      yield { kind: 'caught-up' };
      yield { kind: 'events', events: recorded.slice(0, 1) };
      yield { kind: 'events', events: recorded.slice(1, 2) };
      allTaken();
      if (!signal.aborted) await once(signal, 'abort');
    });
    const applied: string[] = [];
    const catchUp: Streams['catchUp'] = async householdId => {
      applied.push(householdId);
      return NO_HOUSEHOLD;
    };
    const streams: Streams = { ...heldStreams().streams, catchUp };
    const host = new ProjectionHost(store, place.documents, streams, { log: SILENT });
    host.start();
    await delivered;
    await host.stop();
    assert.equal(applied.length, 2);
    assert.deepEqual(await checkpoints(), [events[1]!.position]);
  });

  it('does not pass over a batch that failed until it stopped', async () => {
    let cameBack = (): void => undefined;
    const back = new Promise<void>(resolve => (cameBack = resolve));
    const { store } = await storeDelivering(async function* (events) {
      yield { kind: 'caught-up' };
      yield { kind: 'events', events: events.slice(0, 1) };
      await back;
      yield { kind: 'events', events: events.slice(1, 2) };
    });
    let isAway = true;
    const catchUp: Streams['catchUp'] = async () => {
      if (isAway) throw new DocumentsUnavailable('away');
      return NO_HOUSEHOLD;
    };
    const streams: Streams = { ...heldStreams().streams, catchUp };
    const host = new ProjectionHost(store, place.documents, streams, { log: SILENT });
    host.start();
    await until(() => host.status().waitingFor !== null);
    const stopped = host.stop();
    isAway = false;
    cameBack();
    await stopped;
    assert.deepEqual(await checkpoints(), ['']);
  });

  describe('once it is live', () => {
    let events: readonly RecordedEvent[];
    let observed: RecordedEvent[];
    let observing: () => Promise<void>;
    let host: ProjectionHost;
    let deliver: (...some: readonly RecordedEvent[]) => void;

    /** A host that is live, by timers that the spec moves on. */
    async function live(context: TestContext, ownership = new SoleOwner()): Promise<void> {
      const waiting: Delivery[] = [{ kind: 'caught-up' }];
      let wake = (): void => undefined;
      const delivering = await storeDelivering(async function* (_, signal) {
        for (;;) {
          while (waiting.length > 0) yield waiting.shift()!;
          if (signal.aborted) return;
          await new Promise<void>(resolve => {
            wake = resolve;
            signal.addEventListener('abort', () => resolve());
          });
        }
      });
      events = delivering.events;
      deliver = (...some) => {
        waiting.push({ kind: 'events', events: some });
        wake();
      };
      observed = [];
      observing = async () => undefined;
      const streams: Streams = {
        ...heldStreams().streams,
        catchUp: async (_household, _revision, some = []) => {
          observed.push(...some);
          await observing();
          return NO_HOUSEHOLD;
        },
      };
      context.mock.timers.enable({ apis: ['setTimeout'] });
      host = new ProjectionHost(delivering.store, place.documents, streams, { log: SILENT, ownership });
      host.start();
      await until(() => host.isCaughtUp());
      context.after(async () => {
        context.mock.timers.reset();
        await host.stop();
      });
    }

    /** As many as let go on what waits for nothing else. */
    async function turns(): Promise<void> {
      for (let count = 0; count < 200; count++) await nextTurn();
    }

    it('waits a little for more, batch after batch, and says how old what waits is', async context => {
      await live(context);
      for (const [at, event] of events.slice(0, 3).entries()) {
        deliver(event);
        await turns();
        assert.equal(observed.length, at);
        assert.ok(host.lagSeconds() > 0);
        context.mock.timers.tick(LIVE_BATCH_MS);
        await until(() => host.status().position === event.position);
        assert.equal(observed.length, at + 1);
        assert.equal(host.lagSeconds(), 0);
      }
    });

    it('waits for no more where the batch is large, by number or by weight', async context => {
      await live(context);
      const [first, second, third] = events as [RecordedEvent, RecordedEvent, RecordedEvent];
      deliver({ ...first, data: { text: 'x'.repeat(25 * 1024 * 1024) } });
      await until(() => host.status().position === first.position);
      deliver(second);
      await turns();
      assert.equal(observed.length, 1, 'the next one is small');
      deliver(...Array.from({ length: 4_095 }, (_, at) => ({ ...third, revision: at, data: {} })));
      await until(() => host.status().position === third.position);
      assert.equal(observed.length, 4_097);
    });

    it('applies one batch after the other', async context => {
      await live(context);
      let release = (): void => undefined;
      observing = () => new Promise(resolve => (release = resolve));
      for (const event of events.slice(0, 2)) {
        deliver(event);
        await turns();
        context.mock.timers.tick(LIVE_BATCH_MS);
        await turns();
      }
      assert.equal(observed.length, 1);
      release();
      await until(() => observed.length === 2);
      release();
      await until(() => host.status().position === events[1]!.position);
    });

    it('stores how far it has come once a second, and after the last event', async context => {
      await live(context);
      for (const event of events.slice(0, 3)) {
        deliver(event);
        await turns();
        context.mock.timers.tick(LIVE_BATCH_MS);
        await until(() => host.status().position === event.position);
        await turns();
      }
      assert.deepEqual(await checkpoints(), [events[0]!.position]);
      for (const event of events.slice(2, 4)) {
        deliver(event);
        await turns();
        context.mock.timers.tick(1_000);
        await until(async () => (await checkpoints())[0] === event.position);
      }
    });

    it('applies nothing that fails, or that is of another process', async context => {
      const ended = context.mock.fn(async () => undefined);
      const [first] = (await recorded()) as [RecordedEvent];
      const owned = partitionOf(householdOf(first.stream));
      const ownership = { shared: true, owned: () => new Set([owned]), stop: ended };
      await live(context, Object.assign(new SoleOwner(), ownership));
      const other = events.find(({ stream }) => partitionOf(householdOf(stream)) !== owned)!;
      const next = (revision: number): RecordedEvent => ({ ...first, revision, position: `~${revision}` });
      const apply = async (event: RecordedEvent): Promise<void> => {
        deliver(event);
        await turns();
        context.mock.timers.tick(LIVE_BATCH_MS);
        await until(() => host.status().position === event.position);
      };
      await apply({ ...other, position: '~2' });
      assert.deepEqual(observed, []);
      observing = () => Promise.reject(new Error('no such event'));
      for (const revision of [3, 4]) await apply(next(revision));
      assert.deepEqual(observed, [next(3)]);
      context.mock.timers.reset();
      await host.stop();
      assert.equal(ended.mock.callCount(), 1);
    });
  });

  it('says how old what it applies is, and comes to the end', async () => {
    const { streams, asked, release } = heldStreams();
    const host = new ProjectionHost(place.store, place.documents, streams, { log: SILENT });
    host.start();
    await askedFor(asked, 1);
    const recorded = Date.parse(envelope().at);
    assert.ok(host.lagSeconds() > (Date.now() - recorded) / 1_000 - 60);
    release();
    await until(() => host.isCaughtUp());
    assert.equal(host.lagSeconds(), 0);
    assert.equal(new Set(asked).size, 5);
    await host.stop();
    assert.notEqual(host.status().position, null);
  });

  it('begins as soon as it gets partitions, not when it would look again', { timeout: 60_000 }, async () => {
    const partitions = new Set<number>();
    const asked: number[] = [];
    let changed = (): void => undefined;
    const ownership: PartitionOwnership = Object.assign(new SoleOwner(), {
      owned: () => {
        asked.push(partitions.size);
        return partitions;
      },
      start: (toldOf: () => void) => (changed = toldOf),
    });
    const { store, documents } = place;
    const host = new ProjectionHost(store, documents, place.instance(), {
      log: SILENT,
      ownership,
    });
    // A host that waits by the clock before it reads again never does.
    mock.timers.enable({ apis: ['setTimeout'] });
    try {
      host.start();
      while (asked.length === 0) await nextTurn();
      for (const partition of EVERY_PARTITION) partitions.add(partition);
      changed();
      await until(() => host.isCaughtUp());
      assert.notEqual(host.status().position, null);
    } finally {
      mock.timers.reset();
      await host.stop();
    }
  });

  it('waits longer each time while nothing comes of it', { timeout: 60_000 }, async () => {
    let subscriptions = 0;
    const store: EventStore = Object.assign(Object.create(place.store) as EventStore, {
      subscribe: () => {
        subscriptions += 1;
        throw new TypeError('a fault of the program');
      },
    });
    const host = new ProjectionHost(store, place.documents, place.instance(), {
      log: SILENT,
    });
    mock.timers.enable({ apis: ['setTimeout'] });
    try {
      host.start();
      for (const [ms, expected] of [
        [0, 1],
        [RETRY_FIRST_MS, 2],
        [RETRY_FIRST_MS, 2],
        [RETRY_FIRST_MS, 3],
      ] as const) {
        mock.timers.tick(ms);
        for (let turn = 0; turn < 200; turn++) await nextTurn();
        // What the host looks up and writes before takes turns of the storage thread.
        const isReached = (): boolean => subscriptions >= expected;
        for (let turn = 0; turn < 1_000_000 && !isReached(); turn++) await nextTurn();
        assert.equal(subscriptions, expected);
      }
    } finally {
      mock.timers.reset();
      await host.stop();
    }
  });

  describe('that had to wait for a store', () => {
    const nobodysParts: PartitionOwnership = Object.assign(new SoleOwner(), {
      owned: () => new Set<number>(),
      standsBy: () => true,
    });

    for (const [when, ownership, ended] of [
      [
        'has come to the end of a log that brought nothing',
        new SoleOwner(),
        (host: ProjectionHost) => until(() => host.isCaughtUp()),
      ],
      [
        'has no partitions',
        nobodysParts,
        (host: ProjectionHost) => until(() => host.status().waitingFor === null),
      ],
    ] as const) {
      it(`does not say so any more when it ${when}`, async () => {
        const before = new ProjectionHost(place.store, place.documents, place.instance(), {
          log: SILENT,
        });
        before.start();
        await until(() => before.isCaughtUp());
        await before.stop();
        let away = true;
        const documents = doubled(place.documents, (_method, real) =>
          away ? Promise.reject(new DocumentsUnavailable('The documents are away.')) : real(),
        );
        const host = new ProjectionHost(place.store, documents, place.instance(), {
          log: SILENT,
          ownership,
        });
        host.start();
        try {
          await until(() => host.status().waitingFor === 'The documents are away.');
          away = false;
          await ended(host);
          const { caughtUp, waitingFor } = host.status();
          assert.deepEqual({ caughtUp, waitingFor }, { caughtUp: true, waitingFor: null });
        } finally {
          away = false;
          await host.stop();
        }
      });
    }
  });
});
