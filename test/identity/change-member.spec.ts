import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { IdentityServer, NOBODY, refused, useServer } from './identity.scenario.js';

let server: IdentityServer;

useServer('households', started => (server = started));

describe('members', () => {
  it('become owners and members again by an owner', async () => {
    const [owner, member] = [await server.person('Lea'), await server.person('Max')];
    await server.join(member, owner, owner.home);
    const path = `/households/${owner.home}/members/${member.id}`;
    const answer = await server.as(owner).patch(path, { role: 'owner' });
    assert.deepEqual([answer.status, answer.body['role'], answer.body['name']], [200, 'owner', 'Max']);
    assert.equal((await server.as(member).patch(path, { role: 'member' })).status, 200);
    assert.deepEqual(refused(await server.as(member).patch(path, { role: 'owner' })), [
      403,
      'owner_required',
    ]);
    for (const body of [{}, { role: 'king' }, { role: null }]) {
      assert.deepEqual(refused(await server.as(owner).patch(path, body)), [422, 'validation_failed']);
    }
    for (const method of ['PATCH', 'DELETE']) {
      const unknown = await server.call(method, `/households/${owner.home}/members/${NOBODY}`, {
        token: owner.token,
        ...(method === 'PATCH' && { body: { role: 'owner' } }),
      });
      assert.deepEqual(
        [...refused(unknown), unknown.body['details']],
        [404, 'not_found', { resource: 'member' }],
      );
    }
  });
});
