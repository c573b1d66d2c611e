import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { ACCOUNTS } from '#identity/accounts/accounts';
import { IdentityServer, NO_TOKENS, PASSWORD, type Answer, type Person } from './identity.scenario.js';

const NEW_PASSWORD = 'a wholly other password';

let server: IdentityServer;
let other: IdentityServer;
let networks = 0;

before(async () => {
  server = await IdentityServer.start({ allowedEmails: ['*@example.org'] });
  other = await IdentityServer.start({ beside: server, allowedEmails: ['*@example.org'] });
});
after(async () => {
  await other.stop();
  await server.stop();
});

function network(): Record<string, string> {
  networks += 1;
  return server.from(600_000 + networks);
}

const refused = ({ status, body }: Answer): unknown[] => [status, body['code']];
const post = (path: string, body: unknown): Promise<Answer> =>
  server.call('POST', `/auth/password/${path}`, { headers: network(), body });
const request = ({ token }: Pick<Person, 'token'>, email: string, password = PASSWORD): Promise<Answer> =>
  server.call('POST', '/auth/email', { token, headers: network(), body: { email, password } });
const confirm = (token: string, at = server): Promise<Answer> =>
  at.call('POST', '/auth/email/confirm', { body: { token } });
const signIn = (email: string, password = PASSWORD): Promise<Answer> =>
  post('sign-in', { email, password, client: 'mobile' });
const addressOf = async (token: string): Promise<unknown> =>
  ((await server.call('GET', '/me', { token })).body['user'] as { email?: string } | undefined)?.email;

async function linkFor(person: Person, email: string): Promise<string> {
  const answer = await request(person, email);
  assert.deepEqual([answer.status, answer.body], [202, {}]);
  return server.mailedToken(email, 'confirm-email');
}

describe('a change of address', () => {
  it('is confirmed by a link to the new one; sessions, tokens and memberships stay', async () => {
    const [person, host] = [await server.person('Ada'), await server.person('Host')];
    await server.join(person, host, host.home);
    const secret = await server.accessToken(person);
    const link = await linkFor(person, 'ada@new.example');
    assert.equal(await addressOf(person.token), person.email);
    assert.deepEqual((await confirm(link)).status, 204);
    for (const token of [person.token, secret]) assert.equal(await addressOf(token), 'ada@new.example');
    assert.deepEqual(refused(await signIn(person.email)), [401, 'invalid_credentials']);
    const me = (await signIn('ADA@new.example')).body['me'] as { households: unknown[] };
    assert.equal(me.households.length, 2);
    await server.invite(host, await server.household(host), 'ada@new.example');
    const { body } = await server.call('GET', '/invites', { token: person.token });
    assert.equal((body['invites'] as unknown[]).length, 1);
  });

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

  it('is refused where the address is taken meanwhile, however it is spelt', async () => {
    const person = await server.person('Late');
    const link = await linkFor(person, 'late@bücher.example');
    const { body } = await server.call('POST', `/households/${person.home}/invites`, {
      token: person.token,
      body: { email: 'late@xn--bcher-kva.example' },
    });
    assert.ok(body['id']);
    await server.person('Faster', 'late@xn--bcher-kva.example');
    assert.deepEqual(refused(await confirm(link)), [410, 'invalid_link']);
    assert.equal(await addressOf(person.token), person.email);
  });

  it('is refused where the address is taken between the look and the write', async context => {
    const [person, rival] = [await server.person('Overtaken'), await server.person('Rival')];
    const link = await linkFor(person, 'wanted@new.example');
    const theirs = await server.documents.get(ACCOUNTS, rival.id);
    const replace = server.documents.replace.bind(server.documents);
    context.mock.method(server.documents, 'replace', async (...args: Parameters<typeof replace>) => {
      context.mock.restoreAll();
      const taken = { ...theirs!, email: 'wanted@new.example', emailFolded: 'wanted@new.example' };
      await server.documents.put(ACCOUNTS, [{ ...taken, revision: taken.revision + 1 }]);
      return replace(...args);
    });
    assert.deepEqual(refused(await confirm(link)), [410, 'invalid_link']);
    assert.equal(await addressOf(person.token), person.email);
  });

  it('of twenty redemptions at two instances one wins', async () => {
    const person = await server.person('Twice');
    const link = await linkFor(person, 'twice@new.example');
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, at) => confirm(link, at % 2 === 0 ? server : other)),
    );
    assert.deepEqual(answers.map(({ status }) => status).sort(), [204, ...Array<number>(19).fill(410)]);
  });

  it('of two accounts that ask for one address one gets it', async () => {
    const people = [await server.person('First'), await server.person('Second')];
    const links: string[] = [];
    for (const person of people) links.push(await linkFor(person, 'shared@new.example'));
    const answers = await Promise.all(links.map((link, at) => confirm(link, at === 0 ? server : other)));
    assert.deepEqual(answers.map(({ status }) => status).sort(), [204, 410]);
  });

  it('lasts for 24 hours', async () => {
    const person = await server.person('Slow');
    const link = await linkFor(person, 'slow@new.example');
    server.clock.pass(24 * 3_600_000);
    assert.deepEqual(refused(await confirm(link)), [410, 'invalid_link']);
    const next = await linkFor(person, 'slow@new.example');
    server.clock.pass(23 * 3_600_000);
    assert.equal((await confirm(next)).status, 204);
  });

  it('is replaced by another request', async () => {
    const person = await server.person('Undecided');
    const first = await linkFor(person, 'one@new.example');
    const second = await linkFor(person, 'two@new.example');
    assert.deepEqual(refused(await confirm(first)), [410, 'invalid_link']);
    assert.equal((await confirm(second)).status, 204);
    assert.deepEqual(refused(await confirm(first)), [410, 'invalid_link']);
  });

  it('is stopped by a changed password and by a reset one', async () => {
    const changer = await server.person('Changer');
    const changed = await linkFor(changer, 'changer@new.example');
    const body = { current_password: PASSWORD, new_password: NEW_PASSWORD };
    await server.call('PUT', '/auth/password', { token: changer.token, headers: network(), body });
    assert.deepEqual(refused(await confirm(changed)), [410, 'invalid_link']);
    const resetter = await server.person('Resetter');
    const reset = await linkFor(resetter, 'resetter@new.example');
    await post('forgot', { email: resetter.email });
    const token = await server.mailedToken(resetter.email, 'reset');
    assert.equal((await post('reset', { token, password: NEW_PASSWORD })).status, 204);
    await signIn(resetter.email, NEW_PASSWORD);
    assert.deepEqual(refused(await confirm(reset)), [410, 'invalid_link']);
  });

  it('is stopped by the end of all sessions that there were, not of some', async () => {
    const person = await server.person('Careful');
    const second = String((await signIn(person.email)).body['token']);
    const link = await linkFor(person, 'careful@new.example');
    await server.call('POST', '/auth/sign-out', { token: person.token });
    await server.call('POST', '/auth/sign-out', { token: second });
    const third = String((await signIn(person.email)).body['token']);
    assert.deepEqual(refused(await confirm(link)), [410, 'invalid_link']);
    const next = await linkFor({ ...person, token: third }, 'careful@new.example');
    await signIn(person.email);
    assert.equal((await confirm(next)).status, 204);
  });

  it('ends links for a new password that went to the former address', async () => {
    const person = await server.person('Moved');
    await post('forgot', { email: person.email });
    const reset = await server.mailedToken(person.email, 'reset');
    assert.equal((await confirm(await linkFor(person, 'moved@new.example'))).status, 204);
    assert.deepEqual(refused(await post('reset', { token: reset, password: NEW_PASSWORD })), [
      410,
      'invalid_link',
    ]);
  });

  it('may only change how the own address is written', async () => {
    const person = await server.person('Cased');
    assert.equal((await confirm(await linkFor(person, 'CASED@example.org'))).status, 204);
    assert.equal(await addressOf(person.token), 'CASED@example.org');
    assert.equal((await signIn(person.email)).status, 200);
  });

  it('frees the former address, and ends what had signed up with the new one', async () => {
    const person = await server.person('Freed');
    await post('sign-up', { email: 'freed2@example.org', name: 'Stranger', password: PASSWORD });
    const stranger = await server.mailedToken('freed2@example.org', 'verify');
    assert.equal((await confirm(await linkFor(person, 'freed2@example.org'))).status, 204);
    const verified = await post('verify', { token: stranger, client: 'mobile' });
    assert.deepEqual(refused(verified), [410, 'invalid_link']);
    const next = await server.person('Next', person.email);
    assert.notEqual(next.id, person.id);
  });

  it('garbage is no link, nor is one for another purpose', async () => {
    const person = await server.person('Garbled');
    await post('forgot', { email: person.email });
    const reset = await server.mailedToken(person.email, 'reset');
    for (const token of ['garbage', 'A'.repeat(43), reset, ...NO_TOKENS]) {
      assert.deepEqual(refused(await confirm(token)), [410, 'invalid_link'], token.slice(0, 50));
    }
    const missing = await server.call('POST', '/auth/email/confirm', { body: {} });
    assert.deepEqual(refused(missing), [422, 'validation_failed']);
  });
});
