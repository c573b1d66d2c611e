import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { MonthView } from '#projections/month-document';
import { groupNamed, invalid, itemNamed, NOWHERE, ok, refused, useService } from './household.scenario.js';

describe('POST /months/{month}/groups/{groupId}/items', () => {
  const service = useService();

  it('adds a new item last; its kind follows the group', async () => {
    const home = await service.household();
    const january = await home.createMonth('2026-01');
    const food = groupNamed(january, 'Food');
    const body = { name: ' Snacks ', planned: 1500, note: ' for\n\tSunday \r\n' };
    const reply = await home.post<MonthView>(`/months/2026-01/groups/${food.id}/items`, body);
    const item = groupNamed(ok(reply, 201), 'Food').items.at(-1)!;
    assert.equal(item.name, 'Snacks');
    assert.equal(item.kind, 'expense');
    assert.equal(item.planned, 1500);
    assert.equal(item.note, 'for\n\tSunday');
    assert.deepEqual(await home.month('2026-01'), reply.body);
    const income = january.groups[0]!.id;
    const added = ok(
      await home.post<MonthView>(`/months/2026-01/groups/${income}/items`, { name: 'Side job', note: '' }),
      201,
    );
    const { kind, planned, note } = itemNamed(added, 'Side job');
    assert.deepEqual({ kind, planned, note }, { kind: 'income', planned: 0, note: null });
  });

  it('puts an item of the household into a month that does not have it', async () => {
    const home = await service.household();
    const january = await home.createMonth('2026-01');
    await home.createMonth('2026-02');
    const food = groupNamed(january, 'Food').id;
    const path = (month: string) => `/months/${month}/groups/${food}/items`;
    const added = ok(await home.post<MonthView>(path('2026-02'), { name: 'Snacks' }), 201);
    const { id } = itemNamed(added, 'Snacks');
    const placed = ok(await home.post<MonthView>(path('2026-01'), { item_id: id, planned: 7 }), 201);
    assert.equal(itemNamed(placed, 'Snacks').planned, 7);
    refused(await home.post(path('2026-01'), { item_id: id }), 409, 'already_in_month');
  });

  it('lets a deleted item come back, also into another group', async () => {
    const home = await service.household();
    const month = await home.createMonth('2026-01');
    const { id } = itemNamed(month, 'Groceries');
    ok(await home.delete(`/months/2026-01/items/${id}`));
    const path = `/months/2026-01/groups/${groupNamed(month, 'Housing').id}/items`;
    const back = ok(await home.post<MonthView>(path, { item_id: id }), 201);
    assert.equal(groupNamed(back, 'Housing').items.at(-1)?.id, id);
  });

  it('lets a fund enter months that were made before it', async () => {
    const home = await service.household();
    for (const month of ['2026-01', '2026-02', '2026-03']) await home.createMonth(month);
    const food = groupNamed(await home.month('2026-02'), 'Food').id;
    const path = (month: string) => `/months/${month}/groups/${food}/items`;
    const { id } = itemNamed(
      ok(await home.post<MonthView>(path('2026-02'), { name: 'Feast' }), 201),
      'Feast',
    );
    await home.openFund('2026-02', id, 100);
    const later = ok(await home.post<MonthView>(path('2026-03'), { item_id: id, planned: 5 }), 201);
    assert.deepEqual(itemNamed(later, 'Feast').fund, { carry_in: 100, adjustments: [], ending: 105 });
    const earlier = ok(await home.post<MonthView>(path('2026-01'), { item_id: id, planned: 5 }), 201);
    assert.equal(itemNamed(earlier, 'Feast').is_fund, false);
    assert.equal(itemNamed(await home.month('2026-03'), 'Feast').fund?.carry_in, 100);
  });

  it('refuses to move an item between income and expenses', async () => {
    const home = await service.household();
    const january = await home.createMonth('2026-01');
    const [income, food] = [january.groups[0]!, groupNamed(january, 'Food')];
    const [pay, groceries] = [income.items[0]!.id, itemNamed(january, 'Groceries').id];
    ok(await home.delete(`/months/2026-01/items/${pay}`));
    ok(await home.delete(`/months/2026-01/items/${groceries}`));
    const path = (groupId: string) => `/months/2026-01/groups/${groupId}/items`;
    refused(await home.post(path(food.id), { item_id: pay }), 422, 'kind_mismatch');
    refused(await home.post(path(income.id), { item_id: groceries }), 422, 'kind_mismatch');
  });

  it('refuses what is not there: month, then group, then item', async () => {
    const home = await service.household();
    const path = (groupId: string) => `/months/2026-01/groups/${groupId}/items`;
    const body = { item_id: NOWHERE };
    assert.deepEqual(refused(await home.post(path(NOWHERE), body), 404, 'not_found'), { resource: 'month' });
    const food = groupNamed(await home.createMonth('2026-01'), 'Food').id;
    assert.deepEqual(refused(await home.post(path(NOWHERE), body), 404, 'not_found'), { resource: 'group' });
    assert.deepEqual(refused(await home.post(path(food), body), 404, 'not_found'), { resource: 'item' });
  });

  it('refuses fields that are not valid', async () => {
    const home = await service.household();
    const path = `/months/2026-01/groups/${NOWHERE}/items`;
    const cases: readonly [unknown, string[]][] = [
      [{}, ['name']],
      [{ planned: 5 }, ['name']],
      [{ name: 'A', item_id: NOWHERE }, ['name']],
      [{ name: 'A', planned: -1 }, ['planned']],
      [{ name: 'A', planned: 1.5 }, ['planned']],
      [{ name: 'A', planned: '5' }, ['planned']],
      [{ name: 'A', planned: null }, ['planned']],
      [{ name: 'A', planned: 1_000_000_000_000 }, ['planned']],
      [{ name: 'A', planned: 1e300 }, ['planned']],
      [{ name: 'A', note: 'x'.repeat(2001) }, ['note']],
      [{ name: 'A', note: 'a\u0007' }, ['note']],
      [{ name: 'A', note: 5 }, ['note']],
      [{ name: '', item_id: 'x', kind: 'income' }, ['item_id', 'kind', 'name']],
    ];
    for (const [body, paths] of cases) {
      assert.deepEqual(invalid(await home.post(path, body)), paths, JSON.stringify(body));
    }
    assert.deepEqual(invalid(await home.post('/months/2026-1/groups/x/items', { name: 'A' })), [
      'groupId',
      'month',
    ]);
  });

  it('takes the greatest planned amount and the longest note', async () => {
    const home = await service.household();
    const food = groupNamed(await home.createMonth('2026-01'), 'Food').id;
    const body = { name: 'Much', planned: 999_999_999_999, note: '🏠'.repeat(2000) };
    const added = ok(await home.post<MonthView>(`/months/2026-01/groups/${food}/items`, body), 201);
    const { planned, note } = itemNamed(added, 'Much');
    assert.deepEqual({ planned, note }, { planned: body.planned, note: body.note });
    assert.equal(added.left_to_budget, -999_999_999_999);
  });
});
