import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { IdentityServer, useServer } from './identity.scenario.js';

let server: IdentityServer;

useServer('households', started => (server = started));

describe('members', () => {
  it('are listed whole, in the order of joining, with the names they have now', async () => {
    const [owner, member] = [await server.person('Jan'), await server.person('Kim')];
    await server.join(member, owner, owner.home);
    await server.as(member).patch('/me', { name: 'Kimberly' });
    const members = await server.membersOf(owner, owner.home);
    assert.deepEqual(
      members.map(({ joined_at, ...rest }) => [rest, typeof joined_at]),
      [
        [{ user_id: owner.id, name: 'Jan', email: owner.email, role: 'owner' }, 'string'],
        [{ user_id: member.id, name: 'Kimberly', email: member.email, role: 'member' }, 'string'],
      ],
    );
  });
});
