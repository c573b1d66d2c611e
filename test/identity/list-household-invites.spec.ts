import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { IdentityServer, type Person, refused, useServer } from './identity.scenario.js';

const WEEK = 7 * 24 * 3_600_000;

let server: IdentityServer;

useServer('invites', started => (server = started));

const listed = async (person: Person, household: string): Promise<unknown[]> =>
  (await server.as(person).get(`/households/${household}/invites`)).body['invites'] as unknown[];

describe('the invites of a household', () => {
  it('are the pending ones, oldest first, for every member', async () => {
    const [host, member] = [await server.person('Listing'), await server.person('Reading')];
    await server.join(member, host, host.home);
    const first = (await server.invite(host, host.home, 'listed-first@example.org')).body;
    const second = (await server.invite(member, host.home, 'listed-second@example.org')).body;
    assert.deepEqual(await listed(host, host.home), [first, second]);
    assert.deepEqual(await listed(member, host.home), [first, second]);
    await server.as(member).delete(`/households/${host.home}/invites/${String(first['id'])}`);
    assert.deepEqual(await listed(host, host.home), [second]);
    server.clock.pass(WEEK);
    assert.deepEqual(await listed(host, host.home), []);
  });

  it('are not for strangers', async () => {
    const [host, stranger] = [await server.person('Private'), await server.person('Curious')];
    const answer = await server.as(stranger).get(`/households/${host.home}/invites`);
    assert.deepEqual(refused(answer), [403, 'not_a_member']);
  });
});
