import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { MonthView } from '#projections/month-document';
import {
  groupNamed,
  invalid,
  NOWHERE,
  ok,
  refused,
  useService,
  type Household,
} from './household.scenario.js';

describe('PUT /months/{month}/groups/{groupId}/item-order', () => {
  const service = useService();

  const order = (home: Household, groupId: string, item_ids: unknown) =>
    home.put<MonthView>(`/months/2026-01/groups/${groupId}/item-order`, { item_ids });

  const idsIn = (month: MonthView, group: string): string[] =>
    groupNamed(month, group).items.map(({ id }) => id);

  it('orders the items of a group in this month', async () => {
    const home = await service.household();
    const january = await home.createMonth('2026-01');
    await home.createMonth('2026-02');
    const reversed = idsIn(january, 'Housing').toReversed();
    const month = ok(await order(home, groupNamed(january, 'Housing').id, reversed));
    assert.deepEqual(idsIn(month, 'Housing'), reversed);
    assert.deepEqual(await home.month('2026-01'), month);
    assert.deepEqual(idsIn(await home.month('2026-02'), 'Housing'), idsIn(january, 'Housing'));
  });

  it('moves items in from other groups', async () => {
    const home = await service.household();
    await home.createMonth('2026-01');
    const january = await home.plan('2026-01', { Fuel: 70, Groceries: 30 });
    const [fuel, maintenance] = idsIn(january, 'Transportation') as [string, string];
    const [groceries, restaurants] = idsIn(january, 'Food') as [string, string];
    const month = ok(await order(home, groupNamed(january, 'Food').id, [fuel, restaurants, groceries]));
    assert.deepEqual(idsIn(month, 'Food'), [fuel, restaurants, groceries]);
    assert.deepEqual(idsIn(month, 'Transportation'), [maintenance]);
    assert.equal(groupNamed(month, 'Food').totals.planned, 100);
    assert.equal(groupNamed(month, 'Food').items[0]?.group_id, groupNamed(january, 'Food').id);
  });

  it('refuses in the order: item not in the month, kind, completeness', async () => {
    const home = await service.household();
    const january = await home.createMonth('2026-01');
    const food = groupNamed(january, 'Food').id;
    const [pay] = idsIn(january, 'Income') as [string];
    const [groceries, restaurants] = idsIn(january, 'Food') as [string, string];
    assert.deepEqual(refused(await order(home, food, [pay, NOWHERE]), 422, 'item_not_in_month'), {
      item_id: NOWHERE,
      month: '2026-01',
    });
    refused(await order(home, food, [pay]), 422, 'kind_mismatch');
    assert.deepEqual(refused(await order(home, food, [groceries]), 422, 'order_mismatch'), {
      missing: [restaurants],
      unexpected: [],
    });
    refused(await order(home, food, []), 422, 'order_mismatch');
  });

  it('takes an empty list for an empty group', async () => {
    const home = await service.household();
    await home.createMonth('2026-01');
    const added = ok(await home.post<MonthView>('/months/2026-01/groups', { name: 'Travel' }), 201);
    ok(await order(home, groupNamed(added, 'Travel').id, []));
  });

  it('refuses what is not there, and fields that are not valid', async () => {
    const home = await service.household();
    assert.deepEqual(refused(await order(home, NOWHERE, []), 404, 'not_found'), { resource: 'month' });
    await home.createMonth('2026-01');
    assert.deepEqual(refused(await order(home, NOWHERE, [NOWHERE]), 404, 'not_found'), { resource: 'group' });
    for (const ids of [undefined, null, 'x', [NOWHERE, NOWHERE], [7], Array(1001).fill(NOWHERE)]) {
      assert.deepEqual(invalid(await order(home, NOWHERE, ids)), ['item_ids']);
    }
  });
});
