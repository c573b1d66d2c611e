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

interface Harvest {
  readonly month: MonthView;
  readonly harvested: number;
  readonly previous_planned: number;
}

describe('POST /months/{month}/items/{itemId}/harvest', () => {
  const service = useService();

  const harvest = (home: Household, itemId: string, headers = {}) =>
    home.post<Harvest>(`/months/2026-01/items/${itemId}/harvest`, undefined, headers);

  it('plans just what was spent; planning the previous amount undoes it', async () => {
    const home = await service.household();
    await home.createMonth('2026-01');
    const planned = await home.plan('2026-01', { Paycheck: 1000, Fuel: 300 });
    const { id } = itemNamed(planned, 'Fuel');
    const { months } = await home.spend({ amount: 120, splits: [{ item_id: id, amount: 120 }] });
    const { month, harvested, previous_planned } = ok(await harvest(home, id));
    assert.deepEqual({ harvested, previous_planned }, { harvested: 180, previous_planned: 300 });
    assert.equal(month.left_to_budget, 880);
    assert.equal(itemNamed(month, 'Fuel').remaining, 0);
    assert.deepEqual(await home.month('2026-01'), month);
    const undone = ok(await home.patch(`/months/2026-01/items/${id}`, { planned: previous_planned }));
    assert.deepEqual([undone], months);
  });

  it('harvests at most the plan where more was refunded than spent', async () => {
    const home = await service.household();
    await home.createMonth('2026-01');
    const { id } = itemNamed(await home.plan('2026-01', { Fuel: 300 }), 'Fuel');
    await home.spend({ type: 'income', amount: 50, splits: [{ item_id: id, amount: 50 }] });
    const { month, harvested } = ok(await harvest(home, id));
    assert.equal(harvested, 300);
    assert.deepEqual([itemNamed(month, 'Fuel').planned, itemNamed(month, 'Fuel').remaining], [0, 50]);
    assert.deepEqual(refused(await harvest(home, id), 422, 'not_harvestable'), {
      reason: 'nothing_remaining',
    });
  });

  it('refuses income, funds, and items of which nothing remains', async () => {
    const home = await service.household();
    await home.createMonth('2026-01');
    const month = await home.plan('2026-01', { Paycheck: 100, Fuel: 100, Doctor: 100 });
    const [pay, fuel, doctor] = ['Paycheck', 'Fuel', 'Doctor'].map(name => itemNamed(month, name).id);
    await home.openFund('2026-01', doctor!, 100);
    await home.spend({ amount: 100, splits: [{ item_id: fuel!, amount: 100 }] });
    const cases = [
      [pay, 'income'],
      [doctor, 'fund'],
      [fuel, 'nothing_remaining'],
      [itemNamed(month, 'Phone').id, 'nothing_remaining'],
    ];
    for (const [id, reason] of cases) {
      assert.deepEqual(refused(await harvest(home, id!), 422, 'not_harvestable'), { reason });
    }
  });

  it('harvests a later fund in the months before it became one', async () => {
    const home = await service.household();
    await home.createMonth('2026-01');
    const { id } = itemNamed(await home.plan('2026-01', { Doctor: 100 }), 'Doctor');
    await home.createMonth('2026-02');
    await home.openFund('2026-02', id, 0);
    assert.equal(ok(await harvest(home, id)).harvested, 100);
  });

  it('repeats by its Idempotency-Key what it answered, with the month of today', async () => {
    const home = await service.household();
    await home.createMonth('2026-01');
    const { id } = itemNamed(await home.plan('2026-01', { Fuel: 300 }), 'Fuel');
    const key = { 'Idempotency-Key': 'harvest-1' };
    ok(await harvest(home, id, key));
    const today = await home.plan('2026-01', { Fuel: 5 });
    const again = await harvest(home, id, key);
    assert.equal(again.headers.get('idempotent-replay'), 'true');
    assert.deepEqual(ok(again), { month: today, harvested: 300, previous_planned: 300 });
  });

  it('refuses what is not there, and malformed ids', async () => {
    const home = await service.household();
    assert.deepEqual(refused(await harvest(home, NOWHERE), 404, 'not_found'), { resource: 'month' });
    await home.createMonth('2026-01');
    assert.deepEqual(refused(await harvest(home, NOWHERE), 404, 'not_found'), { resource: 'item' });
    assert.deepEqual(invalid(await harvest(home, 'fuel')), ['itemId']);
  });
});
