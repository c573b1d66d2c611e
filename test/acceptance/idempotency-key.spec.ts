import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { MonthView } from '#projections/month-document';
import {
  freshId,
  groupNamed,
  itemNamed,
  ok,
  refused,
  useService,
  type Reply,
  type TransactionAnswer,
} from './household.scenario.js';

describe('Idempotency-Key', () => {
  const service = useService();

  const replayed = <T>(reply: Reply<T>): T => {
    assert.equal(reply.headers.get('idempotent-replay'), 'true');
    return ok(reply);
  };

  it('adds a group, an item and a transaction once', async () => {
    const home = await service.household();
    const food = groupNamed(await home.createMonth('2026-01'), 'Food').id;
    const content = { type: 'expense', amount: 5, date: '2026-01-15', merchant: 'Shop', splits: [] };
    const writes: readonly [string, unknown][] = [
      ['/months/2026-01/groups', { name: 'Travel' }],
      [`/months/2026-01/groups/${food}/items`, { name: 'Snacks', planned: 5 }],
      ['/transactions', { id: freshId(), ...content }],
    ];
    for (const [index, [path, body]] of writes.entries()) {
      const key = { 'Idempotency-Key': `key-${index}` };
      ok(await home.post(path, body, key), 201);
      replayed(await home.post(path, body, key));
    }
    const month = await home.month('2026-01');
    assert.equal(month.groups.filter(({ name }) => name === 'Travel').length, 1);
    assert.equal(groupNamed(month, 'Food').items.filter(({ name }) => name === 'Snacks').length, 1);
    assert.equal(month.untracked_count, 1);
  });

  it('answers a repeated change with today’s state and no months', async () => {
    const home = await service.household();
    const { id: fuel } = itemNamed(await home.createMonth('2026-01'), 'Fuel');
    const { transaction } = await home.spend({ amount: 5, splits: [{ item_id: fuel, amount: 5 }] });
    const path = `/transactions/${transaction.id}`;
    const key = { 'Idempotency-Key': 'enlarge' };
    const first = ok(await home.patch<TransactionAnswer>(path, { amount: 9 }, key));
    assert.equal(first.months.length, 1);
    ok(await home.patch(path, { amount: 7 }));
    const again = replayed(await home.patch<TransactionAnswer>(path, { amount: 9 }, key));
    assert.deepEqual([again.transaction.amount, again.months, again.untracked_count], [7, [], 0]);
    ok(await home.delete(path, { 'Idempotency-Key': 'delete' }));
    ok(await home.post(`${path}/restore`));
    const deletedAgain = replayed(
      await home.delete<TransactionAnswer>(path, { 'Idempotency-Key': 'delete' }),
    );
    assert.equal(deletedAgain.transaction.status, 'tracked');
  });

  it('repeats a deletion, an order, a reset and changes of identities', async () => {
    const home = await service.household();
    const month = await home.createMonth('2026-01');
    const food = groupNamed(month, 'Food').id;
    const { id: fuel } = itemNamed(month, 'Fuel');
    const writes: readonly [string, string, unknown?][] = [
      ['PATCH', `/groups/${food}`, { name: 'Eating' }],
      ['PATCH', `/items/${fuel}`, { favorite: true }],
      ['POST', `/months/2026-01/items/${fuel}/fund`, { current_balance: 5 }],
      ['POST', `/months/2026-01/items/${fuel}/fund-balance`, { current_balance: 9 }],
      ['DELETE', `/months/2026-01/items/${fuel}`],
      ['DELETE', `/months/2026-01/groups/${food}`],
      ['POST', '/months/2026-01/reset', { mode: 'replace' }],
    ];
    for (const [index, [method, path, body]] of writes.entries()) {
      const key = { 'Idempotency-Key': `write-${index}` };
      const reply = await home.send(method, path, body, key);
      assert.equal(reply.headers.get('idempotent-replay'), null);
      ok(reply);
      replayed(await home.send(method, path, body, key));
    }
  });

  it('finds no month whose creation was undone since', async () => {
    const home = await service.household();
    const key = { 'Idempotency-Key': 'create' };
    ok(await home.post('/months/2026-01', undefined, key), 201);
    const { activity } = ok(await home.get<{ activity: { event_id: string }[] }>('/activity?limit=1'));
    ok(await home.post(`/activity/${activity[0]!.event_id}/undo`));
    refused(await home.post('/months/2026-01', undefined, key), 404, 'not_found');
  });

  it('compares what is asked for, not how it is written', async () => {
    const home = await service.household();
    const { id } = itemNamed(await home.createMonth('2026-01'), 'Fuel');
    const key = { 'Idempotency-Key': 'plan' };
    const path = `/months/2026-01/items/${id}`;
    ok(await home.patch(path, { planned: 5, note: 'x ' }, key));
    replayed(await home.patch(path, { note: 'x', planned: 5 }, key));
  });

  it('refuses the key for another command: other values, other path, other route', async () => {
    const home = await service.household();
    const month = await home.createMonth('2026-01');
    const [fuel, phone] = [itemNamed(month, 'Fuel').id, itemNamed(month, 'Phone').id];
    const key = { 'Idempotency-Key': 'once' };
    ok(await home.patch(`/months/2026-01/items/${fuel}`, { planned: 5 }, key));
    const others: readonly [string, string, unknown?][] = [
      ['PATCH', `/months/2026-01/items/${fuel}`, { planned: 6 }],
      ['PATCH', `/months/2026-01/items/${fuel}`, { planned: 5, note: 'x' }],
      ['PATCH', `/months/2026-01/items/${phone}`, { planned: 5 }],
      ['DELETE', `/months/2026-01/items/${fuel}`],
      ['POST', '/months/2026-02'],
    ];
    for (const [method, path, body] of others) {
      refused(await home.send(method, path, body, key), 409, 'idempotency_key_conflict');
    }
    refused(await home.get('/months/2026-02'), 404, 'not_found');
  });

  it('refuses the key for a change of the household itself after one of its budget, and the other way round', async () => {
    const home = await service.household();
    await home.createMonth('2026-01');
    const add = (key: string) =>
      home.post<object>('/months/2026-01/groups', { name: 'Travel' }, { 'Idempotency-Key': key });
    const rename = (key: string) =>
      home.patch<object>(`/households/${home.id}`, { name: 'Elm' }, { 'Idempotency-Key': key });
    for (const [key, first, second] of [
      ['a', add, rename],
      ['b', rename, add],
    ] as const) {
      assert.equal((await first(key)).headers.get('idempotent-replay'), null);
      refused(await second(key), 409, 'idempotency_key_conflict');
      replayed(await first(key));
    }
    const { groups } = await home.month('2026-01');
    assert.equal(groups.filter(({ name }) => name === 'Travel').length, 1);
  });

  it('belongs to a user in a household', async () => {
    const home = await service.household();
    const guest = await service.member(home, 'Grace');
    await home.createMonth('2026-01');
    const key = { 'Idempotency-Key': 'travel' };
    const post = (of: typeof home) => of.post<MonthView>('/months/2026-01/groups', { name: 'Travel' }, key);
    ok(await post(home), 201);
    const both = ok(await post(guest), 201);
    assert.equal(both.groups.filter(({ name }) => name === 'Travel').length, 2);
    const elsewhere = await service.household();
    await elsewhere.createMonth('2026-01');
    ok(await post(elsewhere), 201);
  });

  it('records once of twenty simultaneous calls', async () => {
    const home = await service.household();
    await home.createMonth('2026-01');
    const key = { 'Idempotency-Key': 'twenty' };
    const replies = await Promise.all(
      Array.from({ length: 20 }, () => home.post('/months/2026-01/groups', { name: 'Travel' }, key)),
    );
    assert.equal(replies.filter(({ status }) => status === 201).length, 1);
    assert.equal(replies.filter(({ status }) => status === 200).length, 19);
    const { groups } = await home.month('2026-01');
    assert.equal(groups.filter(({ name }) => name === 'Travel').length, 1);
  });

  it('keeps no key of a command that was refused', async () => {
    const home = await service.household();
    const key = { 'Idempotency-Key': 'again' };
    refused(await home.post('/months/2026-01/reset', { mode: 'zero' }, key), 404, 'not_found');
    await home.createMonth('2026-01');
    ok(await home.post('/months/2026-01/groups', { name: 'Travel' }, key), 201);
  });

  it('remembers a command that changed nothing, so that a late retry does not undo what others did', async () => {
    const home = await service.household();
    const { id: fuel, planned } = itemNamed(await home.createMonth('2026-01'), 'Fuel');
    const path = `/months/2026-01/items/${fuel}`;
    const key = { 'Idempotency-Key': 'plan' };
    const unchanged = await home.patch(path, { planned }, key);
    assert.equal(unchanged.headers.get('idempotent-replay'), null);
    ok(await home.patch(path, { planned: planned + 700 }));
    const late = replayed(await home.patch<MonthView>(path, { planned }, key));
    assert.equal(itemNamed(late, 'Fuel').planned, planned + 700);
    refused(await home.patch(path, { planned: 1 }, key), 409, 'idempotency_key_conflict');
    const rename = { name: 'Elm' };
    refused(await home.patch(`/households/${home.id}`, rename, key), 409, 'idempotency_key_conflict');
  });
});
