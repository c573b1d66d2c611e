import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { assertDescribed } from './described.scenario.js';
import {
  freshId,
  Household,
  invalid,
  itemNamed,
  NOBODY,
  ok,
  refused,
  useService,
  type ErrorBody,
  type Reply,
} from './household.scenario.js';

interface Operation {
  readonly op: 'create';
  readonly id: string;
  readonly type: string;
  readonly amount: number;
  readonly date: string;
  readonly merchant: string;
  readonly note: string | null;
  readonly splits: readonly { readonly item_id: string; readonly amount: number }[];
  readonly budget_month: string;
}

interface Preview {
  readonly format: string;
  readonly source: string;
  readonly date_format: string | null;
  readonly decimal: string | null;
  readonly ambiguous: readonly string[];
  readonly csv: { readonly encoding: string; readonly columns: readonly string[] } | null;
  readonly rows: readonly {
    readonly row: number;
    readonly state: string;
    readonly problem: string | null;
    readonly operation: Operation | null;
    readonly category: string | null;
    readonly similar: readonly string[];
  }[];
  readonly counts: Readonly<Record<string, number>>;
}

const FIXTURES = new URL('../../../libs/imports/fixtures/', import.meta.url);

/** Sends a file as it is. */
async function preview(
  home: Household,
  file: string | Uint8Array | undefined,
  query = '',
  headers: Readonly<Record<string, string>> = { 'Content-Type': 'text/csv' },
): Promise<Reply<Preview>> {
  const response = await fetch(`${home.service.origin}/v1/imports/preview${query}`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${home.user.token}`, 'X-Service-Household': home.id, ...headers },
    ...(file !== undefined && { body: file }),
  });
  const body = await response.json();
  const { status } = response;
  const received = { method: 'POST', path: '/imports/preview', status, headers: response.headers, body };
  assertDescribed(home.service.description, received);
  return { status, headers: response.headers, body: body as Preview, error: body as ErrorBody };
}

const CSV =
  'Date,Payee,Amount,Category\n2026-01-15,Bakery,-3.50,\n2026-01-15,Bakery,-3.50,\n2026-01-16,Work,100.00,\n';

const statesOf = ({ rows }: Preview): string[] => rows.map(({ state }) => state);

const operationsOf = ({ rows }: Preview): Operation[] => rows.flatMap(({ operation }) => operation ?? []);

/** Records what a preview proposes, as it is. @returns the ids that were recorded before */
async function record(home: Household, operations: readonly Operation[]): Promise<readonly string[]> {
  const batch = { operations, skip_known: true };
  return ok(await home.post<{ replayed: readonly string[] }>('/transactions/batch', batch)).replayed;
}

describe('POST /imports/preview', () => {
  const service = useService();

  it('proposes transactions, which are known once they are recorded, and deleted once they are deleted', async () => {
    const home = await service.household();
    const first = ok(await preview(home, CSV));
    assert.deepEqual(first.counts, { new: 3, known: 0, deleted: 0, invalid: 0 });
    assert.deepEqual(
      [first.format, first.source, first.date_format, first.decimal, first.ambiguous],
      ['csv', 'default', 'YMD', 'point', []],
    );
    const [one, two, three] = operationsOf(first);
    assert.notEqual(one!.id, two!.id);
    assert.deepEqual(three, {
      op: 'create',
      id: three!.id,
      type: 'income',
      amount: 10_000,
      date: '2026-01-16',
      merchant: 'Work',
      note: null,
      splits: [],
      budget_month: '2026-01',
    });
    assert.equal(
      ok(await home.get<{ transactions: unknown[] }>('/transactions?view=untracked')).transactions.length,
      0,
    );
    await record(home, [one!, two!, three]);
    ok(await home.delete(`/transactions/${two!.id}`));
    const second = ok(await preview(home, `${CSV}2026-01-17,Kiosk,-1.00,\n`));
    assert.deepEqual(statesOf(second), ['known', 'deleted', 'known', 'new']);
    assert.deepEqual(operationsOf(second).slice(0, 3), [one, two, three]);
    assert.deepEqual(statesOf(ok(await preview(home, CSV, '?source=Other%20card'))), ['new', 'new', 'new']);
    assert.equal(ok(await preview(home, CSV, '?source=%20OTHER%20%20card')).source, 'other card');
    // A person has corrected one since; importing again leaves it as it is.
    ok(await home.patch(`/transactions/${one!.id}`, { merchant: 'Baker', amount: 360 }));
    assert.deepEqual(await record(home, operationsOf(second)), [one!.id, two!.id, three.id]);
    assert.deepEqual(statesOf(ok(await preview(home, CSV))), ['known', 'deleted', 'known']);
    ok(await home.post('/transactions/batch', { operations: [{ op: 'restore', id: two!.id }] }));
    assert.deepEqual(statesOf(ok(await preview(home, CSV))), ['known', 'known', 'known']);
    ok(await home.delete(`/transactions/${two!.id}`));
    const partner = await service.member(home, 'Partner');
    assert.deepEqual(statesOf(ok(await preview(partner, CSV))), ['known', 'deleted', 'known']);
  });

  it('reads every format', async () => {
    const home = await service.household();
    for (const name of readdirSync(FIXTURES)) {
      const file = readFileSync(new URL(name, FIXTURES));
      const { rows, counts } = ok(
        await preview(home, file, '', { 'Content-Type': 'application/octet-stream' }),
      );
      assert.ok(rows.length > 0, name);
      assert.equal(
        Object.values(counts).reduce((a, b) => a + b),
        rows.length,
        name,
      );
    }
  });

  it('takes a file by any of its media types, and no other', async () => {
    const home = await service.household();
    for (const type of [
      'text/csv; charset=utf-8',
      'TEXT/PLAIN',
      'application/x-ofx',
      'application/vnd.intu.qfx',
      'application/qif',
      'application/xml',
      'text/xml',
      'application/octet-stream',
    ]) {
      assert.equal(ok(await preview(home, CSV, '', { 'Content-Type': type })).rows.length, 3);
    }
    for (const type of ['application/json', 'multipart/form-data', 'text/html']) {
      const reply = await preview(home, CSV, '', { 'Content-Type': type });
      refused(reply, 415, 'unsupported_media_type');
      assert.match(reply.error.message, /text\/csv/);
    }
    const zipped = { 'Content-Type': 'text/csv', 'Content-Encoding': 'gzip' };
    refused(await preview(home, CSV, '', zipped), 415, 'unsupported_media_type');
  });

  it('suggests the item that the category names, else the merchant’s last one', async () => {
    const home = await service.household();
    const month = await home.createMonth('2026-01');
    const [groceries, fuel] = [itemNamed(month, 'Groceries').id, itemNamed(month, 'Fuel').id];
    const group = month.groups.find(({ items }) => items.some(({ id }) => id === groceries))!;
    const work = month.groups[0]!.items[0]!;
    await home.spend({ amount: 5, merchant: 'Shell', splits: [{ item_id: fuel, amount: 5 }] });
    const rows = [
      ['2026-01-15', 'Any', '-1.00', 'groceries'],
      ['2026-01-15', 'Any', '-1.00', `${group.name.toUpperCase()}:Groceries`],
      ['2026-01-15', 'Any', '1.00', 'Groceries'],
      ['2026-01-15', 'SHELL', '-1.00', ''],
      ['2026-01-15', 'Shell', '-1.00', 'Nothing such'],
      ['2026-01-15', 'Shell', '1.00', ''],
      ['2026-02-15', 'Shell', '-1.00', 'Groceries'],
      ['2026-01-15', 'Employer', '9.00', work.name],
    ];
    const text = ['Date,Payee,Amount,Category', ...rows.map(row => row.join(','))].join('\n');
    const suggested = operationsOf(ok(await preview(home, text)));
    assert.deepEqual(
      suggested.map(({ splits }) => splits.map(({ item_id }) => item_id)),
      [[groceries], [groceries], [groceries], [fuel], [fuel], [], [], [work.id]],
    );
    assert.deepEqual(suggested[0]!.splits, [{ item_id: groceries, amount: 100 }]);
    await record(home, suggested);
  });

  it('names what was entered by hand and is probably the same', async () => {
    const home = await service.household();
    const enter = async (date: string, amount = 350, type = 'expense'): Promise<string> => {
      const body = { id: freshId(), type, amount, date, merchant: 'Bakery', splits: [] };
      ok(await home.post('/transactions', body), 201);
      return body.id;
    };
    const [same, near, far, other, refund, deleted] = [
      await enter('2026-01-15'),
      await enter('2026-01-18'),
      await enter('2026-01-19'),
      await enter('2026-01-15', 351),
      await enter('2026-01-15', 350, 'income'),
      await enter('2026-01-15'),
    ];
    ok(await home.delete(`/transactions/${deleted}`));
    assert.ok(far && other && refund);
    const text = 'Date,Payee,Amount\n2026-01-15,X,-3.50\n2026-01-30,X,-3.50\n';
    const found = ok(await preview(home, text));
    assert.deepEqual(
      found.rows.map(({ similar }) => similar),
      [[same, near], []],
    );
    // What was imported is told apart by its id.
    await record(home, operationsOf(found));
    const again = ok(await preview(home, text, '?source=other'));
    assert.deepEqual(
      again.rows.map(({ similar }) => similar),
      [[same, near], []],
    );
    const next = await enter('2026-01-16');
    await enter('2026-01-17');
    const [row] = ok(await preview(home, text)).rows;
    assert.deepEqual(row!.similar.slice(0, 2), [same, next]);
    assert.equal(row!.similar.length, 3);
  });

  it('knows its own export again, as a whole', async () => {
    const home = await service.household();
    const month = await home.createMonth('2026-01');
    const [groceries, fuel] = [itemNamed(month, 'Groceries').id, itemNamed(month, 'Fuel').id];
    const splits = [
      { item_id: groceries, amount: 30 },
      { item_id: fuel, amount: 15 },
    ];
    const split = await home.spend({ amount: 45, merchant: '=Costco', splits });
    const gone = await home.spend({ amount: 7 });
    ok(await home.delete(`/transactions/${gone.transaction.id}`));
    const headers = { Authorization: `Bearer ${home.user.token}`, 'X-Service-Household': home.id };
    const exported = await fetch(`${home.service.origin}/v1/export?format=csv`, { headers });
    const file = new Uint8Array(await exported.arrayBuffer());
    const known = ok(await preview(home, file));
    assert.deepEqual(statesOf(known).sort(), ['deleted', 'known']);
    const row = known.rows.find(({ operation }) => operation!.id === split.transaction.id)!;
    assert.equal(row.operation!.merchant, '=Costco');
    assert.deepEqual(row.operation!.splits, splits);
    const other = await service.household();
    await other.createMonth('2026-01');
    const elsewhere = ok(await preview(other, file));
    assert.deepEqual(statesOf(elsewhere).sort(), ['invalid', 'new']);
    assert.deepEqual(
      operationsOf(elsewhere)[0]!.splits.map(({ amount }) => amount),
      [30, 15],
    );
    await record(other, operationsOf(elsewhere));
  });

  it('keeps to the currency of the household', async () => {
    const home = await service.household();
    ok(await home.patch(`/households/${home.id}`, { currency: 'JPY' }));
    const { rows } = ok(
      await preview(home, 'Date,Payee,Amount\n2026-01-15,A,"-1,200"\n2026-01-15,B,-1.50\n2026-01-15,C,€ 3\n'),
    );
    assert.deepEqual(
      rows.map(({ operation, problem }) => operation?.amount ?? problem),
      [1200, 'The amount has more decimals than JPY.', 'The amount is in EUR, and the household uses JPY.'],
    );
  });

  it('refuses what it cannot read, and says why', async () => {
    const home = await service.household();
    const reasonOf = async (file: string | Uint8Array | undefined, query = ''): Promise<unknown> => {
      const headers = file === undefined ? {} : { 'Content-Type': 'text/csv' };
      const { columns, reason } = refused(
        await preview(home, file, query, headers),
        422,
        'import_unreadable',
      );
      return columns === undefined ? reason : [reason, columns];
    };
    assert.equal(await reasonOf(undefined), 'no_rows');
    assert.equal(await reasonOf(''), 'no_rows');
    assert.equal(await reasonOf('PK\u0003\u0004\0\0'), 'unknown_format');
    assert.equal(await reasonOf('<!DOCTYPE a [<!ENTITY b "c">]><OFX>&b;</OFX>'), 'unknown_format');
    assert.equal(await reasonOf(CSV, '?format=ofx'), 'unknown_format');
    assert.deepEqual(await reasonOf('Foo,Bar\n1,2'), ['no_date_column', ['Foo', 'Bar']]);
    assert.deepEqual(await reasonOf(CSV, '?amount=Cost'), [
      'no_amount_column',
      ['Date', 'Payee', 'Amount', 'Category'],
    ]);
    assert.deepEqual(invalid(await preview(home, CSV, '?note=Memo')), ['note']);
    assert.deepEqual(
      invalid(await preview(home, CSV, '?skip=101&format=pdf&colour=red&header=maybe&source=')),
      ['colour', 'format', 'header', 'skip', 'source'],
    );
    const large = new Uint8Array(8 * 1024 * 1024 + 1).fill(0x20);
    const tooLarge = await preview(home, large);
    refused(tooLarge, 413, 'payload_too_large');
    assert.match(tooLarge.error.message, /8 MiB/);
    assert.equal(await reasonOf(large.subarray(1)), 'no_rows');
  });

  it('reads two files at once, lets some wait, and asks others to come again', async () => {
    const home = await service.household();
    const text = `Date,Payee,Amount\n${'2026-01-15,Bakery,-3.50\n'.repeat(300)}`;
    const replies = await Promise.all(Array.from({ length: 24 }, () => preview(home, text)));
    const busy = replies.filter(({ status }) => status === 503);
    assert.ok(busy.length > 0 && busy.length <= 14, `${busy.length} refused`);
    for (const reply of busy) {
      refused(reply, 503, 'unavailable');
      assert.ok(Number(reply.headers.get('retry-after')) > 0);
    }
    assert.equal(replies.filter(({ status }) => status === 200).length, 24 - busy.length);
    ok(await preview(home, CSV));
  });

  it('needs no more than to read transactions, of a household that one is in', async () => {
    const home = await service.household();
    const { secret } = ok(
      await home.post<{ secret: string }>('/tokens', { name: 'T', scopes: ['transactions:read'] }),
      201,
    );
    ok(await preview(new Household(home.service, { ...home.user, token: secret }, home.id), CSV));
    const stranger = await service.stranger();
    refused(await preview(new Household(home.service, stranger.user, home.id), CSV), 403, 'not_a_member');
    assert.equal((await home.send('POST', '/imports/preview', {}, NOBODY)).status, 401);
  });
});
