import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { SCOPES } from '#http/access';
import { looksLikeTokenSecret } from '#identity/secrets';
import { IdentityServer, type Answer, type Person, refused, useServer } from './identity.scenario.js';

const DAY = 24 * 3_600_000;

let server: IdentityServer;

useServer('tokens', started => (server = started));

const create = (person: Person, body: unknown): Promise<Answer> =>
  server.call('POST', '/tokens', { token: person.token, body });

const list = async (person: Person): Promise<Record<string, unknown>[]> =>
  (await server.call('GET', '/tokens', { token: person.token })).body['tokens'] as Record<string, unknown>[];

describe('personal access tokens', () => {
  it('are created with every scope and no end unless said otherwise, and show their secret once', async () => {
    const person = await server.person('Ada');
    const answer = await create(person, { name: ' Script ' });
    assert.equal(answer.status, 201);
    const { id, created_at, secret, ...rest } = answer.body;
    assert.deepEqual(rest, { name: 'Script', scopes: [...SCOPES], last_used_at: null, expires_at: null });
    assert.deepEqual(Object.keys(answer.body), [
      'id',
      'name',
      'scopes',
      'created_at',
      'last_used_at',
      'expires_at',
      'secret',
    ]);
    assert.match(String(id), /^[0-9A-HJKMNP-TV-Z]{26}$/);
    assert.match(String(created_at), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    assert.equal(looksLikeTokenSecret(String(secret)), true);
    assert.deepEqual(await list(person), [{ ...answer.body, secret: null }]);
    const me = await server.call('GET', '/me', { token: String(secret) });
    assert.equal((me.body['user'] as { id: string }).id, person.id);
  });

  it('take scopes in their order, each once, and days until they end', async () => {
    const person = await server.person('Bea');
    const scopes = ['transactions:write', 'budget:read', 'account:write'];
    const answer = await create(person, { name: 'x', scopes, expires_in_days: 3650 });
    assert.deepEqual(answer.body['scopes'], scopes);
    const { created_at, expires_at } = answer.body as Record<string, string>;
    assert.equal(Date.parse(expires_at!) - Date.parse(created_at!), 3650 * DAY);
    const wrong: object[] = [
      {},
      { name: '' },
      { name: 'x'.repeat(101) },
      { name: 'x', scopes: [] },
      { name: 'x', scopes: ['budget'] },
      { name: 'x', scopes: ['budget:read', 'budget:read'] },
      { name: 'x', scopes: null },
      { name: 'x', expires_in_days: 0 },
      { name: 'x', expires_in_days: 3651 },
      { name: 'x', expires_in_days: 1.5 },
      { name: 'x', expires_in_days: null },
      { name: 'x', secret: 'hbp_mine' },
    ];
    for (const body of wrong) {
      assert.deepEqual(refused(await create(person, body)), [422, 'validation_failed'], JSON.stringify(body));
    }
  });

  it('a write scope includes the read scope of its area, and no other', async () => {
    const person = await server.person('Fay');
    const manager = await server.accessToken(person, ['households:manage']);
    const statusOf = async (path: string): Promise<number> =>
      (await server.call('GET', path, { token: manager })).status;
    assert.equal(await statusOf('/households'), 200);
    assert.equal(await statusOf('/invites'), 200);
    assert.equal(await statusOf('/me'), 403);
    const reader = await server.accessToken(person, ['households:read']);
    const answer = await server.call('POST', '/households', { token: reader, body: { name: 'x' } });
    assert.deepEqual(answer.body['details'], { required_scope: 'households:manage' });
  });

  it('are at most 200 a user, also where they are created at the same time', async () => {
    const person = await server.person('Hasty');
    for (let token = 0; token < 190; token += 1) await server.accessToken(person);
    const answers = await Promise.all(Array.from({ length: 30 }, () => create(person, { name: 'T' })));
    assert.equal(answers.filter(({ status }) => status === 201).length, 10);
    assert.equal((await list(person)).length, 200);
  });

  it('are at most 200 a user', async () => {
    const person = await server.person('Ida');
    for (let token = 0; token < 200; token += 1) await server.accessToken(person);
    const answer = await create(person, { name: 'one more' });
    assert.deepEqual(
      [...refused(answer), answer.body['details']],
      [409, 'conflict', { reason: 'limit_reached', limit: 200 }],
    );
  });
});
