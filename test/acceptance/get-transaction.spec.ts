import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { invalid, NOWHERE, ok, refused, useService } from './household.scenario.js';

describe('GET /transactions/{transactionId}', () => {
  const service = useService();

  it('answers exactly the fields of a transaction, in every status', async () => {
    const home = await service.household();
    const { transaction } = await home.spend({ amount: 100 });
    const fields = [
      'amount',
      'budget_month',
      'created_at',
      'created_by',
      'created_by_name',
      'date',
      'deleted_at',
      'id',
      'location',
      'merchant',
      'note',
      'splits',
      'status',
      'type',
      'updated_at',
      'updated_by',
      'updated_by_name',
    ];
    assert.deepEqual(Object.keys(await home.transaction(transaction.id)).sort(), fields);
    ok(await home.delete(`/transactions/${transaction.id}`));
    assert.deepEqual(Object.keys(await home.transaction(transaction.id)).sort(), fields);
  });

  it('refuses one that is not there or belongs to another household', async () => {
    const home = await service.household();
    const { transaction } = await home.spend({ amount: 100 });
    assert.deepEqual(refused(await home.get(`/transactions/${NOWHERE}`), 404, 'not_found'), {
      resource: 'transaction',
    });
    const stranger = await service.stranger();
    refused(await stranger.get(`/transactions/${transaction.id}`), 404, 'not_found');
    assert.deepEqual(invalid(await home.get('/transactions/x?full=1')), ['full', 'transactionId']);
  });
});
