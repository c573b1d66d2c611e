import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { invalid, itemNamed, NOWHERE, ok, refused, useService } from './household.scenario.js';

describe('GET /months/{month}', () => {
  const service = useService();

  it('is not found where the month was never created, also where it has transactions', async () => {
    const home = await service.household();
    await home.spend({ amount: 100 });
    assert.deepEqual(refused(await home.get('/months/2026-01'), 404, 'not_found'), { resource: 'month' });
  });

  it('says which month has no budget, whether that is read, explained or written', async () => {
    const home = await service.household();
    for (const reply of [
      await home.get('/months/2026-01'),
      await home.get('/months/2026-01/explain'),
      await home.post('/months/2026-01/groups', { name: 'Home', color: '#112233' }),
    ]) {
      refused(reply, 404, 'not_found');
      assert.equal(reply.error.message, 'This household has no budget for 2026-01.');
    }
  });

  it('refuses a malformed month and unknown query parameters', async () => {
    const home = await service.household();
    const refusal = await home.get('/months/2026-1?view=all');
    assert.deepEqual(invalid(refusal), ['month', 'view']);
    const unknown = await home.get('/months/2026-01?view=all');
    assert.equal(unknown.error.message, 'view: unknown parameter');
  });

  it('refuses who is not signed in, and who is no member', async () => {
    const home = await service.household();
    await home.createMonth('2026-01');
    const stranger = await service.stranger();
    const bad = await home.get('/months/2026-01', { Authorization: 'Bearer nobody' });
    refused(bad, 401, 'unauthenticated');
    assert.equal(bad.headers.get('www-authenticate'), 'Bearer');
    refused(await stranger.get('/months/2026-01', { 'X-Service-Household': home.id }), 403, 'not_a_member');
    refused(await stranger.get('/months/2026-01', { 'X-Service-Household': NOWHERE }), 403, 'not_a_member');
    const malformed = await home.get('/months/2026-01', { 'X-Service-Household': 'home' });
    assert.deepEqual(invalid(malformed), ['X-Service-Household']);
  });

  it('shows favourites that are in the month, in the order in which they were made favourites', async () => {
    const home = await service.household();
    const january = await home.createMonth('2026-01');
    const [fuel, doctor, charity] = ['Fuel', 'Doctor', 'Charity'].map(name => itemNamed(january, name).id);
    for (const id of [doctor, fuel, charity]) ok(await home.patch(`/items/${id}`, { favorite: true }));
    assert.deepEqual((await home.month('2026-01')).favorites, [doctor, fuel, charity]);
    ok(await home.delete(`/months/2026-01/items/${fuel}`));
    assert.deepEqual((await home.month('2026-01')).favorites, [doctor, charity]);
    ok(await home.patch(`/items/${doctor}`, { favorite: false }));
    ok(await home.patch(`/items/${doctor}`, { favorite: true }));
    const month = await home.month('2026-01');
    assert.deepEqual(month.favorites, [charity, doctor]);
    assert.equal(itemNamed(month, 'Doctor').favorite, true);
    assert.equal(itemNamed(month, 'Medicine').favorite, false);
  });

  it('counts the untracked transactions of the household, whatever their month', async () => {
    const home = await service.household();
    await home.createMonth('2026-01');
    const first = await home.spend({ amount: 100, date: '2026-01-10' });
    assert.equal(first.untracked_count, 1);
    await home.spend({ amount: 100, date: '2030-01-10' });
    assert.equal((await home.month('2026-01')).untracked_count, 2);
    ok(await home.delete(`/transactions/${first.transaction.id}`));
    assert.equal((await home.month('2026-01')).untracked_count, 1);
  });

  it('shows an income item, what was received and what remains', async () => {
    const home = await service.household();
    await home.createMonth('2026-01');
    const pay = itemNamed(await home.plan('2026-01', { Paycheck: 500 }), 'Paycheck');
    const splits = [{ item_id: pay.id, amount: 600 }];
    await home.spend({ type: 'income', amount: 600, splits });
    await home.spend({ type: 'expense', amount: 50, splits: [{ item_id: pay.id, amount: 50 }] });
    const { kind, spent, received, remaining, fund } = itemNamed(await home.month('2026-01'), 'Paycheck');
    assert.deepEqual(
      { kind, spent, received, remaining, fund },
      {
        kind: 'income',
        spent: 0,
        received: 550,
        remaining: -50,
        fund: null,
      },
    );
  });
});
