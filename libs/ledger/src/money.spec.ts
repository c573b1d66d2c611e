import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { exactSum } from './money.js';

const GREATEST = Number.MAX_SAFE_INTEGER;

function* onlyOnce(amounts: readonly number[]): Generator<number> {
  yield* amounts;
}

describe('the exact sum', () => {
  it('of nothing is 0', () => {
    assert.equal(exactSum([]), 0);
  });

  it('reaches both ends of the range and not beyond', () => {
    assert.equal(exactSum([GREATEST - 1, 1]), GREATEST);
    assert.equal(exactSum([1 - GREATEST, -1]), -GREATEST);
    assert.equal(exactSum([GREATEST, 1]), null);
    assert.equal(exactSum([-GREATEST, -1]), null);
  });

  it('may leave the range and come back', () => {
    assert.equal(exactSum([GREATEST, GREATEST, 3, -GREATEST, -GREATEST]), 3);
    assert.equal(exactSum([-GREATEST, -GREATEST, -3, GREATEST, GREATEST]), -3);
  });

  it('is none of what is no amount', () => {
    for (const broken of [Number.NaN, Number.POSITIVE_INFINITY, GREATEST + 1]) {
      assert.equal(exactSum([1, broken]), null);
      assert.equal(exactSum([GREATEST, 2, broken, -GREATEST]), null);
    }
  });

  it('is the sum of big integers, also of amounts that come only once', () => {
    const amounts = fc.array(fc.maxSafeInteger(), { maxLength: 12 });
    fc.assert(
      fc.property(amounts, list => {
        const sum = list.reduce((total, amount) => total + BigInt(amount), 0n);
        const expected = sum >= -BigInt(GREATEST) && sum <= BigInt(GREATEST) ? Number(sum) : null;
        assert.equal(exactSum(list), expected);
        assert.equal(exactSum(onlyOnce(list)), expected);
      }),
    );
  });
});
