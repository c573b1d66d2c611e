import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { IdentityServer, type Person, useServer } from './identity.scenario.js';

const WEEK = 7 * 24 * 3_600_000;

let server: IdentityServer;

useServer('invites', started => (server = started));

const listed = async (person: Person): Promise<unknown[]> =>
  (await server.as(person).get('/invites')).body['invites'] as unknown[];

describe('the invites of a user', () => {
  it('are the pending ones of every household for the own address, oldest first', async () => {
    const guest = await server.person('Manifold');
    const hosts = [await server.person('Earlier'), await server.person('Later')];
    const invites: unknown[] = [];
    for (const host of hosts) {
      const household = await server.household(host);
      invites.push((await server.invite(host, household, guest.email.toUpperCase())).body);
      await server.invite(host, household, 'not-manifold@example.org');
    }
    assert.deepEqual(await listed(guest), invites);
    assert.deepEqual(await listed(hosts[0]!), []);
  });

  it('leave the list when they are answered or expire', async () => {
    const [host, guest] = [await server.person('Inviting'), await server.person('Answering')];
    const { body } = await server.invite(host, host.home, guest.email);
    await server.as(guest).post(`/invites/${String(body['id'])}/decline`);
    assert.deepEqual(await listed(guest), []);
    await server.invite(host, host.home, guest.email);
    assert.equal((await listed(guest)).length, 1);
    server.clock.pass(WEEK);
    assert.deepEqual(await listed(guest), []);
  });
});
