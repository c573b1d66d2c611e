import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { DocumentsUnavailable } from '#storage/documents/documents';
import { EventStoreUnavailable } from '#storage/event-store/event-store';
import { KeyedQueue, QueueFull } from './turns.js';

/** Work that ends when it is told to. */
class Held {
  begun = false;
  end!: () => void;
  fail!: (error: Error) => void;
  private readonly ended = new Promise<void>((resolve, reject) => {
    this.end = resolve;
    this.fail = reject;
  });

  readonly work = (): Promise<void> => {
    this.begun = true;
    return this.ended;
  };
}

const WAITING_MAX = 4;

describe('a keyed queue', () => {
  it('runs the work of one household in its order, and that of others beside it', async () => {
    const queue = new KeyedQueue();
    const [first, second, other] = [new Held(), new Held(), new Held()];
    const all = [queue.run('a', first.work), queue.run('a', second.work), queue.run('b', other.work)];
    await nextTurn();
    assert.deepEqual([first.begun, second.begun, other.begun], [true, false, true]);
    first.end();
    await all[0];
    await nextTurn();
    assert.ok(second.begun);
    for (const held of [second, other]) held.end();
    await Promise.all(all);
  });

  it('goes on after work that failed for a reason of its own', async () => {
    const queue = new KeyedQueue();
    const first = new Held();
    const failing = queue.run('a', first.work);
    const next = queue.run('a', async () => 'done');
    first.fail(new Error('refused'));
    await assert.rejects(failing, /refused/);
    assert.equal(await next, 'done');
  });

  it('fails what has waited for work that a store was away for, and tries again what comes later', async () => {
    const queue = new KeyedQueue();
    const outages = [new EventStoreUnavailable('down'), new DocumentsUnavailable('down, too')];
    for (const outage of outages) {
      const first = new Held();
      const waited: string[] = [];
      const failing = [queue.run('a', first.work), ...workBehind(queue, waited)];
      const beside = queue.run('b', async () => 'done');
      await nextTurn();
      first.fail(outage);
      for (const work of failing) await assert.rejects(work, outage);
      assert.deepEqual(waited, []);
      assert.equal(await beside, 'done');
    }
    assert.equal(await queue.run('a', async () => 'tried'), 'tried');
  });

  it('tries again what comes while the last of what has waited is failing', async () => {
    const queue = new KeyedQueue();
    const [first, last] = [new Held(), new Held()];
    const outage = new EventStoreUnavailable('down');
    const failing = queue.run('a', first.work);
    const tried = failing.catch(() => queue.run('a', last.work));
    const waited = queue.run('a', () => assert.fail('it fails with the first'));
    first.fail(outage);
    await assert.rejects(waited, outage);
    await nextTurn();
    assert.ok(last.begun);
    const behind = queue.run('a', async () => 'done');
    last.end();
    await tried;
    assert.equal(await behind, 'done');
  });

  it('turns away what would wait too long, but for what always has a place', async () => {
    const queue = new KeyedQueue();
    const first = new Held();
    const waiting = Array.from({ length: WAITING_MAX }, () => queue.run('a', first.work, WAITING_MAX));
    await assert.rejects(
      queue.run('a', () => assert.fail('it is turned away'), WAITING_MAX),
      QueueFull,
    );
    const projected = queue.run('a', async () => 'projected', Infinity);
    first.end();
    await Promise.all(waiting);
    assert.equal(await projected, 'projected');
    await queue.run('a', async () => undefined);
  });

  it('is idle once all that was there has ended, and keeps nothing of it', async () => {
    const queue = new KeyedQueue();
    const [first, second, third] = [new Held(), new Held(), new Held()];
    const begun = [queue.run('a', first.work), queue.run('a', second.work)];
    let isIdle = false;
    const idle = queue.idle().then(() => (isIdle = true));
    first.end();
    await begun[0];
    const late = queue.run('a', third.work);
    await nextTurn();
    assert.deepEqual([second.begun, third.begun, isIdle], [true, false, false]);
    second.end();
    await idle;
    third.end();
    await late;
    assert.equal((Reflect.get(queue, 'queues') as ReadonlyMap<string, unknown>).size, 0);
  });
});

/** Work of one household behind what is under way; it tells that it ran. */
function workBehind(queue: KeyedQueue, ran: string[]): Promise<unknown>[] {
  return ['one', 'two', 'three'].map(name =>
    queue.run('a', async () => {
      ran.push(name);
    }),
  );
}
