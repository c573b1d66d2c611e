import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ACCOUNTS } from '#identity/accounts/account-records';
import { IdentityServer, PASSWORD, refused, useServer, NO_TOKENS } from './identity.scenario.js';
import { NEW_PASSWORD, emailCalls, passwordCalls } from './credentials.scenario.js';

let server: IdentityServer;

useServer('email', started => (server = started), { allowedEmails: ['*@example.org'] });

const { post, signIn } = passwordCalls(() => server);

const { confirm, linkFor } = emailCalls(() => server);

const addressOf = async (token: string): Promise<unknown> =>
  ((await server.call('GET', '/me', { token })).body['user'] as { email?: string } | undefined)?.email;

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
    const other = await IdentityServer.start({ beside: server });
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, at) => confirm(link, at % 2 === 0 ? server : other)),
    );
    await other.stop();
    assert.deepEqual(answers.map(({ status }) => status).sort(), [204, ...Array<number>(19).fill(410)]);
  });

  it('of two accounts that ask for one address one gets it', async () => {
    const other = await IdentityServer.start({ beside: server });
    const people = [await server.person('First'), await server.person('Second')];
    const links: string[] = [];
    for (const person of people) links.push(await linkFor(person, 'shared@new.example'));
    const answers = await Promise.all(links.map((link, at) => confirm(link, at === 0 ? server : other)));
    await other.stop();
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

  it('is stopped by a changed password and by a reset one', async () => {
    const changer = await server.person('Changer');
    const changed = await linkFor(changer, 'changer@new.example');
    const body = { current_password: PASSWORD, new_password: NEW_PASSWORD };
    await server.call('PUT', '/auth/password', { token: changer.token, headers: server.network(), body });
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
