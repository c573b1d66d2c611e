import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { DocumentsUnavailable } from '#documents/documents';
import { EventStoreUnavailable } from '#event-store/event-store';
import { LANE_WAITING_MAX, LaneFull, Lanes } from './lanes.js';

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

describe('lanes', () => {
  it('run the work of one household in its order, and that of others beside it', async () => {
    const lanes = new Lanes();
    const [first, second, other] = [new Held(), new Held(), new Held()];
    const all = [lanes.run('a', first.work), lanes.run('a', second.work), lanes.run('b', other.work)];
    await nextTurn();
    assert.deepEqual([first.begun, second.begun, other.begun], [true, false, true]);
    first.end();
    await all[0];
    await nextTurn();
    assert.ok(second.begun);
    for (const held of [second, other]) held.end();
    await Promise.all(all);
  });

  it('go on after work that failed for a reason of its own', async () => {
    const lanes = new Lanes();
    const first = new Held();
    const failing = lanes.run('a', first.work);
    const next = lanes.run('a', async () => 'done');
    first.fail(new Error('refused'));
    await assert.rejects(failing, /refused/);
    assert.equal(await next, 'done');
  });

  it('fail what has waited for work that a store was away for, and try again what comes later', async () => {
    const lanes = new Lanes();
    const outages = [new EventStoreUnavailable('down'), new DocumentsUnavailable('down, too')];
    for (const outage of outages) {
      const first = new Held();
      const waited: string[] = [];
      const failing = [lanes.run('a', first.work), ...workBehind(lanes, waited)];
      const beside = lanes.run('b', async () => 'done');
      await nextTurn();
      first.fail(outage);
      for (const work of failing) await assert.rejects(work, outage);
      assert.deepEqual(waited, []);
      assert.equal(await beside, 'done');
    }
    assert.equal(await lanes.run('a', async () => 'tried'), 'tried');
  });

  it('try again what comes while the last of what has waited is failing', async () => {
    const lanes = new Lanes();
    const [first, last] = [new Held(), new Held()];
    const outage = new EventStoreUnavailable('down');
    const failing = lanes.run('a', first.work);
    const tried = failing.catch(() => lanes.run('a', last.work));
    const waited = lanes.run('a', () => assert.fail('it fails with the first'));
    first.fail(outage);
    await assert.rejects(waited, outage);
    await nextTurn();
    assert.ok(last.begun);
    const behind = lanes.run('a', async () => 'done');
    last.end();
    await tried;
    assert.equal(await behind, 'done');
  });

  it('turn away what would wait too long, but for what always has a place', async () => {
    const lanes = new Lanes();
    const first = new Held();
    const waiting = Array.from({ length: LANE_WAITING_MAX }, () => lanes.run('a', first.work));
    await assert.rejects(
      lanes.run('a', () => assert.fail('it is turned away')),
      LaneFull,
    );
    const projected = lanes.run('a', async () => 'projected', Infinity);
    first.end();
    await Promise.all(waiting);
    assert.equal(await projected, 'projected');
    await lanes.run('a', async () => undefined);
  });

  it('are idle once all that was there has ended, and are kept no longer', async () => {
    const lanes = new Lanes();
    const [first, second, third] = [new Held(), new Held(), new Held()];
    const begun = [lanes.run('a', first.work), lanes.run('a', second.work)];
    let isIdle = false;
    const idle = lanes.idle().then(() => (isIdle = true));
    first.end();
    await begun[0];
    const late = lanes.run('a', third.work);
    await nextTurn();
    assert.deepEqual([second.begun, third.begun, isIdle], [true, false, false]);
    second.end();
    await idle;
    third.end();
    await late;
    assert.equal((Reflect.get(lanes, 'lanes') as ReadonlyMap<string, unknown>).size, 0);
  });
});

/** Work of one household behind what is under way; it tells that it ran. */
function workBehind(lanes: Lanes, ran: string[]): Promise<unknown>[] {
  return ['one', 'two', 'three'].map(name =>
    lanes.run('a', async () => {
      ran.push(name);
    }),
  );
}
