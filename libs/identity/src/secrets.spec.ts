import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { describe, it } from 'node:test';
import { looksLikeTokenSecret, SECRET_BYTES, tokenSecret } from './secrets.js';

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
