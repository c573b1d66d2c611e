import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import { EventStoreDBClient } from '@eventstore/db-client';
import {
  canStartEventStoreDb,
  startEventStoreDb,
  type EventStoreDbServer,
} from '#test-servers/eventstoredb-server';
import { NO_STREAM, type EventStore, type NewEvent } from '../event-store/event-store.js';
import { idsOf, newEvents, Names, readEvents } from '../event-store/contract/streams.fixture.js';
import { Follower } from '../event-store/contract/follower.fixture.js';
import { EventStoreDbEventStore } from './eventstoredb-event-store.js';
import { eventually, insist, noteInto, unavailable } from '#test-servers/eventstoredb-fake/fault-tests';
import type { Timings } from './retry.js';

const WRITERS = 8;
const APPENDS_EACH = 45;
const KILLS = 2;

/** Short enough for a test, long enough for a server on a busy machine. */
const TIMINGS: Partial<Timings> = {
  attemptMs: 1_000,
  retryBudgetMs: 2_500,
  idleCheckMs: 60_000,
  reconnectMaxMs: 200,
};

const opened: EventStore[] = [];

/** Keep-alive as by default, so that a freeze is noticed as it is in production. Closed after the test. */
function open(server: EventStoreDbServer): { store: EventStore; notices: string[] } {
  const notices: string[] = [];
  const store = EventStoreDbEventStore.open({ url: server.url, timings: TIMINGS, log: noteInto(notices) });
  opened.push(store);
  return { store, notices };
}

function faults(server: () => EventStoreDbServer): void {
  const names = new Names();
  afterEach(async () => {
    await Promise.all(opened.splice(0).map(store => store.close()));
  });

  it('loses nothing that was acknowledged and repeats nothing when the server is killed under writers', async () => {
    const { store } = open(server());
    const prefix = names.prefix();
    let acknowledged = 0;
    const write = async (writer: number): Promise<NewEvent[]> => {
      const written: NewEvent[] = [];
      for (let count = 0; count < APPENDS_EACH; count += 1) {
        const events = newEvents(1 + (count % 3));
        const expected = written.length - 1;
        const { revision } = await insist(() => store.append(`${prefix}${writer}`, expected, events));
        written.push(...events);
        assert.equal(revision, written.length - 1);
        acknowledged += 1;
      }
      return written;
    };
    const follower = new Follower(store, { prefix });
    const writers = Array.from({ length: WRITERS }, (_, writer) => write(writer));
    for (let kill = 1; kill <= KILLS; kill += 1) {
      await eventually(() => acknowledged >= (kill * WRITERS * APPENDS_EACH) / (KILLS + 1));
      await server().restart();
    }
    const written = await Promise.all(writers);
    for (const [writer, events] of written.entries()) {
      const stored = await insist(() => readEvents(store.readStream(`${prefix}${writer}`)));
      assert.deepEqual(idsOf(stored), idsOf(events));
    }
    await follower.until(() => follower.events.length >= written.flat().length);
    assert.deepEqual(follower.events, await insist(() => readEvents(store.readAll({ prefix }))));
    await follower.stop();
  });

  it('is unavailable while the server is frozen, and knows later what became of the append', async () => {
    const { store, notices } = open(server());
    const prefix = names.prefix();
    const stream = `${prefix}stream`;
    const first = newEvents(2);
    await insist(() => store.append(stream, NO_STREAM, first));
    const follower = new Follower(store, { prefix });
    await follower.until(() => follower.isCaughtUp);
    const events = newEvents(2);
    server().freeze();
    try {
      await assert.rejects(store.append(stream, 1, events), unavailable(/does not respond in time|dropped/));
      await assert.rejects(store.ping(), unavailable(/does not respond in time|dropped|cannot be reached/));
      // By keep-alive: the subscription has nothing to time out.
      await eventually(() => notices.some(notice => notice.startsWith('subscription dropped')));
    } finally {
      server().thaw();
    }
    const { revision } = await insist(() => store.append(stream, 1, events));
    assert.equal(revision, 3);
    const stored = await insist(() => readEvents(store.readStream(stream)));
    assert.deepEqual(idsOf(stored), idsOf([...first, ...events]));
    await follower.until(() => follower.events.length >= 4);
    assert.deepEqual(follower.events, stored);
    await follower.stop();
  });

  it('opens before the server is there, and serves when it comes', async () => {
    await server().kill();
    const { store, notices } = open(server());
    const prefix = names.prefix();
    const follower = new Follower(store, { prefix });
    await assert.rejects(store.ping(), unavailable(/refuses connections: it is not running/));
    await eventually(() => notices.length > 0);
    const events = newEvents(2);
    const answer = insist(() => store.append(`${prefix}stream`, NO_STREAM, events));
    await server().restart();
    assert.equal((await answer).revision, 1);
    await insist(() => store.ping());
    await follower.until(() => follower.events.length >= 2);
    assert.deepEqual(idsOf(follower.events), idsOf(events));
    await follower.stop();
  });

  it('goes on with a subscription after a restart, the same one and another from its last position', async () => {
    const { store } = open(server());
    const prefix = names.prefix();
    const before = newEvents(300);
    await insist(() => store.append(`${prefix}before`, NO_STREAM, before));
    const same = new Follower(store, { prefix });
    const first = new Follower(store, { prefix });
    await first.until(() => first.isCaughtUp);
    await first.stop();
    await server().restart();
    const behind = newEvents(300);
    await insist(() => store.append(`${prefix}after`, NO_STREAM, behind));
    const second = new Follower(store, { prefix, after: first.position });
    await second.until(() => second.events.length >= 300);
    await same.until(() => same.events.length >= 600);
    assert.deepEqual(idsOf(second.events), idsOf(behind));
    assert.deepEqual(idsOf(same.events), idsOf([...before, ...behind]));
    await Promise.all([second.stop(), same.stop()]);
  });

  it('reads nothing from a stream that was deleted, and begins it again', async () => {
    const { store } = open(server());
    const stream = names.stream();
    const former = newEvents(3);
    await insist(() => store.append(stream, NO_STREAM, former));
    const client = EventStoreDBClient.connectionString(server().url);
    await client.deleteStream(stream);
    await client.dispose();
    for (const range of [{}, { direction: 'backwards', limit: 1 }] as const) {
      assert.deepEqual(await insist(() => readEvents(store.readStream(stream, range))), []);
    }
    const events = newEvents(1);
    assert.equal((await insist(() => store.append(stream, NO_STREAM, events))).revision, 3);
  });
}

if (canStartEventStoreDb()) {
  describe('the adapter and a real server that fails', () => {
    let started: EventStoreDbServer | null = null;
    before(async () => {
      started = await startEventStoreDb();
    });
    after(() => started?.stop());
    faults(() => {
      assert.ok(started);
      return started;
    });
  });
}
