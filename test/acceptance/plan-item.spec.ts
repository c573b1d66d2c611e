import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { MonthView } from '#projections/month-document';
import { groupNamed, invalid, itemNamed, NOWHERE, ok, refused, useService } from './household.scenario.js';

describe('PATCH /months/{month}/items/{itemId}', () => {
  const service = useService();

  it('changes plan and note in this month only', async () => {
    const home = await service.household();
    const { id } = itemNamed(await home.createMonth('2026-01'), 'Fuel');
    await home.createMonth('2026-02');
    const path = `/months/2026-01/items/${id}`;
    const month = ok(await home.patch<MonthView>(path, { planned: 300, note: ' both cars ' }));
    const { planned, remaining, note } = itemNamed(month, 'Fuel');
    assert.deepEqual({ planned, remaining, note }, { planned: 300, remaining: 300, note: 'both cars' });
    assert.equal(month.left_to_budget, -300);
    assert.equal(groupNamed(month, 'Transportation').totals.planned, 300);
    assert.deepEqual(await home.month('2026-01'), month);
    const other = itemNamed(await home.month('2026-02'), 'Fuel');
    assert.deepEqual([other.planned, other.note], [0, null]);
  });

  it('clears a note by null or by empty text', async () => {
    const home = await service.household();
    const { id } = itemNamed(await home.createMonth('2026-01'), 'Fuel');
    for (const note of [null, '', ' \n ']) {
      ok(await home.patch(`/months/2026-01/items/${id}`, { note: 'x' }));
      const month = ok(await home.patch<MonthView>(`/months/2026-01/items/${id}`, { note }));
      assert.equal(itemNamed(month, 'Fuel').note, null);
    }
  });

  it('changes nothing where nothing is sent', async () => {
    const home = await service.household();
    const month = await home.createMonth('2026-01');
    const { id } = itemNamed(month, 'Fuel');
    assert.deepEqual(ok(await home.patch(`/months/2026-01/items/${id}`, {})), month);
    assert.deepEqual(ok(await home.patch(`/months/2026-01/items/${id}`)), month);
  });

  it('moves the funds of later months', async () => {
    const home = await service.household();
    const { id } = itemNamed(await home.createMonth('2026-01'), 'Doctor');
    await home.openFund('2026-01', id, 100);
    await home.createMonth('2026-02');
    await home.plan('2026-01', { Doctor: 40 });
    assert.equal(itemNamed(await home.month('2026-02'), 'Doctor').fund?.carry_in, 140);
  });

  it('refuses a month or an item that is not there', async () => {
    const home = await service.household();
    const path = `/months/2026-01/items/${NOWHERE}`;
    assert.deepEqual(refused(await home.patch(path, {}), 404, 'not_found'), { resource: 'month' });
    const { id } = itemNamed(await home.createMonth('2026-01'), 'Fuel');
    assert.deepEqual(refused(await home.patch(path, {}), 404, 'not_found'), { resource: 'item' });
    await home.createMonth('2026-02');
    ok(await home.delete(`/months/2026-02/items/${id}`));
    refused(await home.patch(`/months/2026-02/items/${id}`, { planned: 1 }), 404, 'not_found');
  });

  it('refuses fields that are not valid', async () => {
    const home = await service.household();
    const path = `/months/2026-01/items/${NOWHERE}`;
    const bodies: readonly Record<string, unknown>[] = [
      { planned: -1 },
      { planned: null },
      { planned: 0.1 },
      { planned: true },
      { planned: [1] },
      { note: {} },
      { note: 'x'.repeat(2001) },
      { name: 'X' },
    ];
    for (const body of bodies) {
      assert.deepEqual(invalid(await home.patch(path, body)), Object.keys(body), JSON.stringify(body));
    }
    assert.deepEqual(invalid(await home.patch('/months/x/items/y', { planned: -1 })), [
      'itemId',
      'month',
      'planned',
    ]);
  });
});
