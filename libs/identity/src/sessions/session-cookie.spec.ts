import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isCrossOrigin, sessionCookieOf, signedInCookie, signedOutCookie } from './session-cookie.js';

const plain = (headers: Record<string, string> = {}) =>
  ({ protocol: 'http', host: 'localhost:3000', headers }) as const;
const secure = (headers: Record<string, string> = {}) =>
  ({ protocol: 'https', host: 'budget.example', headers }) as const;

describe('the session cookie', () => {
  it('is bound to the host over https', () => {
    assert.equal(
      signedInCookie(secure(), 'S'),
      '__Host-session=S; Path=/; Max-Age=15552000; HttpOnly; SameSite=Lax; Secure',
    );
  });

  it('goes without Secure and prefix on plain http', () => {
    assert.equal(signedInCookie(plain(), 'S'), 'session=S; Path=/; Max-Age=15552000; HttpOnly; SameSite=Lax');
  });

  it('is taken back by signing out', () => {
    assert.equal(signedOutCookie(plain()), 'session=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax');
  });

  it('is found among others', () => {
    assert.equal(sessionCookieOf(plain({ cookie: 'a=1; session=S; b=2' })), 'S');
    assert.equal(sessionCookieOf(secure({ cookie: 'session=planted; __Host-session=S' })), 'S');
    assert.equal(sessionCookieOf(secure({ cookie: 'session=S' })), undefined);
    assert.equal(sessionCookieOf(plain({ cookie: 'mysession=S' })), undefined);
    assert.equal(sessionCookieOf(plain()), undefined);
    assert.equal(sessionCookieOf(plain({ cookie: 'a=1;\tsession=S \t; b=2' })), 'S');
  });

  it('is none of another name that only JavaScript would trim to it', () => {
    const cookie = '\u00a0__Host-session=planted; __Host-session=S';
    assert.equal(sessionCookieOf(secure({ cookie })), 'S');
    assert.equal(sessionCookieOf(secure({ cookie: '\u00a0__Host-session=planted' })), undefined);
  });

  it('does not count on a cross-origin call', () => {
    const cookie = 'session=S';
    for (const headers of [
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { origin: 'https://localhost:3000' },
      { origin: 'http://localhost:3001' },
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { 'sec-fetch-site': 'same-origin', origin: 'http://evil.example' },
      { 'sec-fetch-site': 'cross-site', origin: 'http://localhost:3000' },
    ]) {
      assert.equal(sessionCookieOf(plain({ ...headers, cookie })), undefined, JSON.stringify(headers));
    }
  });

  it("counts on the API's own origin, typed-in addresses, and for programs that say nothing", () => {
    for (const headers of [
      {},
      { origin: 'http://localhost:3000' },
      { 'sec-fetch-site': 'same-origin' },
      { 'sec-fetch-site': 'none' },
      { 'sec-fetch-site': 'same-origin', origin: 'http://localhost:3000' },
    ]) {
      assert.equal(sessionCookieOf(plain({ ...headers, cookie: 'session=S' })), 'S', JSON.stringify(headers));
    }
  });

  it("compares origins as browsers write them, without the scheme's own port", () => {
    const origin = 'https://budget.example';
    assert.equal(isCrossOrigin({ ...secure({ origin }), host: 'budget.example:443' }), false);
    assert.equal(isCrossOrigin({ ...secure({ origin }), host: 'Budget.Example' }), false);
    assert.equal(isCrossOrigin({ ...secure({ origin }), host: 'not a host' }), true);
  });
});
