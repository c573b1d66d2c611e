import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { MonthView } from '#projections/month-document';
import { groupNamed, invalid, itemNamed, ok, refused, useService } from './household.scenario.js';

describe('POST /months/{month}', () => {
  const service = useService();

  it('lays out the default template where there is no earlier month', async () => {
    const home = await service.household();
    const month = await home.createMonth('2026-01');
    const layout = Object.fromEntries(
      month.groups.map(({ name, items }) => [name, items.map(item => item.name)]),
    );
    assert.deepEqual(layout, {
      Income: ['Paycheck'],
      Giving: ['Charity'],
      Savings: ['Emergency Fund'],
      Housing: ['Rent or Mortgage', 'Electricity', 'Water', 'Internet'],
      Transportation: ['Fuel', 'Maintenance'],
      Food: ['Groceries', 'Restaurants'],
      Personal: ['Clothing', 'Phone'],
      Health: ['Doctor', 'Medicine'],
      Insurance: ['Health', 'Car'],
    });
    const [income] = month.groups;
    assert.equal(income?.is_income, true);
    assert.equal(month.copied_from, null);
    assert.equal(month.left_to_budget, 0);
    assert.deepEqual(month.favorites, []);
    assert.deepEqual(month.center, { planned: 0, spent: 0, remaining: 0 });
    assert.equal(month.untracked_count, 0);
    assert.match(month.created_at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    assert.deepEqual(await home.month('2026-01'), month);
  });

  it('answers exactly the fields of a month, a group and an item', async () => {
    const home = await service.household();
    const month = await home.createMonth('2026-01');
    assert.deepEqual(Object.keys(month).sort(), [
      'center',
      'copied_from',
      'created_at',
      'favorites',
      'groups',
      'left_to_budget',
      'month',
      'untracked_count',
    ]);
    const group = groupNamed(month, 'Food');
    assert.deepEqual(Object.keys(group).sort(), ['color', 'id', 'is_income', 'items', 'name', 'totals']);
    assert.deepEqual(group.totals, { planned: 0, spent: 0, received: 0, remaining: 0 });
    const item = itemNamed(month, 'Groceries');
    const { id, ...rest } = item;
    assert.match(id, /^[0-9A-HJKMNP-TV-Z]{26}$/);
    assert.deepEqual(rest, {
      name: 'Groceries',
      kind: 'expense',
      is_fund: false,
      favorite: false,
      fund_target: null,
      group_id: group.id,
      planned: 0,
      spent: 0,
      received: 0,
      remaining: 0,
      note: null,
      fund: null,
    });
  });

  it('copies layout, order and plans of the latest earlier month, but no notes, adjustments or activity', async () => {
    const home = await service.household();
    const january = await home.createMonth('2026-01');
    const groceries = itemNamed(january, 'Groceries');
    const charity = itemNamed(january, 'Charity');
    ok(await home.patch(`/months/2026-01/items/${groceries.id}`, { planned: 60000, note: 'the usual' }));
    ok(await home.post(`/months/2026-01/items/${charity.id}/fund`, { current_balance: 100 }));
    ok(await home.post(`/months/2026-01/items/${charity.id}/fund-balance`, { current_balance: 250 }));
    const later = await home.createMonth('2026-04');
    assert.equal(later.copied_from, '2026-01');
    const copied = itemNamed(later, 'Groceries');
    assert.equal(copied.id, groceries.id);
    assert.equal(copied.planned, 60000);
    assert.equal(copied.note, null);
    assert.deepEqual(itemNamed(later, 'Charity').fund, { carry_in: 250, adjustments: [], ending: 250 });
    const between = await home.createMonth('2026-03');
    assert.equal(between.copied_from, '2026-01');
    const before = await home.createMonth('2025-12');
    assert.equal(before.copied_from, null);
    assert.equal(itemNamed(before, 'Groceries').id, groceries.id);
  });

  it('refuses a month that is there already', async () => {
    const home = await service.household();
    await home.createMonth('2026-01');
    refused(await home.post('/months/2026-01'), 409, 'month_exists');
  });

  it('refuses a malformed month, a body with fields and unknown query parameters', async () => {
    const home = await service.household();
    for (const month of [
      '2026-13',
      '2026-00',
      '2026-1',
      '26-01',
      'January',
      '2026-01-01',
      '%00',
      '2026‐01',
    ]) {
      assert.deepEqual(invalid(await home.post(`/months/${encodeURIComponent(month)}`)), ['month'], month);
    }
    assert.deepEqual(invalid(await home.post('/months/2026-01', { copy: true })), ['copy']);
    assert.deepEqual(invalid(await home.post('/months/2026-01?from=2025-12')), ['from']);
    refused(await home.get('/months/2026-01'), 404, 'not_found');
  });

  it('creates a month once under one Idempotency-Key', async () => {
    const home = await service.household();
    const key = { 'Idempotency-Key': 'create-january' };
    const first = await home.post<MonthView>('/months/2026-01', undefined, key);
    assert.equal(first.status, 201);
    assert.equal(first.headers.get('idempotent-replay'), null);
    ok(await home.post('/months/2026-01/groups', { name: 'Travel' }), 201);
    const again = await home.post<MonthView>('/months/2026-01', undefined, key);
    assert.equal(again.status, 200);
    assert.equal(again.headers.get('idempotent-replay'), 'true');
    assert.deepEqual(again.body, await home.month('2026-01'));
    refused(await home.post('/months/2026-02', undefined, key), 409, 'idempotency_key_conflict');
    const other = await service.household();
    assert.equal((await other.post('/months/2026-01', undefined, key)).status, 201);
  });

  it('refuses a malformed Idempotency-Key', async () => {
    const home = await service.household();
    for (const key of ['', 'with space', 'x'.repeat(65), 'ümlaut']) {
      const reply = await home.post('/months/2026-01', undefined, { 'Idempotency-Key': key });
      assert.deepEqual(invalid(reply), ['Idempotency-Key'], key);
    }
    assert.equal(
      (await home.post('/months/2026-01', undefined, { 'Idempotency-Key': 'x'.repeat(64) })).status,
      201,
    );
  });
});
