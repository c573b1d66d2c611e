import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Passwords } from '#identity/accounts/passwords';
import { wireAddress } from '#mail/mailer';
import { IdentityServer, PASSWORD, type Answer, useServer, refused } from './identity.scenario.js';
import { passwordCalls } from './credentials.scenario.js';

let server: IdentityServer;

useServer('passwords', started => (server = started));

const { post, forgot } = passwordCalls(() => server);

describe('POST /auth/password/forgot', () => {
  it('mails nothing to an address without an account', async () => {
    assert.equal((await forgot('unknown@example.org')).status, 202);
    assert.deepEqual(await server.mailsTo('unknown@example.org'), []);
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
        const headers = server.network();
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
    const headers = server.network();
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
