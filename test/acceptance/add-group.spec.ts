import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { MonthView } from '#projections/month-document';
import { groupNamed, invalid, NOWHERE, ok, refused, useService } from './household.scenario.js';

describe('POST /months/{month}/groups', () => {
  const service = useService();

  it('adds a new group last, without items, in this month only', async () => {
    const home = await service.household();
    await home.createMonth('2026-01');
    await home.createMonth('2026-02');
    const reply = await home.post<MonthView>('/months/2026-01/groups', {
      name: '  Travel ',
      color: '#ABCDEF',
    });
    const group = ok(reply, 201).groups.at(-1);
    const { id, ...rest } = group!;
    assert.match(id, /^[0-9A-HJKMNP-TV-Z]{26}$/);
    assert.deepEqual(rest, {
      name: 'Travel',
      color: '#abcdef',
      is_income: false,
      items: [],
      totals: { planned: 0, spent: 0, received: 0, remaining: 0 },
    });
    assert.deepEqual(await home.month('2026-01'), reply.body);
    assert.equal(
      (await home.month('2026-02')).groups.some(({ name }) => name === 'Travel'),
      false,
    );
  });

  it('gives a group without a colour the next one of the palette', async () => {
    const home = await service.household();
    await home.createMonth('2026-01');
    const first = ok(await home.post<MonthView>('/months/2026-01/groups', { name: 'One' }), 201);
    const second = ok(await home.post<MonthView>('/months/2026-01/groups', { name: 'Two' }), 201);
    assert.match(groupNamed(first, 'One').color, /^#[0-9a-f]{6}$/);
    assert.notEqual(groupNamed(second, 'Two').color, groupNamed(second, 'One').color);
  });

  it('always makes a new identity by name, also of a name that is there', async () => {
    const home = await service.household();
    const month = await home.createMonth('2026-01');
    const added = ok(await home.post<MonthView>('/months/2026-01/groups', { name: 'Food' }), 201);
    const foods = added.groups.filter(({ name }) => name === 'Food');
    assert.equal(foods.length, 2);
    assert.equal(foods[0]?.id, groupNamed(month, 'Food').id);
  });

  it('puts a group of the household into a month that does not have it', async () => {
    const home = await service.household();
    await home.createMonth('2026-01');
    await home.createMonth('2026-02');
    const added = ok(await home.post<MonthView>('/months/2026-02/groups', { name: 'Travel' }), 201);
    const { id } = groupNamed(added, 'Travel');
    const placed = ok(await home.post<MonthView>('/months/2026-01/groups', { group_id: id }), 201);
    assert.equal(placed.groups.at(-1)?.id, id);
    refused(await home.post('/months/2026-01/groups', { group_id: id }), 409, 'already_in_month');
    ok(await home.delete(`/months/2026-01/groups/${id}`));
    ok(await home.delete(`/months/2026-02/groups/${id}`));
    ok(await home.post<MonthView>('/months/2026-01/groups', { group_id: id }), 201);
  });

  it('refuses a month or a group that is not there', async () => {
    const home = await service.household();
    const noMonth = await home.post('/months/2026-01/groups', { name: 'Travel' });
    assert.deepEqual(refused(noMonth, 404, 'not_found'), { resource: 'month' });
    await home.createMonth('2026-01');
    const noGroup = await home.post('/months/2026-01/groups', { group_id: NOWHERE });
    assert.deepEqual(refused(noGroup, 404, 'not_found'), { resource: 'group' });
    const other = await service.household();
    const foreign = (await other.createMonth('2026-01')).groups[1]!.id;
    refused(await home.post('/months/2026-01/groups', { group_id: foreign }), 404, 'not_found');
  });

  it('refuses fields that are not valid, before it looks for the month', async () => {
    const home = await service.household();
    const cases: readonly [unknown, string[]][] = [
      [undefined, ['name']],
      [{}, ['name']],
      [{ color: '#ffffff' }, ['name']],
      [{ name: '' }, ['name']],
      [{ name: '   ' }, ['name']],
      [{ name: null }, ['name']],
      [{ name: 7 }, ['name']],
      [{ name: 'x'.repeat(101) }, ['name']],
      [{ name: 'a\u0000b' }, ['name']],
      [{ name: 'two\nlines' }, ['name']],
      [{ name: '\ud800' }, ['name']],
      [{ name: 'Travel', color: 'red' }, ['color']],
      [{ name: 'Travel', color: '#fff' }, ['color']],
      [{ name: 'Travel', color: null }, ['color']],
      [{ name: 'Travel', group_id: NOWHERE }, ['name']],
      [{ name: 'Travel', color: '#ffffff', group_id: NOWHERE }, ['color', 'name']],
      [{ group_id: 'x' }, ['group_id']],
      [{ group_id: NOWHERE.toLowerCase() }, ['group_id']],
      [{ name: 'Travel', icon: 'plane' }, ['icon']],
      [{ name: 'x', ['__proto__']: 1, constructor: 1 }, ['__proto__', 'constructor']],
    ];
    for (const [body, paths] of cases) {
      assert.deepEqual(invalid(await home.post('/months/2026-01/groups', body)), paths, JSON.stringify(body));
    }
    assert.equal((await home.post('/months/2026-01/groups', [])).status, 422);
  });

  it('takes names of any script, normalised and counted in code points', async () => {
    const home = await service.household();
    await home.createMonth('2026-01');
    const names = ['Épargne', '家計', '🏠'.repeat(100), 'مصاريف', `cafe\u0301`];
    for (const name of names) {
      const added = ok(await home.post<MonthView>('/months/2026-01/groups', { name }), 201);
      assert.equal(added.groups.at(-1)?.name, name.normalize('NFC'));
    }
  });

  it('refuses more groups than a month may have', async () => {
    const home = await service.household();
    await home.createMonth('2026-01');
    for (let count = 9; count < 100; count++) {
      ok(await home.post('/months/2026-01/groups', { name: `Group ${count}` }), 201);
    }
    refused(await home.post('/months/2026-01/groups', { name: 'One more' }), 422, 'month_full');
  });
});
