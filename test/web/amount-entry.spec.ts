import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseAmount, toDecimal, type EntryFormat } from '../../apps/web/src/format/amount-entry.js';
import { moneyOf } from '../../apps/web/src/format/money.js';

const CENTS: EntryFormat = { decimals: 2, decimalSeparator: '.' };
const CENTS_BY_COMMA: EntryFormat = { decimals: 2, decimalSeparator: ',' };
const YEN: EntryFormat = { decimals: 0, decimalSeparator: '.' };
const FILS: EntryFormat = { decimals: 3, decimalSeparator: '.' };

const READ: readonly (readonly [text: string, minor: number, format?: EntryFormat])[] = [
  ['12', 1_200],
  ['12.5', 1_250],
  ['12,50', 1_250],
  ['.5', 50],
  ['12.', 1_200],
  ["1'234.50", 123_450],
  ['1’234.50', 123_450],
  ['1 234,50', 123_450],
  ['1\u202f234,50', 123_450],
  ['1,234.56', 123_456],
  ['1.234,56', 123_456],
  ['1,234', 123_400],
  ['1.234', 123_400, CENTS_BY_COMMA],
  ['1,234,567', 123_456_700],
  ['12,34,567.89', 123_456_789],
  ['€ 12,50', 1_250],
  ['$12.50', 1_250],
  ['-3.20', -320],
  ['−3.20', -320],
  ['12.50+3', 1_550],
  ['12.50 + 3 - 0,50', 1_500],
  ['0', 0],
  ['1,234', 1_234, YEN],
  ['500', 500, YEN],
  ['1.234', 1_234, FILS],
  ['1,234', 1_234_000, FILS],
  ['9999999999.99', 999_999_999_999],
];

const REFUSED: readonly (readonly [text: string, format?: EntryFormat])[] = [
  [''],
  ['abc'],
  ['12.345.6'],
  ['1.2.3'],
  ['12.3456'],
  ['12,34,56'],
  ['1.5', YEN],
  ['12+'],
  ['+'],
  ['--5'],
  ['1e3'],
  ['0x10'],
  ['10000000000'],
  ['.'],
];

describe('an amount that is typed', () => {
  for (const [text, minor, format = CENTS] of READ) {
    it(`reads ${JSON.stringify(text)} as ${minor} with ${format.decimals} decimals`, () => {
      assert.equal(parseAmount(text, format), minor);
    });
  }
  for (const [text, format = CENTS] of REFUSED) {
    it(`does not guess what ${JSON.stringify(text)} means`, () => {
      assert.equal(parseAmount(text, format), undefined);
    });
  }
});

describe('an amount that is shown', () => {
  it('has the decimals of its currency, whatever the browser knows of it', () => {
    assert.equal(toDecimal(1_250, 2), '12.50');
    assert.equal(toDecimal(-5, 2), '-0.05');
    assert.equal(toDecimal(5, 3), '0.005');
    assert.equal(toDecimal(1_250, 0), '1250');
    assert.equal(moneyOf('JPY', 'en-US').full(1_250), '¥1,250');
    assert.equal(moneyOf('KWD', 'en-US').plain(1_250), '1.250');
    assert.equal(moneyOf('CLF', 'en-US').plain(12_345), '1.2345');
  });

  it('is written in the language of the browser', () => {
    assert.equal(moneyOf('EUR', 'de-DE').plain(123_450), '1.234,50');
    assert.equal(moneyOf('USD', 'en-US').full(-320), '−$3.20');
  });

  it('stays exact where a floating-point number would not', () => {
    assert.equal(moneyOf('USD', 'en-US').plain(9_007_199_254_740_991), '90,071,992,547,409.91');
  });

  it('can be typed as it is shown, in every language', () => {
    for (const language of [
      'en-US',
      'de-DE',
      'de-CH',
      'fr-FR',
      'sv-SE',
      'pl-PL',
      'pt-BR',
      'en-IN',
      'ja-JP',
      'ar-EG',
      'he-IL',
      'fa-IR',
    ]) {
      for (const currency of ['USD', 'JPY', 'KWD']) {
        const money = moneyOf(currency, language);
        for (const minor of [0, 5, 1_250, 123_456, 123_456_789, -320]) {
          assert.equal(
            money.parse(money.plain(minor)),
            minor,
            `${language} ${currency} ${money.plain(minor)}`,
          );
        }
      }
    }
  });
});
