import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { groupNamed, invalid, itemNamed, NOWHERE, ok, refused, useService } from './household.scenario.js';

interface ItemMonths {
  readonly item_id: string;
  readonly name: string;
  readonly months: readonly { readonly month: string; readonly [field: string]: unknown }[];
}

describe('GET /items/{itemId}/months', () => {
  const service = useService();

  it('lists every month that has the item, oldest first, with its figures there', async () => {
    const home = await service.household();
    const february = await home.createMonth('2026-02');
    const fuel = itemNamed(february, 'Fuel').id;
    const group = groupNamed(february, 'Transportation').id;
    await home.plan('2026-02', { Fuel: 300 });
    await home.createMonth('2026-03');
    await home.createMonth('2026-04');
    await home.openFund('2026-03', fuel, 20);
    await home.spend({ amount: 50, date: '2026-02-10', splits: [{ item_id: fuel, amount: 50 }] });
    await home.spend({ amount: 70, date: '2026-03-10', splits: [{ item_id: fuel, amount: 70 }] });
    await home.createMonth('2026-05');
    ok(await home.delete(`/months/2026-05/items/${fuel}`));
    const answer = ok(await home.get<ItemMonths>(`/items/${fuel}/months`));
    const figures = { group_id: group, planned: 300, received: 0 };
    assert.deepEqual(answer, {
      item_id: fuel,
      name: 'Fuel',
      months: [
        { month: '2026-02', ...figures, spent: 50, remaining: 250, fund: null },
        { month: '2026-03', ...figures, spent: 70, remaining: 250, fund: { carry_in: 20, ending: 250 } },
        { month: '2026-04', ...figures, spent: 0, remaining: 550, fund: { carry_in: 250, ending: 550 } },
      ],
    });
    for (const { month, fund, ...shown } of answer.months) {
      const item = itemNamed(await home.month(month), 'Fuel');
      assert.deepEqual(
        { ...item, ...shown, fund: item.fund && { ...item.fund, ...(fund as object) } },
        { ...item },
        month,
      );
    }
  });

  it('lists what an income item received', async () => {
    const home = await service.household();
    const { id: pay } = itemNamed(await home.createMonth('2026-01'), 'Paycheck');
    await home.spend({ amount: 900, type: 'income', splits: [{ item_id: pay, amount: 900 }] });
    const { months } = ok(await home.get<ItemMonths>(`/items/${pay}/months`));
    assert.deepEqual(
      months.map(({ spent, received, remaining }) => [spent, received, remaining]),
      [[0, 900, -900]],
    );
  });

  it('knows an item by its present name where no month has it any more', async () => {
    const home = await service.household();
    const { id: fuel } = itemNamed(await home.createMonth('2026-01'), 'Fuel');
    ok(await home.patch(`/items/${fuel}`, { name: 'Petrol' }));
    ok(await home.delete(`/months/2026-01/items/${fuel}`));
    assert.deepEqual(ok(await home.get(`/items/${fuel}/months`)), {
      item_id: fuel,
      name: 'Petrol',
      months: [],
    });
  });

  it('refuses an item that the household never had', async () => {
    const home = await service.household();
    const { id: fuel } = itemNamed(await home.createMonth('2026-01'), 'Fuel');
    const other = await service.household();
    for (const [from, id] of [
      [home, NOWHERE],
      [other, fuel],
    ] as const) {
      assert.equal(refused(await from.get(`/items/${id}/months`), 404, 'not_found')['resource'], 'item');
    }
    assert.deepEqual(invalid(await home.get('/items/fuel/months')), ['itemId']);
  });
});
