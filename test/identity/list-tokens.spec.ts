import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { LastUse } from '#identity/access/credentials';
import { IdentityServer, type Person, refused, useServer } from './identity.scenario.js';

const DAY = 24 * 3_600_000;

let server: IdentityServer;

useServer('tokens', started => (server = started));

const list = async (person: Person): Promise<Record<string, unknown>[]> =>
  (await server.call('GET', '/tokens', { token: person.token })).body['tokens'] as Record<string, unknown>[];

describe('personal access tokens', () => {
  it('end when their days are over, and are listed a while longer', async () => {
    const person = await server.person('Cleo');
    const secret = await server.accessToken(person, undefined, 1);
    assert.equal((await server.call('GET', '/me', { token: secret })).status, 200);
    server.clock.pass(DAY);
    assert.deepEqual(refused(await server.call('GET', '/me', { token: secret })), [401, 'unauthenticated']);
    assert.equal((await list(person)).length, 1);
  });

  it('show their last use, written at most once a minute', async () => {
    const person = await server.person('Gil');
    const secret = await server.accessToken(person);
    const lastUse = async (): Promise<number> => {
      await server.call('GET', '/me', { token: secret });
      await server.app.get(LastUse, { strict: false }).flush();
      return Date.parse(String((await list(person))[0]?.['last_used_at']));
    };
    const first = await lastUse();
    server.clock.pass(30_000);
    server.operations.length = 0;
    assert.equal(await lastUse(), first);
    assert.ok(!server.operations.some(operation => operation.startsWith('replace')));
    server.clock.pass(30_000);
    assert.ok((await lastUse()) >= first + 60_000);
  });
});
