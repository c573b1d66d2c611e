import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { MonthView } from '#projections/month-document';
import type { TransactionListResponse } from '../../libs/budget/src/transactions/list-transactions.js';
import { groupNamed, itemNamed, invalid, ok, useService, type Household } from './household.scenario.js';

describe('GET /merchants', () => {
  const service = useService();

  const merchants = async (home: Household): Promise<[string, string][]> => {
    const body = ok(await home.get<{ merchants: Record<string, string> }>('/merchants'));
    assert.deepEqual(Object.keys(body), ['merchants']);
    return Object.entries(body.merchants).sort(([a], [b]) => (a < b ? -1 : 1));
  };

  async function arranged() {
    const home = await service.household();
    const january = await home.createMonth('2026-01');
    const [fuel, food] = [itemNamed(january, 'Fuel').id, itemNamed(january, 'Groceries').id];
    const spend = (merchant: string, ...splits: [string, number][]) =>
      home.spend({
        merchant,
        amount: splits.reduce((sum, [, amount]) => sum + amount, 0) || 1,
        splits: splits.map(([item_id, amount]) => ({ item_id, amount })),
      });
    return { home, january, fuel, food, spend };
  }

  it('is empty without transactions, and for untracked ones', async () => {
    const { home, spend } = await arranged();
    assert.deepEqual(await merchants(home), []);
    await spend('Shop');
    assert.deepEqual(await merchants(home), []);
  });

  it('maps each merchant to the item of the largest split of the last transaction, ties to the first', async () => {
    const { home, fuel, food, spend } = await arranged();
    await spend('Shop', [fuel, 1], [food, 2]);
    await spend('Kiosk', [fuel, 5], [food, 5]);
    assert.deepEqual(await merchants(home), [
      ['Kiosk', fuel],
      ['Shop', food],
    ]);
    await spend('SHOP', [fuel, 9]);
    assert.deepEqual(await merchants(home), [
      ['Kiosk', fuel],
      ['SHOP', fuel],
    ]);
  });

  it('takes İ, I, ı and i for one letter, as a search does', async () => {
    const { home, fuel, food, spend } = await arranged();
    await spend('MİGROS', [fuel, 5]);
    await spend('Iki', [fuel, 5]);
    await spend('migros', [food, 5]);
    await spend('İki', [food, 5]);
    assert.deepEqual(await merchants(home), [
      ['migros', food],
      ['İki', food],
    ]);
    for (const q of ['MİGROS', 'migros', 'MIGROS', 'Mıgros', 'GROS']) {
      const found = await home.get<TransactionListResponse>(
        `/transactions?view=tracked&q=${encodeURIComponent(q)}`,
      );
      assert.deepEqual(
        ok(found).transactions.map(({ merchant }) => merchant),
        ['migros', 'MİGROS'],
        q,
      );
    }
  });

  it('learns from a change of splits or merchant, not from other changes', async () => {
    const { home, fuel, food, spend } = await arranged();
    const { transaction } = await spend('Shop', [fuel, 5]);
    await spend('Shop', [food, 5]);
    ok(await home.patch(`/transactions/${transaction.id}`, { note: 'x', date: '2026-01-20' }));
    assert.deepEqual(await merchants(home), [['Shop', food]]);
    ok(await home.patch(`/transactions/${transaction.id}`, { merchant: 'Stall' }));
    assert.deepEqual(await merchants(home), [
      ['Shop', food],
      ['Stall', fuel],
    ]);
    ok(await home.patch(`/transactions/${transaction.id}`, { splits: [{ item_id: food, amount: 5 }] }));
    assert.deepEqual(await merchants(home), [
      ['Shop', food],
      ['Stall', food],
    ]);
  });

  it('keeps what it learned when a transaction is deleted or untracked', async () => {
    const { home, fuel, food, spend } = await arranged();
    const { transaction } = await spend('Shop', [fuel, 5]);
    ok(await home.patch(`/transactions/${transaction.id}`, { splits: [] }));
    ok(await home.delete(`/transactions/${transaction.id}`));
    ok(await home.post(`/transactions/${transaction.id}/restore`));
    assert.deepEqual(await merchants(home), [['Shop', fuel]]);
    await spend('Stall', [food, 5]);
    ok(await home.delete(`/transactions/${transaction.id}`));
    assert.equal((await merchants(home)).length, 2);
  });

  it('leaves out items that are in no month, until they come back', async () => {
    const { home, january, fuel, spend } = await arranged();
    await spend('Shop', [fuel, 5]);
    await home.createMonth('2026-02');
    ok(await home.delete(`/months/2026-01/items/${fuel}`));
    assert.deepEqual(await merchants(home), [['Shop', fuel]]);
    ok(await home.delete(`/months/2026-02/items/${fuel}`));
    assert.deepEqual(await merchants(home), []);
    const group = groupNamed(january, 'Transportation').id;
    ok(await home.post<MonthView>(`/months/2026-01/groups/${group}/items`, { item_id: fuel }), 201);
    assert.deepEqual(await merchants(home), [['Shop', fuel]]);
  });

  it('takes any text as a merchant', async () => {
    const { home, fuel, spend } = await arranged();
    const names = [
      '__proto__',
      'constructor',
      'toString',
      '"quoted\\"',
      '7',
      '🛒',
      'Straße',
      'a|b',
      '}',
      '</script>',
    ];
    for (const name of names) await spend(name, [fuel, 5]);
    const reply = await home.get<{ merchants: object }>('/merchants');
    assert.equal(reply.headers.get('content-type'), 'application/json; charset=utf-8');
    assert.deepEqual(Object.keys(ok(reply).merchants).sort(), names.toSorted());
    await spend('STRASSE', [fuel, 5]);
    assert.equal((await merchants(home)).length, names.length);
  });

  it('shows no merchant of another household, and takes no parameters', async () => {
    const { home, fuel, spend } = await arranged();
    await spend('Shop', [fuel, 5]);
    assert.deepEqual(await merchants(await service.household()), []);
    assert.deepEqual(invalid(await home.get('/merchants?q=shop')), ['q']);
  });

  it('lists more merchants than are read at once', async () => {
    const { home, fuel, spend } = await arranged();
    for (let i = 0; i < 501; i++) await spend(`Shop ${i}`, [fuel, 1]);
    assert.equal((await merchants(home)).length, 501);
  });
});
