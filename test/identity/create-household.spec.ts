import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Households } from '#identity/households/households';
import { Randomness } from '#identity/secrets';
import { IdentityServer, type Answer, refused, useServer } from './identity.scenario.js';

let server: IdentityServer;

useServer('households', started => (server = started));

describe('households', () => {
  it('are made by anybody, who then owns them', async () => {
    const person = await server.person('Ada');
    const answer = await server.as(person).post('/households', { name: '  Maple  Street ' });
    const { id, joined_at, ...rest } = answer.body;
    assert.equal(answer.status, 201);
    assert.deepEqual(rest, {
      name: 'Maple  Street',
      currency: 'USD',
      role: 'owner',
      personal: false,
      default: false,
      archived: false,
      member_count: 1,
    });
    const { body } = await server.as(person).get('/households');
    const households = body['households'] as Record<string, unknown>[];
    assert.deepEqual(households[1], answer.body);
    assert.deepEqual([households[0]?.['personal'], households[0]?.['default']], [true, true]);
    assert.match(String(id), /^[0-9A-HJKMNP-TV-Z]{26}$/);
    assert.match(String(joined_at), /Z$/);
    for (const body of [{}, { name: '' }, { name: 'x'.repeat(101) }, { name: 'x', role: 'owner' }]) {
      assert.deepEqual(refused(await server.as(person).post('/households', body)), [
        422,
        'validation_failed',
      ]);
    }
  });

  it('are at most 200 a user, also where they are made at the same time', async () => {
    const person = await server.person('Hasty');
    for (let count = 1; count < 190; count += 1) await server.household(person);
    const make = (): Promise<Answer> => server.as(person).post('/households', { name: 'At once' });
    const answers = await Promise.all(Array.from({ length: 30 }, make));
    assert.equal(answers.filter(({ status }) => status === 201).length, 10);
  });

  it('are at most 200 a user', async () => {
    const person = await server.person('Hal');
    const households = server.app.get(Households, { strict: false });
    const ids = new Randomness();
    for (let one = 1; one < 200; one += 1) {
      await households.create(ids.ulid(one), { name: 'One of many' }, person.id);
    }
    const answer = await server.as(person).post('/households', { name: 'One too many' });
    assert.deepEqual(
      [...refused(answer), answer.body['details']],
      [409, 'conflict', { reason: 'limit_reached', limit: 200 }],
    );
    const host = await server.person('Ida');
    const invite = await server.invite(host, host.home, person.email);
    const accepting = await server.as(person).post(`/invites/${String(invite.body['id'])}/accept`);
    assert.deepEqual(refused(accepting), [409, 'conflict']);
  });
});
