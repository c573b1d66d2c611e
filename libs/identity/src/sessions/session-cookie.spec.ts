import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { FastifyReply } from 'fastify';
import { Clock } from '#concurrency/clock';
import { IdentityConfiguration } from '../surroundings.js';
import { SessionCookie } from './session-cookie.js';

type Request = Parameters<SessionCookie['signIn']>[0];
type Headers = Record<string, string>;

const plain = (headers: Headers = {}): Request => ({ protocol: 'http', host: 'localhost:3000', headers });
const secure = (headers: Headers = {}): Request => ({ protocol: 'https', host: 'budget.example', headers });
/** As a server sees it whose proxy ends TLS and is not trusted. */
const behindProxy = (headers: Headers = {}): Request => ({
  protocol: 'http',
  host: '127.0.0.1:3000',
  headers,
});
const OF_APP = { origin: 'https://budget.example' };

class StillClock extends Clock {
  now(): number {
    return 0;
  }
}

function cookieFor(url: string): SessionCookie {
  class Configuration extends IdentityConfiguration {
    readonly allowedEmails = [];
    readonly defaultCurrency = 'USD';
    appUrl(): string {
      return url;
    }
  }
  return new SessionCookie(new Configuration(), new StillClock());
}

const local = cookieFor('http://localhost:3000');
const app = cookieFor('https://budget.example/money');

/** The `Set-Cookie` headers that an answer gets. */
function setBy(act: (reply: FastifyReply) => void): unknown {
  let set: unknown;
  const reply = { header: (name: string, value: unknown) => void (set = [name, value]) };
  act(reply as unknown as FastifyReply);
  return set === undefined ? undefined : (set as [string, unknown])[1];
}

const signedIn = (cookie: SessionCookie, request: Request, client: 'web' | 'mobile' = 'web'): unknown =>
  setBy(reply => cookie.signIn(request, reply, client, 'S'));
const signedOut = (cookie: SessionCookie, request: Request): unknown =>
  setBy(reply => cookie.signOut(request, reply));

const SECURE_COOKIE = '__Host-session=S; Path=/; Max-Age=15552000; HttpOnly; SameSite=Lax; Secure';
const PLAIN_COOKIE = 'session=S; Path=/; Max-Age=15552000; HttpOnly; SameSite=Lax';

describe('the session cookie', () => {
  it('is bound to the host over https', () => {
    assert.equal(signedIn(local, secure()), SECURE_COOKIE);
  });

  it('goes without Secure and prefix on plain http', () => {
    assert.equal(signedIn(local, plain()), PLAIN_COOKIE);
  });

  it('is for browsers alone', () => {
    assert.equal(signedIn(local, plain(), 'mobile'), undefined);
  });

  it('is taken back by signing out, where it was sent', () => {
    const ended = 'session=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax';
    assert.deepEqual(signedOut(local, plain({ cookie: 'a=1; session=S' })), [ended]);
    assert.deepEqual(signedOut(app, behindProxy({ cookie: 'session=S; __Host-session=T' })), [
      `__Host-${ended}; Secure`,
      ended,
    ]);
    assert.equal(signedOut(local, plain({ cookie: 'a=1' })), undefined);
    assert.equal(signedOut(local, plain()), undefined);
  });

  it('is found among others', () => {
    assert.equal(local.secretIn(plain({ cookie: 'a=1; session=S; b=2' })), 'S');
    assert.equal(local.secretIn(secure({ cookie: 'session=planted; __Host-session=S' })), 'S');
    assert.equal(local.secretIn(secure({ cookie: 'session=S' })), undefined);
    assert.equal(local.secretIn(plain({ cookie: 'mysession=S' })), undefined);
    assert.equal(local.secretIn(plain()), undefined);
    assert.equal(local.secretIn(plain({ cookie: 'a=1;\tsession=S \t; b=2' })), 'S');
  });

  it('is none of another name that only JavaScript would trim to it', () => {
    const cookie = '\u00a0__Host-session=planted; __Host-session=S';
    assert.equal(local.secretIn(secure({ cookie })), 'S');
    assert.equal(local.secretIn(secure({ cookie: '\u00a0__Host-session=planted' })), undefined);
  });

  it('neither counts nor is set on a cross-origin call', () => {
    const cookie = 'session=S';
    for (const headers of [
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { origin: 'https://localhost:3000' },
      { origin: 'http://localhost:3001' },
      { origin: 'http://budget.example' },
      { origin: 'https://budget.example:8443' },
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { 'sec-fetch-site': 'same-origin', origin: 'http://evil.example' },
      { 'sec-fetch-site': 'cross-site', origin: 'http://localhost:3000' },
      { 'sec-fetch-site': 'same-site', ...OF_APP },
      { 'sec-fetch-site': 'cross-site', ...OF_APP },
    ]) {
      assert.equal(app.secretIn(plain({ ...headers, cookie })), undefined, JSON.stringify(headers));
      assert.equal(signedIn(app, plain(headers)), undefined, JSON.stringify(headers));
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
      assert.equal(app.secretIn(plain({ ...headers, cookie: 'session=S' })), 'S', JSON.stringify(headers));
    }
  });

  it('is set and counts for the page at APP_URL, whatever address a proxy calls', () => {
    for (const headers of [
      OF_APP,
      { ...OF_APP, 'sec-fetch-site': 'same-origin' },
      { ...OF_APP, 'sec-fetch-site': 'none' },
    ]) {
      // The page is at https, so the browser takes a cookie that is Secure.
      assert.equal(signedIn(app, behindProxy(headers)), SECURE_COOKIE);
      assert.equal(
        app.secretIn(behindProxy({ ...headers, cookie: '__Host-session=S; session=planted' })),
        'S',
      );
    }
    assert.equal(app.secretIn(behindProxy({ cookie: '__Host-session=S' })), 'S');
    assert.equal(local.secretIn(behindProxy({ ...OF_APP, cookie: 'session=S' })), undefined);
    const overHttp = cookieFor('http://budget.lan');
    assert.equal(signedIn(overHttp, behindProxy({ origin: 'http://budget.lan' })), PLAIN_COOKIE);
  });

  it("compares origins as browsers write them, without the scheme's own port", () => {
    const ofBrowser = secure(OF_APP);
    assert.equal(local.isCrossOrigin({ ...ofBrowser, host: 'budget.example:443' }), false);
    assert.equal(local.isCrossOrigin({ ...ofBrowser, host: 'Budget.Example' }), false);
    assert.equal(local.isCrossOrigin({ ...ofBrowser, host: 'not a host' }), true);
    assert.equal(cookieFor('').isCrossOrigin(plain({ origin: 'null' })), true);
  });
});
