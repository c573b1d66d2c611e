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
  type TransactionAnswer,
} from './household.scenario.js';

describe('POST /transactions/{transactionId}/restore', () => {
  const service = useService();

  const restore = (home: Household, id: string) =>
    home.post<TransactionAnswer>(`/transactions/${id}/restore`);

  async function deleted() {
    const home = await service.household();
    const january = await home.createMonth('2026-01');
    const [fuel, food] = [itemNamed(january, 'Fuel').id, itemNamed(january, 'Groceries').id];
    const splits = [
      { item_id: fuel, amount: 40 },
      { item_id: food, amount: 60 },
    ];
    const { transaction } = await home.spend({ amount: 100, splits });
    ok(await home.delete(`/transactions/${transaction.id}`));
    return { home, fuel, food, transaction, id: transaction.id };
  }

  it('brings it back with its splits', async () => {
    const { home, transaction, id } = await deleted();
    const restored = ok(await restore(home, id));
    assert.deepEqual(
      [restored.transaction.status, restored.transaction.deleted_at, restored.untracked_count],
      ['tracked', null, 0],
    );
    assert.deepEqual(restored.transaction.splits, transaction.splits);
    assert.deepEqual(restored.months, [await home.month('2026-01')]);
    assert.equal(itemNamed(restored.months[0]!, 'Fuel').spent, 40);
    assert.deepEqual(await home.listAll({ view: 'deleted' }), []);
  });

  it('drops splits whose item left the month; it stays partly split until the splits are set', async () => {
    const { home, fuel, food, id } = await deleted();
    ok(await home.delete(`/months/2026-01/items/${fuel}`));
    const restored = ok(await restore(home, id)).transaction;
    assert.deepEqual(restored.splits, [{ item_id: food, amount: 60, item_name: 'Groceries' }]);
    assert.deepEqual([restored.status, restored.amount], ['tracked', 100]);
    const noted = ok(await home.patch<TransactionAnswer>(`/transactions/${id}`, { note: 'x' })).transaction;
    assert.deepEqual(noted.splits, restored.splits);
  });

  it('is untracked where no split is left', async () => {
    const { home, id } = await deleted();
    ok(await home.delete(`/months/2026-01/items/${itemNamed(await home.month('2026-01'), 'Fuel').id}`));
    ok(await home.delete(`/months/2026-01/items/${itemNamed(await home.month('2026-01'), 'Groceries').id}`));
    const { transaction, months, untracked_count } = ok(await restore(home, id));
    assert.deepEqual(
      [transaction.status, transaction.splits, months, untracked_count],
      ['untracked', [], [], 1],
    );
  });

  it('changes nothing on a live one', async () => {
    const { home, id } = await deleted();
    const restored = ok(await restore(home, id));
    assert.deepEqual(ok(await restore(home, id)), { ...restored, months: [] });
  });

  it('refuses one that is not there, and malformed ids', async () => {
    const home = await service.household();
    assert.deepEqual(refused(await restore(home, NOWHERE), 404, 'not_found'), { resource: 'transaction' });
    assert.deepEqual(invalid(await restore(home, 'x')), ['transactionId']);
  });
});
