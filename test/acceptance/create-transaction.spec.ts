import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  freshId,
  invalid,
  itemNamed,
  NOWHERE,
  ok,
  refused,
  useService,
  type ErrorBody,
  type Household,
  type Reply,
  type TransactionAnswer,
} from './household.scenario.js';

describe('POST /transactions', () => {
  const service = useService();

  const post = (home: Household, body: unknown, headers = {}): Promise<Reply<TransactionAnswer>> =>
    home.post<TransactionAnswer>('/transactions', body, headers);

  const content = (fields: object = {}) => ({
    id: freshId(),
    type: 'expense',
    amount: 4500,
    date: '2026-01-15',
    merchant: 'Corner Shop',
    splits: [] as unknown[],
    ...fields,
  });

  it('creates an untracked transaction, also where its month does not exist yet', async () => {
    const home = await service.household();
    const body = content({ merchant: '  Café de\u0301jà vu ' });
    const reply = await post(home, body);
    const { transaction, months, untracked_count } = ok(reply, 201);
    const { created_at, updated_at, ...rest } = transaction;
    assert.match(created_at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    assert.equal(updated_at, created_at);
    assert.deepEqual(rest, {
      id: body.id,
      type: 'expense',
      amount: 4500,
      date: '2026-01-15',
      merchant: 'Café déjà vu',
      note: null,
      budget_month: '2026-01',
      splits: [],
      status: 'untracked',
      deleted_at: null,
      location: null,
      created_by: home.user.id,
      created_by_name: home.user.name,
      updated_by: null,
      updated_by_name: null,
    });
    assert.deepEqual([months, untracked_count], [[], 1]);
    assert.deepEqual(await home.transaction(body.id), transaction);
    assert.equal(reply.headers.get('idempotent-replay'), null);
  });

  it('and every other write of a transaction answer JSON, also a repetition and a refusal', async () => {
    const home = await service.household();
    const body = content();
    const path = `/transactions/${body.id}`;
    const replies = [
      [await post(home, body), 201],
      [await post(home, body), 200],
      [await post(home, { ...body, amount: 1 }), 409],
      [await home.patch(path, { note: 'later' }), 200],
      [await home.delete(path), 200],
      [await home.post(`${path}/restore`), 200],
    ] as const;
    for (const [{ status, headers }, expected] of replies) {
      assert.deepEqual([status, headers.get('content-type')], [expected, 'application/json; charset=utf-8']);
    }
  });

  it('creates a tracked transaction and answers its month', async () => {
    const home = await service.household();
    const january = await home.createMonth('2026-01');
    const [fuel, food] = [itemNamed(january, 'Fuel'), itemNamed(january, 'Groceries')];
    const splits = [
      { item_id: food.id, amount: 3000 },
      { item_id: fuel.id, amount: 1500 },
    ];
    const location = { lat: 52.5163, lng: -13.3777, accuracy_m: 12.5 };
    const body = content({
      splits,
      location,
      note: ' two\nlines ',
      date: '2026-02-28',
      budget_month: '2026-01',
    });
    const { transaction, months, untracked_count } = ok(await post(home, body), 201);
    assert.equal(transaction.status, 'tracked');
    assert.deepEqual(transaction.splits, [
      { item_id: food.id, amount: 3000, item_name: 'Groceries' },
      { item_id: fuel.id, amount: 1500, item_name: 'Fuel' },
    ]);
    assert.deepEqual(
      [transaction.location, transaction.note, transaction.budget_month],
      [location, 'two\nlines', '2026-01'],
    );
    assert.equal(untracked_count, 0);
    assert.deepEqual(months, [await home.month('2026-01')]);
    assert.equal(itemNamed(months[0]!, 'Fuel').spent, 1500);
  });

  it('answers no month for an untracked transaction of a month that exists', async () => {
    const home = await service.household();
    await home.createMonth('2026-01');
    assert.deepEqual((await home.spend({ amount: 5 })).months, []);
  });

  it('shows present names of items and users', async () => {
    const home = await service.household();
    const guest = await service.member(home, 'Grace');
    const { id } = itemNamed(await home.createMonth('2026-01'), 'Fuel');
    const { transaction } = await guest.spend({ amount: 5, splits: [{ item_id: id, amount: 5 }] });
    ok(await home.patch(`/transactions/${transaction.id}`, { note: 'x' }));
    ok(await guest.patch('/me', { name: 'Grace Hopper' }));
    ok(await home.patch(`/items/${id}`, { name: 'Petrol' }));
    const seen = await home.transaction(transaction.id);
    assert.equal(seen.splits[0]?.item_name, 'Petrol');
    assert.deepEqual(
      [seen.created_by, seen.created_by_name, seen.updated_by, seen.updated_by_name],
      [guest.user.id, 'Grace Hopper', home.user.id, home.user.name],
    );
    assert.deepEqual((await home.list({ view: 'tracked' })).transactions, [seen]);
    const { transaction: changed } = ok(
      await home.patch<TransactionAnswer>(`/transactions/${transaction.id}`, { note: null }),
    );
    assert.equal(changed.created_by_name, 'Grace Hopper');
  });

  it('answers the same post again with the transaction as it is now, and records nothing', async () => {
    const home = await service.household();
    const { id } = itemNamed(await home.createMonth('2026-01'), 'Fuel');
    const body = content({ splits: [{ item_id: id, amount: 4500 }] });
    const first = ok(await post(home, body), 201);
    const same = { ...body, merchant: ' Corner Shop  ', note: '', location: null, budget_month: '2026-01' };
    const again = await post(home, same);
    assert.equal(again.headers.get('idempotent-replay'), 'true');
    assert.deepEqual(ok(again), { ...first, months: [] });
    const changed = ok(
      await home.patch<TransactionAnswer>(`/transactions/${body.id}`, { merchant: 'Elsewhere', splits: [] }),
    );
    assert.deepEqual(ok(await post(home, body)), { ...changed, months: [] });
    ok(await home.delete(`/months/2026-01/items/${id}`));
    ok(await home.delete(`/transactions/${body.id}`));
    assert.equal(ok(await post(home, body)).transaction.status, 'deleted');
    assert.deepEqual(await home.listAll({ view: 'deleted' }), [body.id]);
  });

  it('refuses the same id with other content', async () => {
    const home = await service.household();
    const body = content({ note: 'a' });
    ok(await post(home, body), 201);
    const others = [
      { amount: 1 },
      { type: 'income' },
      { date: '2026-01-16' },
      { merchant: 'corner shop' },
      { note: 'A' },
      { budget_month: '2026-02' },
      { location: { lat: 0, lng: 0, accuracy_m: 0 } },
      { splits: [{ item_id: NOWHERE, amount: 4500 }] },
    ];
    for (const other of others) {
      refused(await post(home, { ...body, ...other }), 409, 'transaction_id_conflict');
    }
    const elsewhere = await service.household();
    assert.equal((await post(elsewhere, { ...body, amount: 1 })).status, 201);
  });

  it('records once of twenty simultaneous posts of one id', async () => {
    const home = await service.household();
    const { id } = itemNamed(await home.createMonth('2026-01'), 'Fuel');
    const body = content({ splits: [{ item_id: id, amount: 4500 }] });
    const replies = await Promise.all(Array.from({ length: 20 }, () => post(home, body)));
    const statuses = replies.map(({ status }) => status).sort();
    assert.deepEqual(statuses, [...Array<number>(19).fill(200), 201]);
    for (const { status, headers, body: answer } of replies) {
      assert.equal(headers.get('idempotent-replay'), status === 200 ? 'true' : null);
      assert.equal(answer.transaction.id, body.id);
    }
    assert.equal(itemNamed(await home.month('2026-01'), 'Fuel').spent, 4500);
    assert.deepEqual(await home.listAll({ view: 'tracked' }), [body.id]);
  });

  it('lets one of twenty simultaneous posts of one id with different content win', async () => {
    const home = await service.household();
    const body = content();
    const replies = await Promise.all(
      Array.from({ length: 20 }, (_, i) => post(home, { ...body, amount: i + 1 })),
    );
    assert.equal(replies.filter(({ status }) => status === 201).length, 1);
    for (const reply of replies) if (reply.status !== 201) refused(reply, 409, 'transaction_id_conflict');
  });

  it('needs the month and its items for splits, and their total', async () => {
    const home = await service.household();
    const splits = [{ item_id: NOWHERE, amount: 4500 }];
    assert.deepEqual(refused(await post(home, content({ splits })), 404, 'not_found'), { resource: 'month' });
    const january = await home.createMonth('2026-01');
    assert.deepEqual(refused(await post(home, content({ splits })), 422, 'item_not_in_month'), {
      item_id: NOWHERE,
      month: '2026-01',
    });
    const short = [{ item_id: itemNamed(january, 'Fuel').id, amount: 4499 }];
    assert.deepEqual(refused(await post(home, content({ splits: short })), 422, 'splits_total_mismatch'), {
      amount: 4500,
      splits_total: 4499,
    });
    assert.equal((await home.list({ view: 'tracked' })).transactions.length, 0);
  });

  it('refuses fields that are not valid, each by its path', async () => {
    const home = await service.household();
    const split = { item_id: NOWHERE, amount: 4500 };
    const cases: readonly [object, string[]][] = [
      [{ id: 'x' }, ['id']],
      [{ id: NOWHERE.toLowerCase() }, ['id']],
      [{ id: undefined }, ['id']],
      [{ type: 'transfer' }, ['type']],
      [{ type: undefined }, ['type']],
      [{ amount: 0 }, ['amount']],
      [{ amount: -5 }, ['amount']],
      [{ amount: 1_000_000_000_000 }, ['amount']],
      [{ amount: 12.5 }, ['amount']],
      [{ amount: '4500' }, ['amount']],
      [{ amount: null }, ['amount']],
      [{ amount: undefined }, ['amount']],
      [{ date: '2026-02-30' }, ['date']],
      [{ date: '2026-1-1' }, ['date']],
      [{ date: '2026-01-15T00:00:00Z' }, ['date']],
      [{ date: '2025-02-29' }, ['date']],
      [{ date: undefined }, ['date']],
      [{ merchant: '' }, ['merchant']],
      [{ merchant: ' \t ' }, ['merchant']],
      [{ merchant: 'a\nb' }, ['merchant']],
      [{ merchant: 'x'.repeat(201) }, ['merchant']],
      [{ merchant: null }, ['merchant']],
      [{ merchant: '\udc00' }, ['merchant']],
      [{ splits: undefined }, ['splits']],
      [{ splits: null }, ['splits']],
      [{ splits: {} }, ['splits']],
      [{ splits: [null] }, ['splits.0']],
      [{ splits: [split, split] }, ['splits']],
      [{ splits: [{ ...split, amount: 0 }] }, ['splits.0.amount']],
      [{ splits: [{ ...split, amount: -4500 }] }, ['splits.0.amount']],
      [{ splits: [{ item_id: 'fuel', amount: 4500, share: 1 }] }, ['splits.0.item_id', 'splits.0.share']],
      [{ splits: [{}] }, ['splits.0.amount', 'splits.0.item_id']],
      [{ splits: Array.from({ length: 101 }, () => ({ item_id: freshId(), amount: 1 })) }, ['splits']],
      [{ note: 'x'.repeat(2001) }, ['note']],
      [{ note: 5 }, ['note']],
      [{ budget_month: '2026-13' }, ['budget_month']],
      [{ budget_month: null }, ['budget_month']],
      [
        { location: { lat: 91, lng: -181, accuracy_m: -1 } },
        ['location.accuracy_m', 'location.lat', 'location.lng'],
      ],
      [{ location: { lat: 0, lng: 0 } }, ['location.accuracy_m']],
      [{ location: { lat: 0, lng: 0, accuracy_m: 1_000_001 } }, ['location.accuracy_m']],
      [{ location: { lat: '0', lng: 0, accuracy_m: 0 } }, ['location.lat']],
      [{ location: { lat: 0, lng: 0, accuracy_m: 0, alt: 1 } }, ['location.alt']],
      [{ location: [] }, ['location']],
      [{ status: 'tracked' }, ['status']],
    ];
    for (const [fields, paths] of cases) {
      assert.deepEqual(invalid(await post(home, content(fields))), paths, JSON.stringify(fields));
    }
    assert.deepEqual(invalid(await post(home, undefined)).length, 6);
    assert.deepEqual((await home.list({ view: 'untracked' })).untracked_count, 0);
  });

  it('takes the limits: greatest amount, longest merchant, a hundred splits, first and last day', async () => {
    const home = await service.household();
    const { group_id } = itemNamed(await home.createMonth('2026-01'), 'Fuel');
    const items: string[] = [];
    for (let i = 0; i < 100; i++) {
      const path = `/months/2026-01/groups/${group_id}/items`;
      const added = ok(
        await home.post<{ groups: { id: string; items: { id: string }[] }[] }>(path, { name: 'X' }),
        201,
      );
      items.push(added.groups.find(({ id }) => id === group_id)!.items.at(-1)!.id);
    }
    const splits = items.map(item_id => ({ item_id, amount: 1 }));
    ok(await post(home, content({ amount: 100, splits })), 201);
    ok(await post(home, content({ amount: 999_999_999_999, merchant: '🛒'.repeat(200) })), 201);
    for (const date of ['0001-01-01', '9999-12-31', '2024-02-29'])
      ok(await post(home, content({ date })), 201);
  });

  it('refuses another body than a JSON object', async () => {
    const home = await service.household();
    const send = async (body: string, type = 'application/json') => {
      const response = await fetch(`${home.service.origin}/v1/transactions`, {
        method: 'POST',
        headers: { 'Content-Type': type, Authorization: `Bearer ${home.user.token}` },
        body,
      });
      const { code } = (await response.json()) as ErrorBody;
      return [response.status, code];
    };
    assert.deepEqual(await send('{"id":'), [400, 'invalid_json']);
    for (const body of ['[]', 'null', '"text"', '7']) {
      assert.deepEqual(await send(body), [422, 'validation_failed']);
    }
    assert.deepEqual(await send('{}', 'text/plain'), [415, 'unsupported_media_type']);
    const large = `{"merchant":"${'x'.repeat(1_100_000)}"}`;
    assert.deepEqual(await send(large), [413, 'payload_too_large']);
  });
});
