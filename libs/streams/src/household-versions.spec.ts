import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { HouseholdVersions } from './household-versions.js';

describe('versions of households', () => {
  it('change with every change of the household, and only with it', () => {
    const versions = new HouseholdVersions();
    versions.changed('a');
    const [a, b] = [versions.of('a'), versions.of('b')];
    versions.changed('b');
    assert.equal(versions.of('a'), a);
    assert.notEqual(versions.of('b'), b);
  });

  it('are never the same again once those of many other households are kept instead', () => {
    const versions = new HouseholdVersions(2);
    const seen = [versions.of('a')];
    for (let round = 0; round < 3; round += 1) {
      versions.changed('a');
      seen.push(versions.of('a'));
      for (const other of ['b', 'c', 'd']) versions.changed(other);
      assert.ok(versions.of('a') >= seen.at(-1)!, 'a version never goes back');
    }
    assert.equal(new Set(seen).size, seen.length);
  });
});
