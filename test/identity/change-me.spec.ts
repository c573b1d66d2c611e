import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ACCOUNTS } from '#identity/accounts/account-records';
import { IdentityServer, type Answer, refused, useServer } from './identity.scenario.js';

let server: IdentityServer;

useServer('me-and-settings', started => (server = started));

describe('PATCH /me', () => {
  it('changes name and default household, and records nothing where nothing changes', async () => {
    const person = await server.person('Ada');
    const household = await server.household(person);
    const patch = (body: unknown): Promise<Answer> =>
      server.call('PATCH', '/me', { token: person.token, body });
    const answer = await patch({ name: ' Ada L. ', default_household_id: household });
    assert.equal(answer.status, 200);
    assert.deepEqual(answer.body['user'], { id: person.id, email: person.email, name: 'Ada L.' });
    assert.deepEqual(answer.body['household'], { id: household, name: 'Maple Street', role: 'owner' });
    assert.equal(answer.body['default_household_id'], household);
    const revision = async (): Promise<unknown> =>
      (await server.documents.get(ACCOUNTS, person.id))?.revision;
    const before = await revision();
    for (const body of [{}, { name: 'Ada L.' }, { default_household_id: household }]) {
      assert.deepEqual((await patch(body)).body, answer.body);
    }
    assert.equal(await revision(), before);
    const wrong = [
      { name: '' },
      { name: null },
      { default_household_id: 'x' },
      { email: 'other@example.org' },
    ];
    for (const body of wrong) assert.deepEqual(refused(await patch(body)), [422, 'validation_failed']);
  });

  it('takes no archived household, and tells the personal one where the default was archived', async () => {
    const person = await server.person('Archie');
    const [first, second] = [await server.household(person), await server.household(person)];
    const patch = (path: string, body: unknown): Promise<Answer> =>
      server.call('PATCH', path, { token: person.token, body });
    assert.equal((await patch('/me', { default_household_id: first })).status, 200);
    for (const id of [first, second]) await patch(`/households/${id}`, { archived: true });
    const answer = await patch('/me', { default_household_id: second });
    assert.deepEqual([...refused(answer), answer.body['details']], [409, 'conflict', { reason: 'archived' }]);
    const { body } = await server.call('GET', '/me', { token: person.token });
    assert.equal(body['default_household_id'], person.home);
    assert.equal((body['household'] as { id: string }).id, person.home);
  });

  it('keeps changes that are made at the same moment', async () => {
    const person = await server.person('Bea');
    const household = await server.household(person);
    const bodies = [{ name: 'Beatrice' }, { default_household_id: household }];
    await Promise.all(bodies.map(body => server.call('PATCH', '/me', { token: person.token, body })));
    const { body } = await server.call('GET', '/me', { token: person.token });
    assert.deepEqual(
      [(body['user'] as { name: string }).name, body['default_household_id']],
      ['Beatrice', household],
    );
  });
});
