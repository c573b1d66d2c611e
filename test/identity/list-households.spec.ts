import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { IdentityServer, useServer } from './identity.scenario.js';

let server: IdentityServer;

useServer('households', started => (server = started));

describe('households', () => {
  it('are personal only to the one whose they are', async () => {
    const [owner, member] = [await server.person('Fay'), await server.person('Gil')];
    await server.join(member, owner, owner.home);
    const { body } = await server.as(member).get('/households');
    const households = body['households'] as Record<string, unknown>[];
    assert.deepEqual(
      households.map(({ id, personal, role }) => [id, personal, role]),
      [
        [member.home, true, 'owner'],
        [owner.home, false, 'member'],
      ],
    );
  });
});
