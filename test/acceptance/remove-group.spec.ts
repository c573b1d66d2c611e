import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { MonthView } from '#projections/month-document';
import { groupNamed, invalid, itemNamed, NOWHERE, ok, refused, useService } from './household.scenario.js';

describe('DELETE /months/{month}/groups/{groupId}', () => {
  const service = useService();

  it('takes the group out of this month and untracks its transactions', async () => {
    const home = await service.household();
    await home.createMonth('2026-01');
    const january = await home.plan('2026-01', { Groceries: 500, Fuel: 100 });
    await home.createMonth('2026-02');
    const [groceries, fuel] = [itemNamed(january, 'Groceries').id, itemNamed(january, 'Fuel').id];
    const mixed = await home.spend({
      amount: 300,
      splits: [
        { item_id: groceries, amount: 200 },
        { item_id: fuel, amount: 100 },
      ],
    });
    const other = await home.spend({ amount: 100, splits: [{ item_id: fuel, amount: 100 }] });
    const { id } = groupNamed(january, 'Food');
    const left = ok(await home.delete<MonthView>(`/months/2026-01/groups/${id}`));
    assert.equal(
      left.groups.some(group => group.id === id),
      false,
    );
    assert.equal(left.untracked_count, 1);
    assert.equal(itemNamed(left, 'Fuel').spent, 100);
    assert.deepEqual(left.center, { planned: 100, spent: 100, remaining: 0 });
    assert.deepEqual(await home.month('2026-01'), left);
    const untracked = await home.transaction(mixed.transaction.id);
    assert.deepEqual([untracked.status, untracked.splits], ['untracked', []]);
    assert.equal((await home.transaction(other.transaction.id)).status, 'tracked');
    assert.equal(groupNamed(await home.month('2026-02'), 'Food').totals.planned, 500);
  });

  it('refuses the income group', async () => {
    const home = await service.household();
    const { id } = (await home.createMonth('2026-01')).groups[0]!;
    refused(await home.delete(`/months/2026-01/groups/${id}`), 422, 'income_group');
  });

  it('refuses what is not there', async () => {
    const home = await service.household();
    const noMonth = await home.delete(`/months/2026-01/groups/${NOWHERE}`);
    assert.deepEqual(refused(noMonth, 404, 'not_found'), { resource: 'month' });
    const { id } = groupNamed(await home.createMonth('2026-01'), 'Food');
    const noGroup = await home.delete(`/months/2026-01/groups/${NOWHERE}`);
    assert.deepEqual(refused(noGroup, 404, 'not_found'), { resource: 'group' });
    ok(await home.delete(`/months/2026-01/groups/${id}`));
    refused(await home.delete(`/months/2026-01/groups/${id}`), 404, 'not_found');
  });

  it('refuses malformed ids and a body with fields', async () => {
    const home = await service.household();
    assert.deepEqual(invalid(await home.delete('/months/x/groups/y')), ['groupId', 'month']);
    const reply = await home.send('DELETE', `/months/2026-01/groups/${NOWHERE}`, { force: true });
    assert.deepEqual(invalid(reply), ['force']);
  });
});
