// Two instances on one store: what one does holds on the other from the very next request.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { IdentityServer, PASSWORD, type Answer } from './identity.scenario.js';

let one: IdentityServer;
let other: IdentityServer;

before(async () => {
  one = await IdentityServer.start();
  other = await IdentityServer.start({ beside: one });
});
after(async () => {
  await other.stop();
  await one.stop();
});

const refused = ({ status, body }: Answer): unknown[] => [status, body['code']];

describe('on two instances', () => {
  it('what is ended on one is ended on the other', async () => {
    const person = await one.person('Ada');
    const secret = await one.accessToken(person);
    assert.equal((await other.call('GET', '/me', { token: secret })).status, 200);
    const { body } = await other.call('GET', '/tokens', { token: person.token });
    const [token] = body['tokens'] as { id: string }[];
    await one.call('DELETE', `/tokens/${token?.id ?? ''}`, { token: person.token });
    assert.equal((await other.call('GET', '/me', { token: secret })).status, 401);
    await one.call('POST', '/auth/sign-out', { token: person.token });
    assert.equal((await other.call('GET', '/me', { token: person.token })).status, 401);
  });

  it('a removed member is out on the other, and a new name is read there', async () => {
    const [host, guest] = [await one.person('Bea'), await one.person('Cleo')];
    await one.join(guest, host, host.home);
    const headers = { 'x-service-household': host.home };
    assert.equal((await other.call('GET', '/probe', { token: guest.token, headers })).status, 200);
    await one.call('PATCH', '/me', { token: guest.token, body: { name: 'Cleopatra' } });
    const { body } = await other.call('GET', `/households/${host.home}/members`, { token: host.token });
    assert.equal((body['members'] as { name: string }[])[1]?.name, 'Cleopatra');
    await one.call('DELETE', `/households/${host.home}/members/${guest.id}`, { token: host.token });
    const answer = await other.call('GET', '/probe', { token: guest.token, headers });
    assert.deepEqual(refused(answer), [403, 'not_a_member']);
  });

  it('a reset on one ends the sessions of the other', async () => {
    const person = await one.person('Dora');
    await one.call('POST', '/auth/password/forgot', { body: { email: person.email } });
    const token = await one.mailedToken(person.email, 'reset');
    const body = { token, password: 'another password entirely' };
    assert.equal((await one.call('POST', '/auth/password/reset', { body })).status, 204);
    assert.equal((await other.call('GET', '/me', { token: person.token })).status, 401);
  });

  it('of redemptions, acceptances and resets at both at once exactly one wins', async () => {
    const email = 'eva@example.org';
    await one.call('POST', '/auth/password/sign-up', { body: { email, name: 'Eva', password: PASSWORD } });
    const token = await one.mailedToken(email, 'verify');
    const wins = (answers: readonly Answer[]): number => answers.filter(({ status }) => status < 300).length;
    const both = (call: (at: IdentityServer) => Promise<Answer>): Promise<Answer[]> =>
      Promise.all(Array.from({ length: 20 }, (_, index) => call(index % 2 === 0 ? one : other)));
    const verified = await both(at =>
      at.call('POST', '/auth/password/verify', { body: { token, client: 'mobile' } }),
    );
    assert.equal(wins(verified), 1);
    const session = String(verified.find(({ status }) => status === 200)?.body['token']);
    const host = await one.person('Fay');
    const invite = await one.invite(host, host.home, email);
    const path = `/invites/${String(invite.body['id'])}/accept`;
    const accepted = await both(at => at.call('POST', path, { token: session }));
    assert.equal(wins(accepted), 1, JSON.stringify(accepted.map(({ status }) => status)));
    assert.deepEqual(new Set(accepted.map(({ status }) => status)), new Set([200, 409]));
    await one.call('POST', '/auth/password/forgot', { body: { email } });
    const reset = await one.mailedToken(email, 'reset');
    const body = { token: reset, password: 'another password entirely' };
    assert.equal(wins(await both(at => at.call('POST', '/auth/password/reset', { body }))), 1);
  });

  it('failed sign-ins count together', async () => {
    const person = await one.person('Gil');
    const attempt = (at: IdentityServer, password: string): Promise<Answer> =>
      at.call('POST', '/auth/password/sign-in', {
        headers: at.from(12_345),
        body: { email: person.email, password, client: 'mobile' },
      });
    for (let failure = 0; failure < 10; failure += 1) {
      assert.equal((await attempt(failure % 2 === 0 ? one : other, 'wrong')).status, 401);
    }
    assert.deepEqual(refused(await attempt(one, PASSWORD)), [429, 'too_many_attempts']);
    assert.deepEqual(refused(await attempt(other, PASSWORD)), [429, 'too_many_attempts']);
  });

  it('different changes of one household at both are all kept', async () => {
    const host = await one.person('Hal');
    const emails = Array.from({ length: 12 }, (_, index) => `friend${index}@example.org`);
    const answers = await Promise.all(
      emails.map((email, index) => (index % 2 === 0 ? one : other).invite(host, host.home, email)),
    );
    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([201]));
    const { body } = await one.call('GET', `/households/${host.home}/invites`, { token: host.token });
    assert.equal((body['invites'] as unknown[]).length, emails.length);
  });
});
