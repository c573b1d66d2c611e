import assert from 'node:assert/strict';
import { it } from 'node:test';
import { NO_STREAM, StreamDeleted, WrongExpectedRevision } from '../event-store.js';
import { Follower } from './follower.fixture.js';
import {
  assertGrowing,
  idsOf,
  newEvents,
  readEvents,
  wrongRevision,
  type Context,
} from './streams.fixture.js';

export function describeDeletions({ names, store, harness }: Context): void {
  const deleted = (stream: string) => (error: unknown) => {
    assert.ok(error instanceof StreamDeleted, String(error));
    assert.equal(error.stream, stream);
    return true;
  };

  it('a deleted stream has no events and takes none, whatever is expected', async () => {
    const stream = names.stream();
    const events = newEvents(3);
    await store().append(stream, NO_STREAM, events);
    await store().deleteStream(stream, 2);
    assert.deepEqual(await readEvents(store().readStream(stream)), []);
    assert.deepEqual(await readEvents(store().readStream(stream, { direction: 'backwards', limit: 1 })), []);
    for (const expected of [NO_STREAM, 1, 2, 3]) {
      await assert.rejects(store().append(stream, expected, newEvents(1)), deleted(stream));
    }
    await assert.rejects(store().append(stream, NO_STREAM, events), deleted(stream));
  });

  it('a stream without events can be deleted, and a deleted one again', async () => {
    const stream = names.stream();
    await store().deleteStream(stream, NO_STREAM);
    await store().deleteStream(stream, NO_STREAM);
    await store().deleteStream(stream, 7);
    await assert.rejects(store().append(stream, NO_STREAM, newEvents(1)), deleted(stream));
    assert.deepEqual(await readEvents(store().readStream(stream)), []);
  });

  it('refuses to delete a stream that is elsewhere, which stays', async () => {
    const [stream, missing] = [names.stream(), names.stream()];
    await store().append(stream, NO_STREAM, newEvents(2));
    await assert.rejects(store().deleteStream(stream, 0), wrongRevision(stream, 0, 1));
    await assert.rejects(store().deleteStream(stream, NO_STREAM), wrongRevision(stream, NO_STREAM, 1));
    await assert.rejects(store().deleteStream(missing, 0), WrongExpectedRevision);
    assert.equal((await readEvents(store().readStream(stream))).length, 2);
  });

  it('of appends that race a deletion those before it are gone with it', async () => {
    const stream = names.stream();
    await store().append(stream, NO_STREAM, newEvents(1));
    const outcomes = await Promise.allSettled([
      store().append(stream, 0, newEvents(1)),
      store().deleteStream(stream, 0),
      store().append(stream, 0, newEvents(1)),
    ]);
    const isDeleted = outcomes[1]?.status === 'fulfilled';
    assert.equal((await readEvents(store().readStream(stream))).length, isDeleted ? 0 : 2);
  });

  it('other streams keep their events, revisions and positions, and positions go on growing', async () => {
    const prefix = names.prefix();
    await store().append(`${prefix}a`, NO_STREAM, newEvents(2));
    await store().append(`${prefix}b`, NO_STREAM, newEvents(2));
    await store().append(`${prefix}a`, 1, newEvents(1));
    await store().append(`${prefix}b`, 1, newEvents(2));
    const before = await readEvents(store().readStream(`${prefix}a`));
    const head = await store().head(prefix);
    await store().deleteStream(`${prefix}b`, 3);
    assert.ok((await store().head(prefix))! >= head!);
    assert.deepEqual(await readEvents(store().readStream(`${prefix}a`)), before);
    const { position } = await store().append(`${prefix}a`, 2, newEvents(1));
    assert.ok(position > head!);
    const all = await readEvents(store().readAll({ prefix }));
    assertGrowing(all);
    assert.deepEqual(
      all.filter(({ stream }) => stream === `${prefix}a`).map(({ revision }) => revision),
      [0, 1, 2, 3],
    );
    assert.ok(
      all.every(({ revision }) => revision < 4),
      'the deletion itself is no event',
    );
  });

  it('subscriptions that are live or begin later are not disturbed', async () => {
    const prefix = names.prefix();
    await store().append(`${prefix}a`, NO_STREAM, newEvents(1));
    await store().append(`${prefix}b`, NO_STREAM, newEvents(1));
    const live = new Follower(store(), { prefix });
    await live.until(() => live.isCaughtUp);
    await store().deleteStream(`${prefix}b`, 0);
    const more = newEvents(2);
    await store().append(`${prefix}a`, 0, more);
    await live.until(() => live.events.length >= 4);
    assert.deepEqual(
      idsOf(live.events.filter(({ stream }) => stream === `${prefix}a`)).slice(1),
      idsOf(more),
    );
    const later = new Follower(store(), { prefix });
    await later.until(() => later.isCaughtUp);
    assert.deepEqual(
      later.events.filter(({ stream }) => stream === `${prefix}a`).map(({ revision }) => revision),
      [0, 1, 2],
    );
    await Promise.all([live.stop(), later.stop()]);
  });

  it('stays deleted in another connection', async context => {
    const { reopen } = harness();
    if (!reopen) return context.skip('this adapter cannot be opened again');
    const stream = names.stream();
    await store().append(stream, NO_STREAM, newEvents(1));
    await store().deleteStream(stream, 0);
    const again = await reopen();
    assert.deepEqual(await readEvents(again.readStream(stream)), []);
    await assert.rejects(again.append(stream, 0, newEvents(1)), deleted(stream));
  });
}
