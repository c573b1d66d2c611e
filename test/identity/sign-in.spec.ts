import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { Accounts } from '#identity/accounts/accounts';
import { LastUse } from '#identity/access/credentials';
import { Passwords } from '#identity/accounts/passwords';
import { LAST_USE_WRITTEN_EVERY_MS, Sessions } from '#identity/sessions/sessions';
import { APP_URL, IdentityServer, NOBODY, PASSWORD, type Answer, type Person } from './identity.scenario.js';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

let server: IdentityServer;
let networks = 0;

before(async () => {
  server = await IdentityServer.start();
});
after(() => server.stop());

function network(): Record<string, string> {
  networks += 1;
  return server.from(70_000 + networks);
}

const signIn = (
  email: string,
  { password = PASSWORD, client = 'mobile', headers = network() } = {},
): Promise<Answer> =>
  server.call('POST', '/auth/password/sign-in', { headers, body: { email, password, client } });

const refused = ({ status, body }: Answer): unknown[] => [status, body['code']];

async function sessionOf(person: Person): Promise<string> {
  return String((await signIn(person.email)).body['token']);
}

const statusOf = async (token: string): Promise<number> =>
  (await server.call('GET', '/me', { token })).status;

/** Counts the runs of argon2id. */
function countHashes(): { count: number; stop(): void } {
  const passwords = server.app.get(Passwords, { strict: false });
  const { hash, hashForSignUp, matches } = Passwords.prototype;
  const counted = {
    count: 0,
    stop: () => void Object.assign(passwords, { hash, hashForSignUp, matches }),
  };
  const counting =
    <A extends unknown[], R>(method: (...args: A) => R) =>
    (...args: A): R => {
      counted.count += 1;
      return method.apply(passwords, args);
    };
  Object.assign(passwords, {
    hash: counting(hash),
    hashForSignUp: counting(hashForSignUp),
    matches: counting(matches),
  });
  return counted;
}

describe('POST /auth/password/sign-in', () => {
  it('answers a bearer token and who one is, however the address is spelt', async () => {
    const person = await server.person('Ada');
    const answer = await signIn('  ADA@EXAMPLE.ORG ');
    assert.equal(answer.status, 200);
    assert.deepEqual(Object.keys(answer.body), ['token', 'me']);
    assert.equal((answer.body['me'] as { user: { id: string } }).user.id, person.id);
    assert.equal(answer.headers.get('set-cookie'), null);
    assert.equal(await statusOf(String(answer.body['token'])), 200);
  });

  it('answers the same to a wrong password and an unknown address', async () => {
    const person = await server.person('Bea');
    const wrong = await signIn(person.email, { password: 'not the password' });
    const unknown = await signIn('nobody@example.org');
    for (const answer of [wrong, unknown]) {
      assert.deepEqual(refused(answer), [401, 'invalid_credentials']);
      assert.equal(answer.headers.get('www-authenticate'), 'Bearer');
    }
    const { request_id: _one, ...wrongBody } = wrong.body;
    const { request_id: _other, ...unknownBody } = unknown.body;
    assert.deepEqual(wrongBody, unknownBody);
    assert.deepEqual([...wrong.headers.keys()].sort(), [...unknown.headers.keys()].sort());
  });

  it('does the same work for an unknown address as for a known one', async () => {
    const person = await server.person('Timed');
    await server.call('POST', '/auth/password/sign-up', {
      headers: network(),
      body: { email: 'over@example.org', name: 'O', password: PASSWORD },
    });
    server.clock.pass(2 * DAY);
    await server.call('POST', '/auth/password/sign-up', {
      headers: network(),
      body: { email: 'waiting@example.org', name: 'W', password: PASSWORD },
    });
    await server.queue.idle();
    const hashes = countHashes();
    const work: unknown[] = [];
    for (const email of [person.email, 'waiting@example.org', 'over@example.org', 'stranger@example.org']) {
      server.operations.length = 0;
      hashes.count = 0;
      assert.equal((await signIn(email, { password: 'not the password' })).status, 401);
      work.push([hashes.count, [...server.operations].sort()]);
    }
    hashes.stop();
    assert.equal((work[0] as number[])[0], 1);
    assert.deepEqual(work[1], work[0]);
    assert.deepEqual(work[2], work[0]);
    assert.deepEqual(work[3], work[0]);
  });

  it('says that an address is not verified to whoever knows the password, of any of its sign-ups', async () => {
    const email = 'pending@example.org';
    for (const password of ['the first password', 'the second password']) {
      await server.call('POST', '/auth/password/sign-up', {
        headers: network(),
        body: { email, name: 'P', password },
      });
    }
    for (const password of ['the first password', 'the second password']) {
      assert.deepEqual(refused(await signIn(email, { password })), [403, 'email_not_verified']);
    }
    assert.deepEqual(refused(await signIn(email)), [401, 'invalid_credentials']);
  });

  it('goes on saying so for seven days, though the link is over after one', async () => {
    const email = 'tardy@example.org';
    await server.call('POST', '/auth/password/sign-up', {
      headers: network(),
      body: { email, name: 'T', password: PASSWORD },
    });
    for (const wait of [DAY, 6 * DAY - MINUTE]) {
      server.clock.pass(wait);
      assert.deepEqual(refused(await signIn(email)), [403, 'email_not_verified']);
      assert.deepEqual(refused(await signIn(email, { password: 'not the password' })), [
        401,
        'invalid_credentials',
      ]);
    }
    server.clock.pass(MINUTE);
    assert.deepEqual(refused(await signIn(email)), [401, 'invalid_credentials']);
  });

  it('knows two clients, and no password too short to be one', async () => {
    const answer = await signIn('x@example.org', { client: 'desktop', password: '' });
    const { fields } = answer.body['details'] as { fields: { path: string }[] };
    assert.deepEqual(
      fields.map(({ path }) => path),
      ['client'],
    );
  });
});

describe('the throttle of signing in', () => {
  it('refuses after ten failures for an address within a quarter of an hour, the right password too', async () => {
    const person = await server.person('Cleo');
    for (let failure = 0; failure < 10; failure += 1) {
      assert.equal((await signIn(person.email, { password: `wrong ${failure}` })).status, 401);
    }
    const answer = await signIn(person.email.toUpperCase());
    assert.deepEqual(refused(answer), [429, 'too_many_attempts']);
    const seconds = Number(answer.headers.get('retry-after'));
    assert.ok(seconds > 14 * 60 && seconds <= 15 * 60, String(seconds));
    server.clock.pass(seconds * 1000);
    assert.equal((await signIn(person.email)).status, 200);
  });

  it('says when the first of the failures will not count any more', async () => {
    const person = await server.person('Fran');
    for (let failure = 0; failure < 10; failure += 1) await signIn(person.email, { password: 'wrong' });
    server.clock.pass(10 * MINUTE);
    const answer = await signIn(person.email);
    const seconds = Number(answer.headers.get('retry-after'));
    assert.ok(seconds > 4 * 60 && seconds <= 5 * 60, String(seconds));
    server.clock.pass(seconds * 1000);
    assert.equal((await signIn(person.email)).status, 200);
  });

  it('ends at once where the clock was ahead and is set back', async () => {
    const person = await server.person('Chrono');
    server.clock.pass(DAY);
    for (let failure = 0; failure < 10; failure += 1) await signIn(person.email, { password: 'wrong' });
    assert.equal((await signIn(person.email)).status, 429);
    server.clock.pass(-DAY);
    assert.equal((await signIn(person.email)).status, 200);
  });

  it('does the same for addresses that nobody knows', async () => {
    for (let failure = 0; failure < 10; failure += 1) await signIn('ghost@example.org');
    assert.deepEqual(refused(await signIn('ghost@example.org')), [429, 'too_many_attempts']);
  });

  it('does not count what succeeds', async () => {
    const person = await server.person('Dora');
    for (let round = 0; round < 12; round += 1) assert.equal((await signIn(person.email)).status, 200);
  });

  it('keeps nobody out because the store could not take down that the password was right', async () => {
    const person = await server.person('Settled');
    server.failing.add('replace throttles');
    assert.equal((await signIn(person.email)).status, 200);
    assert.ok(!server.failing.has('replace throttles'));
  });

  it('is not what a store that is away answers with', async () => {
    const person = await server.person('Away');
    server.failing.add('get throttles');
    const answer = await signIn(person.email);
    assert.deepEqual([...refused(answer), answer.headers.get('retry-after')], [503, 'unavailable', '2']);
  });

  it('lets no burst at the same moment slip through', async () => {
    const person = await server.person('Burst');
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, guess) => signIn(person.email, { password: `guess ${guess}` })),
    );
    const statuses = answers.map(({ status }) => status);
    assert.equal(statuses.filter(status => status === 401).length, 10);
    assert.equal(statuses.filter(status => status === 429).length, 20);
  });

  it('counts an attempt of which nothing has been heard yet', async () => {
    const person = await server.person('Gone');
    const passwords = server.app.get(Passwords, { strict: false });
    const { matches } = Passwords.prototype;
    let release = (): void => undefined;
    const held = new Promise<boolean>(resolve => (release = () => resolve(false)));
    let begun = 0;
    const allBegan = new Promise<void>(resolve => {
      const hold = (): Promise<boolean> => {
        begun += 1;
        if (begun === 10) resolve();
        return held;
      };
      Object.assign(passwords, { matches: hold });
    });
    const lost = Array.from({ length: 10 }, () => signIn(person.email, { password: 'wrong' }));
    await allBegan;
    Object.assign(passwords, { matches });
    assert.deepEqual(refused(await signIn(person.email)), [429, 'too_many_attempts']);
    release();
    await Promise.all(lost);
  });

  it('refuses after a hundred failures from one network address', async () => {
    const headers = { 'x-forwarded-for': '2001:db8:1:2::1' };
    for (let batch = 0; batch < 10; batch += 1) {
      const answers = await Promise.all(
        Array.from({ length: 10 }, (_, one) => signIn(`spray${batch}-${one}@example.org`, { headers })),
      );
      assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([401]));
    }
    assert.deepEqual(refused(await signIn('another@example.org', { headers })), [429, 'too_many_attempts']);
    // The network is what counts of an IPv6 address.
    const neighbour = { 'x-forwarded-for': '2001:db8:1:2:ffff::9' };
    assert.equal((await signIn('another@example.org', { headers: neighbour })).status, 429);
    const elsewhere = { 'x-forwarded-for': '2001:db8:1:3::1' };
    assert.equal((await signIn('another@example.org', { headers: elsewhere })).status, 401);
  });
});

describe('sessions', () => {
  it('are listed, the newest first, and say which one asks', async () => {
    const person = await server.person('Eva');
    const headers = { ...network(), 'user-agent': 'Budget/1.0' };
    const web = await signIn(person.email, { client: 'web', headers });
    const answer = await server.call('GET', '/auth/sessions', { token: person.token });
    const sessions = answer.body['sessions'] as Record<string, unknown>[];
    assert.deepEqual(
      sessions.map(({ client, user_agent, current }) => [client, user_agent, current]),
      [
        ['web', 'Budget/1.0', false],
        ['mobile', sessions[1]?.['user_agent'], true],
      ],
    );
    assert.deepEqual(Object.keys(sessions[0]!), [
      'id',
      'client',
      'user_agent',
      'created_at',
      'last_used_at',
      'current',
    ]);
    const path = `/auth/sessions/${String(sessions[0]?.['id'])}`;
    assert.equal((await server.call('DELETE', path, { token: person.token })).status, 204);
    assert.equal(await statusOf(String(web.body['token'])), 401);
    const again = await server.call('DELETE', path, { token: person.token });
    assert.deepEqual([...refused(again), again.body['details']], [404, 'not_found', { resource: 'session' }]);
  });

  it('name the program that signed in by 255 characters, and none that says nothing', async () => {
    const person = await server.person('Agent');
    for (const agent of ['a'.repeat(300), '']) {
      await signIn(person.email, { headers: { ...network(), 'user-agent': agent } });
    }
    const answer = await server.call('GET', '/auth/sessions', { token: person.token });
    const agents = (answer.body['sessions'] as Record<string, unknown>[]).map(({ user_agent }) => user_agent);
    assert.deepEqual(agents.slice(0, 2), [null, 'a'.repeat(255)]);
  });

  it("of somebody else are not there, and a session's id is a ULID", async () => {
    const [fay, gil] = [await server.person('Fay'), await server.person('Gil')];
    const { body } = await server.call('GET', '/auth/sessions', { token: gil.token });
    const [session] = body['sessions'] as { id: string }[];
    const path = `/auth/sessions/${session?.id ?? ''}`;
    assert.deepEqual(refused(await server.call('DELETE', path, { token: fay.token })), [404, 'not_found']);
    assert.equal(await statusOf(gil.token), 200);
    const unknown = await server.call('DELETE', `/auth/sessions/${NOBODY}`, { token: fay.token });
    assert.equal(unknown.status, 404);
    const malformed = await server.call('DELETE', '/auth/sessions/1', { token: fay.token });
    assert.deepEqual(refused(malformed), [422, 'validation_failed']);
  });

  it('end by signing out, one at a time', async () => {
    const person = await server.person('Hal');
    const other = await sessionOf(person);
    const answer = await server.call('POST', '/auth/sign-out', { token: other });
    assert.deepEqual([answer.status, answer.body], [204, {}]);
    assert.equal(await statusOf(other), 401);
    assert.equal(await statusOf(person.token), 200);
    assert.equal((await server.call('POST', '/auth/sign-out', { token: other })).status, 401);
  });

  it('end 30 days after their last use', async () => {
    const person = await server.person('Ida');
    server.clock.pass(30 * DAY - MINUTE);
    assert.equal(await statusOf(person.token), 200);
    // Written behind the answer; the next request must see it.
    await lastUseWritten();
    server.clock.pass(30 * DAY - MINUTE);
    assert.equal(await statusOf(person.token), 200);
    await lastUseWritten();
    server.clock.pass(30 * DAY);
    assert.equal(await statusOf(person.token), 401);
  });

  it('end after 180 days, however much they are used', async () => {
    const person = await server.person('Jan');
    for (let month = 0; month < 8; month += 1) {
      server.clock.pass(20 * DAY);
      assert.equal(await statusOf(person.token), 200, `after ${(month + 1) * 20} days`);
      await lastUseWritten();
    }
    server.clock.pass(20 * DAY);
    assert.equal(await statusOf(person.token), 401);
  });

  it('show their last use to the minute', async () => {
    const person = await server.person('Kim');
    const lastUse = async (): Promise<number> => {
      const { body } = await server.call('GET', '/auth/sessions', { token: person.token });
      await lastUseWritten();
      return Date.parse((body['sessions'] as { last_used_at: string }[])[0]?.last_used_at ?? '');
    };
    const first = await lastUse();
    server.clock.pass(30_000);
    assert.equal(await lastUse(), first);
    server.clock.pass(31_000);
    await lastUse();
    assert.ok((await lastUse()) >= first + 61_000);
  });

  it('are at most a hundred a user: the one that was not used for longest gives way', async () => {
    const person = await server.person('Lea');
    const account = await server.app.get(Accounts, { strict: false }).find(person.id);
    const sessions = server.app.get(Sessions, { strict: false });
    const tokens: string[] = [];
    for (let session = 0; session < 100; session += 1) {
      tokens.push(await sessions.start(account!, 'mobile', ''));
      server.clock.pass(LAST_USE_WRITTEN_EVERY_MS);
      assert.equal(await statusOf(person.token), 200);
      await lastUseWritten();
    }
    assert.equal(await statusOf(tokens[0] ?? ''), 401);
    assert.equal(await statusOf(tokens[1] ?? ''), 200);
    const { body } = await server.call('GET', '/auth/sessions', { token: tokens[99] });
    assert.equal((body['sessions'] as unknown[]).length, 100);
  });

  async function lastUseWritten(): Promise<void> {
    await server.app.get(LastUse, { strict: false }).flush();
  }
});

describe('the cookie', () => {
  const cookieOf = (answer: Answer): string => answer.headers.get('set-cookie')?.split(';')[0] ?? '';

  it('signs browsers in and out on plain http', async () => {
    const person = await server.person('Max');
    const answer = await signIn(person.email, { client: 'web' });
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
    const https = { ...network(), 'x-forwarded-proto': 'https', 'x-forwarded-host': 'api.example' };
    const answer = await signIn(person.email, { client: 'web', headers: https });
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
    const headers = network();
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
    const headers = { cookie: cookieOf(await signIn(person.email, { client: 'web' })) };
    const foreign: Record<string, string>[] = [
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
    ];
    for (const marks of foreign) {
      const answer = await server.call('GET', '/me', { headers: { ...headers, ...marks } });
      assert.deepEqual(refused(answer), [401, 'unauthenticated'], JSON.stringify(marks));
      const signedIn = await signIn(person.email, { client: 'web', headers: { ...network(), ...marks } });
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
    const headers = { cookie: cookieOf(await signIn(one.email, { client: 'web' })) };
    const answer = await server.call('GET', '/me', { headers, token: other.token });
    assert.equal((answer.body['user'] as { id: string }).id, other.id);
    assert.equal((await server.call('GET', '/me', { headers, token: 'wrong' })).status, 401);
    const basic = { ...headers, authorization: 'Basic YTpi' };
    assert.equal((await server.call('GET', '/me', { headers: basic })).status, 401);
  });
});
