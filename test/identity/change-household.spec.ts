import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { HOUSEHOLDS, type HouseholdRecord } from '#identity/households/household-records';
import { IdentityServer, refused, useServer } from './identity.scenario.js';

let server: IdentityServer;

useServer('households', started => (server = started));

describe('households', () => {
  it('are renamed by owners', async () => {
    const person = await server.person('Bea');
    const path = `/households/${person.home}`;
    const answer = await server.as(person).patch(path, { name: 'Harbour' });
    assert.deepEqual([answer.status, answer.body['name'], answer.body['personal']], [200, 'Harbour', true]);
    server.operations.length = 0;
    assert.equal((await server.as(person).patch(path, { name: 'Harbour' })).status, 200);
    assert.equal((await server.as(person).patch(path, {})).status, 200);
    assert.ok(!server.operations.some(operation => operation.startsWith('replace households')));
  });

  it('have a currency, which owners change and the membership log remembers', async () => {
    const [owner, member] = [await server.person('Kasia'), await server.person('Kofi')];
    const made = await server.as(owner).post('/households', { name: 'Shared', currency: 'EUR' });
    assert.deepEqual([made.status, made.body['currency']], [201, 'EUR']);
    const household = String(made.body['id']);
    await server.join(member, owner, household);
    const path = `/households/${household}`;
    assert.deepEqual(refused(await server.as(member).patch(path, { currency: 'JPY' })), [
      403,
      'owner_required',
    ]);
    for (let time = 1; time <= 2; time += 1) {
      const changed = await server.as(owner).patch(path, { currency: 'JPY' });
      assert.deepEqual(
        [changed.status, changed.body['currency'], changed.body['name']],
        [200, 'JPY', 'Shared'],
      );
    }
    const log = await server.membershipLog(household);
    assert.deepEqual(
      log.filter(({ kind }) => kind === 'currency_changed').map(({ by, currency }) => [by, currency]),
      [[owner.id, 'JPY']],
    );
    assert.equal((await server.as(owner).patch(path, { archived: true })).status, 200);
    assert.deepEqual(refused(await server.as(owner).patch(path, { currency: 'EUR' })), [409, 'conflict']);
  });

  it('made before there were currencies have the default one, and keep it with the next change', async () => {
    const person = await server.person('Formerly');
    const record = await server.documents.get(HOUSEHOLDS, person.home);
    const { currency: _, ...former } = record!;
    const stored = { ...former, revision: former.revision + 1 } as HouseholdRecord;
    await server.documents.put(HOUSEHOLDS, [stored]);
    const { body } = await server.as(person).get('/households');
    assert.equal((body['households'] as Record<string, unknown>[])[0]?.['currency'], 'USD');
    const renamed = await server.as(person).patch(`/households/${person.home}`, { name: 'Renamed' });
    assert.equal(renamed.body['currency'], 'USD');
    assert.equal((await server.documents.get(HOUSEHOLDS, person.home))?.currency, 'USD');
  });

  it('are archived and brought back; archived ones are read, not written', async () => {
    const [owner, member] = [await server.person('Cleo'), await server.person('Dora')];
    const household = await server.household(owner);
    await server.join(member, owner, household);
    const path = `/households/${household}`;
    const invite = String((await server.invite(owner, household, 'later@example.org')).body['id']);
    const archived = await server.as(owner).patch(path, { name: 'Old', archived: true });
    assert.deepEqual([archived.body['name'], archived.body['archived']], ['Old', true]);
    assert.equal((await server.as(member).get(`${path}/members`)).status, 200);
    assert.equal((await server.as(member).get(`${path}/invites`)).status, 200);
    const writes = [
      await server.as(owner).patch(path, { name: 'New' }),
      await server.as(owner).patch(path, { name: 'New', archived: true }),
      await server.as(member).post(`${path}/invites`, { email: 'x@example.org' }),
      await server.as(member).delete(`${path}/invites/${invite}`),
    ];
    for (const answer of writes) {
      assert.deepEqual(
        [...refused(answer), answer.body['details']],
        [409, 'conflict', { reason: 'archived' }],
      );
    }
    assert.equal((await server.as(owner).patch(path, { archived: true })).status, 200);
    const back = await server.as(owner).patch(path, { name: 'New', archived: false });
    assert.deepEqual([back.body['name'], back.body['archived']], ['New', false]);
  });

  it('that are personal are never archived', async () => {
    const person = await server.person('Eva');
    const answer = await server.as(person).patch(`/households/${person.home}`, { archived: true });
    assert.deepEqual(refused(answer), [409, 'personal_household']);
  });
});
