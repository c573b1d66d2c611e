import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Collection, Document } from '#storage/documents/documents';
import { Passwords } from '#identity/accounts/passwords';
import { MAIL_DUTIES } from '#identity/mails/mail-duties';
import { SESSIONS } from '#identity/sessions/sessions';
import { wireAddress } from '#mail/mailer';
import { IdentityServer, NO_TOKENS, PASSWORD, type Answer, type Person } from './identity.scenario.js';

const NEW_PASSWORD = 'a wholly other password';

let server: IdentityServer;
let networks = 0;

before(async () => {
  server = await IdentityServer.start();
});
after(() => server.stop());

function network(): Record<string, string> {
  networks += 1;
  return server.from(80_000 + networks);
}

const refused = ({ status, body }: Answer): unknown[] => [status, body['code']];
const post = (path: string, body: unknown): Promise<Answer> =>
  server.call('POST', `/auth/password/${path}`, { headers: network(), body });
const forgot = (email: string): Promise<Answer> => post('forgot', { email });
const reset = (token: string, password = NEW_PASSWORD): Promise<Answer> => post('reset', { token, password });
const signIn = (email: string, password: string): Promise<Answer> =>
  post('sign-in', { email, password, client: 'mobile' });
const statusOf = async (token: string): Promise<number> =>
  (await server.call('GET', '/me', { token })).status;

async function linkFor(person: Person): Promise<string> {
  await forgot(person.email);
  return server.mailedToken(person.email, 'reset');
}

describe('POST /auth/password/forgot and /reset', () => {
  it('sets a new password by a mailed link and ends every session', async () => {
    const person = await server.person('Ada');
    const other = String((await signIn(person.email, PASSWORD)).body['token']);
    const answer = await forgot(' ADA@example.org');
    assert.deepEqual([answer.status, answer.body], [202, {}]);
    const mail = (await server.mailsTo(person.email)).at(-1);
    assert.match(mail?.links?.[0] ?? '', /^https:\/\/app\.example\/reset\?token=[\w-]{43}$/);
    const token = await server.mailedToken(person.email, 'reset');
    assert.equal(await statusOf(person.token), 200);
    const done = await reset(token);
    assert.deepEqual([done.status, done.body], [204, {}]);
    for (const session of [person.token, other]) assert.equal(await statusOf(session), 401);
    const equals = { userId: person.id };
    assert.deepEqual(await server.documents.query(SESSIONS, { index: 'user', equals, limit: 9 }), []);
    assert.equal((await signIn(person.email, PASSWORD)).status, 401);
    assert.equal((await signIn(person.email, NEW_PASSWORD)).status, 200);
  });

  it('keeps access tokens, and the mails say how many there are', async () => {
    const person = await server.person('Bea');
    const secrets = [await server.accessToken(person), await server.accessToken(person)];
    await server.accessToken(person, undefined, 1);
    server.clock.pass(2 * 24 * 3_600_000);
    const token = await linkFor(person);
    assert.match((await server.mailsTo(person.email)).at(-1)?.text ?? '', /2 personal\s+access\s+tokens/);
    await reset(token);
    const notice = (await server.mailsTo(person.email)).at(-1);
    assert.match(notice?.subject ?? '', /password was reset/);
    assert.match(notice?.text ?? '', /2 personal\s+access\s+tokens/);
    for (const secret of secrets) assert.equal(await statusOf(secret), 200);
  });

  it('a link works once, of twenty at the same moment for one', async () => {
    const person = await server.person('Cleo');
    const token = await linkFor(person);
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, one) => reset(token, `password number ${one}`)),
    );
    assert.deepEqual(answers.map(({ status }) => status).sort(), [204, ...Array<number>(19).fill(410)]);
    assert.deepEqual(refused(await reset(token)), [410, 'invalid_link']);
  });

  it('a link works for an hour', async () => {
    const person = await server.person('Dora');
    const token = await linkFor(person);
    server.clock.pass(3_600_000);
    assert.deepEqual(refused(await reset(token)), [410, 'invalid_link']);
    const other = await linkFor(person);
    server.clock.pass(3_590_000);
    assert.equal((await reset(other)).status, 204);
  });

  it('a changed password makes every older link invalid', async () => {
    const person = await server.person('Eva');
    const [first, second] = [await linkFor(person), await linkFor(person)];
    assert.equal((await reset(second)).status, 204);
    assert.deepEqual(refused(await reset(first)), [410, 'invalid_link']);
  });

  it('refuses a bad password before it looks at the link, which stays good', async () => {
    const person = await server.person('Fay');
    const token = await linkFor(person);
    for (const password of ['short', 'x'.repeat(129), 'password123']) {
      assert.deepEqual(refused(await reset(token, password)), [422, 'validation_failed']);
    }
    assert.equal((await reset(token)).status, 204);
  });

  it('lets the owner in again whom a stranger’s guesses keep out', async () => {
    const person = await server.person('Guessed');
    for (let guess = 0; guess < 10; guess += 1) await signIn(person.email, `guess ${guess}`);
    assert.equal((await signIn(person.email, PASSWORD)).status, 429);
    assert.equal((await reset(await linkFor(person))).status, 204);
    assert.equal((await signIn(person.email, NEW_PASSWORD)).status, 200);
  });

  it('garbage is no link, and a link for verifying is none for resetting', async () => {
    for (const token of ['garbage', 'A'.repeat(43), ...NO_TOKENS]) {
      assert.deepEqual(refused(await reset(token)), [410, 'invalid_link'], token.slice(0, 50));
      assert.deepEqual(refused(await reset(token, 'short')), [422, 'validation_failed']);
    }
    const missing = await post('reset', { password: NEW_PASSWORD });
    assert.deepEqual(refused(missing), [422, 'validation_failed']);
    await post('sign-up', { email: 'gil@example.org', name: 'Gil', password: PASSWORD });
    const verification = await server.mailedToken('gil@example.org', 'verify');
    assert.deepEqual(refused(await reset(verification)), [410, 'invalid_link']);
  });

  it('mails nothing to an address without an account', async () => {
    assert.equal((await forgot('unknown@example.org')).status, 202);
    assert.deepEqual(await server.mailsTo('unknown@example.org'), []);
  });
});

describe('PUT /auth/password', () => {
  const change = (token: string, current: string, next = NEW_PASSWORD): Promise<Answer> =>
    server.call('PUT', '/auth/password', {
      token,
      headers: network(),
      body: { current_password: current, new_password: next },
    });

  it('changes it and ends the other sessions', async () => {
    const person = await server.person('Hal');
    const other = String((await signIn(person.email, PASSWORD)).body['token']);
    assert.equal((await change(person.token, PASSWORD)).status, 204);
    assert.equal(await statusOf(person.token), 200);
    assert.equal(await statusOf(other), 401);
    const { body } = await server.call('GET', '/auth/sessions', { token: person.token });
    assert.equal((body['sessions'] as unknown[]).length, 1);
    assert.equal((await signIn(person.email, NEW_PASSWORD)).status, 200);
    assert.match((await server.mailsTo(person.email)).at(-1)?.subject ?? '', /password was changed/);
  });

  it('ends them also where their records stay, and the log says so', async () => {
    const person = await server.person('Stale');
    const other = String((await signIn(person.email, PASSWORD)).body['token']);
    server.log.length = 0;
    server.failing.add('query sessions');
    assert.equal((await change(person.token, PASSWORD)).status, 204);
    assert.match(server.log.join(''), /"level":50.*ended sessions were not removed: lost on the way/);
    assert.equal(await statusOf(other), 401);
    const { body } = await server.call('GET', '/auth/sessions', { token: person.token });
    assert.equal((body['sessions'] as unknown[]).length, 1);
  });

  it('is changed also where the mail that tells of it is lost, and the log says so', async () => {
    const person = await server.person('Hans');
    const told = /"level":50.*a password was changed, but no mail was sent to its owner: lost on the way/;
    for (const changing of ['PUT', 'reset'] as const) {
      const link = await linkFor(person);
      server.log.length = 0;
      server.failing.add('insert mail_duties');
      const answer = changing === 'PUT' ? await change(person.token, PASSWORD) : await reset(link);
      assert.equal(answer.status, 204);
      assert.match(server.log.join(''), told);
      assert.ok(!server.log.join('').includes(person.email));
    }
  });

  it('tells nothing to the log of an error that is not made for it', async context => {
    const person = await server.person('Hilde');
    const insert = server.documents.insert.bind(server.documents);
    async function quoting<T extends Document>(collection: Collection<T>, document: T): Promise<void> {
      if (collection.name === MAIL_DUTIES.name) throw new RangeError(`no mail to ${person.email}`);
      await insert(collection, document);
    }
    context.mock.method(server.documents, 'insert', quoting);
    server.log.length = 0;
    assert.equal((await change(person.token, PASSWORD)).status, 204);
    const log = server.log.join('');
    assert.match(log, /"level":50.*a password was changed, but no mail was sent to its owner: RangeError"/);
    assert.ok(!log.includes(person.email));
  });

  it('lets only the session live on that changed it last', async () => {
    const person = await server.person('Ida');
    assert.equal((await change(person.token, PASSWORD)).status, 204);
    const second = String((await signIn(person.email, NEW_PASSWORD)).body['token']);
    assert.equal(await statusOf(person.token), 200);
    assert.equal((await change(second, NEW_PASSWORD, 'the third password')).status, 204);
    assert.equal(await statusOf(person.token), 401);
    assert.equal(await statusOf(second), 200);
  });

  it('needs the present one, and may not be a way to guess it', async () => {
    const person = await server.person('Jan');
    for (let guess = 0; guess < 10; guess += 1) {
      const answer = await change(person.token, `guess ${guess}`);
      assert.deepEqual(refused(answer), [401, 'invalid_credentials']);
    }
    assert.deepEqual(refused(await change(person.token, PASSWORD)), [429, 'too_many_attempts']);
  });

  it('names the field that is wrong', async () => {
    const person = await server.person('Kim');
    for (const next of ['short', 'x'.repeat(129), 'qwertyuiop']) {
      const answer = await change(person.token, PASSWORD, next);
      const { fields } = answer.body['details'] as { fields: { path: string }[] };
      assert.deepEqual([answer.status, fields[0]?.path], [422, 'new_password']);
    }
  });

  it('of two at the same moment one counts', async () => {
    const person = await server.person('Lea');
    const answers = await Promise.all([
      change(person.token, PASSWORD, 'the password one'),
      change(person.token, PASSWORD, 'the password two'),
    ]);
    assert.deepEqual(answers.map(({ status }) => status).sort(), [204, 401]);
  });

  it('is not for access tokens', async () => {
    const person = await server.person('Max');
    const secret = await server.accessToken(person);
    assert.deepEqual(refused(await change(secret, PASSWORD)), [403, 'session_required']);
  });
});

describe('the throttle of mails', () => {
  const countOf = async (email: string): Promise<number> => (await server.mailsTo(email)).length;

  it('sends five to an address within an hour, whatever for, and answers the same beyond', async () => {
    const person = await server.person('Nia');
    for (let mail = 0; mail < 6; mail += 1) {
      const answer =
        mail % 2 === 0 ? await forgot(person.email) : await post('resend', { email: person.email });
      assert.deepEqual([answer.status, answer.body], [202, {}]);
    }
    // The link that verified the address was the first of the five.
    assert.equal(await countOf(person.email), 5);
    server.clock.pass(3_600_000);
    await forgot(person.email);
    assert.equal(await countOf(person.email), 6);
  });

  it('counts all ways to spell the domain of an address as one mailbox', async () => {
    const spelt = [
      'mailbox.example',
      'MAILBOX.example',
      'ⓜailbox.example',
      'mailboⓧ.example',
      '𝐦ailbox.example',
    ];
    for (let round = 0; round < 2; round += 1) {
      for (const domain of spelt) {
        const body = { email: `victim@${domain}`, name: 'Eve', password: PASSWORD };
        const headers = network();
        const answer = await server.call('POST', '/auth/password/sign-up', { headers, body });
        assert.deepEqual([answer.status, answer.body], [202, {}]);
      }
    }
    await server.queue.idle();
    const mailboxes = server.mailer.sent.map(({ to }) => wireAddress(to));
    assert.equal(mailboxes.filter(mailbox => mailbox === 'victim@mailbox.example').length, 5);
  });

  it('does not count what could not be recorded', async () => {
    const person = await server.person('Ola');
    for (let mail = 0; mail < 10; mail += 1) {
      const operation = mail % 2 === 0 ? 'insert mail_duties' : 'insert throttles';
      server.failing.add(operation);
      assert.equal((await forgot(person.email)).status, 503);
      assert.ok(!server.failing.has(operation));
    }
    assert.equal((await forgot(person.email)).status, 202);
    assert.equal(await countOf(person.email), 2, 'the one that verified the address, and this one');
  });

  it('sends fifty for a network address within an hour', async () => {
    const headers = network();
    const signUp = (one: number): Promise<Answer> =>
      server.call('POST', '/auth/password/sign-up', {
        headers,
        body: { email: `fifty${one}@example.org`, name: 'N', password: PASSWORD },
      });
    for (let one = 0; one < 51; one += 1) {
      const answer = await signUp(one);
      assert.deepEqual([answer.status, answer.body], [202, {}]);
    }
    assert.equal(await countOf('fifty49@example.org'), 1);
    assert.equal(await countOf('fifty50@example.org'), 0);
  });

  it('hashes no password for a network over that, whichever of its addresses asks', async context => {
    const from = (address: string) => ({ headers: { 'x-forwarded-for': address } });
    for (let one = 0; one < 50; one += 1) {
      const body = { email: `sixty${one}@example.org` };
      await server.call('POST', '/auth/password/forgot', { ...from(`2001:db8:6:1::${one}`), body });
    }
    const hashed = context.mock.method(server.app.get(Passwords, { strict: false }), 'hashForSignUp');
    const body = { email: 'neighbour@example.org', name: 'N', password: PASSWORD };
    const counts: number[] = [];
    for (const address of ['2001:db8:6:1:ffff::9', '2001:db8:6:2::1']) {
      const answer = await server.call('POST', '/auth/password/sign-up', { ...from(address), body });
      assert.deepEqual([answer.status, answer.body], [202, {}]);
      counts.push(hashed.mock.callCount());
    }
    assert.deepEqual(counts, [0, 1]);
  });

  it('forgets no mail that only comes too late, each time another instance is faster', async context => {
    const person = await server.person('Raced');
    const faster = context.mock.method(server.documents, 'replace', async () => false);
    const answer = await forgot(person.email);
    assert.deepEqual([...refused(answer), answer.headers.get('retry-after')], [503, 'unavailable', '2']);
    faster.mock.restore();
    assert.equal((await forgot(person.email)).status, 202);
    assert.equal(await countOf(person.email), 2, 'the one that verified the address, and this one');
  });
});
