import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { ownTurn } from './turns.js';

describe('a turn of the event loop of its own', () => {
  it('comes to one after the other, with a turn for everybody else in between', async () => {
    const seen: string[] = [];
    const work = async (name: string): Promise<void> => {
      await ownTurn();
      for (let step = 0; step < 50; step++) await Promise.resolve();
      seen.push(name);
    };
    const others = async (): Promise<void> => {
      for (let turn = 0; turn < 8; turn++) {
        await nextTurn();
        if (seen.at(-1) !== 'others') seen.push('others');
      }
    };
    await Promise.all([work('first'), work('second'), work('third'), others()]);
    const works = seen.filter(name => name !== 'others');
    assert.deepEqual(works, ['first', 'second', 'third']);
    for (const [one, next] of [
      ['first', 'second'],
      ['second', 'third'],
    ] as const) {
      assert.ok(seen.slice(seen.indexOf(one), seen.indexOf(next)).includes('others'), seen.join());
    }
  });
});
