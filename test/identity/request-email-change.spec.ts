import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { IdentityServer, refused, useServer } from './identity.scenario.js';
import { emailCalls } from './credentials.scenario.js';

let server: IdentityServer;

useServer('email', started => (server = started), { allowedEmails: ['*@example.org'] });

const { request, confirm, linkFor } = emailCalls(() => server);

describe('a change of address', () => {
  it('is noted at the former address, with what stops it', async () => {
    const person = await server.person('Noted');
    await linkFor(person, 'noted@new.example');
    const note = (await server.mailsTo(person.email)).at(-1);
    assert.match(note?.subject ?? '', /about to change/);
    assert.match(note?.text ?? '', /choose\s+a\s+new\s+password/);
    assert.deepEqual(note?.links, ['https://app.example/forgot']);
    const mail = (await server.mailsTo('noted@new.example')).at(-1);
    assert.match(mail?.links?.[0] ?? '', /^https:\/\/app\.example\/confirm-email\?token=[\w-]{43}$/);
  });

  it('needs the password, and is no way to guess it', async () => {
    const person = await server.person('Guessed');
    for (let guess = 0; guess < 10; guess += 1) {
      const answer = await request(person, 'guessed@new.example', `guess ${guess}`);
      assert.deepEqual(refused(answer), [401, 'invalid_credentials']);
    }
    assert.deepEqual(refused(await request(person, 'guessed@new.example')), [429, 'too_many_attempts']);
    assert.deepEqual(await server.mailsTo('guessed@new.example'), []);
  });

  it('is not for access tokens', async () => {
    const secret = await server.accessToken(await server.person('Scripted'));
    const answer = await request({ token: secret }, 'scripted@new.example');
    assert.deepEqual(refused(answer), [403, 'session_required']);
  });

  it('answers the same where the address is taken, and tells only its owner', async () => {
    const [person, owner] = [await server.person('Curious'), await server.person('Owner')];
    const answer = await request(person, owner.email);
    assert.deepEqual([answer.status, answer.body], [202, {}]);
    const mail = (await server.mailsTo(owner.email)).at(-1);
    assert.match(mail?.subject ?? '', /already have an account/);
    assert.doesNotMatch(mail?.text ?? '', /confirm-email/);
  });

  it('is replaced by another request', async () => {
    const person = await server.person('Undecided');
    const first = await linkFor(person, 'one@new.example');
    const second = await linkFor(person, 'two@new.example');
    assert.deepEqual(refused(await confirm(first)), [410, 'invalid_link']);
    assert.equal((await confirm(second)).status, 204);
    assert.deepEqual(refused(await confirm(first)), [410, 'invalid_link']);
  });
});
