import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { MonthView } from '#projections/month-document';
import type { TransactionView } from '#projections/transaction-document';
import {
  freshId,
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

interface BatchAnswer {
  readonly transactions: readonly TransactionView[];
  readonly replayed: readonly string[];
  readonly months: readonly MonthView[];
  readonly untracked_count: number;
}

interface Entry {
  readonly event_id: string;
  readonly revision: number;
  readonly type: string;
  readonly summary: string;
  readonly months: readonly string[];
  readonly transaction_id: string | null;
}

type Operation = Readonly<Record<string, unknown>>;

function creation(content: Operation = {}): Operation & { readonly id: string } {
  const id = freshId();
  const fields = { type: 'expense', amount: 500, date: '2026-01-15', merchant: 'Corner Shop', splits: [] };
  return { op: 'create', id, ...fields, ...content };
}

function batch(home: Household, operations: readonly Operation[], more: object = {}, headers = {}) {
  return home.post<BatchAnswer>('/transactions/batch', { operations, ...more }, headers);
}

async function activity(home: Household, path = '/activity'): Promise<readonly Entry[]> {
  return ok(await home.get<{ readonly activity: readonly Entry[] }>(path)).activity;
}

async function undo(
  home: Household,
  entry: Entry,
): Promise<Reply<{ event_id: string; transaction: unknown }>> {
  return home.post(`/activity/${entry.event_id}/undo`);
}

const isReplay = (reply: Reply<unknown>): boolean => reply.headers.get('idempotent-replay') === 'true';

describe('POST /transactions/batch', () => {
  const service = useService();

  it('creates, changes, deletes and restores, each on what the earlier ones left', async () => {
    const home = await service.household();
    const { id: fuel } = itemNamed(await home.createMonth('2026-01'), 'Fuel');
    const { transaction: known } = await home.spend({ amount: 7 });
    const created = creation({ splits: [{ item_id: fuel, amount: 500 }] });
    const other = creation();
    const answer = ok(
      await batch(home, [
        created,
        { op: 'change', id: created.id, amount: 900, note: 'more' },
        { op: 'delete', id: known.id },
        { op: 'restore', id: known.id },
        { op: 'change', id: known.id, merchant: 'Bakery' },
        other,
        { op: 'delete', id: other.id },
      ]),
    );
    assert.deepEqual(
      answer.transactions.map(({ id }) => id),
      [created.id, known.id, other.id],
    );
    const [first, second, third] = answer.transactions;
    assert.deepEqual([first!.amount, first!.note, first!.splits[0]!.amount], [900, 'more', 900]);
    assert.deepEqual([second!.status, second!.merchant], ['untracked', 'Bakery']);
    assert.equal(third!.status, 'deleted');
    assert.deepEqual([answer.replayed, answer.untracked_count], [[], 1]);
    assert.deepEqual(
      answer.months.map(({ month }) => month),
      ['2026-01'],
    );
    assert.deepEqual(answer.months[0], await home.month('2026-01'));
    for (const transaction of answer.transactions) {
      assert.deepEqual(transaction, await home.transaction(transaction.id));
    }
  });

  it('names the months whose figures differ before and after all of it', async () => {
    const home = await service.household();
    const { id: fuel } = itemNamed(await home.createMonth('2026-01'), 'Fuel');
    await home.createMonth('2026-02');
    await home.openFund('2026-01', fuel, 5_000);
    const splits = [{ item_id: fuel, amount: 500 }];
    const passing = creation({ splits });
    const none = ok(await batch(home, [passing, { op: 'delete', id: passing.id }]));
    assert.deepEqual(none.months, []);
    const both = ok(await batch(home, [creation({ splits })]));
    assert.deepEqual(
      both.months.map(({ month }) => month),
      ['2026-01', '2026-02'],
    );
    const [entry] = await activity(home);
    assert.deepEqual(entry!.months, ['2026-01', '2026-02']);
  });

  it('records nothing of a batch with one refused operation, and names that', async () => {
    const home = await service.household();
    const { id: fuel } = itemNamed(await home.createMonth('2026-01'), 'Fuel');
    const { transaction: known } = await home.spend({ amount: 7 });
    const before = await activity(home);
    const split = (item_id: string, amount: number) => ({ splits: [{ item_id, amount }] });
    const refusals: readonly [Operation, number, string, object][] = [
      [{ op: 'change', id: NOWHERE, note: 'x' }, 404, 'not_found', { resource: 'transaction' }],
      [{ op: 'delete', id: freshId() }, 404, 'not_found', { resource: 'transaction' }],
      [creation({ id: known.id }), 409, 'transaction_id_conflict', {}],
      [creation(split(fuel, 499)), 422, 'splits_total_mismatch', { amount: 500, splits_total: 499 }],
      [creation(split(NOWHERE, 500)), 422, 'item_not_in_month', { item_id: NOWHERE, month: '2026-01' }],
      [creation({ ...split(fuel, 500), budget_month: '2030-01' }), 404, 'not_found', { resource: 'month' }],
    ];
    for (const [operation, status, code, details] of refusals) {
      const operations = [
        creation(),
        { op: 'delete', id: known.id },
        operation,
        { op: 'delete', id: NOWHERE },
      ];
      assert.deepEqual(refused(await batch(home, operations), status, code), { ...details, index: 2 });
      refused(await home.get(`/transactions/${String(operations[0]!['id'])}`), 404, 'not_found');
    }
    const deletedBefore = [
      { op: 'delete', id: known.id },
      { op: 'change', id: known.id, note: 'x' },
    ];
    assert.deepEqual(refused(await batch(home, deletedBefore), 409, 'transaction_deleted'), { index: 1 });
    assert.deepEqual(await activity(home), before);
    assert.equal((await home.transaction(known.id)).status, 'untracked');
  });

  it('validates each operation as the call that it stands for', async () => {
    const home = await service.household();
    assert.deepEqual(invalid(await home.post('/transactions/batch', {})), ['operations']);
    assert.deepEqual(invalid(await batch(home, [])), ['operations']);
    const tooMany = Array.from({ length: 501 }, () => creation());
    assert.deepEqual(invalid(await batch(home, tooMany)), ['operations']);
    assert.deepEqual(invalid(await batch(home, [creation()], { skip: true })), ['skip']);
    const id = freshId();
    const wrong = [
      creation(),
      { ...creation(), amount: 0, splits: [{ item_id: 'x', amount: 1 }] },
      { op: 'create', id },
      { op: 'change', amount: 5 },
      { op: 'delete', id, note: 'x' },
      { op: 'restore', id: 'x' },
      { op: 'merge', id },
      { id },
      { op: 'toString', id },
    ];
    assert.deepEqual(invalid(await batch(home, wrong)), [
      'operations.1.amount',
      'operations.1.splits.0.item_id',
      'operations.2.amount',
      'operations.2.date',
      'operations.2.merchant',
      'operations.2.splits',
      'operations.2.type',
      'operations.3.id',
      'operations.4.note',
      'operations.5.id',
      'operations.6.op',
      'operations.7.op',
      'operations.8.op',
    ]);
    assert.deepEqual(invalid(await home.post('/transactions/batch', { operations: ['x', null] })), [
      'operations.0',
      'operations.1',
    ]);
  });

  it('lists creations that repeat what was recorded before', async () => {
    const home = await service.household();
    const [first, second, third] = [creation(), creation(), creation()];
    ok(await batch(home, [first, second]));
    ok(await home.patch(`/transactions/${second.id}`, { note: 'since' }));
    const mixed = await batch(home, [first, third, second]);
    assert.equal(isReplay(mixed), false);
    const { replayed, transactions } = ok(mixed);
    assert.deepEqual(replayed, [first.id, second.id]);
    assert.equal(transactions[2]!.note, 'since');
    const before = await activity(home);
    const again = await batch(home, [first, second, third]);
    assert.ok(isReplay(again));
    assert.deepEqual([ok(again).replayed, ok(again).months], [[first.id, second.id, third.id], []]);
    const notOnly = await batch(home, [first, { op: 'restore', id: second.id }]);
    assert.equal(isReplay(notOnly), false);
    assert.deepEqual(ok(notOnly).replayed, [first.id]);
    assert.deepEqual(await activity(home), before);
  });

  it('skips what is known, whatever its content, with `skip_known`', async () => {
    const home = await service.household();
    const [first, second] = [creation(), creation()];
    ok(await batch(home, [first]));
    const other = {
      ...first,
      merchant: 'Another',
      budget_month: '2031-01',
      splits: [{ item_id: NOWHERE, amount: 500 }],
    };
    assert.deepEqual(refused(await batch(home, [second, other]), 409, 'transaction_id_conflict'), {
      index: 1,
    });
    const { replayed, transactions } = ok(await batch(home, [second, other], { skip_known: true }));
    assert.deepEqual(replayed, [first.id]);
    assert.deepEqual(
      transactions.map(({ merchant }) => merchant),
      ['Corner Shop', 'Corner Shop'],
    );
    ok(await home.delete(`/transactions/${first.id}`));
    const skipped = await batch(home, [other, second], { skip_known: true });
    assert.ok(isReplay(skipped));
    assert.equal(ok(skipped).transactions[0]!.status, 'deleted');
  });

  it('creates the same transaction once within a batch', async () => {
    const home = await service.household();
    const one = creation();
    const { transactions, replayed } = ok(await batch(home, [one, one]));
    assert.deepEqual([transactions.length, replayed], [1, []]);
    const two = creation();
    const twice = [two, { ...two, amount: 900 }];
    assert.deepEqual(refused(await batch(home, twice), 409, 'transaction_id_conflict'), { index: 1 });
    assert.equal(ok(await batch(home, twice, { skip_known: true })).transactions[0]!.amount, 500);
  });

  it('records nothing where it changes nothing', async () => {
    const home = await service.household();
    const { transaction } = await home.spend({ amount: 7 });
    const before = await activity(home);
    const reply = await batch(home, [
      { op: 'change', id: transaction.id, amount: 7 },
      { op: 'restore', id: transaction.id },
    ]);
    assert.equal(isReplay(reply), false);
    assert.deepEqual(ok(reply), {
      transactions: [transaction],
      replayed: [],
      months: [],
      untracked_count: 1,
    });
    assert.deepEqual(await activity(home), before);
  });

  it('stands in the activity as one entry, and in the history of each transaction', async () => {
    const home = await service.household();
    const [first, second, third] = [creation(), creation(), creation()];
    ok(await batch(home, [first, second, third]));
    const [entry, ...others] = await activity(home);
    assert.deepEqual(others, []);
    assert.deepEqual([entry!.type, entry!.transaction_id], ['TransactionCreated', null]);
    assert.equal(entry!.summary, 'Ada Lovelace recorded 3 transactions.');
    ok(
      await batch(home, [
        { op: 'change', id: first.id, note: 'x' },
        { op: 'change', id: second.id, note: 'x' },
        { op: 'delete', id: third.id },
      ]),
    );
    const [changed] = await activity(home);
    assert.equal(changed!.summary, 'Ada Lovelace changed 2 transactions and deleted one.');
    for (const { id } of [first, second, third]) {
      const path = `/transactions/${id}/history`;
      const { history } = ok(await home.get<{ readonly history: readonly Entry[] }>(path));
      assert.deepEqual(history, [entry, changed]);
    }
  });

  it('names the transaction in the activity where all operations name one', async () => {
    const home = await service.household();
    const one = creation();
    ok(await batch(home, [one, { op: 'change', id: one.id, note: 'x' }]));
    const [entry] = await activity(home);
    assert.equal(entry!.transaction_id, one.id);
    const { transaction } = ok(await undo(home, entry!));
    assert.equal((transaction as TransactionView).status, 'deleted');
    const [undoing] = await activity(home);
    assert.equal(undoing!.transaction_id, one.id);
  });

  it('is undone and redone whole, also where it changed a transaction several times', async () => {
    const home = await service.household();
    const month = await home.createMonth('2026-01');
    const [fuel, phone] = [itemNamed(month, 'Fuel').id, itemNamed(month, 'Phone').id];
    const { transaction: known } = await home.spend({ amount: 7, splits: [{ item_id: fuel, amount: 7 }] });
    const before = await home.month('2026-01');
    const created = creation({ splits: [{ item_id: fuel, amount: 500 }] });
    const { transactions } = ok(
      await batch(home, [
        created,
        { op: 'change', id: created.id, amount: 900 },
        { op: 'change', id: created.id, merchant: 'Bakery', splits: [{ item_id: phone, amount: 900 }] },
        { op: 'change', id: known.id, amount: 9 },
        { op: 'delete', id: known.id },
      ]),
    );
    const after = await home.month('2026-01');
    const [entry] = await activity(home);
    const undone = ok(await undo(home, entry!));
    assert.equal(undone.transaction, null);
    assert.deepEqual(await home.month('2026-01'), before);
    const content = ({ amount, merchant, splits, status, deleted_at }: TransactionView) => {
      return { amount, merchant, splits, status, isDeleted: deleted_at !== null };
    };
    assert.deepEqual(content(await home.transaction(known.id)), content(known));
    const gone = await home.transaction(created.id);
    assert.deepEqual([gone.status, gone.amount], ['deleted', 500]);
    const [undoing] = await activity(home);
    ok(await undo(home, undoing!));
    assert.deepEqual(await home.month('2026-01'), after);
    for (const transaction of transactions) {
      assert.deepEqual(content(await home.transaction(transaction.id)), content(transaction));
    }
    const summaries = (await activity(home)).map(({ summary }) => summary);
    assert.equal(summaries.length, 5);
  });

  it('says in the activity what its undoing did', async () => {
    const home = await service.household();
    ok(await batch(home, [creation(), creation()]));
    ok(await undo(home, (await activity(home))[0]!));
    ok(await undo(home, (await activity(home))[0]!));
    assert.deepEqual(
      (await activity(home)).map(({ summary }) => summary),
      [
        'Ada Lovelace restored 2 transactions (undid their deletion).',
        'Ada Lovelace deleted 2 transactions (undid their addition).',
        'Ada Lovelace recorded 2 transactions.',
      ],
    );
  });

  it('is not undone where a later command changed one of its transactions', async () => {
    const home = await service.household();
    const [first, second] = [creation(), creation()];
    ok(await batch(home, [first, second]));
    ok(await home.patch(`/transactions/${second.id}`, { amount: 3 }));
    const [change, entry] = await activity(home);
    assert.deepEqual(refused(await undo(home, entry!), 409, 'undo_blocked'), {
      by_event_id: change!.event_id,
    });
  });

  it('repeats by its key what it recorded', async () => {
    const home = await service.household();
    const { id: fuel } = itemNamed(await home.createMonth('2026-01'), 'Fuel');
    const { transaction: known } = await home.spend({ amount: 7 });
    const operations = [
      creation({ splits: [{ item_id: fuel, amount: 500 }] }),
      { op: 'change', id: known.id, note: 'x' },
    ];
    const key = { 'Idempotency-Key': 'batch' };
    assert.equal(isReplay(await batch(home, operations, {}, key)), false);
    ok(await home.patch(`/transactions/${known.id}`, { note: 'later' }));
    const before = await activity(home);
    const again = await batch(home, operations, { skip_known: false }, key);
    assert.ok(isReplay(again));
    const { transactions, replayed, months } = ok(again);
    assert.deepEqual([replayed, months], [[operations[0]!.id], []]);
    assert.equal(transactions[1]!.note, 'later');
    refused(await batch(home, operations.slice(1), {}, key), 409, 'idempotency_key_conflict');
    refused(await batch(home, operations, { skip_known: true }, key), 409, 'idempotency_key_conflict');
    assert.deepEqual(await activity(home), before);
  });

  it('takes 500 operations at once', async () => {
    const home = await service.household();
    const operations = Array.from({ length: 500 }, () => creation());
    const answer = ok(await batch(home, operations));
    assert.deepEqual(
      answer.transactions.map(({ id }) => id),
      operations.map(({ id }) => id),
    );
    assert.equal(answer.untracked_count, 500);
    const [entry] = await activity(home);
    ok(await undo(home, entry!));
    assert.equal((await home.list({ view: 'untracked' })).transactions.length, 0);
    ok(await undo(home, (await activity(home))[0]!));
    assert.equal((await home.listAll({ view: 'untracked', limit: 200 })).length, 500);
    const last = operations.at(-1)!.id;
    const { history } = ok(
      await home.get<{ readonly history: readonly Entry[] }>(`/transactions/${last}/history`),
    );
    assert.equal(history.length, 3);
  });

  it('refuses what does not fit into one record, and says how many of the first ones do', async () => {
    const home = await service.household();
    const long = { note: '😀'.repeat(2_000), merchant: '😀'.repeat(200) };
    const operations = Array.from({ length: 500 }, () => creation(long));
    const details = refused(await batch(home, operations), 422, 'batch_too_large');
    const max = details['operations_max'] as number;
    assert.deepEqual(Object.keys(details), ['operations_max']);
    assert.ok(max > 80 && max < 200, `${max} operations`);
    const tooMany = refused(await batch(home, operations.slice(0, max + 1)), 422, 'batch_too_large');
    assert.equal(tooMany['operations_max'], max);
    ok(await batch(home, operations.slice(0, max)));
    ok(await undo(home, (await activity(home))[0]!));
    ok(await undo(home, (await activity(home))[0]!));
    const changes = operations.slice(0, max).map(({ id }) => ({ op: 'change', id, amount: 3 }));
    const ofChanges = refused(await batch(home, changes), 422, 'batch_too_large')['operations_max'] as number;
    ok(await batch(home, changes.slice(0, ofChanges)));
    ok(await undo(home, (await activity(home))[0]!));
    ok(await undo(home, (await activity(home))[0]!));
  });

  it('is not undone while its transactions have notes that are too long for one record', async () => {
    const home = await service.household();
    const operations = Array.from({ length: 100 }, () => creation());
    ok(await batch(home, operations));
    const changeAll = async (changes: object): Promise<void> => {
      const changing = operations.map(({ id }) => ({ op: 'change', id, ...changes }));
      ok(await batch(home, changing));
    };
    await changeAll({ amount: 3 });
    const [entry] = await activity(home);
    await changeAll({ note: '😀'.repeat(2_000) });
    const path = `/activity/${entry!.event_id}/undo`;
    refused(await home.post(path), 422, 'batch_too_large');
    refused(await home.post(`${path}?dry_run=true`), 422, 'batch_too_large');
    await changeAll({ note: null });
    ok(await home.post(path));
    assert.equal((await home.transaction(operations[99]!.id)).amount, 500);
  });

  it('refuses a body over 8 MiB', async () => {
    const home = await service.household();
    const note = 'x'.repeat(2_000);
    const operations = Array.from({ length: 500 }, () => creation({ note: note.repeat(9) }));
    const reply = await batch(home, operations);
    refused(reply, 413, 'payload_too_large');
    assert.equal(reply.error.message, 'The body is larger than 8 MiB.');
  });

  it('takes no other method, though a transaction could have its address', async () => {
    const home = await service.household();
    for (const method of ['GET', 'PATCH', 'DELETE', 'PUT']) {
      const reply = await home.send(method, '/transactions/batch', undefined);
      refused(reply, 405, 'method_not_allowed');
      assert.equal(reply.headers.get('allow'), 'POST');
    }
    const { secret } = ok(await home.post<{ secret: string }>('/tokens', { name: 'Counted' }), 201);
    const headers = { Authorization: `Bearer ${secret}` };
    const counted = await home.send('GET', '/transactions/batch', undefined, headers);
    refused(counted, 405, 'method_not_allowed');
    assert.equal(counted.headers.get('x-ratelimit-remaining'), '119');
  });

  it('tells followers once', async () => {
    const home = await service.household();
    const operations = Array.from({ length: 3 }, () => creation());
    ok(await batch(home, operations));
    const headers = {
      Authorization: `Bearer ${home.user.token}`,
      'X-Service-Household': home.id,
      'Last-Event-ID': '-1',
    };
    const ended = new AbortController();
    const { signal } = ended;
    const response = await fetch(`${home.service.origin}/v1/changes`, { headers, signal });
    let text = '';
    for await (const part of response.body!.pipeThrough(new TextDecoderStream())) {
      text += part;
      if (text.includes('data:') && text.endsWith('\n\n')) break;
    }
    ended.abort();
    const messages = [...text.matchAll(/^id: (\d+)\ndata: (.*)$/gm)];
    assert.deepEqual(
      messages.map(([, id, data]) => [id, JSON.parse(data!)]),
      [['2', { months: [], transactions: operations.map(({ id }) => id), untracked_count: 3 }]],
    );
  });

  it('is refused in an archived household, after what it names is looked for', async () => {
    const home = await service.household();
    ok(await home.patch(`/households/${home.id}`, { archived: true }));
    assert.equal(refused(await batch(home, [creation()]), 409, 'conflict')['reason'], 'archived');
    const unknown = refused(await batch(home, [{ op: 'delete', id: NOWHERE }]), 404, 'not_found');
    assert.deepEqual(unknown, { resource: 'transaction', index: 0 });
  });
});

describe('transactions that a batch named', () => {
  const service = useService();

  it('answer 200 to a repeated post', async () => {
    const home = await service.household();
    const { op, ...content } = creation();
    ok(await batch(home, [{ op, ...content }]));
    const reply = await home.post<TransactionAnswer>('/transactions', content);
    assert.ok(isReplay(reply));
    assert.equal(ok(reply).transaction.id, content.id);
  });
});
