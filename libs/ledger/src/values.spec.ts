import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { amountOfText, decimalText, exactSum } from './values.js';

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

describe('an amount as a decimal number', () => {
  it('has the decimals of the currency', () => {
    const amounts = [0, -5, 123_456_789];
    const texts = (decimals: number) => amounts.map(amount => decimalText(amount, decimals));
    assert.deepEqual(texts(0), ['0', '-5', '123456789']);
    assert.deepEqual(texts(2), ['0.00', '-0.05', '1234567.89']);
    assert.deepEqual(texts(3), ['0.000', '-0.005', '123456.789']);
  });

  it('is read with at most the decimals of the currency', () => {
    const cases: readonly [string, number, number][] = [
      ['12.50', 2, 1250],
      ['12.5', 2, 1250],
      ['12', 2, 1200],
      ['0.07', 2, 7],
      ['0012.05', 2, 1205],
      ['9999999999.99', 2, 999_999_999_999],
      ['1250', 0, 1250],
      ['1.25', 3, 1250],
      ['12.505', 3, 12_505],
    ];
    for (const [text, decimals, amount] of cases) assert.equal(amountOfText(text, decimals), amount, text);
    for (const [text, decimals] of [
      ['12.505', 2],
      ['12.0', 0],
      ['12.5051', 3],
    ] as const) {
      assert.equal(amountOfText(text, decimals), null, text);
    }
  });

  it('is nothing else', () => {
    const others = ['', '.', '.5', '5.', '12,50', '-1', '+1', '1e3', '0x1', '١٢', '1 2', '9'.repeat(50)];
    for (const text of others) assert.equal(amountOfText(text, 2), null, text);
  });

  it('is the same again when it is read', () => {
    const amounts = fc.nat({ max: GREATEST });
    fc.assert(
      fc.property(amounts, fc.nat({ max: 4 }), (amount, decimals) => {
        return amountOfText(decimalText(amount, decimals), decimals) === amount;
      }),
    );
  });
});
