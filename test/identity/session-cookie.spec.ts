import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { APP_URL, IdentityServer, PASSWORD, type Answer, refused, useServer } from './identity.scenario.js';

const MINUTE = 60_000;

let server: IdentityServer;

useServer('sign-in', started => (server = started));

describe('the cookie', () => {
  const cookieOf = (answer: Answer): string => answer.headers.get('set-cookie')?.split(';')[0] ?? '';

  it('signs browsers in and out on plain http', async () => {
    const person = await server.person('Max');
    const answer = await server.signIn(person.email, { client: 'web' });
    const cookie = answer.headers.get('set-cookie') ?? '';
    assert.match(cookie, /^session=hbs_[\w-]{43}; Path=\/; Max-Age=15552000; HttpOnly; SameSite=Lax$/);
    const headers = { cookie: cookieOf(answer) };
    assert.equal((await server.call('GET', '/me', { headers })).status, 200);
    const out = await server.call('POST', '/auth/sign-out', { headers });
    assert.match(out.headers.get('set-cookie') ?? '', /^session=; .*Max-Age=0/);
    assert.equal((await server.call('GET', '/me', { headers })).status, 401);
  });

  it('is bound to the host over https', async () => {
    const person = await server.person('Nia');
    const https = { ...server.network(), 'x-forwarded-proto': 'https', 'x-forwarded-host': 'api.example' };
    const answer = await server.signIn(person.email, { client: 'web', headers: https });
    assert.match(
      answer.headers.get('set-cookie') ?? '',
      /^__Host-session=.*; HttpOnly; SameSite=Lax; Secure$/,
    );
    const secret = cookieOf(answer).split('=')[1] ?? '';
    const own = { ...https, cookie: cookieOf(answer), origin: 'https://api.example' };
    assert.equal((await server.call('GET', '/me', { headers: own })).status, 200);
    const planted = { ...https, cookie: `session=${secret}` };
    assert.equal((await server.call('GET', '/me', { headers: planted })).status, 401);
  });

  it('comes with verifying as well', async () => {
    const headers = server.network();
    const email = 'oda@example.org';
    await server.call('POST', '/auth/password/sign-up', {
      headers,
      body: { email, name: 'Oda', password: PASSWORD },
    });
    const body = { token: await server.mailedToken(email, 'verify'), client: 'web' };
    const answer = await server.call('POST', '/auth/password/verify', { headers, body });
    assert.match(answer.headers.get('set-cookie') ?? '', /^session=/);
  });

  it('neither counts nor is set on cross-origin calls', async () => {
    const person = await server.person('Pia');
    const headers = { cookie: cookieOf(await server.signIn(person.email, { client: 'web' })) };
    const foreign: Record<string, string>[] = [
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
    ];
    for (const marks of foreign) {
      const answer = await server.call('GET', '/me', { headers: { ...headers, ...marks } });
      assert.deepEqual(refused(answer), [401, 'unauthenticated'], JSON.stringify(marks));
      const signedIn = await server.signIn(person.email, {
        client: 'web',
        headers: { ...server.network(), ...marks },
      });
      assert.equal(signedIn.status, 200);
      assert.equal(signedIn.headers.get('set-cookie'), null, JSON.stringify(marks));
    }
    for (const marks of [
      { origin: server.origin },
      { 'sec-fetch-site': 'same-origin' },
      { 'sec-fetch-site': 'none' },
    ]) {
      const own: Record<string, string> = { ...headers, ...marks };
      assert.equal((await server.call('GET', '/me', { headers: own })).status, 200, JSON.stringify(marks));
    }
  });

  it('counts for the page at APP_URL, also behind a proxy that is not trusted', async () => {
    const untrusting = await IdentityServer.start({ trustProxy: false });
    try {
      const { email } = await untrusting.person('Proxied');
      const body = { email, password: PASSWORD, client: 'web' };
      const headers: Record<string, string> = {
        origin: APP_URL,
        'sec-fetch-site': 'same-origin',
        'x-forwarded-proto': 'https',
      };
      const answer = await untrusting.call('POST', '/auth/password/sign-in', { headers, body });
      assert.match(answer.headers.get('set-cookie') ?? '', /^__Host-session=.*; Secure$/);
      const cookie = { cookie: cookieOf(answer) };
      assert.equal((await untrusting.call('GET', '/me', { headers: cookie })).status, 200);
      const own = { ...headers, ...cookie };
      const out = await untrusting.call('POST', '/auth/sign-out', { headers: own });
      assert.equal(out.status, 204);
      assert.match(out.headers.get('set-cookie') ?? '', /^__Host-session=; .*Max-Age=0.*Secure$/);
      assert.equal((await untrusting.call('GET', '/me', { headers: own })).status, 401);
    } finally {
      await untrusting.stop();
    }
  });

  it('is missed by an answer that has the token all the same, and the log says why, once an hour', async () => {
    const quiet = await IdentityServer.start();
    try {
      const before = quiet.log.length;
      const warnings = (): string[] =>
        quiet.log.slice(before).filter(line => /APP_URL.*TRUST_PROXY/.test(line));
      const email = 'foreign@example.org';
      const headers = {
        'x-forwarded-proto': 'https',
        'x-forwarded-host': 'api.example',
        origin: 'https://other.example',
      };
      await quiet.call('POST', '/auth/password/sign-up', { body: { email, name: 'F', password: PASSWORD } });
      const token = await quiet.mailedToken(email, 'verify');
      const verified = await quiet.call('POST', '/auth/password/verify', {
        headers,
        body: { token, client: 'web' },
      });
      assert.deepEqual([verified.status, verified.headers.get('set-cookie')], [200, null]);
      assert.equal(warnings().length, 1);
      assert.match(warnings()[0]!, /"level":40.*https:\/\/other\.example.*https:\/\/api\.example/);
      const signIn = (): Promise<Answer> =>
        quiet.call('POST', '/auth/password/sign-in', {
          headers,
          body: { email, password: PASSWORD, client: 'web' },
        });
      const answer = await signIn();
      assert.deepEqual([answer.status, answer.headers.get('set-cookie')], [200, null]);
      assert.equal((await quiet.call('GET', '/me', { token: String(answer.body['token']) })).status, 200);
      assert.equal(warnings().length, 1);
      quiet.clock.pass(60 * MINUTE);
      await signIn();
      assert.equal(warnings().length, 2);
      assert.ok(!warnings().some(line => line.includes(email)));
    } finally {
      await quiet.stop();
    }
  });

  it('gives way to a bearer token, right or wrong', async () => {
    const [one, other] = [await server.person('Quin'), await server.person('Rose')];
    const headers = { cookie: cookieOf(await server.signIn(one.email, { client: 'web' })) };
    const answer = await server.call('GET', '/me', { headers, token: other.token });
    assert.equal((answer.body['user'] as { id: string }).id, other.id);
    assert.equal((await server.call('GET', '/me', { headers, token: 'wrong' })).status, 401);
    const basic = { ...headers, authorization: 'Basic YTpi' };
    assert.equal((await server.call('GET', '/me', { headers: basic })).status, 401);
  });
});
