import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { MonthView } from '#projections/month-document';
import { invalid, itemNamed, NOWHERE, ok, refused, useService } from './household.scenario.js';

describe('POST /months/{month}/items/{itemId}/fund', () => {
  const service = useService();

  it('makes an item a fund from this month on; the balance is what it carries in', async () => {
    const home = await service.household();
    await home.createMonth('2026-01');
    await home.createMonth('2026-02');
    const { id } = itemNamed(await home.plan('2026-02', { Doctor: 50 }), 'Doctor');
    await home.createMonth('2026-03');
    const reply = await home.post<MonthView>(`/months/2026-02/items/${id}/fund`, { current_balance: -200 });
    const item = itemNamed(ok(reply), 'Doctor');
    assert.equal(item.is_fund, true);
    assert.deepEqual(item.fund, { carry_in: -200, adjustments: [], ending: -150 });
    assert.equal(item.remaining, -150);
    assert.deepEqual(await home.month('2026-02'), reply.body);
    assert.deepEqual(itemNamed(await home.month('2026-01'), 'Doctor').fund, null);
    assert.equal(itemNamed(await home.month('2026-03'), 'Doctor').fund?.carry_in, -150);
  });

  it('refuses income items and what is a fund already, in any month', async () => {
    const home = await service.household();
    const month = await home.createMonth('2026-01');
    await home.createMonth('2026-02');
    const [pay, doctor] = [itemNamed(month, 'Paycheck').id, itemNamed(month, 'Doctor').id];
    const body = { current_balance: 0 };
    refused(await home.post(`/months/2026-01/items/${pay}/fund`, body), 422, 'income_item');
    await home.openFund('2026-02', doctor, 0);
    refused(await home.post(`/months/2026-02/items/${doctor}/fund`, body), 409, 'already_a_fund');
    refused(await home.post(`/months/2026-01/items/${doctor}/fund`, body), 409, 'already_a_fund');
  });

  it('refuses what is not there, and fields that are not valid', async () => {
    const home = await service.household();
    const path = `/months/2026-01/items/${NOWHERE}/fund`;
    assert.deepEqual(refused(await home.post(path, { current_balance: 1 }), 404, 'not_found'), {
      resource: 'month',
    });
    await home.createMonth('2026-01');
    assert.deepEqual(refused(await home.post(path, { current_balance: 1 }), 404, 'not_found'), {
      resource: 'item',
    });
    for (const current_balance of [undefined, null, '1', 1.5, 1e12, -1e12, true]) {
      assert.deepEqual(invalid(await home.post(path, { current_balance })), ['current_balance']);
    }
    assert.deepEqual(invalid(await home.post(path, { current_balance: 1, balance: 1 })), ['balance']);
  });

  it('takes the least and the greatest balance', async () => {
    const home = await service.household();
    const month = await home.createMonth('2026-01');
    for (const [name, balance] of [
      ['Doctor', 999_999_999_999],
      ['Fuel', -999_999_999_999],
    ] as const) {
      const opened = await home.openFund('2026-01', itemNamed(month, name).id, balance);
      assert.equal(itemNamed(opened, name).fund?.ending, balance);
    }
  });
});
