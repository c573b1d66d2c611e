import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import type { MonthView } from '#projections/month-document';
import type { FundHistoryResponse } from '../../libs/budget/src/funds/get-fund-history.js';
import {
  invalid,
  itemNamed,
  NOWHERE,
  ok,
  refused,
  useService,
  type Household,
  type Reply,
} from './household.scenario.js';

/** The time on the service's clock, with nothing recorded at it before or after. */
async function moment(): Promise<string> {
  const start = Date.now();
  while (Date.now() <= start + 1) await pause(1);
  const now = new Date().toISOString();
  while (Date.now() <= Date.parse(now) + 1) await pause(1);
  return now;
}

describe('GET /months/{month}?as_of=', () => {
  const service = useService();

  it('shows every earlier state as it was answered then', async () => {
    const home = await service.household();
    const seen: (readonly [string, MonthView])[] = [];
    const note = async (): Promise<void> => {
      const view = await home.month('2026-01');
      seen.push([await moment(), view]);
    };
    const early = await moment();
    const { id } = itemNamed(await home.createMonth('2026-01'), 'Fuel');
    await note();
    ok(await home.patch(`/months/2026-01/items/${id}`, { planned: 5, note: 'Cheap' }));
    await note();
    ok(await home.patch(`/items/${id}`, { name: 'Diesel', favorite: true }));
    await note();
    await home.spend({ amount: 5 });
    await home.openFund('2026-01', id, 100);
    await note();
    ok(await home.delete(`/months/2026-01/items/${id}`));
    for (const [at, view] of seen) {
      assert.deepEqual(ok(await home.get(`/months/2026-01?as_of=${at}`)), view);
    }
    const later = ok(await home.get(`/months/2026-01?as_of=9999-12-31T23:59:59.999Z`));
    assert.deepEqual(later, await home.month('2026-01'));
    refused(await home.get(`/months/2026-01?as_of=${early}`), 404, 'not_found');
    refused(await home.get(`/months/2026-02?as_of=${seen[0]![0]}`), 404, 'not_found');
  });

  it('takes a time of any offset, and a date as its end', async () => {
    const home = await service.household();
    const before = await moment();
    await home.createMonth('2026-01');
    const after = await moment();
    const there = (utc: string): string =>
      new Date(Date.parse(utc) + 5.5 * 3_600_000).toISOString().replace('Z', '+05:30');
    const at = (asOf: string): Promise<Reply<unknown>> => home.get(`/months/2026-01?as_of=${asOf}`);
    const today = after.slice(0, 10);
    // A client may leave the `+` as it is: it then means a space.
    for (const asOf of [encodeURIComponent(there(after)), there(after), today]) ok(await at(asOf));
    for (const asOf of [encodeURIComponent(there(before)), there(before), '2020-02-29']) {
      refused(await at(asOf), 404, 'not_found');
    }
  });

  it('refuses what is no time', async () => {
    const home = await service.household();
    assert.deepEqual(invalid(await home.get('/months/2026-01?as_of=yesterday')), ['as_of']);
    assert.deepEqual(invalid(await home.get('/months/2026-01?asof=2026-01-01T00:00:00Z')), ['asof']);
  });
});

describe('GET /items/{itemId}/fund-history', () => {
  const service = useService();

  const historyOf = async (home: Household, itemId: string, query = ''): Promise<FundHistoryResponse> =>
    ok(await home.get<FundHistoryResponse>(`/items/${itemId}/fund-history${query}`));
  const told = ({ entries }: FundHistoryResponse): unknown[] =>
    entries.map(({ month, kind, amount, balance }) => [month, kind, amount, balance]);

  it('tells the worked example', async () => {
    const home = await service.household();
    const month = await home.createMonth('2026-01');
    const [car, food] = [itemNamed(month, 'Car').id, itemNamed(month, 'Groceries').id];
    await home.plan('2026-01', { Car: 5000 });
    await home.openFund('2026-01', car, 20000);
    const splits = [
      { item_id: food, amount: 3000 },
      { item_id: car, amount: 1500 },
    ];
    const { transaction } = await home.spend({ amount: 4500, splits });
    await home.createMonth('2026-02');
    const beforeAll = await moment();
    ok(await home.post(`/months/2026-02/items/${car}/fund-balance`, { current_balance: 30000 }));
    ok(await home.delete(`/transactions/${transaction.id}`));
    await home.plan('2026-02', { Car: 6000 });
    ok(await home.delete(`/months/2026-02/items/${car}`));
    const middle = await moment();
    ok(await home.patch(`/items/${car}`, { is_fund: false, name: 'Van' }));

    const all = await historyOf(home, car);
    assert.deepEqual(told(all), [
      ['2026-01', 'opened', 25000, 25000],
      ['2026-01', 'spent', -1500, 23500],
      ['2026-02', 'laid_out', 5000, 28500],
      ['2026-02', 'adjusted', 1500, 30000],
      ['2026-01', 'spent', 1500, 25000],
      ['2026-02', 'planned', 1000, 32500],
      ['2026-02', 'removed', -7500, 25000],
      ['2026-01', 'closed', -25000, 0],
    ]);
    assert.equal(
      all.entries.reduce((sum, { amount }) => sum + amount, 0),
      0,
    );
    assert.equal(all.name, 'Van');
    assert.ok(all.entries.every(({ by, by_name }) => by === home.user.id && by_name === 'Ada Lovelace'));

    const then = await historyOf(home, car, `?as_of=${middle}`);
    assert.deepEqual([then.name, then.entries], ['Car', all.entries.slice(0, 7)]);
    assert.deepEqual((await historyOf(home, car, `?to=${middle}`)).entries, all.entries.slice(0, 7));
    assert.deepEqual((await historyOf(home, car, `?from=${beforeAll}`)).entries, all.entries.slice(3));
    const { at } = all.entries[3]!;
    const both = await historyOf(home, car, `?from=${at}&to=${at}`);
    assert.ok(both.entries.some(({ kind }) => kind === 'adjusted'));
    const [first, last] = [all.entries[0]!.at.slice(0, 10), all.entries.at(-1)!.at.slice(0, 10)];
    const days = await historyOf(home, car, `?from=${first}&to=${last}&as_of=${last}`);
    assert.deepEqual(days.entries, all.entries);
    const offset = await historyOf(home, car, `?to=${middle.replace('Z', '+00:00')}`);
    assert.deepEqual(offset.entries, all.entries.slice(0, 7));
    assert.deepEqual((await historyOf(home, car, '?from=9999-12-31')).entries, []);
    assert.deepEqual((await historyOf(home, car, '?to=2020-02-29')).entries, []);
    refused(await home.get(`/items/${car}/fund-history?as_of=2020-01-01T00:00:00Z`), 404, 'not_found');
  });

  it('has none for an item that was never a fund, or that is not there', async () => {
    const home = await service.household();
    const { id } = itemNamed(await home.createMonth('2026-01'), 'Fuel');
    refused(await home.get(`/items/${id}/fund-history`), 422, 'not_a_fund');
    const details = refused(await home.get(`/items/${NOWHERE}/fund-history`), 404, 'not_found');
    assert.deepEqual(details, { resource: 'item' });
    assert.deepEqual(invalid(await home.get(`/items/${id}/fund-history?from=x&to=y`)), ['from', 'to']);
  });
});
