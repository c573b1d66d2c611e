import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { WaitingLines } from './waiting-lines.js';

const PATIENCE_MS = 60_000;

/** Places of which a given number is free; whoever looks takes one, under the number of the look. */
class Places {
  looks = 0;

  constructor(public free: number) {}

  readonly look = async (): Promise<number | null> => {
    await turn();
    this.looks += 1;
    if (this.free === 0) return null;
    this.free -= 1;
    return this.looks;
  };
}

describe('waiting lines', () => {
  it('give places to those who came first', async () => {
    const lines = new WaitingLines(10);
    const places = new Places(3);
    const order: string[] = [];
    const waiting = ['first', 'second', 'third'].map(async name => {
      assert.notEqual(await lines.found('key', places.look, PATIENCE_MS), null);
      order.push(name);
    });
    assert.equal(lines.has('key'), true);
    await Promise.all(waiting);
    assert.deepEqual(order, ['first', 'second', 'third']);
    assert.equal(places.looks, 3);
    assert.equal(lines.has('key'), false);
  });

  it('have only the first look while nothing is free, and at once when it is called', async t => {
    t.mock.timers.enable({ apis: ['setTimeout'] });
    const lines = new WaitingLines(10);
    const places = new Places(0);
    const waiting = Array.from({ length: 5 }, () => lines.found('key', places.look, PATIENCE_MS));
    await turns(20);
    assert.equal(places.looks, 1);
    lines.call('another key');
    await turns(20);
    assert.equal(places.looks, 1);
    places.free = 5;
    lines.call('key');
    await Promise.all(waiting);
    assert.equal(places.looks, 6);
  });

  it('have the first look again by itself', async t => {
    t.mock.timers.enable({ apis: ['setTimeout'] });
    const lines = new WaitingLines(10);
    const places = new Places(0);
    const waiting = lines.found('key', places.look, PATIENCE_MS);
    await turns(20);
    places.free = 1;
    t.mock.timers.tick(50);
    assert.equal(await waiting, 2);
  });

  it('let nobody wait for those in another line', async () => {
    const lines = new WaitingLines(10);
    const full = new Places(0);
    const free = new Places(1);
    const blocked = lines.found('full', full.look, PATIENCE_MS);
    assert.equal(await lines.found('free', free.look, PATIENCE_MS), 1);
    full.free = 1;
    lines.call('full');
    await blocked;
  });

  it('end in time with nothing', async () => {
    const lines = new WaitingLines(10);
    assert.equal(await lines.found('key', new Places(0).look, 1), null);
    assert.equal(lines.has('key'), false);
  });

  it('take in no more than they may, in all together', async () => {
    const lines = new WaitingLines(2);
    const full = new Places(0);
    const waiting = ['one', 'two'].map(key => lines.found(key, full.look, PATIENCE_MS));
    const refused = new Places(1);
    assert.equal(await lines.found('three', refused.look, PATIENCE_MS), null);
    assert.equal(refused.looks, 0);
    full.free = 2;
    await Promise.all(waiting);
    assert.notEqual(await lines.found('three', refused.look, PATIENCE_MS), null);
  });

  it('tell whoever looked of a failure, and go on with the next', async () => {
    const lines = new WaitingLines(10);
    const failing = lines.found('key', () => Promise.reject(new Error('the store is away')), PATIENCE_MS);
    const next = lines.found('key', new Places(1).look, PATIENCE_MS);
    await assert.rejects(failing, /away/);
    assert.equal(await next, 1);
  });
});

async function turns(count: number): Promise<void> {
  for (let passed = 0; passed < count; passed += 1) await turn();
}
