import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { amountMeant } from './list-transactions.js';

describe('amountMeant', () => {
  it('reads decimals with at most two places as minor units', () => {
    const cases: readonly [string, number][] = [
      ['12.50', 1250],
      ['12.5', 1250],
      ['12', 1200],
      ['0.07', 7],
      ['0012.05', 1205],
      ['9999999999.99', 999_999_999_999],
    ];
    for (const [q, amount] of cases) assert.equal(amountMeant(q), amount, q);
  });

  it('takes nothing else for an amount', () => {
    for (const q of [
      '',
      '.',
      '.5',
      '5.',
      '12.505',
      '12,50',
      '-1',
      '+1',
      '1e3',
      '0x1',
      '١٢',
      '1 2',
      '9'.repeat(50),
    ]) {
      assert.equal(amountMeant(q), null, q);
    }
  });

  it('finds every amount by how it is written', () => {
    const amounts = fc.integer({ min: 1, max: 999_999_999_999 });
    fc.assert(
      fc.property(amounts, amount => {
        const fraction = String(amount % 100).padStart(2, '0');
        return amountMeant(`${Math.floor(amount / 100)}.${fraction}`) === amount;
      }),
    );
  });
});
