import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { MonthView } from '#projections/month-document';
import { invalid, itemNamed, NOWHERE, ok, refused, useService } from './household.scenario.js';

describe('DELETE /months/{month}/items/{itemId}', () => {
  const service = useService();

  it('takes the item out of this month and untracks its transactions of this month', async () => {
    const home = await service.household();
    const { id } = itemNamed(await home.createMonth('2026-01'), 'Fuel');
    await home.plan('2026-01', { Fuel: 300 });
    await home.createMonth('2026-02');
    const splits = [{ item_id: id, amount: 100 }];
    const january = await home.spend({ amount: 100, splits });
    const february = await home.spend({ amount: 100, date: '2026-02-01', splits });
    const left = ok(await home.delete<MonthView>(`/months/2026-01/items/${id}`));
    assert.equal(
      left.groups.flatMap(({ items }) => items).some(item => item.id === id),
      false,
    );
    assert.deepEqual([left.untracked_count, left.left_to_budget, left.center.spent], [1, 0, 0]);
    assert.deepEqual(await home.month('2026-01'), left);
    assert.equal((await home.transaction(january.transaction.id)).status, 'untracked');
    assert.equal((await home.transaction(february.transaction.id)).status, 'tracked');
    assert.equal(itemNamed(await home.month('2026-02'), 'Fuel').spent, 100);
  });

  it('drops plan, note and adjustments of the month; the fund goes on in later months', async () => {
    const home = await service.household();
    const { id, group_id } = itemNamed(await home.createMonth('2026-01'), 'Doctor');
    await home.openFund('2026-01', id, 100);
    await home.createMonth('2026-02');
    ok(await home.patch(`/months/2026-01/items/${id}`, { planned: 30, note: 'x' }));
    ok(await home.post(`/months/2026-01/items/${id}/fund-balance`, { current_balance: 500 }));
    assert.equal(itemNamed(await home.month('2026-02'), 'Doctor').fund?.carry_in, 500);
    ok(await home.delete(`/months/2026-01/items/${id}`));
    assert.equal(itemNamed(await home.month('2026-02'), 'Doctor').fund?.carry_in, 100);
    const back = await home.post<MonthView>(`/months/2026-01/groups/${group_id}/items`, { item_id: id });
    const item = itemNamed(ok(back, 201), 'Doctor');
    assert.deepEqual([item.planned, item.note], [0, null]);
    assert.deepEqual(item.fund, { carry_in: 100, adjustments: [], ending: 100 });
  });

  it('refuses what is not there, and malformed ids', async () => {
    const home = await service.household();
    const path = `/months/2026-01/items/${NOWHERE}`;
    assert.deepEqual(refused(await home.delete(path), 404, 'not_found'), { resource: 'month' });
    await home.createMonth('2026-01');
    assert.deepEqual(refused(await home.delete(path), 404, 'not_found'), { resource: 'item' });
    assert.deepEqual(invalid(await home.delete('/months/2026-01/items/fuel')), ['itemId']);
  });
});
