import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import type { Delivery, EventStore, RecordedEvent } from '#storage/event-store/event-store';
import { ApiError } from '#http/api-error';
import { streamOf } from '#engine/households/household-stream';
import { ChangeFeed, CLIENTS_MAX, ROUNDS_APART_MS, TOLD_AFTER_MS, type Listener } from './change-feed.js';

/** Longer than any pause of the feed, and no heartbeat of these tests comes before it. */
const LONG_MS = 1_000_000;

describe('the feed of changes', () => {
  /** A feed whose time stands still until the timers are moved on. */
  function arranged({ mock }: TestContext) {
    mock.timers.enable({ apis: ['setTimeout'] });
    const log = new LiveLog();
    const feed = new ChangeFeed(log as unknown as EventStore);
    const pass = async (milliseconds: number): Promise<void> => {
      await nextTurn();
      mock.timers.tick(milliseconds);
      await nextTurn();
    };
    return { log, feed, pass };
  }

  it('tells the first command at once, and what follows within the pause in one go', async context => {
    const { log, feed, pass } = arranged(context);
    const told = new Told(await feed.listen('A', 'U'));
    log.record('A');
    await pass(TOLD_AFTER_MS - 1);
    assert.equal(told.times, 0);
    await pass(1);
    assert.equal(told.times, 1);
    for (let count = 0; count < 3; count++) {
      log.record('A');
      await pass(TOLD_AFTER_MS);
    }
    assert.equal(told.times, 1);
    await pass(ROUNDS_APART_MS);
    assert.equal(told.times, 2);
    await pass(ROUNDS_APART_MS);
    assert.equal(told.times, 2);
    log.record('A');
    await pass(TOLD_AFTER_MS);
    assert.equal(told.times, 3);
  });

  it('tells all clients of a household, in several turns, and none of another one', async context => {
    const { log, feed, pass } = arranged(context);
    const those = await Promise.all(
      Array.from({ length: 20 }, async () => new Told(await feed.listen('A', 'U'))),
    );
    const other = new Told(await feed.listen('B', 'U'));
    const told = (): number => those.filter(({ times }) => times === 1).length;
    log.record('A');
    await pass(TOLD_AFTER_MS);
    assert.ok(told() > 0 && told() < 20, `${told()} in the first turn`);
    for (let turn = 0; turn < 20; turn++) await pass(1);
    assert.deepEqual([told(), other.times], [20, 0]);
  });

  it('tells in the next round who is recorded for while others are still being told', async context => {
    const { log, feed, pass } = arranged(context);
    const those = await Promise.all(
      Array.from({ length: 20 }, async () => new Told(await feed.listen('A', 'U'))),
    );
    log.record('A');
    await pass(TOLD_AFTER_MS);
    log.record('A');
    for (let turn = 0; turn < 20; turn++) await pass(1);
    assert.deepEqual(new Set(those.map(({ times }) => times)), new Set([1]));
    await pass(ROUNDS_APART_MS);
    for (let turn = 0; turn < 20; turn++) await pass(1);
    assert.deepEqual(new Set(those.map(({ times }) => times)), new Set([2]));
  });
});

describe('the places of the feed of changes', () => {
  it('are taken before the log has answered, and given back where it does not', async () => {
    let refuse: (error: Error) => void = () => undefined;
    const answer = new Promise<null>((_, reject) => (refuse = reject));
    const feed = new ChangeFeed({ head: () => answer } as unknown as EventStore);
    const early = Array.from({ length: CLIENTS_MAX }, () => feed.listen('A', 'U'));
    await assert.rejects(feed.listen('A', 'U'), ApiError);
    refuse(new Error('down'));
    for (const { status } of await Promise.allSettled(early)) assert.equal(status, 'rejected');
    assert.equal(feed.clientCount, 0);
  });

  it('are shared: whoever has the most gives way to somebody who has fewer', async () => {
    const feed = new ChangeFeed(new LiveLog() as unknown as EventStore);
    const [kept, greedy] = [await feed.listen('A', 'V'), []] as [Listener, Listener[]];
    while (feed.clientCount < CLIENTS_MAX) greedy.push(await feed.listen('B', 'U'));
    await assert.rejects(feed.listen('B', 'U'), ApiError);
    const others = [await feed.listen('A', 'V'), await feed.listen('A', 'W')];
    assert.equal(feed.clientCount, CLIENTS_MAX);
    assert.deepEqual(
      greedy.slice(0, 3).map(({ signal }) => signal.aborted),
      [true, true, false],
    );
    assert.ok([kept, ...others].every(({ signal }) => !signal.aborted));
    greedy[0]!.close();
    assert.equal(feed.clientCount, CLIENTS_MAX);
    await assert.rejects(feed.listen('B', 'U'), ApiError);
  });

  it('are left when the process stops, also by who comes late, and each is given back once', async () => {
    const feed = new ChangeFeed(new LiveLog() as unknown as EventStore);
    const [first, second] = [await feed.listen('A', 'U'), await feed.listen('B', 'U')];
    second.close();
    second.close();
    assert.deepEqual([first.signal.aborted, second.signal.aborted, feed.clientCount], [false, true, 1]);
    feed.beforeApplicationShutdown();
    const late = await feed.listen('A', 'U');
    assert.ok(first.signal.aborted && late.signal.aborted);
    await first.wait(LONG_MS);
    for (const listener of [first, late, late]) listener.close();
    assert.equal(feed.clientCount, 0);
  });

  it('are there again after the subscription ended with an error, which ends nothing else', async ({
    mock,
  }) => {
    const told = mock.method(Logger.prototype, 'error', () => undefined);
    let subscriptions = 0;
    const log = {
      head: async () => null,
      subscribe() {
        subscriptions += 1;
        throw new TypeError('a fault of the program');
      },
    };
    const feed = new ChangeFeed(log as unknown as EventStore);
    await feed.listen('A', 'U');
    await nextTurn();
    await feed.listen('A', 'U');
    await nextTurn();
    assert.equal(subscriptions, 2);
    assert.equal(told.mock.callCount(), 2);
  });
});

/** Counts how often a listener was told. */
class Told {
  times = 0;

  constructor(listener: Listener) {
    void this.count(listener);
  }

  private async count(listener: Listener): Promise<void> {
    for (;;) {
      await listener.wait(LONG_MS);
      this.times++;
    }
  }
}

/** A log of which only its live end is asked. */
class LiveLog {
  private readonly recorded: Delivery[] = [];
  private arrived: () => void = () => undefined;

  record(householdId: string): void {
    const event = { stream: streamOf(householdId) } as RecordedEvent;
    this.recorded.push({ kind: 'events', events: [event] });
    this.arrived();
  }

  head(): Promise<null> {
    return Promise.resolve(null);
  }

  async *subscribe(): AsyncGenerator<Delivery> {
    for (;;) {
      yield* this.recorded.splice(0);
      await new Promise<void>(resolve => (this.arrived = resolve));
    }
  }
}
