import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { decimalText } from '#ledger/values';
import { propertyRuns } from '../../../test/property-runs.js';
import { chooseDecimal, readAmount, readPlainAmount } from './amounts.js';
import { contentRules } from '#budget/imports/content-rules';
import type { DecimalMark } from './imported-file.js';

function amount(cell: string, mark: DecimalMark, currency = 'EUR'): number | string {
  const read = readAmount(cell, mark, contentRules(currency));
  return 'amount' in read ? read.amount : read.problem;
}

const UNREADABLE = 'The amount cannot be read.';

describe('amounts', () => {
  it('are read as banks write them', () => {
    const cells: readonly (readonly [string, DecimalMark, number])[] = [
      ['1.234,56', 'comma', 123_456],
      ['1,234.56', 'point', 123_456],
      ['12,34,567.89', 'point', 123_456_789],
      ['1 234,56', 'comma', 123_456],
      ['1\u00a0234,56', 'comma', 123_456],
      ['1\u202f234,56 €', 'comma', 123_456],
      ["1'234.56", 'point', 123_456],
      ['4’321.00', 'point', 432_100],
      ['(12.50)', 'point', -1250],
      ['(€12.50)', 'point', -1250],
      ['12.50-', 'point', -1250],
      ['−12.50', 'point', -1250],
      ['- 12.50', 'point', -1250],
      ['€ 12,50', 'comma', 1250],
      ['-€12,50', 'comma', -1250],
      ['€-12,50', 'comma', -1250],
      ['12,50 EUR', 'comma', 1250],
      ['EUR 12,50', 'comma', 1250],
      ['12.50 CR', 'point', 1250],
      ['12.50 DR', 'point', -1250],
      ['12.50Dr', 'point', -1250],
      ['12,50 S', 'comma', -1250],
      ['12,50 H', 'comma', 1250],
      ['+12.50', 'point', 1250],
      ['.50', 'point', 50],
      ['12', 'point', 1200],
      ['12,-', 'comma', 1200],
      ['-12,--', 'comma', -1200],
      ['0', 'point', 0],
      ['９９９', 'point', 99_900],
    ];
    for (const [cell, mark, expected] of cells) assert.equal(amount(cell, mark), expected, cell);
  });

  it('are refused where they contradict the file', () => {
    for (const cell of ['1,234.56', '1.23.45', '12.50', '1.2345,00']) {
      assert.equal(amount(cell, 'comma'), UNREADABLE, cell);
    }
    for (const cell of ['', '-', 'abc', '1e5', '0x10', '1_000', '--5', '(-5)', 'NaN', '12 apples', '1.2.3']) {
      assert.equal(amount(cell, 'point'), UNREADABLE, cell);
    }
  });

  it('keep to the decimals and the currency of the household', () => {
    assert.equal(amount('12.345', 'point', 'KWD'), 12_345);
    assert.equal(amount('1,234', 'point', 'JPY'), 1234);
    assert.equal(amount('12.50', 'point', 'JPY'), 'The amount has more decimals than JPY.');
    assert.equal(amount('1.005', 'point'), 'The amount has more decimals than EUR.');
    assert.equal(amount('$12.50', 'point'), 'The amount is in USD, and the household uses EUR.');
    assert.equal(amount('$12.50', 'point', 'CAD'), 1250);
    assert.equal(amount('R$ 1.234,56', 'comma', 'BRL'), 123_456);
    assert.equal(amount('Fr. 12.50', 'point', 'CHF'), 1250);
    assert.equal(amount('CHF 12.50', 'point'), 'The amount is in CHF, and the household uses EUR.');
    assert.equal(amount('9999999999.99', 'point'), 999_999_999_999);
    assert.equal(amount('10000000000.00', 'point'), 'The amount is too large.');
    assert.equal(amount('9'.repeat(60), 'point'), 'The amount is too large.');
  });

  it('are read with the mark that most of them fit', () => {
    const choose = (cells: readonly string[], currency = 'EUR') =>
      chooseDecimal(cells, contentRules(currency), 'point');
    assert.deepEqual(choose(['1.234', '5']), { decimal: 'comma', isAmbiguous: false });
    assert.deepEqual(choose(['1,234', '5']), { decimal: 'point', isAmbiguous: false });
    assert.deepEqual(choose(['1,234', '12,50']), { decimal: 'comma', isAmbiguous: false });
    assert.deepEqual(choose(['12', '5']), { decimal: 'point', isAmbiguous: false });
    assert.deepEqual(choose(['1,234'], 'KWD'), { decimal: 'point', isAmbiguous: true });
  });

  it('come back from every way of writing them', () => {
    const currencies = fc.constantFrom('JPY', 'EUR', 'KWD');
    fc.assert(
      fc.property(fc.integer({ min: -999_999_999, max: 999_999_999 }), currencies, (value, currency) => {
        const { decimals } = contentRules(currency);
        const plain = decimalText(Math.abs(value), decimals);
        const [whole = '', fraction = ''] = plain.split('.');
        const sign = value < 0 ? '-' : '';
        for (const [mark, group] of [
          ['point', ','],
          ['comma', '.'],
        ] as const) {
          const point = mark === 'point' ? '.' : ',';
          const grouped = whole.replaceAll(/(?<=\d)(?=(\d{3})+$)/g, group) + (fraction && point + fraction);
          assert.equal(amount(sign + grouped, mark, currency), value);
          assert.equal(amount(`${grouped} ${currency}${sign}`, mark, currency), value);
        }
        assert.deepEqual(readPlainAmount(sign + plain, contentRules(currency)), { amount: value });
      }),
      { numRuns: propertyRuns(500) },
    );
  });
});
