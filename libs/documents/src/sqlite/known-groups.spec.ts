import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { GROUPS_KNOWN_MAX, KnownGroups } from './known-groups.js';

describe('known groups', () => {
  it('are told apart by every value and its type', () => {
    const known = new KnownGroups();
    const combinations = [
      ['h', 'a'],
      ['h', 'b'],
      ['i', 'a'],
      ['h', 1],
      ['h', '1'],
      ['h', true],
      ['h', 'true'],
      ['', ''],
    ];
    for (const [number, values] of combinations.entries()) known.set(values, number);
    assert.deepEqual(
      combinations.map(values => known.get(values)),
      combinations.map((_, number) => number),
    );
    assert.equal(known.get(['h', 'c']), undefined);
    assert.equal(known.get(['j', 'a']), undefined);
  });

  it('are bounded, whatever their values', () => {
    const known = new KnownGroups();
    for (let number = 0; number <= GROUPS_KNOWN_MAX; number += 1) known.set([`h${number}`, 'a'], number);
    assert.equal(known.get([`h${GROUPS_KNOWN_MAX}`, 'a']), GROUPS_KNOWN_MAX);
    assert.equal(known.get(['h0', 'a']), undefined);
  });
});
