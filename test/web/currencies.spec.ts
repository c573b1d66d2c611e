import assert from 'node:assert/strict';
import { it } from 'node:test';
import { COMMON_CURRENCIES, decimalsOf } from '../../apps/web/src/format/currencies.js';
import { decimalsOf as decimalsOfService, isCurrency } from '#http/currencies';

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'.split('');

it('has for every currency as many decimals in the app as in the service', () => {
  const codes = LETTERS.flatMap(a => LETTERS.flatMap(b => LETTERS.map(c => a + b + c))).filter(isCurrency);
  assert.ok(codes.length > 150);
  for (const code of codes) assert.equal(decimalsOf(code), decimalsOfService(code), code);
  assert.deepEqual(
    COMMON_CURRENCIES.filter(code => !isCurrency(code)),
    [],
  );
});
