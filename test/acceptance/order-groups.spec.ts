import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { MonthView } from '#projections/month-document';
import { invalid, NOWHERE, ok, refused, useService } from './household.scenario.js';

describe('PUT /months/{month}/group-order', () => {
  const service = useService();

  it('orders the groups of this month, income staying first', async () => {
    const home = await service.household();
    const january = await home.createMonth('2026-01');
    await home.createMonth('2026-02');
    const [income, ...others] = january.groups.map(({ id }) => id);
    const reversed = others.toReversed();
    const ordered = ok(await home.put<MonthView>('/months/2026-01/group-order', { group_ids: reversed }));
    assert.deepEqual(
      ordered.groups.map(({ id }) => id),
      [income, ...reversed],
    );
    assert.deepEqual(await home.month('2026-01'), ordered);
    assert.deepEqual(ok(await home.put('/months/2026-01/group-order', { group_ids: reversed })), ordered);
    assert.deepEqual(
      (await home.month('2026-02')).groups.map(({ id }) => id),
      [income, ...others],
    );
  });

  it('refuses a list that is not exactly the groups, naming what is missing and unexpected', async () => {
    const home = await service.household();
    const [income, first, ...others] = (await home.createMonth('2026-01')).groups.map(({ id }) => id);
    const put = (ids: readonly unknown[]) => home.put('/months/2026-01/group-order', { group_ids: ids });
    assert.deepEqual(refused(await put([...others, NOWHERE]), 422, 'order_mismatch'), {
      missing: [first],
      unexpected: [NOWHERE],
    });
    refused(await put([]), 422, 'order_mismatch');
    refused(await put([income, first, ...others]), 422, 'income_group');
    refused(await put([income]), 422, 'income_group');
  });

  it('takes an empty list for a month that has only income', async () => {
    const home = await service.household();
    const [, ...others] = (await home.createMonth('2026-01')).groups;
    for (const { id } of others) ok(await home.delete(`/months/2026-01/groups/${id}`));
    const ordered = ok(await home.put<MonthView>('/months/2026-01/group-order', { group_ids: [] }));
    assert.equal(ordered.groups.length, 1);
  });

  it('refuses fields that are not valid, then a month that is not there', async () => {
    const home = await service.household();
    const put = (body: unknown) => home.put('/months/2026-01/group-order', body);
    for (const group_ids of [undefined, null, NOWHERE, [1], [null], ['x'], [NOWHERE, NOWHERE], {}]) {
      assert.deepEqual(invalid(await put({ group_ids })), ['group_ids'], JSON.stringify(group_ids));
    }
    assert.deepEqual(invalid(await put({ group_ids: [], order: [] })), ['order']);
    assert.deepEqual(refused(await put({ group_ids: [] }), 404, 'not_found'), { resource: 'month' });
  });
});
