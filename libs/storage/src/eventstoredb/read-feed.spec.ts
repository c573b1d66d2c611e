import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { describe, it } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { RecordedEvent } from '../event-store/event-store.js';
import { newEvent } from '../event-store/contract/streams.fixture.js';
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
    for (const event of events) this.emit('data', { event });
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

describe('the feed of a read', () => {
  it('brings what came together with the end', async () => {
    const { call, feed } = await opened();
    const waiting = more(feed);
    const events = call.bring(3);
    call.emit('end');
    assert.equal(await waiting, true);
    assert.deepEqual(feed.take(2), events.slice(0, 2));
    assert.equal(await more(feed), true);
    assert.deepEqual(feed.take(2), events.slice(2));
    assert.equal(await more(feed), false);
  });

  it('is woken by events, and not by answers that bring none', async () => {
    const { call, feed } = await opened();
    let isAwake = false;
    const waiting = more(feed).then(() => (isAwake = true));
    call.emit('data', { event: null });
    await nextTurn();
    await nextTurn();
    assert.equal(isAwake, false);
    const events = call.bring(1);
    await waiting;
    assert.deepEqual(feed.take(10), events);
  });

  it('holds the server back while many events wait, until they are taken', async () => {
    const { call, feed } = await opened();
    call.bring(WAITING_MAX - 1);
    assert.deepEqual(call.told, []);
    call.bring(1);
    assert.deepEqual(call.told, ['pause']);
    assert.equal(feed.take(WAITING_MAX - 1).length, WAITING_MAX - 1);
    assert.deepEqual(call.told, ['pause']);
    assert.equal(feed.take(WAITING_MAX).length, 1);
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
});
