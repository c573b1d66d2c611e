import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { SecretKey, Randomness } from '../secrets.js';
import { isFrequentPassword } from './frequent-passwords.js';
import { Passwords } from './passwords.js';

const passwords = new Passwords(new Randomness(), new SecretKey(Buffer.alloc(32, 1)));

describe(Passwords.name, () => {
  it('hashes by argon2id with the parameters that OWASP recommends', async () => {
    const hash = await passwords.hash('four jars on a shelf');
    assert.match(hash, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/);
    assert.equal(await passwords.matches(hash, 'four jars on a shelf'), true);
    assert.equal(await passwords.matches(hash, 'four jars on a shel'), false);
  });

  it('salts every hash, but the sign-ups of one address alike', async () => {
    const [one, other] = [await passwords.hash('a password'), await passwords.hash('a password')];
    assert.notEqual(one, other);
    const first = await passwords.hashForSignUp('ada@example.org', 'a password');
    assert.equal(first, await passwords.hashForSignUp('ada@example.org', 'a password'));
    assert.notEqual(first, await passwords.hashForSignUp('ben@example.org', 'a password'));
    assert.equal(await passwords.matches(first, 'a password'), true);
    const elsewhere = new Passwords(new Randomness(), new SecretKey(Buffer.alloc(32, 2)));
    assert.notEqual(first, await elsewhere.hashForSignUp('ada@example.org', 'a password'));
  });

  it('compares the password of a sign-up, also one with another salt', async () => {
    const [right, wrong] = [
      await passwords.hashForSignUp('a@b', 'right'),
      await passwords.hashForSignUp('a@b', 'wrong'),
    ];
    const otherwiseSalted = await passwords.hashForSignUp('a@c', 'right');
    for (const signedUp of [right, otherwiseSalted]) {
      assert.equal(await passwords.matchesSignUp(signedUp, right, 'right'), true);
      assert.equal(await passwords.matchesSignUp(signedUp, wrong, 'wrong'), false);
    }
  });
});

describe('frequent passwords', () => {
  it('are known in any letter case', () => {
    for (const password of [
      'password123',
      'PASSWORD123',
      'Qwertyuiop',
      '1q2w3e4r5t',
      'iloveyou123',
      'administrator',
    ]) {
      assert.equal(isFrequentPassword(password), true, password);
    }
  });

  it('are not what people make up', () => {
    for (const password of [
      'correct horse battery staple',
      'four-jars-on-a-shelf',
      'Tr0ub4dor&3x',
      'blaue Tomaten 7',
      'abcdabcdef',
      'x'.repeat(10),
      'x'.repeat(128),
    ]) {
      assert.equal(isFrequentPassword(password), false, password);
    }
  });
});
