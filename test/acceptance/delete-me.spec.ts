import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import type { TransactionView } from '#projections/transaction-document';
import { freshId, Household, ok, refused, useService, type Reply } from './household.scenario.js';

const PASSWORD = 'four-jars-on-a-shelf';

describe('DELETE /me', () => {
  const service = useService();
  let home: Household;

  before(async () => {
    home = await service.household();
    await home.createMonth('2026-01');
  });

  const remove = (person: Household, password = PASSWORD): Promise<Reply<unknown>> =>
    person.send('DELETE', '/me', { password });
  const signIn = (person: Household): Promise<Reply<unknown>> =>
    person.send('POST', '/auth/password/sign-in', {
      email: person.user.email,
      password: PASSWORD,
      client: 'mobile',
    });

  it('needs the password', async () => {
    const person = await service.stranger('Careful');
    refused(await remove(person, 'wrong'), 401, 'invalid_credentials');
    ok(await person.get('/me'));
  });

  it('erases the account with what is theirs alone, and leaves a former member elsewhere', async () => {
    const secret = freshId().toLowerCase();
    const person = await service.stranger(`Leaver ${secret}`);
    const { email } = person.user;
    await person.createMonth('2026-01');
    await person.spend({ amount: 5, merchant: `Own ${secret}` });
    const { id: second } = ok(
      await person.post<{ id: string }>('/households', { name: `Second ${secret}` }),
      201,
    );
    const { secret: access } = ok(
      await person.post<{ secret: string }>('/tokens', { name: `T ${secret}` }),
      201,
    );
    ok(await person.patch('/settings', { theme: 'dark' }));
    const invited = ok(await home.post<{ id: string }>(`/households/${home.id}/invites`, { email }), 201);
    ok(await person.post(`/invites/${invited.id}/accept`));
    const member = new Household(person.service, person.user, home.id);
    const { transaction } = await member.spend({ amount: 7, merchant: 'Shared shop' });
    ok(await member.post(`/households/${home.id}/invites`, { email: 'friend@example.org' }), 201);
    const declining = await service.household();
    ok(await declining.post<{ id: string }>(`/households/${declining.id}/invites`, { email }), 201);
    const otherwise = { 'X-Forwarded-For': '10.9.9.9' };
    ok(await person.send('POST', '/auth/password/forgot', { email }, otherwise), 202);
    assert.ok((await home.service.storedBytes()).includes(secret));

    ok(await remove(person), 204);
    for (const token of [person.user.token, access]) {
      refused(await person.get('/me', { Authorization: `Bearer ${token}` }), 401, 'unauthenticated');
    }
    refused(await signIn(person), 401, 'invalid_credentials');
    const stored = await home.service.storedBytes();
    assert.ok(!stored.includes(secret));
    assert.ok(!stored.toLowerCase().includes(email));
    const { members } = ok(await home.get<{ members: unknown[] }>(`/households/${home.id}/members`));
    assert.equal(members.length, 1);
    const { invites } = ok(await home.get<{ invites: unknown[] }>(`/households/${home.id}/invites`));
    assert.deepEqual(invites, []);
    const shown = ok(await home.get<TransactionView>(`/transactions/${transaction.id}`));
    assert.deepEqual([shown.created_by, shown.created_by_name], [person.user.id, 'Former member']);
    const { activity } = ok(await home.get<{ activity: { by: string; by_name: string }[] }>('/activity'));
    assert.equal(activity.find(({ by }) => by === person.user.id)?.by_name, 'Former member');
    refused(await home.get('/months', { 'X-Service-Household': second }), 403, 'not_a_member');
  });

  it('does not leave other members without an owner', async () => {
    const person = await service.stranger('Owner');
    const ids: string[] = [];
    for (const name of ['One', 'Two', 'Three']) {
      ids.push(ok(await person.post<{ id: string }>('/households', { name }), 201).id);
    }
    const [one, two] = ids.map(id => new Household(person.service, person.user, id)) as [
      Household,
      Household,
    ];
    const first = await service.member(one, 'First');
    await service.member(two, 'Second');
    const details = refused(await remove(person), 409, 'last_owner');
    assert.deepEqual(details['household_ids'], [one.id, two.id].sort());
    ok(await person.get('/me'));
    ok(await one.patch(`/households/${one.id}/members/${first.user.id}`, { role: 'owner' }));
    ok(await two.send('DELETE', `/households/${two.id}`, { name: 'Two' }), 204);
    ok(await remove(person), 204);
    const { members } = ok(await first.get<{ members: { role: string }[] }>(`/households/${one.id}/members`));
    assert.deepEqual(
      members.map(({ role }) => role),
      ['owner'],
    );
  });

  it('leaves a personal household to its other owner', async () => {
    const person = await service.stranger('Host');
    const guest = await service.member(person, 'Guest');
    refused(await remove(person), 409, 'last_owner');
    ok(await person.patch(`/households/${person.id}/members/${guest.user.id}`, { role: 'owner' }));
    ok(await remove(person), 204);
    ok(await guest.patch(`/households/${person.id}`, { name: 'Now ours' }));
    ok(await guest.send('DELETE', `/households/${person.id}`, { name: 'Now ours' }), 204);
  });
});
