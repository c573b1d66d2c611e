import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { IdentityServer, useServer } from './identity.scenario.js';
import { inviteCalls } from './invites.scenario.js';

let server: IdentityServer;

useServer('invites', started => (server = started));

const { answerInvite, lookUp, listed } = inviteCalls(() => server);

describe('declining an invite', () => {
  it('says no', async () => {
    const [host, guest] = [await server.person('Pia'), await server.person('Quin')];
    const invite = await server.invite(host, host.home, guest.email);
    const answer = await answerInvite(guest, invite.body['id'], 'decline');
    assert.deepEqual([answer.status, answer.body], [204, {}]);
    assert.deepEqual(await listed(`/households/${host.home}/invites`, host), []);
    assert.equal((await lookUp(invite.body['token'])).body['status'], 'declined');
  });
});
