import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { decimalsOf, isCurrency } from './currencies.js';

describe('a currency', () => {
  it('is a code of ISO 4217 in upper case', () => {
    for (const code of ['USD', 'EUR', 'JPY', 'KWD', 'CLF', 'XOF']) assert.equal(isCurrency(code), true, code);
    for (const value of [
      'usd',
      'Eur',
      ' EUR',
      'EURO',
      'XYZ',
      'XAU',
      'XXX',
      'XTS',
      '',
      978,
      null,
      undefined,
    ]) {
      assert.equal(isCurrency(value), false, String(value));
    }
  });

  it('has as many decimals as its minor unit, whatever Node knows of it', () => {
    const decimals = ['JPY', 'EUR', 'KWD', 'CLF', 'ISK', 'HUF', 'IQD', 'MGA'].map(decimalsOf);
    assert.deepEqual(decimals, [0, 2, 3, 4, 0, 2, 3, 2]);
    assert.throws(() => decimalsOf('XYZ'), RangeError);
  });
});
