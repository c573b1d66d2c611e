import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { requestsFirst } from './turns.js';

describe(requestsFirst.name, () => {
  it('lets what was read meanwhile begin', async () => {
    const order: string[] = [];
    const work = requestsFirst().then(() => order.push('work'));
    setImmediate(() => order.push('request'));
    await work;
    assert.deepEqual(order, ['request', 'work']);
  });
});
