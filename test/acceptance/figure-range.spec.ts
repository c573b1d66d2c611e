import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { AMOUNT_MAX } from '#http/field-rules';
import type { MonthView } from '#projections/month-document';
import { groupNamed, ok, refused, useService } from './household.scenario.js';

describe('figures that would not be exact any more', () => {
  const service = useService();

  it('are refused, and nothing is recorded', async () => {
    const home = await service.household();
    const food = groupNamed(await home.createMonth('2026-01'), 'Food').id;
    const path = `/months/2026-01/groups/${food}/items`;
    const body = { name: 'Palace', planned: AMOUNT_MAX };
    // Each fund ends a month with a trillion cents more than it began with.
    for (let i = 0; i < 250; i++) {
      const month = ok(await home.post<MonthView>(path, body), 201);
      const { id } = groupNamed(month, 'Food').items.at(-1)!;
      ok(await home.post(`/months/2026-01/items/${id}/fund`, { current_balance: AMOUNT_MAX }));
    }
    let year = 2027;
    let reply = await home.post<MonthView>(`/months/${year}-01`);
    while (reply.status === 201 && year < 2100) {
      assert.ok(Number.isSafeInteger(reply.body.center.remaining));
      year++;
      reply = await home.post<MonthView>(`/months/${year}-01`);
    }
    refused(reply, 422, 'figure_out_of_range');
    // 250 × (1 + months) trillion passes 2^53 in the 36th month.
    assert.equal(year, 2026 + 35);
    refused(await home.get(`/months/${year}-01`), 404, 'not_found');
    ok(await home.delete(`/months/2026-01/groups/${food}`));
    ok(await home.post(`/months/${year}-01`), 201);
  });
});
