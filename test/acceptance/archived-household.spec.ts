import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import {
  freshId,
  groupNamed,
  invalid,
  itemNamed,
  NOWHERE,
  ok,
  refused,
  useService,
  type Household,
  type TransactionAnswer,
} from './household.scenario.js';

describe('an archived household', () => {
  const service = useService();
  let home: Household;
  let created: TransactionAnswer;
  let fuel = '';
  let food = '';

  const content = (fields: object = {}) => ({
    id: freshId(),
    type: 'expense',
    amount: 5,
    date: '2026-01-15',
    merchant: 'Shop',
    splits: [],
    ...fields,
  });

  before(async () => {
    home = await service.household();
    const month = await home.createMonth('2026-01');
    fuel = itemNamed(month, 'Fuel').id;
    food = groupNamed(month, 'Food').id;
    created = await home.spend({ amount: 5, splits: [{ item_id: fuel, amount: 5 }] });
    ok(await home.patch(`/households/${home.id}`, { archived: true }));
  });

  it('can be read', async () => {
    const month = await home.month('2026-01');
    assert.deepEqual([month], created.months);
    ok(await home.get('/months'));
    ok(await home.get('/merchants'));
    assert.deepEqual(await home.transaction(created.transaction.id), created.transaction);
    assert.deepEqual(await home.listAll({ view: 'tracked' }), [created.transaction.id]);
  });

  it('refuses every write, and records nothing', async () => {
    const item = `/months/2026-01/items/${fuel}`;
    const month = await home.month('2026-01');
    const order = month.groups.slice(1).map(({ id }) => id);
    const { id } = created.transaction;
    const { activity } = ok(await home.get<{ activity: { event_id: string }[] }>('/activity?limit=1'));
    const latest = activity[0]!.event_id;
    const writes: readonly [string, string, unknown?][] = [
      ['POST', '/months/2026-02'],
      ['POST', '/months/2026-01'],
      ['POST', '/months/2026-01/reset', { mode: 'zero' }],
      ['POST', '/months/2026-01/reset', { mode: 'replace' }],
      ['POST', '/months/2026-01/groups', { name: 'Travel' }],
      ['PATCH', `/groups/${food}`, { name: 'Eating' }],
      ['PATCH', `/groups/${food}`, {}],
      ['DELETE', `/months/2026-01/groups/${food}`],
      ['PUT', '/months/2026-01/group-order', { group_ids: order.toReversed() }],
      ['POST', `/months/2026-01/groups/${food}/items`, { name: 'Snacks' }],
      ['PATCH', `/items/${fuel}`, { name: 'Petrol' }],
      ['PATCH', item, { planned: 5 }],
      ['DELETE', item],
      ['PUT', `/months/2026-01/groups/${food}/item-order`, { item_ids: [] }],
      ['POST', `${item}/fund`, { current_balance: 5 }],
      ['POST', `${item}/fund-balance`, { current_balance: 5 }],
      ['POST', `${item}/harvest`],
      ['POST', '/transactions', content()],
      ['POST', '/transactions', content({ id })],
      ['PATCH', `/transactions/${id}`, { note: 'x' }],
      ['DELETE', `/transactions/${id}`],
      ['POST', `/transactions/${id}/restore`],
      ['POST', `/activity/${latest}/undo`],
    ];
    for (const [method, path, body] of writes) {
      const reply = await home.send(method, path, body);
      assert.deepEqual(refused(reply, 409, 'conflict'), { reason: 'archived' }, `${method} ${path}`);
    }
    assert.deepEqual(await home.month('2026-01'), month);
  });

  it('tells first what is not valid or not there', async () => {
    assert.deepEqual(invalid(await home.post('/months/2026-01/reset', { mode: 'all' })), ['mode']);
    assert.deepEqual(invalid(await home.post('/months/2026-01/groups', {})), ['name']);
    refused(await home.post('/months/2026-03/reset', { mode: 'zero' }), 404, 'not_found');
    refused(await home.patch(`/items/${NOWHERE}`, { name: 'X' }), 404, 'not_found');
    refused(await home.delete(`/transactions/${NOWHERE}`), 404, 'not_found');
    refused(await home.post(`/activity/${NOWHERE}/undo`), 404, 'not_found');
    const splits = [{ item_id: fuel, amount: 5 }];
    refused(await home.post('/transactions', content({ splits, budget_month: '2030-01' })), 404, 'not_found');
  });

  it('can be written again once it is active again', async () => {
    ok(await home.patch(`/households/${home.id}`, { archived: false }));
    ok(await home.post('/transactions', content()), 201);
  });
});
