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
  type Reply,
  type TransactionAnswer,
} from './household.scenario.js';

describe('PATCH /transactions/{transactionId}', () => {
  const service = useService();

  const patch = (home: Household, id: string, body: unknown): Promise<Reply<TransactionAnswer>> =>
    home.patch<TransactionAnswer>(`/transactions/${id}`, body);

  /** A household with January, a tracked transaction of 100 on Fuel, and the ids of two items. */
  async function arranged() {
    const home = await service.household();
    const january = await home.createMonth('2026-01');
    const [fuel, food] = [itemNamed(january, 'Fuel').id, itemNamed(january, 'Groceries').id];
    const { transaction } = await home.spend({ amount: 100, splits: [{ item_id: fuel, amount: 100 }] });
    return { home, fuel, food, transaction, id: transaction.id };
  }

  it('changes what is sent, and says by whom and when', async () => {
    const { home, transaction, id } = await arranged();
    const location = { lat: 1, lng: 2, accuracy_m: 3 };
    const body = { merchant: ' Kiosk ', note: 'x', date: '2026-03-01', location };
    const { transaction: changed, months } = ok(await patch(home, id, body));
    assert.deepEqual(changed, {
      ...transaction,
      merchant: 'Kiosk',
      note: 'x',
      date: '2026-03-01',
      location,
      updated_by: home.user.id,
      updated_by_name: home.user.name,
      updated_at: changed.updated_at,
    });
    assert.ok(changed.updated_at >= transaction.updated_at);
    assert.deepEqual(months, []);
    assert.equal(changed.budget_month, '2026-01');
    const cleared = ok(await patch(home, id, { note: null, location: null })).transaction;
    assert.deepEqual([cleared.note, cleared.location], [null, null]);
    assert.deepEqual(await home.transaction(id), cleared);
  });

  it('records nothing where nothing changes', async () => {
    const { home, fuel, transaction, id } = await arranged();
    for (const body of [
      undefined,
      {},
      { merchant: 'Corner Shop ', amount: 100 },
      { splits: [{ item_id: fuel, amount: 100 }] },
      { budget_month: '2026-01', type: 'expense', location: null, note: '' },
    ]) {
      assert.deepEqual(ok(await patch(home, id, body)), { transaction, months: [], untracked_count: 0 });
    }
  });

  it('lets a single split follow the amount; several must be sent along', async () => {
    const { home, fuel, food, id } = await arranged();
    const bigger = ok(await patch(home, id, { amount: 250 }));
    assert.deepEqual(
      bigger.transaction.splits.map(({ amount }) => amount),
      [250],
    );
    assert.equal(itemNamed(bigger.months[0]!, 'Fuel').spent, 250);
    const splits = [
      { item_id: fuel, amount: 50 },
      { item_id: food, amount: 200 },
    ];
    const split = ok(await patch(home, id, { splits }));
    assert.equal(itemNamed(split.months[0]!, 'Groceries').spent, 200);
    assert.deepEqual(refused(await patch(home, id, { amount: 300 }), 422, 'splits_total_mismatch'), {
      amount: 300,
      splits_total: 250,
    });
    refused(await patch(home, id, { splits: [{ item_id: fuel, amount: 1 }] }), 422, 'splits_total_mismatch');
    ok(await patch(home, id, { amount: 60, splits: [{ item_id: food, amount: 60 }] }));
  });

  it('untracks by an empty list and tracks again', async () => {
    const { home, fuel, id } = await arranged();
    const untracked = ok(await patch(home, id, { splits: [] }));
    assert.deepEqual(
      [untracked.transaction.status, untracked.untracked_count, untracked.months.length],
      ['untracked', 1, 1],
    );
    assert.equal(itemNamed(untracked.months[0]!, 'Fuel').spent, 0);
    assert.equal(untracked.months[0]!.untracked_count, 1);
    const amount = ok(await patch(home, id, { amount: 70 }));
    assert.deepEqual(amount.transaction.splits, []);
    const tracked = ok(await patch(home, id, { splits: [{ item_id: fuel, amount: 70 }] }));
    assert.deepEqual([tracked.transaction.status, tracked.untracked_count], ['tracked', 0]);
  });

  it('turns an expense into a refund', async () => {
    const { home, id } = await arranged();
    const { months } = ok(await patch(home, id, { type: 'income' }));
    assert.equal(itemNamed(months[0]!, 'Fuel').spent, -100);
  });

  it('moves to another budget month with its splits, and answers both months', async () => {
    const { home, id } = await arranged();
    await home.createMonth('2026-02');
    const { months, transaction } = ok(await patch(home, id, { budget_month: '2026-02' }));
    assert.deepEqual(
      months.map(month => [month.month, itemNamed(month, 'Fuel').spent]),
      [
        ['2026-01', 0],
        ['2026-02', 100],
      ],
    );
    assert.equal(transaction.date, '2026-01-15');
  });

  it('refuses to move to a month without its items, or that does not exist', async () => {
    const { home, fuel, id } = await arranged();
    assert.deepEqual(refused(await patch(home, id, { budget_month: '2026-02' }), 422, 'item_not_in_month'), {
      item_id: fuel,
      month: '2026-02',
    });
    const body = { budget_month: '2026-02', splits: [{ item_id: fuel, amount: 100 }] };
    assert.deepEqual(refused(await patch(home, id, body), 404, 'not_found'), { resource: 'month' });
    ok(await patch(home, id, { budget_month: '2026-02', splits: [] }));
  });

  it('refuses items that are not in the month', async () => {
    const { home, id } = await arranged();
    const body = { splits: [{ item_id: NOWHERE, amount: 100 }] };
    assert.deepEqual(refused(await patch(home, id, body), 422, 'item_not_in_month'), {
      item_id: NOWHERE,
      month: '2026-01',
    });
  });

  it('answers every later month whose carry-in moved', async () => {
    const { home, fuel, id } = await arranged();
    await home.openFund('2026-01', fuel, 1000);
    for (const month of ['2026-02', '2026-03', '2026-04']) await home.createMonth(month);
    const { months } = ok(await patch(home, id, { amount: 1 }));
    assert.deepEqual(
      months.map(month => [month.month, itemNamed(month, 'Fuel').fund?.ending]),
      [
        ['2026-01', 999],
        ['2026-02', 999],
        ['2026-03', 999],
        ['2026-04', 999],
      ],
    );
  });

  it('refuses a deleted transaction before any other rule, and one that is not there', async () => {
    const { home, id } = await arranged();
    ok(await home.delete(`/transactions/${id}`));
    const body = { splits: [{ item_id: NOWHERE, amount: 3 }] };
    refused(await patch(home, id, body), 409, 'transaction_deleted');
    refused(await patch(home, id, {}), 409, 'transaction_deleted');
    assert.deepEqual(refused(await patch(home, NOWHERE, body), 404, 'not_found'), {
      resource: 'transaction',
    });
    const stranger = await service.stranger();
    refused(await patch(stranger, id, {}), 404, 'not_found');
  });

  it('refuses fields that are not valid', async () => {
    const home = await service.household();
    const bodies: readonly Record<string, unknown>[] = [
      { id: NOWHERE },
      { type: null },
      { amount: 0 },
      { amount: null },
      { date: null },
      { date: '2026-00-10' },
      { merchant: null },
      { merchant: '' },
      { splits: null },
      { budget_month: null },
      { note: 1 },
      { location: {} },
      { status: 'deleted' },
      { deleted_at: null },
    ];
    for (const body of bodies) {
      const [field] = Object.keys(body) as [string];
      const paths = invalid(await patch(home, NOWHERE, body));
      assert.ok(
        paths.every(path => path.startsWith(field)),
        `${field}: ${paths.join()}`,
      );
    }
    assert.deepEqual(invalid(await patch(home, 'x', {})), ['transactionId']);
  });
});
