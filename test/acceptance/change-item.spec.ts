import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  invalid,
  itemNamed,
  NOWHERE,
  ok,
  refused,
  useService,
  type Household,
} from './household.scenario.js';

interface ItemIdentity {
  readonly id: string;
  readonly name: string;
  readonly kind: string;
  readonly is_fund: boolean;
  readonly favorite: boolean;
  readonly fund_target: number | null;
}

describe('PATCH /items/{itemId}', () => {
  const service = useService();

  async function fundOf(home: Household): Promise<string> {
    const { id } = itemNamed(await home.createMonth('2026-01'), 'Doctor');
    await home.openFund('2026-01', id, 1000);
    return id;
  }

  it('changes name and favourite in every month', async () => {
    const home = await service.household();
    const { id } = itemNamed(await home.createMonth('2026-01'), 'Fuel');
    await home.createMonth('2026-02');
    assert.deepEqual(ok(await home.patch(`/items/${id}`, { name: ' Petrol ', favorite: true })), {
      id,
      name: 'Petrol',
      kind: 'expense',
      is_fund: false,
      favorite: true,
      fund_target: null,
    });
    for (const month of ['2026-01', '2026-02']) {
      assert.equal(itemNamed(await home.month(month), 'Petrol').favorite, true);
    }
  });

  it('changes nothing where nothing is sent or nothing differs', async () => {
    const home = await service.household();
    const { id } = (await home.createMonth('2026-01')).groups[0]!.items[0]!;
    const pay = { id, name: 'Paycheck', kind: 'income', is_fund: false, favorite: false, fund_target: null };
    for (const body of [
      undefined,
      {},
      { name: 'Paycheck', favorite: false, fund_target: null, is_fund: false },
    ]) {
      assert.deepEqual(ok(await home.patch(`/items/${id}`, body)), pay);
    }
  });

  it('sets and clears the target of a fund, from its opening month on', async () => {
    const home = await service.household();
    const id = await fundOf(home);
    const before = await home.createMonth('2025-12');
    assert.equal(itemNamed(before, 'Doctor').is_fund, false);
    const changed = ok(await home.patch<ItemIdentity>(`/items/${id}`, { fund_target: 50000 }));
    assert.deepEqual([changed.is_fund, changed.fund_target], [true, 50000]);
    assert.equal(itemNamed(await home.month('2026-01'), 'Doctor').fund_target, 50000);
    assert.equal(itemNamed(await home.month('2025-12'), 'Doctor').fund_target, null);
    assert.equal(ok(await home.patch<ItemIdentity>(`/items/${id}`, { fund_target: null })).fund_target, null);
    assert.equal(ok(await home.patch<ItemIdentity>(`/items/${id}`, { fund_target: 0 })).fund_target, 0);
  });

  it('ends a fund: it is a regular item in every month, its balance and target are gone', async () => {
    const home = await service.household();
    const id = await fundOf(home);
    ok(await home.patch(`/items/${id}`, { fund_target: 50000 }));
    ok(await home.post(`/months/2026-01/items/${id}/fund-balance`, { current_balance: 5 }));
    await home.plan('2026-01', { Doctor: 70 });
    const ended = ok(await home.patch<ItemIdentity>(`/items/${id}`, { is_fund: false, name: 'Dentist' }));
    assert.deepEqual(ended, {
      id,
      name: 'Dentist',
      kind: 'expense',
      is_fund: false,
      favorite: false,
      fund_target: null,
    });
    const { is_fund, fund, remaining, fund_target } = itemNamed(await home.month('2026-01'), 'Dentist');
    assert.deepEqual(
      { is_fund, fund, remaining, fund_target },
      {
        is_fund: false,
        fund: null,
        remaining: 70,
        fund_target: null,
      },
    );
    const again = itemNamed(await home.openFund('2026-01', id, 300), 'Dentist');
    assert.deepEqual(again.fund, { carry_in: 300, adjustments: [], ending: 370 });
  });

  it('refuses a target on what is, or by the call becomes, no fund', async () => {
    const home = await service.household();
    const id = await fundOf(home);
    const { id: fuel } = itemNamed(await home.month('2026-01'), 'Fuel');
    refused(await home.patch(`/items/${fuel}`, { fund_target: 5 }), 422, 'not_a_fund');
    refused(await home.patch(`/items/${id}`, { fund_target: 5, is_fund: false }), 422, 'not_a_fund');
    ok(await home.patch(`/items/${fuel}`, { fund_target: null }));
    assert.equal(itemNamed(await home.month('2026-01'), 'Doctor').is_fund, true);
  });

  it('refuses an item that is not there, or in no month any more', async () => {
    const home = await service.household();
    const missing = await home.patch(`/items/${NOWHERE}`, { name: 'X' });
    assert.deepEqual(refused(missing, 404, 'not_found'), { resource: 'item' });
    const { id } = itemNamed(await home.createMonth('2026-01'), 'Fuel');
    ok(await home.delete(`/months/2026-01/items/${id}`));
    refused(await home.patch(`/items/${id}`, { name: 'X' }), 404, 'not_found');
  });

  it('refuses fields that are not valid, is_fund: true among them', async () => {
    const home = await service.household();
    const bodies: readonly Record<string, unknown>[] = [
      { is_fund: true },
      { is_fund: null },
      { name: null },
      { favorite: null },
      { favorite: 'yes' },
      { fund_target: -1 },
      { fund_target: 1_000_000_000_000 },
      { fund_target: '5' },
      { planned: 5 },
    ];
    for (const body of bodies) {
      assert.deepEqual(invalid(await home.patch(`/items/${NOWHERE}`, body)), Object.keys(body));
    }
  });
});
