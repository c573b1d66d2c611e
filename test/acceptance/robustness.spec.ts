import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import fc from 'fast-check';
import {
  freshId,
  groupNamed,
  itemNamed,
  useService,
  type ErrorBody,
  type Household,
} from './household.scenario.js';

/** How many calls each property makes; a failing one prints its seed. */
const RUNS = 100;

describe('whatever a client sends', () => {
  const service = useService();
  let home: Household;
  let ids: string[] = [];

  before(async () => {
    home = await service.household();
    const month = await home.createMonth('2026-01');
    const { transaction } = await home.spend({ amount: 5 });
    ids = [
      ...month.groups.slice(0, 3).map(({ id }) => id),
      itemNamed(month, 'Fuel').id,
      itemNamed(month, 'Paycheck').id,
      groupNamed(month, 'Food').id,
      transaction.id,
    ];
  });

  const id = () => fc.oneof(fc.constantFrom(...ids, freshId()), fc.string({ maxLength: 30 }));
  const month = () =>
    fc.oneof(fc.constantFrom('2026-01', '2026-02', '0000-12', '9999-12'), fc.string({ maxLength: 8 }));
  const amount = () =>
    fc.oneof(
      fc.integer({ min: -10, max: 1000 }),
      fc.constantFrom(0, -0, 1e12, 999_999_999_999, -999_999_999_999, 2 ** 53, 1e308, 0.5),
    );
  const text = () =>
    fc.oneof(
      fc.string({ unit: 'binary', maxLength: 40 }),
      fc.constantFrom('\ud800', '\u0000', '__proto__', 'ﬃ', '\u202e', 'x'.repeat(3000), '٣', '\n'),
    );
  const anything = () => fc.oneof(fc.jsonValue({ maxDepth: 2 }), text(), amount(), id(), month());

  /** A field either of the right kind or anything at all; sometimes missing. */
  const fields = (known: Record<string, fc.Arbitrary<unknown>>) =>
    fc.record(
      Object.fromEntries(
        Object.entries(known).map(([name, value]) => [
          name,
          fc.oneof({ weight: 4, arbitrary: value }, { weight: 1, arbitrary: anything() }),
        ]),
      ),
      { requiredKeys: [] },
    );

  const split = () => fields({ item_id: id(), amount: amount() });
  const location = () => fields({ lat: amount(), lng: amount(), accuracy_m: amount() });
  const transaction = () =>
    fields({
      id: fc.oneof(
        id(),
        fc.constant(null).map(() => freshId()),
      ),
      type: fc.constantFrom('income', 'expense'),
      amount: amount(),
      date: fc.oneof(fc.constantFrom('2026-01-15', '2026-02-29', '0001-01-01'), text()),
      merchant: text(),
      note: text(),
      budget_month: month(),
      splits: fc.array(split(), { maxLength: 3 }),
      location: fc.option(location()),
    });
  const item = () =>
    fields({
      name: text(),
      item_id: id(),
      group_id: id(),
      planned: amount(),
      note: fc.option(text()),
      color: text(),
      favorite: fc.boolean(),
      fund_target: fc.option(amount()),
      is_fund: fc.boolean(),
      current_balance: amount(),
      mode: fc.constantFrom('zero', 'replace', 'all'),
      item_ids: fc.array(id(), { maxLength: 4 }),
      group_ids: fc.array(id(), { maxLength: 9 }),
    });

  const segment = (value: string) => encodeURIComponent(value.replaceAll(/[\ud800-\udfff]/gu, ''));
  const path = () =>
    fc
      .tuple(
        fc.constantFrom(
          '/months/M',
          '/months/M/reset',
          '/months/M/groups',
          '/months/M/groups/I',
          '/months/M/group-order',
          '/months/M/groups/I/items',
          '/months/M/groups/I/item-order',
          '/months/M/items/I',
          '/months/M/items/I/fund',
          '/months/M/items/I/fund-balance',
          '/months/M/items/I/harvest',
          '/groups/I',
          '/items/I',
          '/transactions',
          '/transactions/I',
          '/transactions/I/restore',
          '/merchants',
        ),
        month(),
        id(),
      )
      .map(([form, m, i]) => form.replace('M', segment(m)).replace('I', segment(i)));

  async function call(method: string, address: string, body: unknown, headers = {}): Promise<void> {
    const reply = await home.send<Partial<ErrorBody> | null>(method, address, body, headers);
    assert.ok(reply.status < 500, `${method} ${address}: ${reply.status} ${JSON.stringify(reply.body)}`);
    if (reply.status < 400) return;
    assert.equal(typeof reply.error.code, 'string');
    assert.equal(reply.error.request_id, reply.headers.get('x-request-id'));
  }

  it('never makes a server error of a transaction', async () => {
    const calls = fc.asyncProperty(transaction(), async body => {
      await call('POST', '/transactions', body);
      await call('PATCH', `/transactions/${ids.at(-1)!}`, body);
    });
    await fc.assert(calls, { numRuns: RUNS });
  });

  it('never makes a server error of any path, method and body', async () => {
    const methods = fc.constantFrom('GET', 'POST', 'PUT', 'PATCH', 'DELETE');
    const bodies = fc.oneof({ weight: 4, arbitrary: item() }, { weight: 1, arbitrary: anything() });
    const calls = fc.asyncProperty(methods, path(), bodies, async (method, address, body) => {
      await call(method, address, method === 'GET' ? undefined : body);
    });
    const examples: ['PATCH', string, Record<string, never>][] = [
      ['PATCH', '/months/2026-01/items/./fund', {}],
      ['PATCH', '/months/../items/..', {}],
    ];
    await fc.assert(calls, { numRuns: RUNS * 3, examples });
  });

  it('never makes a server error of a query', async () => {
    const parameters = fields({
      view: fc.constantFrom('tracked', 'untracked', 'deleted'),
      month: month(),
      item_id: id(),
      q: text(),
      cursor: text(),
      limit: fc.constantFrom('1', '200', '0', '1e2', ''),
    });
    const calls = fc.asyncProperty(parameters, async query => {
      const pairs = Object.entries(query).map(([name, value]) => {
        const given = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
        return `${name}=${segment(given)}`;
      });
      await call('GET', `/transactions?${pairs.join('&')}`, undefined);
    });
    await fc.assert(calls, { numRuns: RUNS });
  });

  it('never makes a server error of a header', async () => {
    const values = fc.string({ maxLength: 80 }).filter(value => !/^\s|\s$/.test(value));
    const calls = fc.asyncProperty(values, values, async (key, household) => {
      await call('POST', '/months/2026-01/reset', { mode: 'zero' }, { 'Idempotency-Key': key });
      await call('GET', '/months', undefined, { 'X-Service-Household': household, 'X-Request-Id': key });
    });
    await fc.assert(calls, { numRuns: RUNS });
  });
});
