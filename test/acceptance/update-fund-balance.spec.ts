import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { MonthView } from '#projections/month-document';
import {
  invalid,
  itemNamed,
  NOWHERE,
  ok,
  refused,
  useService,
  type Household,
} from './household.scenario.js';

describe('POST /months/{month}/items/{itemId}/fund-balance', () => {
  const service = useService();

  const update = (home: Household, month: string, itemId: string, balance: unknown) =>
    home.post<MonthView>(`/months/${month}/items/${itemId}/fund-balance`, { current_balance: balance });

  it('records the difference as an adjustment with its maker and time, never as spent', async () => {
    const home = await service.household();
    const { id } = itemNamed(await home.createMonth('2026-01'), 'Doctor');
    await home.openFund('2026-01', id, 1000);
    await home.createMonth('2026-02');
    ok(await update(home, '2026-01', id, 1300));
    const updated = ok(await update(home, '2026-01', id, 900));
    const { fund, spent, remaining } = itemNamed(updated, 'Doctor');
    assert.deepEqual([fund?.ending, spent, remaining], [900, 0, 900]);
    assert.deepEqual(
      fund?.adjustments.map(({ amount, by }) => [amount, by]),
      [
        [300, home.user.id],
        [-400, home.user.id],
      ],
    );
    for (const adjustment of fund?.adjustments ?? []) {
      assert.deepEqual(Object.keys(adjustment).sort(), ['amount', 'at', 'by']);
      assert.match(adjustment.at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    }
    assert.deepEqual(await home.month('2026-01'), updated);
    assert.equal(itemNamed(await home.month('2026-02'), 'Doctor').fund?.carry_in, 900);
  });

  it('records nothing where there is no difference', async () => {
    const home = await service.household();
    const { id } = itemNamed(await home.createMonth('2026-01'), 'Doctor');
    const opened = await home.openFund('2026-01', id, 1000);
    assert.deepEqual(ok(await update(home, '2026-01', id, 1000)), opened);
  });

  it('refuses what is no fund in the month: regular items, income, months before the opening', async () => {
    const home = await service.household();
    const january = await home.createMonth('2026-01');
    await home.createMonth('2026-02');
    const [pay, fuel, doctor] = ['Paycheck', 'Fuel', 'Doctor'].map(name => itemNamed(january, name).id);
    await home.openFund('2026-02', doctor!, 0);
    for (const id of [pay, fuel, doctor]) {
      refused(await update(home, '2026-01', id!, 5), 422, 'not_a_fund');
    }
  });

  it('refuses what is not there, and fields that are not valid', async () => {
    const home = await service.household();
    assert.deepEqual(refused(await update(home, '2026-01', NOWHERE, 5), 404, 'not_found'), {
      resource: 'month',
    });
    await home.createMonth('2026-01');
    assert.deepEqual(refused(await update(home, '2026-01', NOWHERE, 5), 404, 'not_found'), {
      resource: 'item',
    });
    for (const balance of [undefined, null, '5', 0.5, 1e12]) {
      assert.deepEqual(invalid(await update(home, '2026-01', NOWHERE, balance)), ['current_balance']);
    }
  });
});
