import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { HOUSEHOLDS } from '#identity/households/household-records';
import { IdentityServer, useServer } from './identity.scenario.js';

let server: IdentityServer;

useServer('me-and-settings', started => (server = started));

describe('GET /me', () => {
  it('tells who calls, the default household and every household, the personal one first', async () => {
    const [person, host] = [await server.person('Complete'), await server.person('Welcoming')];
    const second = await server.household(person, 'Second');
    await server.join(person, host, host.home);
    const { status, body } = await server.as(person).get('/me');
    const households = body['households'] as readonly Record<string, unknown>[];
    assert.equal(status, 200);
    assert.deepEqual(body['user'], { id: person.id, email: person.email, name: 'Complete' });
    assert.deepEqual(
      households.map(({ id, role }) => [id, role]),
      [
        [person.home, 'owner'],
        [second, 'owner'],
        [host.home, 'member'],
      ],
    );
    const chosen = households.find(household => household['default'] === true)!;
    assert.equal(body['default_household_id'], chosen['id']);
    const { id, name, role } = chosen;
    assert.deepEqual(body['household'], { id, name, role });
  });
});

describe('the personal household', () => {
  it('is made good where a crash kept it from being made', async () => {
    const person = await server.person('Cleo');
    assert.equal(await server.documents.remove(HOUSEHOLDS, person.home), true);
    const answer = await server.call('GET', '/probe', { token: person.token });
    assert.equal((answer.body['membership'] as { householdId: string }).householdId, person.home);
    assert.equal(await server.documents.remove(HOUSEHOLDS, person.home), true);
    const me = await server.call('GET', '/me', { token: person.token });
    assert.deepEqual(me.body['household'], { id: person.home, name: "Cleo's household", role: 'owner' });
  });

  it('is made good once by calls at the same moment', async () => {
    const person = await server.person('Clara');
    assert.equal(await server.documents.remove(HOUSEHOLDS, person.home), true);
    const calls = ['/me', '/me', '/households', '/probe', '/probe', '/me'];
    const answers = await Promise.all(calls.map(path => server.call('GET', path, { token: person.token })));
    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]));
  });

  it('has a name that fits, however long its user’s is', async () => {
    const person = await server.person('🦉'.repeat(100), 'owls@example.org');
    const { body } = await server.call('GET', '/me', { token: person.token });
    const { name } = body['household'] as { name: string };
    assert.equal(name, `${'🦉'.repeat(88)}'s household`);
    assert.equal(Array.from(name).length, 100);
  });
});
