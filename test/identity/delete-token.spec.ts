import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { LastUse } from '#identity/access/credentials';
import { IdentityServer, NOBODY, type Person, useServer, refused } from './identity.scenario.js';

let server: IdentityServer;

useServer('tokens', started => (server = started));

const list = async (person: Person): Promise<Record<string, unknown>[]> =>
  (await server.call('GET', '/tokens', { token: person.token })).body['tokens'] as Record<string, unknown>[];

describe('personal access tokens', () => {
  it('end at once when they are deleted, and only their user deletes them', async () => {
    const [person, other] = [await server.person('Dora'), await server.person('Eva')];
    const secret = await server.accessToken(person);
    const [token] = await list(person);
    const path = `/tokens/${String(token?.['id'])}`;
    const foreign = await server.call('DELETE', path, { token: other.token });
    assert.deepEqual(
      [...refused(foreign), foreign.body['details']],
      [404, 'not_found', { resource: 'token' }],
    );
    const deleted = await server.call('DELETE', path, { token: person.token });
    assert.deepEqual([deleted.status, deleted.body], [204, {}]);
    assert.equal((await server.call('GET', '/me', { token: secret })).status, 401);
    assert.deepEqual(await list(person), []);
    assert.equal((await server.call('DELETE', path, { token: person.token })).status, 404);
    assert.equal((await server.call('DELETE', `/tokens/${NOBODY}`, { token: person.token })).status, 404);
    assert.equal((await server.call('DELETE', '/tokens/1', { token: person.token })).status, 422);
  });

  it('a use does not bring back a token that is being deleted', async () => {
    const person = await server.person('Hal');
    const secret = await server.accessToken(person);
    const [token] = await list(person);
    await Promise.all([
      ...Array.from({ length: 5 }, () => server.call('GET', '/me', { token: secret })),
      server.call('DELETE', `/tokens/${String(token?.['id'])}`, { token: person.token }),
    ]);
    await server.app.get(LastUse, { strict: false }).flush();
    assert.equal((await server.call('GET', '/me', { token: secret })).status, 401);
  });
});
