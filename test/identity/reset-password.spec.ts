import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { SESSIONS } from '#identity/sessions/sessions';
import { IdentityServer, PASSWORD, refused, useServer, NO_TOKENS } from './identity.scenario.js';
import { NEW_PASSWORD, passwordCalls } from './credentials.scenario.js';

let server: IdentityServer;

useServer('passwords', started => (server = started));

const { post, forgot, reset, signIn, linkFor } = passwordCalls(() => server);

describe('POST /auth/password/reset', () => {
  it('sets a new password by a mailed link and ends every session', async () => {
    const person = await server.person('Ada');
    const other = String((await signIn(person.email, PASSWORD)).body['token']);
    const answer = await forgot(' ADA@example.org');
    assert.deepEqual([answer.status, answer.body], [202, {}]);
    const mail = (await server.mailsTo(person.email)).at(-1);
    assert.match(mail?.links?.[0] ?? '', /^https:\/\/app\.example\/reset\?token=[\w-]{43}$/);
    const token = await server.mailedToken(person.email, 'reset');
    assert.equal(await server.statusOf(person.token), 200);
    const done = await reset(token);
    assert.deepEqual([done.status, done.body], [204, {}]);
    for (const session of [person.token, other]) assert.equal(await server.statusOf(session), 401);
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
    for (const secret of secrets) assert.equal(await server.statusOf(secret), 200);
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
});
