import assert from 'node:assert/strict';
import { EventEmitter, getEventListeners } from 'node:events';
import { describe, it } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { RecordedEvent } from '../event-store/event-store.js';
import { newEvent } from '../event-store/contract/streams.fixture.js';
import { NoAnswer } from '#concurrency/within';
import { ReadFeed } from './read-feed.js';

/** Longer than any test. */
const FOR_EVER_MS = 600_000;
/** As many as may wait in a feed. */
const WAITING_MAX = 128;

/** A call of gRPC as far as a feed looks at it. */
class Call extends EventEmitter {
  readonly told: string[] = [];
  pause = (): unknown => this.told.push('pause');
  resume = (): unknown => this.told.push('resume');
  cancel = (): void => void this.told.push('cancel');

  bring(count: number): RecordedEvent[] {
    const events = Array.from({ length: count }, (_, revision) => ({
      ...newEvent(),
      stream: 'household-a',
      revision,
      position: String(revision).padStart(40, '0'),
    }));
    for (const answer of events) this.emit('data', { answer });
    return events;
  }
}

/** A feed that listens to its call. */
async function opened(): Promise<{ readonly call: Call; readonly feed: ReadFeed }> {
  const call = new Call();
  const feed = new ReadFeed(Promise.resolve(call));
  await nextTurn();
  return { call, feed };
}

const more = (feed: ReadFeed): Promise<boolean> => feed.more(FOR_EVER_MS, new AbortController().signal);

const listeners = (signal: AbortSignal): number => getEventListeners(signal, 'abort').length;

/** The events that are taken. */
const eventsOf = (feed: ReadFeed, answersMax: number): RecordedEvent[] =>
  feed.take(answersMax).flatMap(delivery => (delivery.kind === 'events' ? delivery.events : []));

describe('the feed of a read', () => {
  it('brings what came together with the end', async () => {
    const { call, feed } = await opened();
    const waiting = more(feed);
    const events = call.bring(3);
    call.emit('end');
    assert.equal(await waiting, true);
    assert.deepEqual(eventsOf(feed, 2), events.slice(0, 2));
    assert.equal(await more(feed), true);
    assert.deepEqual(eventsOf(feed, 2), events.slice(2));
    assert.equal(await more(feed), false);
  });

  it('is woken by events, and not by answers that bring none', async () => {
    const { call, feed } = await opened();
    let isAwake = false;
    const waiting = more(feed).then(() => (isAwake = true));
    call.emit('data', { answer: null });
    await nextTurn();
    await nextTurn();
    assert.equal(isAwake, false);
    const events = call.bring(1);
    await waiting;
    assert.deepEqual(eventsOf(feed, 10), events);
  });

  it('holds the server back while many events wait, until they are taken', async () => {
    const { call, feed } = await opened();
    call.bring(WAITING_MAX - 1);
    assert.deepEqual(call.told, []);
    call.bring(1);
    assert.deepEqual(call.told, ['pause']);
    assert.equal(eventsOf(feed, WAITING_MAX - 1).length, WAITING_MAX - 1);
    assert.deepEqual(call.told, ['pause']);
    assert.equal(eventsOf(feed, WAITING_MAX).length, 1);
    assert.deepEqual(call.told, ['pause', 'resume']);
  });

  it('cancels its call in a later turn, and takes nothing of it any more', async () => {
    const { call, feed } = await opened();
    feed.close();
    await Promise.resolve();
    assert.deepEqual(call.told, []);
    call.emit('error', new Error('it failed at the same time'));
    call.bring(WAITING_MAX);
    await nextTurn();
    await nextTurn();
    assert.deepEqual(call.told, ['resume', 'cancel']);
    assert.deepEqual(feed.take(WAITING_MAX), []);
  });

  it('cancels a call that begins after it was closed', async () => {
    const call = new Call();
    let begin = (_call: Call): void => undefined;
    const feed = new ReadFeed(new Promise<Call>(resolve => (begin = resolve)));
    feed.close();
    begin(call);
    await nextTurn();
    await nextTurn();
    assert.deepEqual(call.told, ['resume', 'cancel']);
  });

  it('fails where its call does not begin, also once it was closed', async () => {
    const feed = new ReadFeed(Promise.reject(new Error('no connection')));
    await assert.rejects(more(feed), /no connection/);
    feed.close();
    await nextTurn();
  });

  it('brings together the events between which nothing else came', async () => {
    const { call, feed } = await opened();
    const [first, second] = [call.bring(2), { kind: 'checkpoint', position: '7' }];
    call.emit('data', { answer: second });
    const third = call.bring(1);
    call.emit('data', { answer: { kind: 'caught-up' } });
    assert.deepEqual(feed.take(9), [
      { kind: 'events', events: first },
      second,
      { kind: 'events', events: third },
      { kind: 'caught-up' },
    ]);
  });
});

describe('waiting for more of a feed', () => {
  it('ends with what arrives, again and again, and leaves no listener behind', async () => {
    const { call, feed } = await opened();
    const { signal } = new AbortController();
    for (let count = 0; count < 3; count += 1) {
      const waiting = feed.more(FOR_EVER_MS, signal);
      call.bring(1);
      assert.equal(await waiting, true);
    }
    assert.equal(listeners(signal), 0);
  });

  it('is over in time where nothing comes, and may begin again', async () => {
    const { call, feed } = await opened();
    const { signal } = new AbortController();
    await assert.rejects(feed.more(1, signal), NoAnswer);
    assert.equal(listeners(signal), 0);
    const waiting = feed.more(FOR_EVER_MS, signal);
    call.bring(1);
    assert.equal(await waiting, true);
  });

  it('has nothing to do with the time of a wait before', async t => {
    t.mock.timers.enable({ apis: ['setTimeout'] });
    const { call, feed } = await opened();
    const { signal } = new AbortController();
    const first = feed.more(10, signal);
    call.bring(1);
    await first;
    const second = feed.more(FOR_EVER_MS, signal);
    t.mock.timers.tick(10);
    call.bring(1);
    t.mock.timers.tick(FOR_EVER_MS);
    assert.equal(await second, true);
  });

  it('ends with its signal, and does not begin after that', async () => {
    const { feed } = await opened();
    const controller = new AbortController();
    const waiting = feed.more(FOR_EVER_MS, controller.signal);
    controller.abort();
    assert.equal(await waiting, true);
    assert.equal(await feed.more(FOR_EVER_MS, controller.signal), true);
  });

  it('tells of the end, and of the first failure', async () => {
    const ended = await opened();
    ended.call.emit('end');
    assert.equal(await more(ended.feed), false);
    const failed = await opened();
    const waiting = more(failed.feed);
    failed.call.emit('error', new Error('first'));
    failed.call.emit('error', new Error('second'));
    await assert.rejects(waiting, /first/);
    await assert.rejects(more(failed.feed), /first/);
  });
});

describe('closing a feed with a signal', () => {
  it('happens once it is aborted', async () => {
    const { call, feed } = await opened();
    const controller = new AbortController();
    feed.closeWith(controller.signal);
    controller.abort();
    await nextTurn();
    await nextTurn();
    assert.deepEqual(call.told, ['resume', 'cancel']);
  });

  it('leaves no listener behind where it was closed before', async () => {
    const { call, feed } = await opened();
    const controller = new AbortController();
    const close = feed.closeWith(controller.signal);
    assert.equal(listeners(controller.signal), 1);
    close();
    assert.equal(listeners(controller.signal), 0);
    controller.abort();
    await nextTurn();
    await nextTurn();
    assert.deepEqual(call.told, ['resume', 'cancel']);
  });
});
