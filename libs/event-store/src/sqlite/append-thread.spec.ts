import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { idsOf, newEvent, newEvents, readEvents } from '../contract/fixture.js';
import { Follower } from '../contract/follower.js';
import { EventStoreUnavailable, NO_STREAM, WrongExpectedRevision } from '../event-store.js';
import type { ThreadRequest } from './append-messages.js';
import { AppendThread, FLIGHTS_MAX } from './append-thread.js';
import { SqliteEventStore } from './sqlite-event-store.js';

describe('SQLite event store that appends in a thread', () => {
  let directory: string;
  let file: string;
  let store: SqliteEventStore;

  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'append-thread-'));
    file = join(directory, 'events.sqlite');
    store = SqliteEventStore.open({ file, appendsInThread: true });
  });
  afterEach(async () => {
    await store.close();
    rmSync(directory, { recursive: true });
  });

  const followed = async (prefix: string): Promise<Follower> => {
    const follower = new Follower(store, { prefix });
    await follower.until(() => follower.isCaughtUp);
    return follower;
  };

  it('commits the appends of one turn together, and decides each by those before it', async () => {
    const streams = Array.from({ length: 200 }, (_, index) => `group-${index}`);
    await Promise.all(streams.map(stream => store.append(stream, NO_STREAM, newEvents(1))));
    assert.equal(store.commits, 1);
    const outcomes = await Promise.allSettled([
      store.append('group-0', 0, newEvents(2)),
      store.append('group-0', 0, newEvents(1)),
      store.append('group-0', 2, newEvents(1)),
    ]);
    assert.deepEqual(
      outcomes.map(outcome => (outcome.status === 'fulfilled' ? outcome.value.revision : outcome.reason)),
      [2, new WrongExpectedRevision('group-0', 0, 2), 3],
    );
    assert.equal(store.commits, 2);
  });

  it('delivers the appended objects themselves, in the order of the store, and no repetition', async () => {
    const follower = await followed('live-');
    const events = Array.from({ length: 60 }, (_, index) => newEvent({ data: { index } }));
    const appends = events.map((event, index) =>
      store.append(`live-${index % 7}`, Math.floor(index / 7) - 1, [event]),
    );
    const first = newEvent();
    await Promise.all([
      ...appends,
      store.append('live-again', NO_STREAM, [first]),
      store.append('live-again', NO_STREAM, [first]),
    ]);
    await store.append('live-again', NO_STREAM, [first]);
    const stored = await readEvents(store.readAll({ prefix: 'live-' }));
    await follower.until(() => follower.events.length >= stored.length);
    await nextTurn();
    assert.equal(stored.length, events.length + 1);
    assert.deepEqual(follower.events, stored);
    assert.equal(follower.events.find(({ id }) => id === first.id)?.data, first.data);
    await follower.stop();
  });

  it('has no more batches on their way than the bound, and gathers meanwhile', async context => {
    const post = context.mock.method(Worker.prototype, 'postMessage');
    const appends = [];
    for (let turn = 0; turn < 20; turn += 1) {
      appends.push(store.append(`turn-${turn}`, NO_STREAM, newEvents(1)));
      // The answers come by the event loop's poll phase, which is not reached between two of these.
      if (post.mock.callCount() < FLIGHTS_MAX) await nextTurn();
    }
    assert.equal(post.mock.callCount(), FLIGHTS_MAX);
    await Promise.all(appends);
    const counts = post.mock.calls.map(({ arguments: [request] }) => appendsIn(request as ThreadRequest));
    assert.deepEqual(counts, [1, 1, 18]);
  });

  it('sends what is large in several batches', async context => {
    const post = context.mock.method(Worker.prototype, 'postMessage');
    const data = { filler: 'x'.repeat(990_000) };
    await Promise.all(
      Array.from({ length: 12 }, (_, index) =>
        store.append(`large-${index}`, NO_STREAM, [newEvent({ data })]),
      ),
    );
    const counts = post.mock.calls.map(({ arguments: [request] }) => appendsIn(request as ThreadRequest));
    assert.deepEqual(counts, [5, 5, 2]);
  });

  it('refuses appends while too much of their text waits', async () => {
    const data = { filler: 'x'.repeat(990_000) };
    const outcomes = await Promise.allSettled(
      Array.from({ length: 70 }, (_, index) =>
        store.append(`large-${index}`, NO_STREAM, [newEvent({ data })]),
      ),
    );
    const refused = outcomes.flatMap(outcome => (outcome.status === 'rejected' ? [outcome.reason] : []));
    assert.equal(refused.length, 3);
    for (const reason of refused) assert.match(String(reason), /Unavailable.*too many writes are waiting/);
    await store.append('large-0', 0, [newEvent({ data })]);
  });

  it('tells by its health what keeps its thread from writing', async context => {
    const unwell = context.mock.method(AppendThread.prototype, 'health', () =>
      Promise.reject(new EventStoreUnavailable('unwell')),
    );
    await assert.rejects(store.ping(), /unwell/);
    unwell.mock.restore();
    await store.ping();
  });

  it('goes on after its thread ended, and loses nothing that was written', async context => {
    const follower = await followed('kept-');
    await store.append('kept-1', NO_STREAM, newEvents(1));
    // What the thread never gets keeps it idle: ended in a job, it would take this process with it.
    const post = context.mock.method(Worker.prototype, 'postMessage', () => undefined);
    const event = newEvent({ data: { a: 1 } });
    const unanswered = store.append('kept-1', 0, [event]);
    await nextTurn();
    const queued = store.append('kept-2', NO_STREAM, newEvents(1));
    const asked = store.ping();
    await nextTurn();
    const worker = post.mock.calls[0]!.this as Worker;
    await Promise.all([
      worker.terminate(),
      assert.rejects(unanswered, /EventStoreUnavailable.*has ended/),
      assert.rejects(queued, EventStoreUnavailable),
      assert.rejects(asked, EventStoreUnavailable),
    ]);
    post.mock.restore();
    // As if it had written before it ended. The retry with the same ids finds that.
    const other = SqliteEventStore.open({ file });
    await other.append('kept-1', 0, [event]);
    await other.close();
    const retry = { ...event, metadata: { attempt: 2 } };
    assert.equal((await store.append('kept-1', 0, [retry])).revision, 1);
    await store.append('kept-1', 1, newEvents(1));
    await store.ping();
    const stored = await readEvents(store.readAll({ prefix: 'kept-' }));
    await follower.until(() => follower.events.length >= stored.length);
    assert.deepEqual(follower.events, stored);
    assert.deepEqual(stored[1]?.metadata, event.metadata);
    await follower.stop();
  });

  it('answers each batch by its own, where one of them cannot be sent', async context => {
    const { postMessage } = Worker.prototype;
    const held: ThreadRequest[] = [];
    const post = context.mock.method(Worker.prototype, 'postMessage', (request: ThreadRequest) => {
      if (held.length > 0) throw new Error('no memory');
      held.push(request);
    });
    const first = store.append('a', NO_STREAM, newEvents(1));
    await nextTurn();
    await assert.rejects(store.append('b', NO_STREAM, newEvents(1)), /cannot be reached/);
    await assert.rejects(store.ping(), /cannot be reached/);
    const worker = post.mock.calls[0]!.this as Worker;
    post.mock.restore();
    postMessage.call(worker, held[0]);
    const wrong = store.append('c', 5, newEvents(1));
    assert.equal((await first).revision, 0);
    await assert.rejects(wrong, WrongExpectedRevision);
    assert.deepEqual(await readEvents(store.readStream('b')), []);
    await store.ping();
  });

  it('decides rightly, and delivers in order, beside another writer of the same file', async () => {
    const other = SqliteEventStore.open({ file, appendsInThread: true });
    const follower = await followed('shared');
    for (let revision = NO_STREAM; revision < 20; revision += 1) {
      const outcomes = await Promise.allSettled(
        [store, other].map(each => each.append('shared', revision, newEvents(1))),
      );
      const refused = outcomes.filter(outcome => outcome.status === 'rejected');
      assert.equal(refused.length, 1);
      assert.ok(refused[0]?.reason instanceof WrongExpectedRevision, String(refused[0]?.reason));
    }
    await other.append('shared-quiet', NO_STREAM, newEvents(3));
    // Nothing is known here of what this repeats but the ids.
    const original = newEvent({ data: { a: 1 } });
    await other.append('shared-again', NO_STREAM, [original]);
    await store.append('shared-again', NO_STREAM, [{ ...original, data: { a: 2 } }]);
    await follower.until(() => follower.events.length === 25);
    assert.deepEqual(follower.events, await readEvents(store.readAll({ prefix: 'shared' })));
    await follower.stop();
    await other.close();
  });

  it('finishes what waits before it closes, and refuses what comes later', async () => {
    const events = newEvents(1);
    const append = store.append('last', NO_STREAM, events);
    const closing = store.close();
    await assert.rejects(store.append('late', NO_STREAM, newEvents(1)), /closing/);
    assert.equal((await append).revision, 0);
    await closing;
    store = SqliteEventStore.open({ file, appendsInThread: true });
    assert.deepEqual(idsOf(await readEvents(store.readStream('last'))), idsOf(events));
  });
});

function appendsIn(request: ThreadRequest): number {
  return request.kind === 'append' ? request.columns.streams.length : 0;
}
