import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { invalid, itemNamed, ok, useService } from './household.scenario.js';

interface MonthList {
  readonly months: readonly {
    readonly month: string;
    readonly left_to_budget: number;
    readonly income: { readonly planned: number; readonly received: number };
    readonly center: { readonly planned: number; readonly spent: number; readonly remaining: number };
    readonly copied_from: string | null;
    readonly created_at: string;
  }[];
}

describe('GET /months', () => {
  const service = useService();

  it('lists nothing before the first month', async () => {
    const home = await service.household();
    assert.deepEqual(ok(await home.get('/months')), { months: [] });
  });

  it('lists the months, oldest first, each with what is left to budget', async () => {
    const home = await service.household();
    for (const month of ['2026-02', '2025-12', '2026-10', '2026-01', '9999-12', '0001-01']) {
      await home.createMonth(month);
    }
    await home.plan('2026-10', { Paycheck: 1000, Fuel: 300 });
    const { months } = ok(await home.get<MonthList>('/months'));
    assert.deepEqual(
      months.map(({ month, copied_from }) => [month, copied_from]),
      [
        ['0001-01', null],
        ['2025-12', null],
        ['2026-01', '2025-12'],
        ['2026-02', null],
        ['2026-10', '2026-02'],
        ['9999-12', '2026-10'],
      ],
    );
    const october = await home.month('2026-10');
    assert.deepEqual(months[4], {
      month: '2026-10',
      left_to_budget: 700,
      income: { planned: 1000, received: 0 },
      center: { planned: 300, spent: 0, remaining: 300 },
      copied_from: '2026-02',
      created_at: october.created_at,
    });
  });

  it('gives the income and the center of each month as the month itself does', async () => {
    const home = await service.household();
    const january = await home.createMonth('2026-01');
    await home.createMonth('2026-02');
    const [pay, fuel] = [itemNamed(january, 'Paycheck').id, itemNamed(january, 'Fuel').id];
    await home.plan('2026-01', { Paycheck: 1000, Fuel: 300, Clothing: 50 });
    await home.openFund('2026-01', fuel, 20);
    const onPay = (amount: number) => ({ amount, splits: [{ item_id: pay, amount }] });
    await home.spend({ ...onPay(900), type: 'income' });
    await home.spend(onPay(100));
    await home.spend({ amount: 40, splits: [{ item_id: fuel, amount: 40 }] });
    await home.spend({ amount: 15, type: 'income', splits: [{ item_id: fuel, amount: 15 }] });
    const { months } = ok(await home.get<MonthList>('/months'));
    const [first, second] = months;
    assert.deepEqual(first!.income, { planned: 1000, received: 800 });
    assert.deepEqual(first!.center, { planned: 350, spent: 25, remaining: 345 });
    for (const { month, center } of months) assert.deepEqual(center, (await home.month(month)).center);
    assert.deepEqual(second!.income, { planned: 0, received: 0 });
  });

  it('shows no month of another household', async () => {
    const home = await service.household();
    await home.createMonth('2026-01');
    assert.deepEqual(ok(await (await service.household()).get('/months')), { months: [] });
    assert.deepEqual(ok(await (await service.household()).get('/months')), { months: [] });
  });

  it('refuses unknown query parameters', async () => {
    const home = await service.household();
    assert.deepEqual(invalid(await home.get('/months?year=2026')), ['year']);
  });
});
