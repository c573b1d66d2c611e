import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { repeatedly } from './repeatedly.js';

describe('repeatedly', () => {
  it('leaves out the turns that come while one is under way, and goes on after one that failed', async ({
    mock,
  }) => {
    mock.timers.enable({ apis: ['setInterval'] });
    const begun: ((error?: Error) => void)[] = [];
    const work = (): Promise<void> =>
      new Promise((resolve, reject) => begun.push(error => (error ? reject(error) : resolve())));
    const end = repeatedly(work, 10);
    mock.timers.tick(9);
    assert.equal(begun.length, 0);
    mock.timers.tick(31);
    assert.equal(begun.length, 1);
    begun[0]!(new Error('slow, and in vain'));
    await nextTurn();
    mock.timers.tick(10);
    assert.equal(begun.length, 2);
    begun[1]!();
    await nextTurn();
    end();
    mock.timers.tick(100);
    assert.equal(begun.length, 2);
  });
});
