import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { merchantsJson } from './list-merchants.js';

describe('merchantsJson', () => {
  it('is JSON in which every merchant is a key', () => {
    const names = fc.uniqueArray(
      fc.oneof(fc.string({ unit: 'grapheme' }), fc.constantFrom('__proto__', 'toString', '7', '"', '\u2028')),
    );
    fc.assert(
      fc.property(names, list => {
        const json = merchantsJson(new Map(list.map((name, index) => [name, `item ${index}`])));
        const { merchants } = JSON.parse(json) as { readonly merchants: object };
        const entries = new Map(Object.entries(merchants));
        assert.equal(entries.size, list.length);
        for (const [index, name] of list.entries()) assert.equal(entries.get(name), `item ${index}`);
      }),
    );
  });
});
