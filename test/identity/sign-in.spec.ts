import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Passwords } from '#identity/accounts/passwords';
import { IdentityServer, PASSWORD, refused, useServer } from './identity.scenario.js';

const MINUTE = 60_000;

const DAY = 24 * 60 * MINUTE;

let server: IdentityServer;

useServer('sign-in', started => (server = started));

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
    const answer = await server.signIn('  ADA@EXAMPLE.ORG ');
    assert.equal(answer.status, 200);
    assert.deepEqual(Object.keys(answer.body), ['token', 'me']);
    assert.equal((answer.body['me'] as { user: { id: string } }).user.id, person.id);
    assert.equal(answer.headers.get('set-cookie'), null);
    assert.equal(await server.statusOf(String(answer.body['token'])), 200);
  });

  it('answers the same to a wrong password and an unknown address', async () => {
    const person = await server.person('Bea');
    const wrong = await server.signIn(person.email, { password: 'not the password' });
    const unknown = await server.signIn('nobody@example.org');
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
      headers: server.network(),
      body: { email: 'over@example.org', name: 'O', password: PASSWORD },
    });
    server.clock.pass(2 * DAY);
    await server.call('POST', '/auth/password/sign-up', {
      headers: server.network(),
      body: { email: 'waiting@example.org', name: 'W', password: PASSWORD },
    });
    await server.queue.idle();
    const hashes = countHashes();
    const work: unknown[] = [];
    for (const email of [person.email, 'waiting@example.org', 'over@example.org', 'stranger@example.org']) {
      server.operations.length = 0;
      hashes.count = 0;
      assert.equal((await server.signIn(email, { password: 'not the password' })).status, 401);
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
        headers: server.network(),
        body: { email, name: 'P', password },
      });
    }
    for (const password of ['the first password', 'the second password']) {
      assert.deepEqual(refused(await server.signIn(email, { password })), [403, 'email_not_verified']);
    }
    assert.deepEqual(refused(await server.signIn(email)), [401, 'invalid_credentials']);
  });

  it('goes on saying so for seven days, though the link is over after one', async () => {
    const email = 'tardy@example.org';
    await server.call('POST', '/auth/password/sign-up', {
      headers: server.network(),
      body: { email, name: 'T', password: PASSWORD },
    });
    for (const wait of [DAY, 6 * DAY - MINUTE]) {
      server.clock.pass(wait);
      assert.deepEqual(refused(await server.signIn(email)), [403, 'email_not_verified']);
      assert.deepEqual(refused(await server.signIn(email, { password: 'not the password' })), [
        401,
        'invalid_credentials',
      ]);
    }
    server.clock.pass(MINUTE);
    assert.deepEqual(refused(await server.signIn(email)), [401, 'invalid_credentials']);
  });

  it('knows two clients, and no password too short to be one', async () => {
    const answer = await server.signIn('x@example.org', { client: 'desktop', password: '' });
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
      assert.equal((await server.signIn(person.email, { password: `wrong ${failure}` })).status, 401);
    }
    const answer = await server.signIn(person.email.toUpperCase());
    assert.deepEqual(refused(answer), [429, 'too_many_attempts']);
    const seconds = Number(answer.headers.get('retry-after'));
    assert.ok(seconds > 14 * 60 && seconds <= 15 * 60, String(seconds));
    server.clock.pass(seconds * 1000);
    assert.equal((await server.signIn(person.email)).status, 200);
  });

  it('says when the first of the failures will not count any more', async () => {
    const person = await server.person('Fran');
    for (let failure = 0; failure < 10; failure += 1)
      await server.signIn(person.email, { password: 'wrong' });
    server.clock.pass(10 * MINUTE);
    const answer = await server.signIn(person.email);
    const seconds = Number(answer.headers.get('retry-after'));
    assert.ok(seconds > 4 * 60 && seconds <= 5 * 60, String(seconds));
    server.clock.pass(seconds * 1000);
    assert.equal((await server.signIn(person.email)).status, 200);
  });

  it('ends at once where the clock was ahead and is set back', async () => {
    const person = await server.person('Chrono');
    server.clock.pass(DAY);
    for (let failure = 0; failure < 10; failure += 1)
      await server.signIn(person.email, { password: 'wrong' });
    assert.equal((await server.signIn(person.email)).status, 429);
    server.clock.pass(-DAY);
    assert.equal((await server.signIn(person.email)).status, 200);
  });

  it('does the same for addresses that nobody knows', async () => {
    for (let failure = 0; failure < 10; failure += 1) await server.signIn('ghost@example.org');
    assert.deepEqual(refused(await server.signIn('ghost@example.org')), [429, 'too_many_attempts']);
  });

  it('does not count what succeeds', async () => {
    const person = await server.person('Dora');
    for (let round = 0; round < 12; round += 1) assert.equal((await server.signIn(person.email)).status, 200);
  });

  it('keeps nobody out because the store could not take down that the password was right', async () => {
    const person = await server.person('Settled');
    server.failing.add('replace throttles');
    assert.equal((await server.signIn(person.email)).status, 200);
    assert.ok(!server.failing.has('replace throttles'));
  });

  it('is not what a store that is away answers with', async () => {
    const person = await server.person('Away');
    server.failing.add('get throttles');
    const answer = await server.signIn(person.email);
    assert.deepEqual([...refused(answer), answer.headers.get('retry-after')], [503, 'unavailable', '2']);
  });

  it('lets no burst at the same moment slip through', async () => {
    const person = await server.person('Burst');
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, guess) => server.signIn(person.email, { password: `guess ${guess}` })),
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
    const lost = Array.from({ length: 10 }, () => server.signIn(person.email, { password: 'wrong' }));
    await allBegan;
    Object.assign(passwords, { matches });
    assert.deepEqual(refused(await server.signIn(person.email)), [429, 'too_many_attempts']);
    release();
    await Promise.all(lost);
  });

  it('refuses after a hundred failures from one network address', async () => {
    const headers = { 'x-forwarded-for': '2001:db8:1:2::1' };
    for (let batch = 0; batch < 10; batch += 1) {
      const answers = await Promise.all(
        Array.from({ length: 10 }, (_, one) =>
          server.signIn(`spray${batch}-${one}@example.org`, { headers }),
        ),
      );
      assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([401]));
    }
    assert.deepEqual(refused(await server.signIn('another@example.org', { headers })), [
      429,
      'too_many_attempts',
    ]);
    // The network is what counts of an IPv6 address.
    const neighbour = { 'x-forwarded-for': '2001:db8:1:2:ffff::9' };
    assert.equal((await server.signIn('another@example.org', { headers: neighbour })).status, 429);
    const elsewhere = { 'x-forwarded-for': '2001:db8:1:3::1' };
    assert.equal((await server.signIn('another@example.org', { headers: elsewhere })).status, 401);
  });
});
