import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { MonthView } from '#projections/month-document';
import { groupNamed, invalid, itemNamed, ok, refused, useService } from './household.scenario.js';

describe('POST /months/{month}/reset', () => {
  const service = useService();

  it('zero: sets every planned amount to 0 and leaves all else', async () => {
    const home = await service.household();
    await home.createMonth('2026-01');
    const month = await home.plan('2026-01', { Paycheck: 1000, Fuel: 300, Doctor: 200 });
    const fuel = itemNamed(month, 'Fuel').id;
    ok(await home.patch(`/months/2026-01/items/${fuel}`, { note: 'keep me' }));
    await home.openFund('2026-01', itemNamed(month, 'Doctor').id, 500);
    const spent = await home.spend({ amount: 100, splits: [{ item_id: fuel, amount: 100 }] });
    const reset = ok(await home.post<MonthView>('/months/2026-01/reset', { mode: 'zero' }));
    assert.equal(reset.left_to_budget, 0);
    const { planned, note, remaining } = itemNamed(reset, 'Fuel');
    assert.deepEqual({ planned, note, remaining }, { planned: 0, note: 'keep me', remaining: -100 });
    assert.equal(itemNamed(reset, 'Doctor').fund?.ending, 500);
    assert.equal((await home.transaction(spent.transaction.id)).status, 'tracked');
    assert.deepEqual(await home.month('2026-01'), reset);
    assert.deepEqual(ok(await home.post('/months/2026-01/reset', { mode: 'zero' })), reset);
  });

  it('replace: untracks every transaction and copies the latest earlier month again', async () => {
    const home = await service.household();
    await home.createMonth('2026-01');
    const january = await home.plan('2026-01', { Fuel: 300 });
    await home.openFund('2026-01', itemNamed(january, 'Doctor').id, 500);
    await home.createMonth('2026-02');
    const february = await home.plan('2026-02', { Fuel: 999, Phone: 1 });
    const [fuel, doctor] = [itemNamed(february, 'Fuel').id, itemNamed(february, 'Doctor').id];
    ok(await home.patch(`/months/2026-02/items/${fuel}`, { note: 'gone soon' }));
    ok(await home.post(`/months/2026-02/items/${doctor}/fund-balance`, { current_balance: 800 }));
    ok(await home.delete(`/months/2026-02/groups/${groupNamed(february, 'Food').id}`));
    const splits = [{ item_id: fuel, amount: 100 }];
    const live = await home.spend({ amount: 100, date: '2026-02-03', splits });
    const deleted = await home.spend({ amount: 100, date: '2026-02-03', splits });
    ok(await home.delete(`/transactions/${deleted.transaction.id}`));
    const elsewhere = await home.spend({ amount: 100, date: '2026-01-03', splits });

    const reset = ok(await home.post<MonthView>('/months/2026-02/reset', { mode: 'replace' }));
    assert.equal(reset.copied_from, '2026-01');
    assert.equal(reset.created_at, february.created_at);
    assert.equal(reset.untracked_count, 1);
    const item = itemNamed(reset, 'Fuel');
    assert.deepEqual([item.planned, item.note, item.spent], [300, null, 0]);
    assert.deepEqual(itemNamed(reset, 'Doctor').fund, { carry_in: 500, adjustments: [], ending: 500 });
    assert.deepEqual(
      reset.groups.map(({ id }) => id),
      january.groups.map(({ id }) => id),
    );
    assert.deepEqual(await home.month('2026-02'), reset);
    const untracked = await home.transaction(live.transaction.id);
    assert.equal(untracked.status, 'untracked');
    assert.deepEqual(untracked.splits, []);
    assert.equal((await home.transaction(deleted.transaction.id)).splits.length, 1);
    assert.equal((await home.transaction(elsewhere.transaction.id)).status, 'tracked');
  });

  it('replace: lays the template out again where there is no earlier month', async () => {
    const home = await service.household();
    const created = await home.createMonth('2026-01');
    await home.plan('2026-01', { Fuel: 300 });
    ok(await home.patch(`/groups/${groupNamed(created, 'Income').id}`, { name: 'Earnings' }));
    ok(await home.delete(`/months/2026-01/groups/${groupNamed(created, 'Food').id}`));
    const reset = ok(await home.post<MonthView>('/months/2026-01/reset', { mode: 'replace' }));
    assert.equal(reset.groups[0]?.name, 'Earnings');
    assert.deepEqual(
      reset.groups.map(({ id, items }) => [id, items.map(item => item.id)]),
      created.groups.map(({ id, items }) => [id, items.map(item => item.id)]),
    );
    assert.equal(itemNamed(reset, 'Fuel').planned, 0);
  });

  it('refuses a month that is not there', async () => {
    const home = await service.household();
    const reply = await home.post('/months/2026-01/reset', { mode: 'zero' });
    assert.deepEqual(refused(reply, 404, 'not_found'), { resource: 'month' });
  });

  it('refuses other modes, none, and other fields', async () => {
    const home = await service.household();
    await home.createMonth('2026-01');
    for (const body of [
      {},
      { mode: 'all' },
      { mode: null },
      { mode: ['zero'] },
      { mode: 'Zero' },
      undefined,
    ]) {
      assert.deepEqual(invalid(await home.post('/months/2026-01/reset', body)), ['mode']);
    }
    assert.deepEqual(invalid(await home.post('/months/2026-01/reset', { mode: 'zero', hard: true })), [
      'hard',
    ]);
  });
});
