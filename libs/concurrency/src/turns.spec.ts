import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { Turns } from './turns.js';

describe('turns', () => {
  it('are taken one after the other, also behind one that fails', async () => {
    const turns = new Turns();
    const done: string[] = [];
    const slow = turns.take(async () => {
      await pause(20);
      done.push('slow');
      return 1;
    });
    const failing = turns.take(async () => {
      done.push('failing');
      throw new Error('not this one');
    });
    const quick = turns.take(async () => void done.push('quick'));
    assert.equal(await slow, 1);
    await assert.rejects(failing, /not this one/);
    await quick;
    assert.deepEqual(done, ['slow', 'failing', 'quick']);
  });

  it('have ended when the last of them has, even by failing', async () => {
    const turns = new Turns();
    let ended = false;
    const failing = turns.take(async () => {
      await pause(20);
      ended = true;
      throw new Error('in the end');
    });
    failing.catch(() => undefined);
    await turns.ended();
    assert.ok(ended);
  });

  it('hold nothing of what was worked on', async () => {
    const turns = new Turns();
    await turns.take(async () => 'much');
    assert.equal(await (Reflect.get(turns, 'last') as Promise<unknown>), undefined);
  });
});
