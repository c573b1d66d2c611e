import assert from 'node:assert/strict';
import { it } from 'node:test';
import { heapGrowthPercent } from './garbage-collection.js';

const MIB = 1024 * 1024;

it('The heap may grow by 48 MiB, at most to twice what is alive and at least by half of it', () => {
  const bytes = [8, 48, 64, 96, 400].map(mebibytes => heapGrowthPercent(mebibytes * MIB));
  assert.deepEqual(bytes, [100, 100, 75, 50, 50]);
});
