import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { Erasures } from '#storage/documents/erasures';
import { Documents } from '#storage/documents/documents';
import { EventStore } from '#storage/event-store/event-store';
import {
  freshId,
  Household,
  invalid,
  itemNamed,
  ok,
  refused,
  useService,
  type Reply,
} from './household.scenario.js';

describe('DELETE /households/{householdId}', () => {
  const service = useService();
  let other: Household;

  before(async () => {
    other = await service.household();
    await other.createMonth('2026-01');
    await other.spend({ amount: 7, merchant: 'Untouched Shop' });
  });

  /** A household with a month, a split transaction, notes, a fund, an invite and another member. */
  async function lived(secret: string): Promise<{ readonly home: Household; readonly member: Household }> {
    const owner = await service.stranger('Owner');
    const { id } = ok(await owner.post<{ id: string }>('/households', { name: `Elm ${secret}` }), 201);
    const home = new Household(owner.service, owner.user, id);
    const member = await service.member(home, 'Member');
    const month = await home.createMonth('2026-01');
    const { id: item } = itemNamed(month, 'Fuel');
    ok(await home.patch(`/months/2026-01/items/${item}`, { note: `note ${secret}` }));
    await home.openFund('2026-01', itemNamed(month, 'Food' in month ? 'Food' : 'Groceries').id, 100);
    const splits = [{ item_id: item, amount: 5 }];
    const { transaction } = await home.spend({ amount: 5, merchant: `Shop ${secret}`, splits });
    ok(await member.patch(`/transactions/${transaction.id}`, { note: `changed ${secret}` }));
    ok(await home.delete(`/transactions/${transaction.id}`));
    ok(await home.post(`/households/${id}/invites`, { email: `invited-${secret}@example.org` }), 201);
    const headers = { 'Idempotency-Key': `key-${secret}` };
    ok(await home.post('/months/2026-02', undefined, headers), 201);
    return { home, member };
  }

  const remove = (home: Household, name: string): Promise<Reply<unknown>> =>
    home.send('DELETE', `/households/${home.id}`, { name });

  it('needs the name exactly, an owner and a session, and spares personal households', async () => {
    const { home, member } = await lived('kept');
    for (const name of ['Elm', 'elm kept', 'Elm kept.', 'Elm kept ', ' Elm kept', 'Elm kept\u00a0', ''])
      assert.deepEqual(invalid(await remove(home, name)), ['name']);
    assert.deepEqual(invalid(await home.send('DELETE', `/households/${home.id}`, {})), ['name']);
    refused(await remove(member, 'Elm kept'), 403, 'owner_required');
    refused(await remove(new Household(home.service, other.user, home.id), 'Elm kept'), 403, 'not_a_member');
    const { secret } = ok(await home.post<{ secret: string }>('/tokens', { name: 'T' }), 201);
    const headers = { Authorization: `Bearer ${secret}` };
    refused(
      await home.send('DELETE', `/households/${home.id}`, { name: 'Elm kept' }, headers),
      403,
      'session_required',
    );
    const personal = new Household(home.service, home.user);
    const { name } = ok(await personal.get<{ household: { name: string } }>('/me')).household;
    refused(await remove(personal, name), 409, 'personal_household');
    assert.equal((await home.listAll({ view: 'deleted' })).length, 1);
  });

  it('leaves nothing of it, and all of the others', async () => {
    const secret = freshId().toLowerCase();
    const { home, member } = await lived(secret);
    assert.ok((await home.service.storedBytes()).includes(secret));
    const before = await other.month('2026-01');
    ok(await remove(home, `Elm ${secret}`), 204);
    for (const person of [home, member]) {
      refused(await person.get('/months/2026-01'), 403, 'not_a_member');
      refused(await person.get(`/households/${home.id}/members`), 403, 'not_a_member');
      refused(await remove(person, `Elm ${secret}`), 403, 'not_a_member');
      const { households } = ok(
        await person.get<{ households: { id: string }[] }>('/households', {
          'X-Service-Household': person.user.householdId,
        }),
      );
      assert.ok(!households.some(({ id }) => id === home.id));
    }
    const events = home.service.app.get(EventStore, { strict: false });
    for await (const page of events.readStream(`household-${home.id}`)) assert.equal(page.length, 0);
    const erasure = await new Erasures(home.service.app.get(Documents, { strict: false })).find(home.id);
    assert.deepEqual([erasure?.by, erasure?.finished], [home.user.id, true]);
    assert.match(erasure?.head?.hash ?? '', /^[0-9a-f]{64}$/);
    assert.ok(!(await home.service.storedBytes()).includes(secret));
    assert.deepEqual(await other.month('2026-01'), before);
    await other.spend({ amount: 9, merchant: 'Afterwards' });
  });

  it('deletes an archived household too', async () => {
    const { home } = await lived('archived');
    ok(await home.patch(`/households/${home.id}`, { archived: true }));
    ok(await remove(home, 'Elm archived'), 204);
    refused(await home.get('/months'), 403, 'not_a_member');
  });

  it('refuses commands that race it, and nothing of them stays', async () => {
    const secret = freshId().toLowerCase();
    const { home, member } = await lived(secret);
    const spend = (at: number): Promise<Reply<unknown>> =>
      member.post('/transactions', {
        id: freshId(),
        type: 'expense',
        amount: at + 1,
        date: '2026-01-15',
        merchant: `Racing ${secret}`,
        splits: [],
      });
    const racing = Promise.all(Array.from({ length: 40 }, (_, at) => spend(at)));
    const [deleted, answers] = await Promise.all([remove(home, `Elm ${secret}`), racing]);
    ok(deleted, 204);
    for (const answer of answers) if (answer.status !== 201) refused(answer, 403, 'not_a_member');
    refused(await spend(1), 403, 'not_a_member');
    assert.ok(!(await home.service.storedBytes()).includes(secret));
  });

  it('never gives its id again, also not to a repeated creation', async () => {
    const owner = await service.stranger('Repeater');
    const headers = { 'Idempotency-Key': 'elm' };
    const create = (): Promise<Reply<{ id: string }>> => owner.post('/households', { name: 'Elm' }, headers);
    const { id } = ok(await create(), 201);
    ok(await remove(new Household(owner.service, owner.user, id), 'Elm'), 204);
    refused(await create(), 403, 'not_a_member');
    const { households } = ok(await owner.get<{ households: unknown[] }>('/households'));
    assert.equal(households.length, 1);
  });
});
