import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { IdentityServer, PASSWORD, type Answer, type Person, useServer } from './identity.scenario.js';

let server: IdentityServer;

useServer('sign-in', started => (server = started));

const signIn = (
  email: string,
  { password = PASSWORD, client = 'mobile', headers = server.network() } = {},
): Promise<Answer> =>
  server.call('POST', '/auth/password/sign-in', { headers, body: { email, password, client } });

async function sessionOf(person: Person): Promise<string> {
  return String((await signIn(person.email)).body['token']);
}

const statusOf = async (token: string): Promise<number> =>
  (await server.call('GET', '/me', { token })).status;

describe('sessions', () => {
  it('end by signing out, one at a time', async () => {
    const person = await server.person('Hal');
    const other = await sessionOf(person);
    const answer = await server.call('POST', '/auth/sign-out', { token: other });
    assert.deepEqual([answer.status, answer.body], [204, {}]);
    assert.equal(await statusOf(other), 401);
    assert.equal(await statusOf(person.token), 200);
    assert.equal((await server.call('POST', '/auth/sign-out', { token: other })).status, 401);
  });
});
