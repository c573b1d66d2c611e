import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { describe, it } from 'node:test';
import {
  looksLikeTokenSecret,
  SECRET_BYTES,
  SECRET_KEY_BYTES_MIN,
  SecretKey,
  tokenSecret,
} from './secrets.js';

describe('token secrets', () => {
  it('have prefix, 43 base-62 digits and a checksum of 6', () => {
    for (const random of [
      Buffer.alloc(SECRET_BYTES),
      Buffer.alloc(SECRET_BYTES, 255),
      randomBytes(SECRET_BYTES),
    ]) {
      const secret = tokenSecret(random);
      assert.match(secret, /^hbp_[0-9A-Za-z]{49}$/);
      assert.equal(looksLikeTokenSecret(secret), true);
    }
  });

  it('differ wherever the random bytes differ', () => {
    const one = Buffer.alloc(SECRET_BYTES);
    const other = Buffer.from(one);
    other[SECRET_BYTES - 1] = 1;
    assert.notEqual(tokenSecret(one), tokenSecret(other));
  });

  it('are known to be mistyped when any character was changed', () => {
    const secret = tokenSecret(randomBytes(SECRET_BYTES));
    for (let place = 0; place < secret.length; place += 1) {
      const other = secret[place] === 'x' ? 'y' : 'x';
      const changed = secret.slice(0, place) + other + secret.slice(place + 1);
      assert.equal(looksLikeTokenSecret(changed), false, `place ${place}`);
    }
  });

  it('are refused when cut off, prolonged or foreign', () => {
    const secret = tokenSecret(randomBytes(SECRET_BYTES));
    for (const foreign of [
      '',
      'hbp_',
      secret.slice(0, -1),
      `${secret}0`,
      ` ${secret}`,
      secret.replace('hbp_', 'hbs_'),
    ]) {
      assert.equal(looksLikeTokenSecret(foreign), false, foreign);
    }
  });
});

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
