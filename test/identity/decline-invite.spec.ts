import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { IdentityServer, type Answer, type Person, useServer } from './identity.scenario.js';

let server: IdentityServer;

useServer('invites', started => (server = started));

const answerInvite = (person: Person, id: unknown, how: 'accept' | 'decline'): Promise<Answer> =>
  server.call('POST', `/invites/${String(id)}/${how}`, { token: person.token });

const lookUp = (token: unknown): Promise<Answer> =>
  server.call('GET', `/invites/lookup?token=${encodeURIComponent(String(token))}`);

const listed = async (path: string, person: Person): Promise<Record<string, unknown>[]> =>
  (await server.call('GET', path, { token: person.token })).body['invites'] as Record<string, unknown>[];

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
