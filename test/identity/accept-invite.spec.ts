import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { IdentityServer, NOBODY, refused, useServer } from './identity.scenario.js';
import { inviteCalls } from './invites.scenario.js';

let server: IdentityServer;

useServer('invites', started => (server = started));

const { answerInvite, lookUp, revoke, listed } = inviteCalls(() => server);

describe('accepting an invite', () => {
  it('joins as a member and answers the household', async () => {
    const [host, guest] = [await server.person('Jan'), await server.person('Kim')];
    const household = await server.household(host, 'Lake House');
    const invite = await server.invite(host, household, guest.email);
    const answer = await answerInvite(guest, invite.body['id'], 'accept');
    const { joined_at: _joined, ...rest } = answer.body;
    assert.deepEqual(
      [answer.status, rest],
      [
        200,
        {
          id: household,
          name: 'Lake House',
          currency: 'USD',
          role: 'member',
          personal: false,
          default: true,
          archived: false,
          member_count: 2,
        },
      ],
    );
    assert.deepEqual(await listed('/invites', guest), []);
    assert.equal((await lookUp(invite.body['token'])).body['status'], 'accepted');
    assert.deepEqual(refused(await answerInvite(guest, invite.body['id'], 'accept')), [
      409,
      'invite_not_pending',
    ]);
    assert.deepEqual(refused(await answerInvite(guest, invite.body['id'], 'decline')), [
      409,
      'invite_not_pending',
    ]);
  });

  it('makes the household the default of a guest whose own was never used', async () => {
    const [host, guest] = [await server.person('Ona'), await server.person('Pim')];
    const defaultOf = async (): Promise<unknown> =>
      (await server.call('GET', '/me', { token: guest.token })).body['default_household_id'];
    // One that is personal, though another's, gives way as well.
    await server.join(guest, host, host.home);
    assert.equal(await defaultOf(), host.home);
    const [second, third] = [await server.household(host), await server.household(host)];
    await server.join(guest, host, second);
    assert.equal(await defaultOf(), second);
    await server.join(guest, host, third);
    assert.equal(await defaultOf(), second);
  });

  it('leaves the default as it is where the own household was used', async () => {
    const [host, guest] = [await server.person('Quim'), await server.person('Rut')];
    server.used.add(guest.home);
    await server.join(guest, host, await server.household(host));
    const me = await server.call('GET', '/me', { token: guest.token });
    assert.equal(me.body['default_household_id'], guest.home);
  });

  it('changes the default also by the repetition of a call that the store failed', async () => {
    const [host, guest] = [await server.person('Sol'), await server.person('Tea')];
    const invite = await server.invite(host, host.home, guest.email);
    const path = `/invites/${String(invite.body['id'])}/accept`;
    const headers = { 'idempotency-key': 'accepted' };
    server.failing.add('replace accounts');
    assert.deepEqual(refused(await server.call('POST', path, { token: guest.token, headers })), [
      503,
      'unavailable',
    ]);
    const again = await server.call('POST', path, { token: guest.token, headers });
    assert.deepEqual([again.status, again.body['default']], [200, true]);
    // It is done once: what the user chooses later stays.
    const body = { default_household_id: guest.home };
    await server.call('PATCH', '/me', { token: guest.token, body });
    const third = await server.call('POST', path, { token: guest.token, headers });
    assert.deepEqual([third.status, third.body['default']], [200, false]);
  });

  it('of twenty acceptances at the same moment exactly one joins', async () => {
    const [host, guest] = [await server.person('Lea'), await server.person('Max')];
    const invite = await server.invite(host, host.home, guest.email);
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => answerInvite(guest, invite.body['id'], 'accept')),
    );
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, ...Array<number>(19).fill(409)]);
    const members = await server.call('GET', `/households/${host.home}/members`, { token: host.token });
    assert.equal((members.body['members'] as unknown[]).length, 2);
  });

  it('of accepting, declining and revoking at the same moment one counts', async () => {
    const [host, guest] = [await server.person('Nia'), await server.person('Oda')];
    const invite = await server.invite(host, host.home, guest.email);
    const { id } = invite.body;
    const answers = await Promise.all([
      answerInvite(guest, id, 'accept'),
      answerInvite(guest, id, 'decline'),
      revoke(host, host.home, id),
    ]);
    assert.equal(answers.filter(({ status }) => status < 300).length, 1);
    assert.equal(answers.filter(({ status }) => status === 409).length, 2);
  });

  it('somebody else’s invite is not there', async () => {
    const [host, guest, other] = [
      await server.person('Rosa'),
      await server.person('Sam'),
      await server.person('Tom'),
    ];
    const invite = await server.invite(host, host.home, guest.email);
    for (const person of [host, other]) {
      for (const how of ['accept', 'decline'] as const) {
        for (const id of [invite.body['id'], NOBODY]) {
          const answer = await answerInvite(person, id, how);
          assert.deepEqual(
            [...refused(answer), answer.body['details']],
            [404, 'not_found', { resource: 'invite' }],
          );
        }
      }
    }
    assert.deepEqual(refused(await answerInvite(guest, 'x', 'accept')), [422, 'validation_failed']);
    assert.equal((await answerInvite(guest, invite.body['id'], 'accept')).status, 200);
  });

  it('an archived household takes nobody in, but hears a no', async () => {
    const [host, guest] = [await server.person('Uma'), await server.person('Vera')];
    const household = await server.household(host);
    const invite = await server.invite(host, household, guest.email);
    await server.call('PATCH', `/households/${household}`, { token: host.token, body: { archived: true } });
    const answer = await answerInvite(guest, invite.body['id'], 'accept');
    assert.deepEqual([...refused(answer), answer.body['details']], [409, 'conflict', { reason: 'archived' }]);
    assert.equal((await answerInvite(guest, invite.body['id'], 'decline')).status, 204);
  });
});
