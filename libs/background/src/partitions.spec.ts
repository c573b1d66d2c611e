import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { EVERY_PARTITION, partitionKey, partitionOfKey } from './partitions.js';

describe('keys of parts', () => {
  it('tell their part, and stand in its order', () => {
    const keys = [...EVERY_PARTITION].map(part => partitionKey('live', part));
    assert.deepEqual([keys[0], keys[15]], ['live|00', 'live|15']);
    assert.deepEqual(keys.map(partitionOfKey), [...EVERY_PARTITION]);
    assert.deepEqual(keys.toSorted(), keys);
  });
});
