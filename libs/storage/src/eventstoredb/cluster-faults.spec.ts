import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { NO_STREAM } from '../event-store/event-store.js';
import { idsOf, newEvents, readEvents } from '../event-store/contract/streams.fixture.js';
import { Follower } from '../event-store/contract/follower.fixture.js';
import { EventStoreDbEventStore } from './eventstoredb-event-store.js';
import * as faults from '#test-servers/eventstoredb-fake/faults';
import type { Fault } from '#test-servers/eventstoredb-fake/faults';
import {
  PATIENT_ONCE,
  QUICK,
  eventually,
  noteInto,
  unavailable,
} from '#test-servers/eventstoredb-fake/fault-tests';
import { MemoryLog } from '#test-servers/eventstoredb-fake/memory-log';
import { StreamsServiceFake } from '#test-servers/eventstoredb-fake/streams-service-fake';
import type { Timings } from './retry.js';

interface Cluster {
  readonly nodes: readonly [StreamsServiceFake, StreamsServiceFake];
  readonly store: EventStoreDbEventStore;
  readonly notices: string[];
}

const STREAM = 'household-a';

/** Two nodes with one log, the first of them the leader. */
async function withCluster(
  url: (first: number, second: number) => string,
  test: (cluster: Cluster) => Promise<void>,
  timings: Partial<Timings> = { reconnectFirstMs: 5, reconnectMaxMs: 50, retryBudgetMs: 60_000 },
): Promise<void> {
  const log = new MemoryLog();
  const nodes = [await StreamsServiceFake.start(log), await StreamsServiceFake.start(log)] as const;
  lead(nodes[0], nodes[1]);
  const notices: string[] = [];
  const store = EventStoreDbEventStore.open({
    url: url(nodes[0].port, nodes[1].port),
    timings,
    log: noteInto(notices),
  });
  try {
    await test({ nodes, store, notices });
  } finally {
    await store.close();
    for (const node of nodes) node.kill();
  }
}

/** One node leads from now on; the other says so. */
function lead(leader: StreamsServiceFake, follower: StreamsServiceFake): void {
  for (const node of [leader, follower]) node.members = [leader.port, follower.port];
  leader.leaderPort = undefined;
  follower.leaderPort = leader.port;
}

const URLS: Readonly<Record<string, (first: number, second: number) => string>> = {
  'named by its nodes': (first, second) => `esdb://127.0.0.1:${second},127.0.0.1:${first}?tls=false`,
  'found by DNS': (_first, second) => `esdb+discover://127.0.0.1:${second}?tls=false`,
};

for (const [title, url] of Object.entries(URLS)) {
  describe(`a cluster ${title}`, () => {
    it('is asked for its leader', () =>
      withCluster(url, async ({ nodes, store }) => {
        const events = newEvents(2);
        await store.append(STREAM, NO_STREAM, events);
        assert.deepEqual(idsOf(await readEvents(store.readStream(STREAM))), idsOf(events));
        assert.equal(nodes[1].calls.length, 0);
      }));

    it('is followed to its new leader by appends, reads and subscriptions', () =>
      withCluster(url, async ({ nodes, store }) => {
        const ids: string[] = [];
        const follower = new Follower(store, { prefix: 'household-' });
        for (let round = 0; round < 4; round += 1) {
          const events = newEvents(2);
          await store.append(STREAM, round * 2 - 1, events);
          ids.push(...idsOf(events));
          await follower.until(() => follower.events.length === ids.length);
          const [from, to] = round % 2 === 0 ? nodes : [nodes[1], nodes[0]];
          lead(to, from);
          for (const read of from.subscriptions()) read.endPolitely();
          assert.deepEqual(idsOf(await readEvents(store.readStream(STREAM))), ids);
        }
        assert.deepEqual(idsOf(follower.events), ids);
        await follower.stop();
        assert.deepEqual([...nodes[0].violations, ...nodes[1].violations], []);
      }));

    it('loses its leader and is found again at the other node', () =>
      withCluster(url, async ({ nodes, store }) => {
        await store.append(STREAM, NO_STREAM, newEvents(1));
        nodes[0].kill();
        lead(nodes[1], nodes[0]);
        assert.equal((await store.append(STREAM, 0, newEvents(1))).revision, 1);
      }));

    it('is left for its new leader when the old one freezes', () =>
      withCluster(
        url,
        async ({ nodes, store }) => {
          await store.append(STREAM, NO_STREAM, newEvents(1));
          const follower = new Follower(store, { prefix: 'household-' });
          await follower.until(() => follower.isCaughtUp);
          // It takes connections and calls, and answers none. Gossip still names it for a while.
          const { append, read, subscribe, gossip } = nodes[0].faults;
          for (const calls of [append, read, subscribe, gossip]) {
            calls.push(...Array<Fault>(1_000).fill(faults.silence));
          }
          for (const open of nodes[0].openReads) open.mute();
          const answer = store.append(STREAM, 0, newEvents(1));
          await eventually(() => append.length < 1_000);
          nodes[1].members = [nodes[1].port, nodes[0].port];
          nodes[1].leaderPort = undefined;
          assert.equal((await answer).revision, 1);
          assert.equal((await readEvents(store.readStream(STREAM))).length, 2);
          await follower.until(() => follower.events.length === 2);
          await follower.stop();
        },
        { ...QUICK, attemptMs: 1_000 },
      ));

    it('is away altogether and comes back, while many calls wait for it', () =>
      withCluster(url, async ({ nodes, store }) => {
        await store.append(STREAM, NO_STREAM, newEvents(1));
        const streams = Array.from({ length: 16 }, (_, index) => `household-${index}`);
        for (const node of nodes) {
          node.faults.append.push(...streams.map(() => faults.silenceAfterCommit));
        }
        const appends = streams.map(stream => store.append(stream, NO_STREAM, newEvents(1)));
        const heads = streams.map(() => store.head('household-'));
        await eventually(() => nodes[0].calls.length > 16);
        for (const node of nodes) node.kill();
        for (const node of nodes) node.faults.append.length = 0;
        await assert.rejects(store.ping(), { name: 'EventStoreUnavailable' });
        for (const node of nodes) await node.listen();
        for (const { revision } of await Promise.all(appends)) assert.equal(revision, 0);
        await Promise.all(heads);
      }));

    it('does not end the process when calls fail while the search for a leader fails', () =>
      withCluster(url, async ({ nodes, store }) => {
        await store.append(STREAM, NO_STREAM, newEvents(1));
        const followers = Array.from({ length: 3 }, () => new Follower(store, { prefix: 'household-' }));
        for (const follower of followers) await follower.until(() => follower.isCaughtUp);
        for (const node of nodes) {
          node.faults.gossip.push(...Array<Fault>(1_000).fill(faults.notReady));
          node.leaderPort = undefined;
        }
        const [first, ...others] = nodes[0].subscriptions();
        // The first failure makes the client search; the others come while it does.
        first!.fail(faults.notReady.error);
        await eventually(() => nodes.some(({ faults: { gossip } }) => gossip.length < 1_000));
        for (const other of others) other.fail(faults.notReady.error);
        await assert.rejects(store.ping(), { name: 'EventStoreUnavailable' });
        for (const node of nodes) node.faults.gossip.length = 0;
        lead(nodes[0], nodes[1]);
        await store.append(STREAM, 0, newEvents(1));
        for (const follower of followers) {
          await follower.until(() => follower.events.length === 2);
          await follower.stop();
        }
      }));

    it('is unavailable when no node answers, in one sentence', () =>
      withCluster(
        url,
        async ({ nodes, store }) => {
          for (const node of nodes) node.kill();
          const words = /cannot be discovered: no node of the cluster responded/;
          await assert.rejects(store.append(STREAM, NO_STREAM, newEvents(1)), unavailable(words));
          await assert.rejects(store.ping(), unavailable(words));
        },
        PATIENT_ONCE,
      ));
  });
}

describe('a single node', () => {
  it('that is no leader any more shows the way to the one that is', () =>
    withCluster(
      first => `esdb://127.0.0.1:${first}?tls=false`,
      async ({ nodes, store }) => {
        lead(nodes[1], nodes[0]);
        assert.equal((await store.append(STREAM, NO_STREAM, newEvents(1))).revision, 0);
        assert.ok(nodes[1].calls.some(({ method }) => method === 'append'));
      },
    ));
});
