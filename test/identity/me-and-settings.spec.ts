import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { ACCOUNTS } from '#identity/accounts/accounts';
import { HOUSEHOLDS } from '#identity/households/household-records';
import { IdentityServer, type Answer } from './identity.scenario.js';

let server: IdentityServer;

before(async () => {
  server = await IdentityServer.start();
});
after(() => server.stop());

const refused = ({ status, body }: Answer): unknown[] => [status, body['code']];

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

describe('settings', () => {
  it('have defaults, and change one by one', async () => {
    const person = await server.person('Dora');
    const { token } = person;
    const defaults = { column_view: 'remaining', location_opt_in: false, theme: 'system' };
    assert.deepEqual((await server.call('GET', '/settings', { token })).body, defaults);
    const patch = (body: unknown): Promise<Answer> => server.call('PATCH', '/settings', { token, body });
    assert.deepEqual((await patch({ theme: 'dark' })).body, { ...defaults, theme: 'dark' });
    const all = { column_view: 'planned', location_opt_in: true, theme: 'light' };
    assert.deepEqual((await patch(all)).body, all);
    assert.deepEqual((await patch({})).body, all);
    assert.deepEqual((await server.call('GET', '/settings', { token })).body, all);
    const wrong = [{ theme: 'blue' }, { column_view: null }, { location_opt_in: 'yes' }, { font: 'serif' }];
    for (const body of wrong) assert.deepEqual(refused(await patch(body)), [422, 'validation_failed']);
  });
});
