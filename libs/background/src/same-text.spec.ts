import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { haveSameText } from './same-text.js';
import { propertyRuns } from '../../../test/property-runs.js';

const PROPERTY_RUNS = propertyRuns(2_000);

/** Few names and values, so that two of them are often nearly the same. */
const { value: jsonValue } = fc.letrec(tie => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom(0, 1, '', '0', 'a', true, false, null),
    fc.array(tie('value'), { maxLength: 2 }),
    fc
      .uniqueArray(fc.tuple(fc.constantFrom('a', 'b', '0'), fc.oneof(tie('value'), fc.constant(undefined))), {
        selector: ([name]) => name,
      })
      .map(entries => Object.fromEntries(entries)),
  ),
}));

describe('comparing values by their JSON text', () => {
  it('tells as the texts do', () => {
    fc.assert(
      fc.property(jsonValue, jsonValue, (one, other) => {
        assert.equal(haveSameText(one, other), JSON.stringify(one) === JSON.stringify(other));
        assert.ok(haveSameText(one, JSON.parse(JSON.stringify(one))));
      }),
      { numRuns: PROPERTY_RUNS },
    );
  });

  it('takes another order of fields for another text, and an undefined field for none', () => {
    assert.equal(haveSameText({ a: 1, b: 2 }, { b: 2, a: 1 }), false);
    assert.equal(haveSameText({ a: 1, b: undefined }, { a: 1 }), true);
    assert.equal(haveSameText({ a: 1, b: undefined }, { a: 1, b: null }), false);
    assert.equal(haveSameText([], {}), false);
  });
});
