import assert from 'node:assert/strict';
import { it } from 'node:test';
import { fnv1a } from './partitions.js';

it('FNV-1a makes the hashes that its authors publish', () => {
  const hashes = ['', 'a', 'foobar'].map(text => fnv1a(text).toString(16));
  assert.deepEqual(hashes, ['811c9dc5', 'e40c292c', 'bf9cf968']);
});
