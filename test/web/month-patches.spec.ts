import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { patched, type MonthPatch } from '../../apps/web/src/month/month-patches.js';
import { placeGroup, placeItem, stepGroup, stepItem } from '../../apps/web/src/month/order.js';
import { itemNamed, ok, useService, type Household } from '../acceptance/household.scenario.js';
import type { Schemas } from '#client/client';

type Month = Schemas['Month'];

const MONTH = '2026-01';

describe('what a month shows before the service has answered', () => {
  const service = useService();

  async function household(): Promise<{ home: Household; month: Month }> {
    const home = await service.stranger();
    const month = ok(await home.post<Month>(`/months/${MONTH}`), 201);
    const pay = itemNamed(month, 'Paycheck');
    const fund = itemNamed(month, 'Emergency Fund');
    ok(await home.patch(`/months/${MONTH}/items/${pay.id}`, { planned: 500_000 }));
    ok(await home.post(`/months/${MONTH}/items/${fund.id}/fund`, { current_balance: 20_000 }));
    return { home, month: ok(await home.get<Month>(`/months/${MONTH}`)) };
  }

  it('is what it answers then, for plans of income, expenses and funds', async () => {
    const { home, month } = await household();
    for (const name of ['Paycheck', 'Groceries', 'Emergency Fund']) {
      const before = ok(await home.get<Month>(`/months/${MONTH}`));
      const { id } = itemNamed(month, name);
      const patch: MonthPatch = { kind: 'plan', itemId: id, planned: 12_345 };
      const answered = ok(await home.patch<Month>(`/months/${MONTH}/items/${id}`, { planned: 12_345 }));
      assert.deepEqual(patched(before, patch), answered, name);
      assert.deepEqual(patched(answered, patch), answered, `${name}, once more`);
    }
  });

  it('is what it answers then, for an item that moves into another group', async () => {
    const { home, month } = await household();
    const groceries = itemNamed(month, 'Groceries');
    const housing = month.groups.find(({ name }) => name === 'Housing')!;
    const order = placeItem(month, groceries.id, housing.id, 1)!;
    const answered = ok(
      await home.put<Month>(`/months/${MONTH}/groups/${housing.id}/item-order`, {
        item_ids: order.itemIds,
      }),
    );
    assert.deepEqual(patched(month, { kind: 'item-order', ...order }), answered);
  });

  it('is what it answers then, for groups in another order', async () => {
    const { home, month } = await household();
    const groupIds = stepGroup(month, month.groups[2]!.id, 1)!;
    const answered = ok(await home.put<Month>(`/months/${MONTH}/group-order`, { group_ids: groupIds }));
    assert.deepEqual(patched(month, { kind: 'group-order', groupIds }), answered);
  });
});

describe('the order of items', () => {
  const item = (id: string) => ({ id });
  const month = {
    groups: [
      { id: 'income', is_income: true, items: [item('pay')] },
      { id: 'one', is_income: false, items: [item('a'), item('b'), item('c')] },
      { id: 'two', is_income: false, items: [item('d')] },
    ],
  } as unknown as Parameters<typeof stepItem>[0];

  it('moves an item by one place, and into the next group at the end', () => {
    assert.deepEqual(stepItem(month, 'a', 1), { groupId: 'one', itemIds: ['b', 'a', 'c'] });
    assert.deepEqual(stepItem(month, 'b', -1), { groupId: 'one', itemIds: ['b', 'a', 'c'] });
    assert.deepEqual(stepItem(month, 'c', 1), { groupId: 'two', itemIds: ['c', 'd'] });
    assert.deepEqual(stepItem(month, 'd', -1), { groupId: 'one', itemIds: ['a', 'b', 'c', 'd'] });
  });

  it('keeps income and expenses apart', () => {
    assert.equal(stepItem(month, 'a', -1), undefined);
    assert.equal(stepItem(month, 'pay', 1), undefined);
    assert.equal(placeItem(month, 'pay', 'one', 0), undefined);
  });

  it('is not sent where nothing moves', () => {
    assert.equal(placeItem(month, 'b', 'one', 1), undefined);
    assert.equal(placeItem(month, 'b', 'one', 2), undefined);
    assert.deepEqual(placeItem(month, 'b', 'one', 3), { groupId: 'one', itemIds: ['a', 'c', 'b'] });
    assert.equal(placeGroup(month, 'one', 1), undefined);
    assert.deepEqual(placeGroup(month, 'two', 0), ['two', 'one']);
    assert.equal(stepGroup(month, 'two', 1), undefined);
  });
});
