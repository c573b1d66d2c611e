import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { getEventListeners } from 'node:events';
import { it } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { NO_STREAM, READ_PAGE_EVENTS } from '../event-store.js';
import { assertGrowing, idsOf, newEvents, readEvents, type Context } from './streams.fixture.js';
import { Follower } from './follower.fixture.js';

export function describeSubscriptions({ names, store }: Context): void {
  /** Appends batches to streams of a prefix, one after the other. */
  const appendMany = async (prefix: string, batches: number, size: number): Promise<string[]> => {
    const ids: string[] = [];
    for (let batch = 0; batch < batches; batch += 1) {
      const events = newEvents(size);
      await store().append(`${prefix}${randomUUID()}`, NO_STREAM, events);
      ids.push(...idsOf(events));
    }
    return ids;
  };
  const assertDelivered = async (follower: Follower, prefix: string, after?: string): Promise<void> => {
    assert.deepEqual(follower.events, await readEvents(store().readAll({ prefix, after })));
    assertGrowing(follower.events);
  };

  it('delivers what is stored, then says that it is live, then delivers live', async () => {
    const prefix = names.prefix();
    await appendMany(prefix, 3, 2);
    const follower = new Follower(store(), { prefix });
    await follower.until(() => follower.isCaughtUp);
    assert.equal(follower.events.length, 6);
    await appendMany(prefix, 2, 2);
    await follower.until(() => follower.events.length >= 10);
    await assertDelivered(follower, prefix);
    await follower.stop();
  });

  it('is live at once where nothing is stored', async () => {
    const prefix = names.prefix();
    const follower = new Follower(store(), { prefix });
    await follower.until(() => follower.isCaughtUp);
    const ids = await appendMany(prefix, 1, 1);
    await follower.until(() => follower.events.length > 0);
    assert.deepEqual(idsOf(follower.events), ids);
    await follower.stop();
  });

  it('leaves out other prefixes, stored and live', async () => {
    const [prefix, other] = [names.prefix(), names.prefix()];
    await appendMany(other, 2, 1);
    await appendMany(prefix, 2, 1);
    const follower = new Follower(store(), { prefix });
    await follower.until(() => follower.isCaughtUp);
    await appendMany(other, 2, 1);
    await appendMany(prefix, 2, 1);
    await follower.until(() => follower.events.length >= 4);
    await assertDelivered(follower, prefix);
    await follower.stop();
  });

  it('passes from stored to live events without gap or repetition while appends go on', async () => {
    const prefix = names.prefix();
    await appendMany(prefix, 20, 60);
    const writers = Promise.all(Array.from({ length: 4 }, () => appendMany(prefix, 60, 3)));
    const followers = Array.from({ length: 3 }, () => new Follower(store(), { prefix }));
    await writers;
    const total = 20 * 60 + 4 * 60 * 3;
    for (const follower of followers) {
      await follower.until(() => follower.events.length >= total);
      await assertDelivered(follower, prefix);
      await follower.stop();
    }
  });

  it('goes on after a position, exclusive', async () => {
    const prefix = names.prefix();
    await appendMany(prefix, 5, 2);
    const events = await readEvents(store().readAll({ prefix }));
    for (const after of [events[0]?.position, events[6]?.position]) {
      const follower = new Follower(store(), { prefix, after });
      await follower.until(() => follower.isCaughtUp);
      await assertDelivered(follower, prefix, after);
      await follower.stop();
    }
  });

  it('goes on where another subscription ended, without gap or repetition', async () => {
    const prefix = names.prefix();
    const delivered: string[] = [];
    let position: string | undefined;
    for (let part = 0; part < 4; part += 1) {
      const follower = new Follower(store(), { prefix, after: position });
      const ids = await appendMany(prefix, 3, 2);
      await follower.until(() => idsOf(follower.events).includes(ids.at(-1) ?? ''));
      await follower.stop();
      delivered.push(...idsOf(follower.events));
      position = follower.position;
    }
    assert.deepEqual(delivered, idsOf(await readEvents(store().readAll({ prefix }))));
  });

  it('is caught up and delivers nothing when it begins at the head', async () => {
    const prefix = names.prefix();
    await appendMany(prefix, 2, 2);
    const follower = new Follower(store(), { prefix, after: (await store().head(prefix)) ?? undefined });
    await follower.until(() => follower.isCaughtUp);
    assert.equal(follower.events.length, 0);
    await follower.stop();
  });

  it('waits for a slow consumer and loses nothing', async () => {
    const prefix = names.prefix();
    let release: () => void = () => undefined;
    const gate = new Promise<void>(resolve => (release = resolve));
    const follower = new Follower(store(), { prefix }, delivery =>
      delivery.kind === 'caught-up' ? gate : undefined,
    );
    await follower.until(() => follower.isCaughtUp);
    await Promise.all(Array.from({ length: 4 }, () => appendMany(prefix, 10, 100)));
    assert.equal(follower.events.length, 0);
    release();
    await follower.until(() => follower.events.length >= 4_000);
    await assertDelivered(follower, prefix);
    const ids = await appendMany(prefix, 1, 1);
    await follower.until(() => follower.events.length > 4_000);
    assert.deepEqual(follower.events.at(-1)?.id, ids[0]);
    await follower.stop();
  });

  it('ends when it is aborted: before it began, while it waits, while it catches up', async () => {
    const prefix = names.prefix();
    await appendMany(prefix, 10, 120);
    const aborted = store().subscribe({ prefix, signal: AbortSignal.abort() });
    for await (const delivery of aborted) assert.fail(`delivered ${delivery.kind}`);

    const waiting = new Follower(store(), { prefix });
    await waiting.until(() => waiting.isCaughtUp);
    await waiting.stop();

    const controller = new AbortController();
    let count = 0;
    for await (const delivery of store().subscribe({ prefix, signal: controller.signal })) {
      if (delivery.kind === 'events') count += delivery.events.length;
      controller.abort();
    }
    assert.ok(count <= READ_PAGE_EVENTS);
    await appendMany(prefix, 1, 1);
    assert.equal(waiting.events.length, 1_200);
  });

  it('can be left early', async () => {
    const prefix = names.prefix();
    await appendMany(prefix, 1, 3);
    const controller = new AbortController();
    for await (const delivery of store().subscribe({ prefix, signal: controller.signal })) {
      if (delivery.kind === 'events') break;
    }
    assert.deepEqual(getEventListeners(controller.signal, 'abort'), []);
    await appendMany(prefix, 1, 1);
    await store().ping();
  });
}

export function describeClosing({ names, store, harness }: Context): void {
  it('finishes appends under way and ends subscriptions', async t => {
    const { reopen } = harness();
    if (reopen === undefined) return t.skip('this harness cannot open its store anew');
    const prefix = names.prefix();
    const old = store();
    const follower = new Follower(old, { prefix });
    await follower.until(() => follower.isCaughtUp);
    const events = newEvents(3);
    const append = old.append(`${prefix}stream`, NO_STREAM, events);
    await nextTurn();
    const reopened = await reopen();
    assert.equal((await append).revision, 2);
    await follower.ended();
    assert.deepEqual(idsOf(await readEvents(reopened.readStream(`${prefix}stream`))), idsOf(events));
    await assert.rejects(old.append(`${prefix}stream`, 2, newEvents(1)), { name: 'EventStoreUnavailable' });
    await assert.rejects(readEvents(old.readStream(`${prefix}stream`)), { name: 'EventStoreUnavailable' });
    await assert.rejects(old.ping(), { name: 'EventStoreUnavailable' });
    const waiting = new Follower(reopened, { prefix });
    await waiting.until(() => waiting.isCaughtUp);
    await reopen();
    await waiting.ended();
  });
}
