import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  invalid,
  itemNamed,
  NOWHERE,
  ok,
  refused,
  useService,
  type TransactionAnswer,
} from './household.scenario.js';

describe('DELETE /transactions/{transactionId}', () => {
  const service = useService();

  it('deletes softly: the figures go, the transaction with its splits stays readable', async () => {
    const home = await service.household();
    const { id: fuel } = itemNamed(await home.createMonth('2026-01'), 'Fuel');
    const { transaction } = await home.spend({ amount: 100, splits: [{ item_id: fuel, amount: 100 }] });
    const deleted = ok(await home.delete<TransactionAnswer>(`/transactions/${transaction.id}`));
    assert.equal(deleted.transaction.status, 'deleted');
    assert.match(deleted.transaction.deleted_at!, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    assert.deepEqual(deleted.transaction.splits, transaction.splits);
    assert.equal(deleted.transaction.updated_by, home.user.id);
    assert.deepEqual(deleted.months, [await home.month('2026-01')]);
    assert.equal(itemNamed(deleted.months[0]!, 'Fuel').spent, 0);
    assert.deepEqual(await home.transaction(transaction.id), deleted.transaction);
    assert.deepEqual(await home.listAll({ view: 'tracked' }), []);
    assert.deepEqual(await home.listAll({ view: 'deleted' }), [transaction.id]);
  });

  it('lowers the untracked count for an untracked one', async () => {
    const home = await service.household();
    const { transaction } = await home.spend({ amount: 100 });
    const { untracked_count, months } = ok(
      await home.delete<TransactionAnswer>(`/transactions/${transaction.id}`),
    );
    assert.deepEqual([untracked_count, months], [0, []]);
  });

  it('changes nothing where it is deleted already', async () => {
    const home = await service.household();
    const { transaction } = await home.spend({ amount: 100 });
    const first = ok(await home.delete(`/transactions/${transaction.id}`));
    assert.deepEqual(ok(await home.delete(`/transactions/${transaction.id}`)), first);
  });

  it('refuses one that is not there, and malformed ids', async () => {
    const home = await service.household();
    assert.deepEqual(refused(await home.delete(`/transactions/${NOWHERE}`), 404, 'not_found'), {
      resource: 'transaction',
    });
    assert.deepEqual(invalid(await home.delete('/transactions/x')), ['transactionId']);
  });
});
