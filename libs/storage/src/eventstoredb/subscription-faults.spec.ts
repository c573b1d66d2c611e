import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import { assertGrowing, idsOf, newEvents } from '../event-store/contract/streams.fixture.js';
import { Follower } from '../event-store/contract/follower.fixture.js';
import * as faults from '#test-servers/eventstoredb-fake/faults';
import type { Fault } from '#test-servers/eventstoredb-fake/faults';
import { PATIENT, eventually, withFake, type Pair } from '#test-servers/eventstoredb-fake/fault-tests';

const PREFIX = 'household-';
/** For what must not time out, on a machine that is busy. */
const UNHURRIED = { timings: PATIENT };
/** The same, but for an event that the store has and a live subscription does not get. */
const STRICT_OF_DELIVERY = { timings: { ...PATIENT, deliveryMs: 50 } };

/** Longer than any test. */
const FOR_EVER_MS = 600_000;
/** The first pause never ends: only one that is as long as they get. */
const ONLY_SELDOM = { timings: { ...PATIENT, reconnectFirstMs: FOR_EVER_MS, reconnectMaxMs: 10 } };
/** A pause that doubles with each one would have become longer than any test. */
const MANY_DROPS = 25;

/** 128 wait here, 128 in the client, and the others in the call, which has room for 16. */
const COUNT_WITH_SOME_WAITING = 2 * 128 + 8;
/** What the server has sent is here by then. */
const ARRIVED_AFTER_MS = 300;
const PATIENCE_MS = 120_000;

/** Ids of events that are appended one by one. */
async function append({ store }: Pair, count: number, name: string): Promise<string[]> {
  const events = newEvents(count);
  for (const [index, event] of events.entries()) await store.append(PREFIX + name, index - 1, [event]);
  return idsOf(events);
}

function storeMany({ fake }: Pair, count: number): string[] {
  const events = newEvents(count);
  fake.log.store(`${PREFIX}many`, events);
  return idsOf(events);
}

/** Follows to the end and compares. */
async function assertFollowed(follower: Follower, ids: readonly string[]): Promise<void> {
  await follower.until(() => follower.events.length >= ids.length);
  assert.deepEqual(idsOf(follower.events), ids);
  assertGrowing(follower.events);
  await follower.stop();
}

const subscriptions = ({ fake }: Pair): number =>
  fake.calls.filter(({ method }) => method === 'subscribe').length;

/** How a live subscription can be lost. */
const DROPS: Readonly<Record<string, (pair: Pair) => void | Promise<void>>> = {
  'an error': ({ fake }) => fake.subscriptions()[0]?.fail(faults.unknown.error),
  'a slow consumer being dropped': ({ fake }) => fake.subscriptions()[0]?.fail(faults.consumerTooSlow.error),
  'a polite end': ({ fake }) => fake.subscriptions()[0]?.endPolitely(),
  'a broken connection': ({ fake }) => fake.disconnect(),
  'a death of the server': async ({ fake }) => {
    fake.kill();
    await fake.listen();
  },
};

describe('a subscription', () => {
  for (const [title, drop] of Object.entries(DROPS)) {
    it(`goes on without gap or repetition after ${title}`, () =>
      withFake(async pair => {
        const ids = await append(pair, 5, 'before');
        const follower = new Follower(pair.store, { prefix: PREFIX });
        await follower.until(() => follower.isCaughtUp);
        for (const round of ['one', 'two', 'three']) {
          await eventually(() => pair.fake.subscriptions().length === 1);
          await drop(pair);
          ids.push(...(await append(pair, 5, round)));
          await follower.until(() => follower.events.length === ids.length);
        }
        await assertFollowed(follower, ids);
        assert.ok(subscriptions(pair) >= 4);
      }));

    it(`goes on after ${title} while it catches up`, () =>
      withFake(async pair => {
        const ids = storeMany(pair, 1_000);
        let sent = 0;
        pair.fake.beforeEvent = async () => {
          sent += 1;
          if (sent % 300 === 0) await drop(pair);
        };
        await assertFollowed(new Follower(pair.store, { prefix: PREFIX }), ids);
        assert.ok(subscriptions(pair) > 1);
      }));
  }

  it('notices that a live subscription has fallen silent', () =>
    withFake(async pair => {
      const ids = await append(pair, 2, 'before');
      const follower = new Follower(pair.store, { prefix: PREFIX });
      await follower.until(() => follower.isCaughtUp);
      pair.fake.subscriptions()[0]!.mute();
      ids.push(...(await append(pair, 3, 'after')));
      await assertFollowed(follower, ids);
      assert.match(pair.notices.join('\n'), /stopped delivering events/);
    }, STRICT_OF_DELIVERY));

  it('comes back after an error though there is nothing to deliver', () =>
    withFake(async pair => {
      await append(pair, 1, 'before');
      const follower = new Follower(pair.store, { prefix: PREFIX });
      await follower.until(() => follower.isCaughtUp);
      pair.fake.subscriptions()[0]!.fail(faults.unknown.error);
      await eventually(() => subscriptions(pair) === 2);
      await follower.stop();
    }, UNHURRIED));

  it('is left alone while there is nothing to deliver, whatever other streams get', () =>
    withFake(async pair => {
      await append(pair, 1, 'before');
      const follower = new Follower(pair.store, { prefix: PREFIX });
      await follower.until(() => follower.isCaughtUp);
      const reads = () => pair.fake.calls.filter(({ method }) => method === 'read').length;
      for (let checks = 0; checks < 4; checks += 1) {
        const before = reads();
        pair.fake.log.writeSystemEvent();
        await eventually(() => reads() >= before + 2);
      }
      assert.equal(subscriptions(pair), 1);
      await follower.stop();
    }, UNHURRIED));

  it('is made again when the server does not answer, and when it falls silent before it has caught up', () =>
    withFake(async pair => {
      const ids = storeMany(pair, 300);
      pair.fake.faults.subscribe.push(faults.silence, faults.notReady, faults.disconnect);
      let sent = 0;
      pair.fake.beforeEvent = async () => {
        sent += 1;
        if (sent === 150) pair.fake.subscriptions()[0]?.mute();
        await nextTurn();
      };
      await assertFollowed(new Follower(pair.store, { prefix: PREFIX }), ids);
      // Silence may also be a machine that is busy.
      assert.ok(subscriptions(pair) >= 5);
    }));

  it('waits for a server that is not there yet, and says so once', () =>
    withFake(async pair => {
      const { fake, store, notices } = pair;
      const ids = await append(pair, 3, 'before');
      fake.kill();
      const follower = new Follower(store, { prefix: PREFIX });
      await eventually(() => notices.length > 0);
      await fake.listen();
      await follower.until(() => follower.isCaughtUp);
      ids.push(...(await append(pair, 2, 'after')));
      await assertFollowed(follower, ids);
      assert.equal(notices.length, 2);
      assert.equal(notices.filter(notice => notice.includes('dropped')).length, 1);
      assert.ok(notices[0]?.includes('refuses connections'), notices[0]);
      assert.ok(notices[1]?.startsWith('subscription restored'), notices[1]);
    }, UNHURRIED));

  it(
    'ends at once while it waits to connect again, and says that it is given up',
    { timeout: PATIENCE_MS },
    () =>
      withFake(
        async ({ fake, store, notices }) => {
          fake.kill();
          const follower = new Follower(store, { prefix: PREFIX });
          await eventually(() => notices.length > 0);
          await follower.stop();
          assert.equal(notices.length, 2);
          assert.ok(notices[1]?.startsWith('subscription ended before'), notices[1]);
        },
        { timings: { ...PATIENT, reconnectFirstMs: FOR_EVER_MS, reconnectMaxMs: FOR_EVER_MS } },
      ),
  );

  it('ends at once while it looks whether something was not delivered', { timeout: PATIENCE_MS }, () =>
    withFake(
      async pair => {
        const follower = new Follower(pair.store, { prefix: PREFIX });
        pair.fake.faults.read.push(faults.silence);
        await follower.until(() => follower.isCaughtUp);
        await eventually(() => pair.fake.faults.read.length === 0);
        await follower.stop();
      },
      { timings: { ...PATIENT, attemptMs: FOR_EVER_MS } },
    ),
  );

  it('comes back as soon after each drop that follows a delivery', { timeout: PATIENCE_MS }, () =>
    withFake(
      async pair => {
        const follower = new Follower(pair.store, { prefix: PREFIX });
        await follower.until(() => follower.isCaughtUp);
        const ids: string[] = [];
        for (let drop = 0; drop < MANY_DROPS; drop += 1) {
          await eventually(() => pair.fake.subscriptions().length === 1);
          pair.fake.subscriptions()[0]!.fail(faults.unknown.error);
          ids.push(...(await append(pair, 1, `drop${drop}`)));
          await follower.until(() => follower.events.length === ids.length);
        }
        await assertFollowed(follower, ids);
      },
      { timings: { ...PATIENT, reconnectFirstMs: 1, reconnectMaxMs: FOR_EVER_MS } },
    ),
  );

  it('comes back in bounded time after whatever many failures', { timeout: PATIENCE_MS }, () =>
    withFake(
      async pair => {
        const ids = storeMany(pair, 10);
        pair.fake.faults.subscribe.push(...Array<Fault>(MANY_DROPS).fill(faults.notReady));
        await assertFollowed(new Follower(pair.store, { prefix: PREFIX }), ids);
      },
      { timings: { ...PATIENT, reconnectFirstMs: 5, reconnectMaxMs: 10 } },
    ),
  );

  it('delivers once what the server sends twice', () =>
    withFake(async pair => {
      pair.fake.duplicates = true;
      const ids = storeMany(pair, 200);
      const follower = new Follower(pair.store, { prefix: PREFIX });
      await follower.until(() => follower.isCaughtUp);
      ids.push(...(await append(pair, 5, 'live')));
      await assertFollowed(follower, ids);
    }));

  it('tells of checkpoints and of being caught up only after the events before them', () =>
    withFake(async pair => {
      const { fake, store } = pair;
      fake.checkpointEvery = 3;
      const ids: string[] = [];
      for (let round = 0; round < 60; round += 1) {
        ids.push(...(await append(pair, 2, `round${round}`)));
        for (let count = 0; count < 4; count += 1) fake.log.writeSystemEvent();
      }
      const end = fake.log.records.at(-1)!.position;
      let seen = '';
      let handled = 0;
      const follower = new Follower(store, { prefix: PREFIX }, async delivery => {
        await nextTurn();
        if (delivery.kind === 'events') {
          handled += delivery.events.length;
          seen = delivery.events.at(-1)!.position;
        } else if (delivery.kind === 'checkpoint') {
          assert.ok(delivery.position > seen, 'a checkpoint before the events that it covers');
          const covered = fake.log.records.filter(
            ({ stream, position }) =>
              stream.startsWith(PREFIX) && position <= BigInt(delivery.position.slice(0, 20)),
          );
          assert.equal(handled, covered.length);
          seen = delivery.position;
        } else {
          assert.equal(handled, ids.length);
        }
      });
      await follower.until(() => follower.isCaughtUp);
      assert.ok(follower.deliveries.filter(({ kind }) => kind === 'checkpoint').length > 10);
      assert.ok(BigInt(follower.position!.slice(0, 20)) <= end);
      await follower.stop();
    }));

  it('goes on from a checkpoint', () =>
    withFake(async pair => {
      const { fake, store } = pair;
      fake.checkpointEvery = 5;
      await append(pair, 3, 'before');
      for (let count = 0; count < 10; count += 1) fake.log.writeSystemEvent();
      const first = new Follower(store, { prefix: PREFIX });
      await first.until(() => first.isCaughtUp);
      await first.stop();
      const after = first.position!;
      assert.ok(after > first.events.at(-1)!.position);
      const ids = await append(pair, 3, 'after');
      await assertFollowed(new Follower(store, { prefix: PREFIX, after }), ids);
    }));

  it('resumes after what was handled, not after what has arrived', () =>
    withFake(async pair => {
      const ids = storeMany(pair, 400);
      let dropped = false;
      const follower = new Follower(pair.store, { prefix: PREFIX }, async () => {
        if (dropped) return;
        dropped = true;
        pair.fake.disconnect();
        await eventually(() => pair.fake.subscriptions().length === 0);
      });
      await assertFollowed(follower, ids);
    }));

  it('tries a wrong password seldom, and goes on when it is right', () =>
    withFake(async pair => {
      const ids = await append(pair, 2, 'before');
      pair.fake.faults.subscribe.push(...Array<Fault>(3).fill(faults.wrongPassword));
      await assertFollowed(new Follower(pair.store, { prefix: PREFIX }), ids);
      assert.ok(pair.notices[0]?.includes('rejects the user and password of EVENTSTORE_URL'));
      assert.equal(subscriptions(pair), 4);
    }, ONLY_SELDOM));

  it('ends at once when it is aborted, whatever the server does', () =>
    withFake(async pair => {
      await append(pair, 2, 'before');
      pair.fake.faults.subscribe.push(faults.silence);
      const silent = new Follower(pair.store, { prefix: PREFIX });
      await eventually(() => subscriptions(pair) === 1);
      await silent.stop();
      assert.equal(silent.deliveries.length, 0);

      const live = new Follower(pair.store, { prefix: PREFIX });
      await live.until(() => live.isCaughtUp);
      await live.stop();

      pair.fake.kill();
      const reconnecting = new Follower(pair.store, { prefix: PREFIX });
      await eventually(() => pair.notices.length > 0);
      await reconnecting.stop();
      await pair.fake.listen();
      await eventually(() => pair.fake.openReads.size === 0);
    }, UNHURRIED));

  it('ends its call at the server when it is left early or the store is closed', () =>
    withFake(async pair => {
      await append(pair, 2, 'before');
      const { signal } = new AbortController();
      for await (const { kind } of pair.store.subscribe({ prefix: PREFIX, signal })) {
        if (kind === 'caught-up') break;
      }
      await eventually(() => pair.fake.openReads.size === 0);
      const follower = new Follower(pair.store, { prefix: PREFIX });
      await follower.until(() => follower.isCaughtUp);
      await pair.store.close();
      await follower.ended();
      await eventually(() => pair.fake.openReads.size === 0);
    }));

  for (const how of ['left', 'held'] as const) {
    it(`keeps no store open that is ${how} while its last events wait`, { timeout: PATIENCE_MS }, () =>
      withFake(async pair => {
        storeMany(pair, COUNT_WITH_SOME_WAITING);
        const ended = new AbortController();
        const subscription = pair.store.subscribe({ prefix: PREFIX, signal: ended.signal });
        const deliveries = subscription[Symbol.asyncIterator]();
        await deliveries.next();
        await pause(ARRIVED_AFTER_MS);
        for (const call of pair.fake.subscriptions()) call.endPolitely();
        await pause(ARRIVED_AFTER_MS);
        ended.abort();
        if (how === 'left') await deliveries.return?.();
        await pair.store.close();
      }),
    );
  }

  it('refuses a position of another store', () =>
    withFake(async pair => {
      const follower = new Follower(pair.store, { prefix: PREFIX, after: '00000000000000000042' });
      await assert.rejects(follower.ended(), RangeError);
    }));
});
