import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { groupNamed, invalid, NOWHERE, ok, refused, useService } from './household.scenario.js';

describe('PATCH /groups/{groupId}', () => {
  const service = useService();

  it('changes name and colour in every month', async () => {
    const home = await service.household();
    const january = await home.createMonth('2026-01');
    await home.createMonth('2026-02');
    const { id, color } = groupNamed(january, 'Food');
    assert.deepEqual(ok(await home.patch(`/groups/${id}`, { name: ' Eating ' })), {
      id,
      name: 'Eating',
      color,
      is_income: false,
    });
    ok(await home.patch(`/groups/${id}`, { color: '#00FF00' }));
    for (const month of ['2026-01', '2026-02']) {
      assert.equal(groupNamed(await home.month(month), 'Eating').color, '#00ff00');
    }
  });

  it('renames the income group, and changes nothing where nothing is sent', async () => {
    const home = await service.household();
    const { id, color } = (await home.createMonth('2026-01')).groups[0]!;
    const renamed = { id, name: 'Earnings', color, is_income: true };
    assert.deepEqual(ok(await home.patch(`/groups/${id}`, { name: 'Earnings' })), renamed);
    assert.deepEqual(ok(await home.patch(`/groups/${id}`, {})), renamed);
    assert.deepEqual(ok(await home.patch(`/groups/${id}`)), renamed);
    assert.deepEqual(ok(await home.patch(`/groups/${id}`, { name: 'Earnings', color })), renamed);
  });

  it('refuses a group that is not there, or in no month any more', async () => {
    const home = await service.household();
    const { id } = groupNamed(await home.createMonth('2026-01'), 'Food');
    const missing = await home.patch(`/groups/${NOWHERE}`, { name: 'X' });
    assert.deepEqual(refused(missing, 404, 'not_found'), { resource: 'group' });
    ok(await home.delete(`/months/2026-01/groups/${id}`));
    assert.deepEqual(refused(await home.patch(`/groups/${id}`, { name: 'X' }), 404, 'not_found'), {
      resource: 'group',
    });
  });

  it('refuses fields that are not valid', async () => {
    const home = await service.household();
    assert.deepEqual(invalid(await home.patch('/groups/food', { name: '', color: '', kind: 'x' })), [
      'color',
      'groupId',
      'kind',
      'name',
    ]);
    for (const body of [{ name: null }, { color: null }, { is_income: true }]) {
      assert.deepEqual(invalid(await home.patch(`/groups/${NOWHERE}`, body)), Object.keys(body));
    }
  });
});
