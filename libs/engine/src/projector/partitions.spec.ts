import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { EVERY_PARTITION, partitionKey, partitionOfKey } from './partitions.js';

describe('keys of partitions', () => {
  it('tell their partition, and stand in its order', () => {
    const keys = [...EVERY_PARTITION].map(partitionKey);
    assert.deepEqual([keys[0], keys[15]], ['live|00', 'live|15']);
    assert.deepEqual(keys.map(partitionOfKey), [...EVERY_PARTITION]);
    assert.deepEqual(keys.toSorted(), keys);
  });
});
