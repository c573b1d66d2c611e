import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { BoundedQueue } from './bounded-queue.js';

const full = () => new Error('full');

describe(BoundedQueue.name, () => {
  it('runs a few at once, lets some wait, and refuses the rest', async () => {
    const queue = new BoundedQueue(2, 3, full);
    let running = 0;
    let most = 0;
    const releases: (() => void)[] = [];
    const work = async (): Promise<void> => {
      running += 1;
      most = Math.max(most, running);
      await new Promise<void>(resolve => releases.push(resolve));
      running -= 1;
    };
    const accepted = Array.from({ length: 5 }, () => queue.run(work));
    await assert.rejects(queue.run(work), /full/);
    for (let done = 0; done < 5; done += 1) {
      while (releases.length === 0) await Promise.resolve();
      releases.shift()?.();
    }
    await Promise.all(accepted);
    assert.equal(most, 2);
    const again = queue.run(async () => 'free again');
    assert.equal(await again, 'free again');
  });

  it('gives the place on after a failure', async () => {
    const queue = new BoundedQueue(1, 1, full);
    const failing = queue.run(() => Promise.reject(new Error('no')));
    const next = queue.run(async () => 'done');
    await assert.rejects(failing, /no/);
    assert.equal(await next, 'done');
  });
});
