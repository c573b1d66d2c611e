import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { SECRET_KEY_BYTES_MIN, SecretKey } from './surroundings.js';

describe(SecretKey.name, () => {
  const key = new SecretKey(Buffer.alloc(SECRET_KEY_BYTES_MIN, 7));
  const mac = (...parts: [string, ...string[]]): string => key.mac(...parts).toString('hex');

  it('makes the same of the same for ever: salts and mailed links depend on it', () => {
    assert.equal(
      mac('sign-up salt', 'ada@example.org'),
      '020eddec83204e6c2f0f81d1db9a525ebb28a777905d0488486ea0d83946b564',
    );
  });

  it('keeps purposes and parts apart', () => {
    const macs = [
      mac('link'),
      mac('link', 'ab', 'c'),
      mac('link', 'a', 'bc'),
      mac('link', 'abc'),
      mac('linka', 'bc'),
      mac('linkabc'),
      mac('reset', 'abc'),
      new SecretKey(Buffer.alloc(SECRET_KEY_BYTES_MIN, 8)).mac('link', 'abc').toString('hex'),
    ];
    assert.equal(new Set(macs).size, macs.length);
  });

  it('has 32 bytes at least', () => {
    assert.throws(() => new SecretKey(Buffer.alloc(31, 7)), RangeError);
  });
});
