import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { foldEmail, spellingOf } from './email-address.js';

describe(foldEmail.name, () => {
  it('makes one address of all ways to spell one mailbox', () => {
    for (const email of [
      'ida@bücher.example',
      ' IDA@BÜCHER.Example\n',
      'ida@bu\u0308cher.example',
      'ida@bücher。example',
      'ida@XN--Bcher-KVA.example',
    ]) {
      assert.equal(foldEmail(email), 'ida@xn--bcher-kva.example', email);
    }
    assert.equal(foldEmail('ZOE\u0308@example.com'), 'zoë@example.com');
  });

  it('keeps domains apart that DNS keeps apart', () => {
    assert.notEqual(foldEmail('a@ΒΌΛΟΣ.example'), foldEmail('a@βόλος.example'));
    assert.notEqual(foldEmail('a@straße.example'), foldEmail('a@strasse.example'));
  });

  it('takes the entries of ALLOWED_EMAILS', () => {
    assert.equal(foldEmail('*'), '*');
    assert.equal(foldEmail('*@Bücher.example'), '*@xn--bcher-kva.example');
  });

  it('leaves what it has made as it is', () => {
    for (const email of ['İda@bücher.example', 'ΑΣ@ΒΌΛΟΣ.example', '*@ⓐ.example', 'a@not a domain']) {
      assert.equal(foldEmail(foldEmail(email)), foldEmail(email));
    }
  });
});

describe(spellingOf.name, () => {
  it('tells spellings of a domain apart, but no letter case', () => {
    assert.equal(spellingOf(' Ida@BÜCHER.example'), spellingOf('ida@bu\u0308cher.example'));
    assert.notEqual(spellingOf('ida@bücher.example'), spellingOf('ida@xn--bcher-kva.example'));
  });
});
