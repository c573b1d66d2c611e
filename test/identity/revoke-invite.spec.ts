import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { IdentityServer, NOBODY, type Answer, type Person, refused, useServer } from './identity.scenario.js';

let server: IdentityServer;

useServer('invites', started => (server = started));

const answerInvite = (person: Person, id: unknown, how: 'accept' | 'decline'): Promise<Answer> =>
  server.call('POST', `/invites/${String(id)}/${how}`, { token: person.token });

const lookUp = (token: unknown): Promise<Answer> =>
  server.call('GET', `/invites/lookup?token=${encodeURIComponent(String(token))}`);

const revoke = (person: Person, household: string, id: unknown): Promise<Answer> =>
  server.call('DELETE', `/households/${household}/invites/${String(id)}`, { token: person.token });

describe('DELETE /households/{householdId}/invites/{inviteId}', () => {
  it('is for any member, ends the invite at once, and works once', async () => {
    const [host, guest] = [await server.person('Wes'), await server.person('Xia')];
    await server.join(guest, host, host.home);
    const invite = await server.invite(host, host.home, 'yan@example.org');
    assert.equal((await revoke(guest, host.home, invite.body['id'])).status, 204);
    assert.equal((await lookUp(invite.body['token'])).body['status'], 'revoked');
    assert.deepEqual(refused(await revoke(host, host.home, invite.body['id'])), [409, 'invite_not_pending']);
    const yan = await server.person('Yan');
    assert.deepEqual(refused(await answerInvite(yan, invite.body['id'], 'accept')), [
      409,
      'invite_not_pending',
    ]);
    const unknown = await revoke(host, host.home, NOBODY);
    assert.deepEqual(
      [...refused(unknown), unknown.body['details']],
      [404, 'not_found', { resource: 'invite' }],
    );
  });

  it('reaches no invite of another household', async () => {
    const [host, other] = [await server.person('Zoe'), await server.person('Ann')];
    const invite = await server.invite(host, host.home, 'somebody@example.org');
    assert.deepEqual(refused(await revoke(other, other.home, invite.body['id'])), [404, 'not_found']);
    assert.equal((await lookUp(invite.body['token'])).body['status'], 'pending');
  });

  it('comes with the removal of who sent it', async () => {
    const [host, guest] = [await server.person('Bob'), await server.person('Cai')];
    await server.join(guest, host, host.home);
    const invite = await server.invite(guest, host.home, 'friend-of-cai@example.org');
    await server.call('DELETE', `/households/${host.home}/members/${guest.id}`, { token: host.token });
    assert.equal((await lookUp(invite.body['token'])).body['status'], 'revoked');
  });
});
