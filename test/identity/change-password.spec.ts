import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Collection, Document } from '#storage/documents/documents';
import { OUTBOX_MESSAGES } from '#identity/mails/outbox-messages';
import { IdentityServer, PASSWORD, type Answer, refused, useServer } from './identity.scenario.js';
import { NEW_PASSWORD, passwordCalls } from './credentials.scenario.js';

let server: IdentityServer;

useServer('passwords', started => (server = started));

const { reset, signIn, linkFor } = passwordCalls(() => server);

describe('PUT /auth/password', () => {
  const change = (token: string, current: string, next = NEW_PASSWORD): Promise<Answer> =>
    server.call('PUT', '/auth/password', {
      token,
      headers: server.network(),
      body: { current_password: current, new_password: next },
    });

  it('changes it and ends the other sessions', async () => {
    const person = await server.person('Hal');
    const other = String((await signIn(person.email, PASSWORD)).body['token']);
    assert.equal((await change(person.token, PASSWORD)).status, 204);
    assert.equal(await server.statusOf(person.token), 200);
    assert.equal(await server.statusOf(other), 401);
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
    assert.equal(await server.statusOf(other), 401);
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
      if (collection.name === OUTBOX_MESSAGES.name) throw new RangeError(`no mail to ${person.email}`);
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
    assert.equal(await server.statusOf(person.token), 200);
    assert.equal((await change(second, NEW_PASSWORD, 'the third password')).status, 204);
    assert.equal(await server.statusOf(person.token), 401);
    assert.equal(await server.statusOf(second), 200);
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
