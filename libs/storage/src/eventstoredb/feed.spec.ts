import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { describe, it } from 'node:test';
import { NoAnswer } from './failures.js';
import { Feed } from './feed.js';

/** Longer than any test. */
const FOR_EVER_MS = 600_000;

/** Tells what it is told to. */
class ToldFeed extends Feed {
  closed = 0;

  close(): void {
    this.closed += 1;
  }

  arrive = (): void => this.arrived();
  break = (error: unknown): void => this.fail(error);
  finish = (): void => this.end();
}

const listeners = (signal: AbortSignal): number => getEventListeners(signal, 'abort').length;

describe('waiting for more of a feed', () => {
  it('ends with what arrives, again and again, and leaves no listener behind', async () => {
    const feed = new ToldFeed();
    const { signal } = new AbortController();
    for (let count = 0; count < 3; count += 1) {
      const waiting = feed.more(FOR_EVER_MS, signal);
      feed.arrive();
      assert.equal(await waiting, true);
    }
    assert.equal(listeners(signal), 0);
  });

  it('is over in time where nothing comes, and may begin again', async () => {
    const feed = new ToldFeed();
    const { signal } = new AbortController();
    await assert.rejects(feed.more(1, signal), NoAnswer);
    assert.equal(listeners(signal), 0);
    const waiting = feed.more(FOR_EVER_MS, signal);
    feed.arrive();
    assert.equal(await waiting, true);
  });

  it('has nothing to do with the time of a wait before', async t => {
    t.mock.timers.enable({ apis: ['setTimeout'] });
    const feed = new ToldFeed();
    const { signal } = new AbortController();
    const first = feed.more(10, signal);
    feed.arrive();
    await first;
    const second = feed.more(FOR_EVER_MS, signal);
    t.mock.timers.tick(10);
    feed.arrive();
    t.mock.timers.tick(FOR_EVER_MS);
    assert.equal(await second, true);
  });

  it('ends with its signal, and does not begin after that', async () => {
    const feed = new ToldFeed();
    const controller = new AbortController();
    const waiting = feed.more(FOR_EVER_MS, controller.signal);
    controller.abort();
    assert.equal(await waiting, true);
    assert.equal(await feed.more(FOR_EVER_MS, controller.signal), true);
  });

  it('tells of the end, and of the first failure', async () => {
    const { signal } = new AbortController();
    const ended = new ToldFeed();
    ended.finish();
    assert.equal(await ended.more(FOR_EVER_MS, signal), false);
    const failed = new ToldFeed();
    const waiting = failed.more(FOR_EVER_MS, signal);
    failed.break(new Error('first'));
    failed.break(new Error('second'));
    await assert.rejects(waiting, /first/);
    await assert.rejects(failed.more(FOR_EVER_MS, signal), /first/);
  });
});

describe('closing a feed with a signal', () => {
  it('happens once it is aborted', () => {
    const feed = new ToldFeed();
    const controller = new AbortController();
    feed.closeWith(controller.signal);
    controller.abort();
    assert.equal(feed.closed, 1);
  });

  it('leaves no listener behind where it was closed before', () => {
    const feed = new ToldFeed();
    const controller = new AbortController();
    const close = feed.closeWith(controller.signal);
    assert.equal(listeners(controller.signal), 1);
    close();
    assert.equal(listeners(controller.signal), 0);
    controller.abort();
    assert.equal(feed.closed, 1);
  });
});
