import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { invalid, ok, useService } from './household.scenario.js';

interface MonthList {
  readonly months: readonly {
    readonly month: string;
    readonly left_to_budget: number;
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
      copied_from: '2026-02',
      created_at: october.created_at,
    });
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
