// Writes that are only tried: `?dry_run=true`.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'node:test';
import type { MonthView } from '#projections/month-document';
import type { TransactionView } from '#projections/transaction-document';
import { propertyRuns } from '../property-runs.js';
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
  type Reply,
} from './household.scenario.js';

interface Entry {
  readonly event_id: string;
}

/** Everything that there is of a household. */
interface Export {
  readonly groups: readonly { readonly id: string }[];
  readonly items: readonly { readonly id: string }[];
  readonly months: readonly MonthView[];
  readonly transactions: readonly TransactionView[];
}

interface Call {
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
}

/** Numbers that pick what a call names. */
type Picks = readonly [a: number, b: number, c: number];

const number = fc.noBias(fc.nat(997));
const wish: fc.Arbitrary<Picks> = fc.tuple(number, number, number);

/** Calls of writes that the histories choose from, … */
const KINDS = 26;
/** … and writes that there are. */
const WRITES = 20;
const MONTHS = ['2026-01', '2026-02', '2026-04'];
const METHODS = ['get', 'post', 'put', 'patch', 'delete'];

function pick<T>(from: readonly T[], index: number): T | undefined {
  return from[index % from.length];
}

/** What there is before a call, and after it. */
interface Standing {
  readonly state: Export;
  readonly activity: readonly Entry[];
}

const idOf = (found: { readonly id: string } | undefined): string => found?.id ?? NOWHERE;

/** A call of one of `KINDS`, by what there is: mostly one that succeeds. */
function callOf({ state, activity }: Standing, kind: number, [a, b, c]: Picks): Call {
  const shown = pick(state.months, a);
  const group = pick(shown?.groups ?? [], b);
  const items = group?.items ?? [];
  const month = shown?.month ?? MONTHS[0]!;
  const at: At = {
    month,
    amount: 1 + (b % 900),
    of: `/months/${month}`,
    group: idOf(group),
    item: idOf(pick(items, c)),
    transaction: idOf(pick(state.transactions, b)),
    groupIds: (shown?.groups ?? []).filter(({ is_income }) => !is_income).map(({ id }) => id),
    itemIds: items.map(({ id }) => id),
    knownGroup: idOf(pick(state.groups, c)),
    knownItem: idOf(pick(state.items, c)),
  };
  const undoings = [c, c % 3].map(index => {
    return { method: 'POST', path: `/activity/${pick(activity, index)!.event_id}/undo` };
  });
  const others = transactionCalls(at, [a, b, c]);
  const calls = [...monthCalls(at, pick(MONTHS, b)!, c), ...itemCalls(at, c), ...others, ...undoings];
  assert.equal(calls.length, KINDS);
  return calls[kind]!;
}

function transactionCalls(at: At, [a, b, c]: Picks): Call[] {
  const created = creationOf(at, c);
  const { transaction: id, amount } = at;
  const path = `/transactions/${id}`;
  const note = c % 2 === 0 ? null : `note ${amount}`;
  const operations = [
    { op: 'create', ...creationOf(at, b) },
    { op: 'change', id, note },
    { op: 'delete', id },
    { op: 'restore', id },
  ].slice(c % 2, 2 + (a % 3));
  return [
    { method: 'POST', path: '/transactions', body: created },
    { method: 'POST', path: '/transactions', body: created },
    { method: 'PATCH', path, body: a % 2 === 0 ? { amount, note } : { splits: created.splits, amount } },
    { method: 'DELETE', path },
    { method: 'POST', path: `${path}/restore` },
    { method: 'POST', path: '/transactions/batch', body: { operations } },
  ];
}

interface At {
  readonly month: string;
  readonly amount: number;
  /** The path of the month. */
  readonly of: string;
  readonly group: string;
  readonly item: string;
  readonly transaction: string;
  readonly groupIds: readonly string[];
  readonly itemIds: readonly string[];
  readonly knownGroup: string;
  readonly knownItem: string;
}

function monthCalls({ of, amount, group, knownGroup, groupIds }: At, month: string, c: number): Call[] {
  return [
    { method: 'POST', path: `/months/${month}` },
    { method: 'POST', path: `/months/${month}` },
    { method: 'POST', path: `${of}/reset`, body: { mode: c % 2 === 0 ? 'zero' : 'replace' } },
    { method: 'POST', path: `${of}/groups`, body: { name: `Group ${amount}` } },
    { method: 'POST', path: `${of}/groups`, body: { group_id: knownGroup } },
    { method: 'PATCH', path: `/groups/${group}`, body: { name: `Name ${amount}` } },
    { method: 'DELETE', path: `${of}/groups/${group}` },
    { method: 'PUT', path: `${of}/group-order`, body: { group_ids: groupIds.toReversed() } },
  ];
}

function itemCalls({ of, amount, group, item, knownItem, itemIds }: At, c: number): Call[] {
  const path = `${of}/items/${item}`;
  const items = `${of}/groups/${group}/items`;
  const balance = { current_balance: amount };
  return [
    { method: 'POST', path: items, body: { name: `Item ${amount}`, planned: amount } },
    { method: 'POST', path: items, body: { item_id: knownItem, planned: amount } },
    { method: 'PATCH', path, body: { planned: amount, note: c % 2 === 0 ? null : 'note' } },
    { method: 'PATCH', path, body: { planned: amount } },
    { method: 'DELETE', path },
    {
      method: 'PATCH',
      path: `/items/${item}`,
      body: c % 3 === 0 ? { is_fund: false } : { favorite: c % 2 === 0 },
    },
    { method: 'PUT', path: `${of}/groups/${group}/item-order`, body: { item_ids: itemIds.toReversed() } },
    { method: 'POST', path: `${path}/fund`, body: balance },
    { method: 'POST', path: `${path}/fund-balance`, body: balance },
    { method: 'POST', path: `${path}/harvest` },
  ];
}

function creationOf({ month, amount, item }: At, c: number) {
  const splits = item === NOWHERE || c % 3 === 0 ? [] : [{ item_id: item, amount }];
  const type = c % 5 === 0 ? 'income' : 'expense';
  return { id: freshId(), type, amount, date: `${month}-10`, merchant: `Shop ${c % 4}`, splits };
}

const ID = /"[0-9A-HJKMNP-TV-Z]{26}"/g;
const MOMENT = /"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z"/g;

/** An answer, with what the write itself drew, ids and moments, told only by the order of first mention. */
function meaning({ status, headers, body }: Reply<unknown>, known: string): unknown {
  const drawn = new Map<string, string>();
  const named = (text: string): string => {
    if (known.includes(text)) return text;
    if (!drawn.has(text)) drawn.set(text, `"new ${drawn.size}"`);
    return drawn.get(text)!;
  };
  const text = JSON.stringify(body, (name, value: unknown) => (name === 'request_id' ? undefined : value))
    .replaceAll(ID, named)
    .replaceAll(MOMENT, moment => (known.includes(moment) ? moment : '"now"'));
  return {
    status: status === 201 ? 200 : status,
    replayed: headers.get('idempotent-replay'),
    body: JSON.parse(text) as unknown,
  };
}

const TRIED = '?dry_run=true';

describe('dry_run', () => {
  const service = useService();

  async function stateOf(home: Household): Promise<Export> {
    const { exported_at: _, ...state } = ok(
      await home.get<Export & { readonly exported_at: string }>('/export'),
    );
    return state;
  }

  async function activityOf(home: Household): Promise<readonly Entry[]> {
    return ok(await home.get<{ readonly activity: readonly Entry[] }>('/activity?limit=200')).activity;
  }

  /** Every `id` that the changes of a household were told under, from its beginning. */
  async function toldOf(home: Household, last: string): Promise<readonly string[]> {
    const ended = new AbortController();
    const headers = {
      Authorization: `Bearer ${home.user.token}`,
      'X-Service-Household': home.id,
      'Last-Event-ID': '-1',
    };
    const response = await fetch(`${home.service.origin}/v1/changes`, { headers, signal: ended.signal });
    let text = '';
    for await (const part of response.body!.pipeThrough(new TextDecoderStream())) {
      text += part;
      if (text.includes(`id: ${last}\ndata: `)) break;
    }
    ended.abort();
    return [...text.matchAll(/^id: (\d+)\ndata: /gm)].map(([, id]) => id!);
  }

  async function standingOf(home: Household): Promise<Standing> {
    return { state: await stateOf(home), activity: await activityOf(home) };
  }

  /** Tries a write and then makes it: both answer the same, and only the second one leaves anything. */
  async function bothWays(
    home: Household,
    before: Standing,
    call: Call,
    headers: object,
  ): Promise<Reply<unknown>> {
    const { method, path, body } = call;
    const known = JSON.stringify([before, body, path, home.user]);
    const tried = await home.send(method, `${path}${TRIED}`, body, { ...headers });
    assert.deepEqual(await stateOf(home), before.state);
    const done = await home.send(method, path, body, { ...headers });
    assert.deepEqual(meaning(tried, known), meaning(done, known), `${method} ${path}`);
    const isDone = done.status < 300;
    assert.deepEqual(
      [tried.headers.get('dry-run'), tried.headers.get('etag')],
      [isDone ? 'true' : null, null],
    );
    assert.equal(done.headers.get('dry-run'), null);
    return done;
  }

  it('answers what the write answers, whatever came before it, and records, tells and remembers nothing', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(wish, { minLength: 2 * KINDS, maxLength: 2 * KINDS }),
        fc.nat(KINDS),
        async (wishes, turn) => {
          const home = await service.household();
          await home.createMonth('2026-01');
          let standing = await standingOf(home);
          for (const [index, picks] of wishes.entries()) {
            // Every kind of call comes twice, in an order that spreads them.
            const call = callOf(standing, (index * 7 + turn) % KINDS, picks);
            const key = { 'Idempotency-Key': `key-${index}` };
            const headers = picks[2] % 11 === 0 ? { ...key, 'If-Match': '"0-0"' } : key;
            await bothWays(home, standing, call, headers);
            standing = await standingOf(home);
          }
          const told = await toldOf(home, lastOf(standing.state));
          assert.equal(told.length, standing.activity.length);
        },
      ),
      { numRuns: propertyRuns(3) },
    ));

  it('does so for every write where it succeeds', async () => {
    const home = await service.household();
    const succeeded = new Set<string>();
    let standing = await standingOf(home);
    const write = async <T>(method: string, path: string, body?: unknown): Promise<T> => {
      const reply = await bothWays(home, standing, { method, path, body }, {});
      assert.ok(reply.status < 300, JSON.stringify(reply.body));
      standing = await standingOf(home);
      succeeded.add(`${method} ${path.replaceAll(/\d{4}-\d\d|[0-9A-Z]{26}/g, '{}')}`);
      return reply.body as T;
    };
    const month = await write<MonthView>('POST', '/months/2026-01');
    const food = groupNamed(month, 'Food');
    const [groceries, fuel] = [itemNamed(month, 'Groceries').id, itemNamed(month, 'Fuel').id];
    const of = '/months/2026-01';
    await write('POST', `${of}/groups`, { name: 'Travel' });
    await write('PATCH', `/groups/${food.id}`, { name: 'Eating' });
    const others = (await home.month('2026-01')).groups.filter(({ is_income }) => !is_income);
    await write('PUT', `${of}/group-order`, { group_ids: others.map(({ id }) => id).toReversed() });
    await write('POST', `${of}/groups/${food.id}/items`, { name: 'Snacks', planned: 300 });
    const { items } = groupNamed(await home.month('2026-01'), 'Eating');
    await write('PUT', `${of}/groups/${food.id}/item-order`, {
      item_ids: items.map(({ id }) => id).toReversed(),
    });
    await write('PATCH', `${of}/items/${groceries}`, { planned: 60_000, note: 'weekly' });
    await write('PATCH', `/items/${groceries}`, { favorite: true });
    await write('POST', `${of}/items/${fuel}/fund`, { current_balance: 5_000 });
    await write('POST', `${of}/items/${fuel}/fund-balance`, { current_balance: 6_000 });
    const content = { type: 'expense', amount: 500, date: '2026-01-15', merchant: 'Shop' };
    const created = { id: freshId(), ...content, splits: [{ item_id: groceries, amount: 500 }] };
    await write('POST', '/transactions', created);
    await write('PATCH', `/transactions/${created.id}`, { amount: 700 });
    await write('POST', `${of}/items/${groceries}/harvest`);
    await write('DELETE', `/transactions/${created.id}`);
    await write('POST', `/transactions/${created.id}/restore`);
    const other = { op: 'create', id: freshId(), ...content, splits: [] };
    await write('POST', '/transactions/batch', { operations: [other, { op: 'delete', id: created.id }] });
    await write('POST', `/activity/${standing.activity[0]!.event_id}/undo`);
    await write('DELETE', `${of}/items/${groceries}`);
    await write('DELETE', `${of}/groups/${food.id}`);
    await write('POST', `${of}/reset`, { mode: 'replace' });
    assert.equal(succeeded.size, WRITES);
  });

  it('is a parameter of every write of the budget, and of no other operation', async () => {
    const home = await service.household();
    const taking: string[] = [];
    const { paths, components } = home.service.description;
    for (const [path, operations] of Object.entries(paths)) {
      for (const [method, operation] of Object.entries(operations)) {
        if (!METHODS.includes(method) || 'servers' in operations) continue;
        const { parameters = [], security = [] } = operation as typeof operation & {
          readonly parameters?: readonly { readonly $ref?: string; readonly name?: string }[];
          readonly security?: readonly object[];
        };
        const names = parameters.map(({ $ref, name }) =>
          $ref === undefined
            ? name
            : (components['parameters']![$ref.split('/').at(-1)!] as { name: string }).name,
        );
        if (names.includes('dry_run')) {
          taking.push(`${method} ${path}`);
          continue;
        }
        // These act without a credential, are limited, or answer without end.
        if (security.length === 0 || path === '/changes') continue;
        const filled = path
          .replace('{householdId}', home.id)
          .replace('{month}', '2026-01')
          .replaceAll(/\{\w+\}/g, NOWHERE);
        assert.ok(
          invalid(await home.send(method.toUpperCase(), `${filled}${TRIED}`, undefined)).includes('dry_run'),
        );
      }
    }
    const writes = Object.entries(paths).flatMap(([path, operations]) =>
      /^\/(months|groups|items|transactions)\b|\/undo$/.test(path)
        ? Object.keys(operations)
            .filter(method => method !== 'get' && METHODS.includes(method))
            .map(method => `${method} ${path}`)
        : [],
    );
    assert.deepEqual(taking.sort(), writes.sort());
    assert.equal(taking.length, WRITES);
  });

  it('is true or false', async () => {
    const home = await service.household();
    assert.deepEqual(invalid(await home.post('/months/2026-01?dry_run=yes')), ['dry_run']);
    assert.deepEqual(invalid(await home.post('/months/2026-01?dry_run=')), ['dry_run']);
    ok(await home.post('/months/2026-01?dry_run=false'), 201);
  });

  it('needs the same scope', async () => {
    const home = await service.household();
    const token = { name: 'T', scopes: ['budget:read', 'transactions:write'] };
    const { secret } = ok(await home.post<{ readonly secret: string }>('/tokens', token), 201);
    const headers = { Authorization: `Bearer ${secret}` };
    refused(await home.post(`/months/2026-01${TRIED}`, undefined, headers), 403, 'insufficient_scope');
    const content = { type: 'expense', amount: 5, date: '2026-01-15', merchant: 'Shop', splits: [] };
    ok(await home.post(`/transactions${TRIED}`, { id: freshId(), ...content }, headers));
    await home.createMonth('2026-01');
    const [{ event_id }] = (await activityOf(home)) as [Entry];
    refused(
      await home.post(`/activity/${event_id}/undo${TRIED}`, undefined, headers),
      403,
      'insufficient_scope',
    );
  });

  it('says what deleting an item would untrack', async () => {
    const home = await service.household();
    const { id } = itemNamed(await home.createMonth('2026-01'), 'Fuel');
    const { transaction } = await home.spend({ amount: 5, splits: [{ item_id: id, amount: 5 }] });
    const tried = ok(await home.delete<MonthView>(`/months/2026-01/items/${id}${TRIED}`));
    assert.equal(tried.untracked_count, 1);
    assert.ok(!groupNamed(tried, 'Transportation').items.some(item => item.id === id));
    assert.equal((await home.transaction(transaction.id)).status, 'tracked');
  });

  it('is refused in an archived household', async () => {
    const home = await service.household();
    ok(await home.patch(`/households/${home.id}`, { archived: true }));
    assert.equal(refused(await home.post(`/months/2026-01${TRIED}`), 409, 'conflict')['reason'], 'archived');
  });

  it('keeps to what was recorded under its key', async () => {
    const home = await service.household();
    const key = { 'Idempotency-Key': 'month' };
    ok(await home.post('/months/2026-01', undefined, key), 201);
    const repeated = await home.post(`/months/2026-01${TRIED}`, undefined, key);
    assert.deepEqual(
      [repeated.headers.get('idempotent-replay'), repeated.headers.get('dry-run'), repeated.status],
      ['true', 'true', 200],
    );
    refused(await home.post(`/months/2026-02${TRIED}`, undefined, key), 409, 'idempotency_key_conflict');
  });
});

/** The revision of the last event, as a text. */
function lastOf(state: Export): string {
  return String((state as Export & { readonly head: { readonly revision: number } }).head.revision);
}
