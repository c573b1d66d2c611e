import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { IdentityServer, type Person, useServer } from './identity.scenario.js';

let server: IdentityServer;

useServer('sign-in', started => (server = started));

async function sessionOf(person: Person): Promise<string> {
  return String((await server.signIn(person.email)).body['token']);
}

describe('sessions', () => {
  it('end by signing out, one at a time', async () => {
    const person = await server.person('Hal');
    const other = await sessionOf(person);
    const answer = await server.call('POST', '/auth/sign-out', { token: other });
    assert.deepEqual([answer.status, answer.body], [204, {}]);
    assert.equal(await server.statusOf(other), 401);
    assert.equal(await server.statusOf(person.token), 200);
    assert.equal((await server.call('POST', '/auth/sign-out', { token: other })).status, 401);
  });
});
