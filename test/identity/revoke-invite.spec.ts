import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { IdentityServer, NOBODY, refused, useServer } from './identity.scenario.js';
import { inviteCalls } from './invites.scenario.js';

let server: IdentityServer;

useServer('invites', started => (server = started));

const { answerInvite, lookUp, revoke } = inviteCalls(() => server);

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
