import assert from 'node:assert/strict';
import { before, beforeEach, describe, it } from 'node:test';
import fc from 'fast-check';
import { resolved, type ApiDocument, type Schema } from './described.scenario.js';
import {
  freshId,
  groupNamed,
  itemNamed,
  NOWHERE,
  ok,
  useService,
  type ErrorBody,
  type Household,
} from './household.scenario.js';
import { propertyRuns } from '../property-runs.js';

interface Route {
  readonly method: string;
  /** With its parameters in braces. */
  readonly path: string;
  readonly body: Schema | undefined;
}

/** How many calls each property makes; a failing one prints its seed. */
const RUNS = propertyRuns(100);
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** Routes that are not called here, and why. No path names the caller's own session or membership either. */
const LEFT_OUT: Readonly<Record<string, string>> = {
  '/auth/sign-out': 'ends the session by which every call is made',
  '/changes': 'is answered for as long as somebody listens',
};

/** The newest entry of a household, which tells of every event. */
const NEWEST = '/activity?limit=1';
/** What an owner can read of an account and of a household. */
const OF_OWNER = [
  NEWEST,
  '/me',
  '/settings',
  '/tokens',
  '/auth/sessions',
  '/invites',
  '/households/{householdId}/members',
  '/households/{householdId}/invites',
];
/** What somebody else could change of it by mistake. */
const OF_STRANGER = [NEWEST, '/me', '/auth/sessions'];

/** By which a text of a format is told from others. */
const FORMATS: Readonly<Record<string, RegExp>> = { date: /^\d{4}-\d\d-\d\d$/, email: /@/ };

describe('whatever a client sends', () => {
  const service = useService();
  let home: Household;
  let stranger: Household;
  let description: ApiDocument;
  let routes: readonly Route[];
  let ids: string[] = [];
  /** What there is to be named in a path, by the parameter. */
  let known: Readonly<Record<string, readonly string[]>>;
  let texts: readonly string[];
  /** What is read again after calls. */
  let watched: readonly (readonly [by: Household, path: string])[];
  /** What was read there last. */
  let standing: unknown;

  before(async () => {
    home = await service.household();
    const member = await service.member(home, 'Grace Hopper');
    stranger = await service.stranger();
    const month = await home.createMonth('2026-01');
    const { transaction } = await home.spend({ amount: 5 });
    ids = [
      ...month.groups.slice(0, 3).map(({ id }) => id),
      itemNamed(month, 'Fuel').id,
      itemNamed(month, 'Paycheck').id,
      groupNamed(month, 'Food').id,
      transaction.id,
    ];
    const invite = async (from: Household, email: string): Promise<string> =>
      ok(await from.post<{ id: string }>(`/households/${from.id}/invites`, { email }), 201).id;
    const token = ok(await home.post<{ id: string }>('/tokens', { name: 'Script' }), 201);
    const { activity } = ok(await home.get<{ activity: { event_id: string }[] }>('/activity'));
    const { sessions } = ok(await stranger.get<{ sessions: { id: string }[] }>('/auth/sessions'));
    known = {
      householdId: [home.id, home.id, stranger.id],
      // Not the caller, who would be no member from then on.
      userId: [member.user.id, stranger.user.id],
      groupId: ids.slice(0, 3),
      itemId: ids.slice(3, 5),
      transactionId: [transaction.id],
      inviteId: [await invite(home, 'guest@example.org'), await invite(stranger, home.user.email)],
      tokenId: [token.id],
      eventId: activity.map(({ event_id }) => event_id),
      // Not the caller's, which would be ended.
      sessionId: sessions.map(({ id }) => id),
    };
    texts = [
      ...ids,
      freshId(),
      home.id,
      '2026-01',
      '2026-02',
      '2026-01-15',
      '2026-01-31',
      '2026-02-01',
      '2026-02-29',
      '#10b981',
      'EUR',
      'JPY',
      'a lighthouse in the fog',
      home.user.email,
      stranger.user.email,
      'guest@example.org',
    ];
    description = home.service.description;
    routes = readRoutes();
  });
  // All that there is to read would take several times as long as the calls.
  beforeEach(() => watch([[home, NEWEST]]));

  function readRoutes(): Route[] {
    for (const path of Object.keys(LEFT_OUT)) assert.ok(description.paths[path], `${path} is left out`);
    return Object.entries(description.paths)
      .filter(([path, operations]) => !(path in LEFT_OUT) && !('servers' in operations))
      .flatMap(([path, operations]) =>
        Object.entries(operations).map(([method, { requestBody }]) => ({
          method: method.toUpperCase(),
          path,
          body: requestBody?.content['application/json']?.schema,
        })),
      );
  }

  async function watch(these: typeof watched): Promise<void> {
    watched = these;
    standing = await look();
  }

  /** What is watched, but for when a credential was last used, which looking changes. */
  function look(): Promise<unknown> {
    const read = async (by: Household, path: string): Promise<unknown> => {
      const body = ok(await by.get(path.replace('{householdId}', by.id)));
      const kept = JSON.stringify(body, (name, value: unknown) => (name === 'last_used_at' ? null : value));
      return [path, JSON.parse(kept)];
    };
    return Promise.all(watched.map(([by, path]) => read(by, path)));
  }

  const mostly = <T, U>(usual: fc.Arbitrary<T>, other: fc.Arbitrary<U>): fc.Arbitrary<T | U> =>
    fc.oneof({ weight: 15, arbitrary: usual }, { weight: 1, arbitrary: other });

  const id = () => mostly(fc.constantFrom(...ids, freshId()), fc.string({ maxLength: 30 }));
  const month = () =>
    fc.oneof(
      { weight: 4, arbitrary: fc.constant('2026-01') },
      { weight: 2, arbitrary: fc.constantFrom('2026-02', '0000-12', '9999-12') },
      { weight: 1, arbitrary: fc.string({ maxLength: 8 }) },
    );
  const amount = () =>
    mostly(
      // Now and then the same, as splits have to add up.
      fc.constantFrom(5, 5, 10, 50),
      fc.constantFrom(0, -0, -1, 1e12, 999_999_999_999, -999_999_999_999, 2 ** 53, 1e308, 0.5),
    );
  const text = () =>
    fc.oneof(
      fc.string({ unit: 'binary', maxLength: 40 }),
      fc.constantFrom('\ud800', '\u0000', '__proto__', 'ﬃ', '\u202e', 'x'.repeat(3000), '٣', '\n'),
    );
  const anything = () => fc.oneof(fc.jsonValue({ maxDepth: 2 }), text(), amount(), id(), month());

  /** A field either of the right kind or anything at all; sometimes missing. */
  const fields = (values: Record<string, fc.Arbitrary<unknown>>, required: readonly string[] = []) => {
    const given = Object.fromEntries(
      Object.entries(values).map(([name, value]) => [name, mostly(value, anything())]),
    );
    const record = (requiredKeys: readonly string[]) => fc.record(given, { requiredKeys: [...requiredKeys] });
    return mostly(record(required), record([]));
  };

  /** What a schema allows, as far as single values go, and whatever else is of its type. */
  const valueOf = (schema: Schema): fc.Arbitrary<unknown> => {
    const { $ref, anyOf, enum: words, properties, required, items, type, pattern, format } = schema;
    if ($ref !== undefined) {
      return valueOf(resolved<Schema>(description, { $ref })!);
    }
    if (anyOf) return fc.oneof(...anyOf.map(valueOf));
    if (words) return fc.constantFrom(...words);
    if (properties) {
      const values = Object.entries(properties).map(([name, each]) => [name, valueOf(each)] as const);
      return fields(Object.fromEntries(values), required);
    }
    if (items) return fc.array(valueOf(items), { maxLength: 2 });
    const form = pattern === undefined ? FORMATS[format ?? ''] : new RegExp(pattern);
    const kinds: Readonly<Record<string, () => fc.Arbitrary<unknown>>> = {
      null: () => fc.constant(null),
      boolean: () => fc.boolean(),
      string: () => mostly(fc.constantFrom(...texts.filter(each => form?.test(each) ?? true)), text()),
    };
    return fc.oneof(...[type ?? 'number'].flat().map(kind => kinds[kind]?.() ?? amount()));
  };

  const segment = (value: string) => encodeURIComponent(value.replaceAll(/[\ud800-\udfff]/gu, ''));
  const parameter = (name: string) =>
    name === 'month' ? month() : mostly(fc.constantFrom(...(known[name] ?? ids), NOWHERE), id());
  const address = (path: string) => {
    const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);
    return fc
      .record(Object.fromEntries(names.map(name => [name, parameter(name)])))
      .map(values => path.replaceAll(/\{(\w+)\}/g, (_, name: string) => segment(String(values[name]))));
  };
  const headers = () =>
    fc.record(
      {
        'X-Service-Household': mostly(fc.constant(home.id), fc.constantFrom(stranger.id, NOWHERE)),
        'If-Match': fc.constantFrom('*', '*', '"1"'),
        'Idempotency-Key': mostly(fc.uuid(), fc.constant('used')),
      },
      { requiredKeys: [] },
    );
  const request = () =>
    fc.constantFrom(...routes).chain(({ method, path, body }) =>
      fc.record({
        method: mostly(fc.constant(method), fc.constantFrom(...METHODS)),
        address: address(path),
        body: mostly(body ? valueOf(body) : fc.constant(undefined), anything()),
        headers: headers(),
      }),
    );

  /** A name or password by chance right would delete the household or the account by which every call is made. */
  function unconfirmed(body: unknown): unknown {
    if (typeof body !== 'object' || body === null || Array.isArray(body)) return body;
    const wrong = Object.keys(body).filter(field => field === 'name' || field === 'password');
    return { ...body, ...Object.fromEntries(wrong.map(field => [field, 'none of these'])) };
  }

  /** Calls, and asserts that a refusal is in order and changed nothing. */
  async function call(method: string, address: string, body: unknown, headers = {}): Promise<void> {
    const reply = await home.send<Partial<ErrorBody> | null>(method, address, body, headers);
    const what = `${method} ${address} with ${JSON.stringify(body)}: ${JSON.stringify(reply.body)}`;
    const before = standing;
    // What a reading call changed would show after the next one that is refused.
    if (method !== 'GET') standing = await look();
    assert.ok(reply.status < 500, `${reply.status} for ${what}`);
    if (reply.status < 400) return;
    assert.equal(typeof reply.error.code, 'string');
    assert.equal(reply.error.request_id, reply.headers.get('x-request-id'));
    assert.deepEqual(standing, before, `refused, and yet changed something: ${what}`);
  }

  it('never makes a server error of a transaction', async () => {
    const bodyOf = (method: string, path: string) =>
      valueOf(routes.find(route => route.method === method && route.path === path)!.body!);
    const bodies = fc.tuple(
      bodyOf('POST', '/transactions'),
      bodyOf('PATCH', '/transactions/{transactionId}'),
    );
    const given = mostly(
      fc.constant(null).map(() => ({ id: freshId() })),
      fc.constant({}),
    );
    const calls = fc.asyncProperty(bodies, given, async ([created, changed], id) => {
      await call('POST', '/transactions', { ...(created as object), ...id });
      await call('PATCH', `/transactions/${ids.at(-1)!}`, changed);
    });
    await fc.assert(calls, { numRuns: RUNS });
  });

  it('never makes a server error of any route, and changes nothing where it refuses', async () => {
    await watch([
      ...OF_OWNER.map(path => [home, path] as const),
      ...OF_STRANGER.map(path => [stranger, path] as const),
    ]);
    const calls = fc.asyncProperty(request(), async ({ method, address, body, headers }) => {
      const sent = method === 'DELETE' ? unconfirmed(body) : body;
      await call(method, address, method === 'GET' ? undefined : sent, headers);
      // In the archive nothing could be changed from then on.
      if (address !== `/households/${home.id}`) return;
      ok(await home.patch(address, { archived: false }));
      standing = await look();
    });
    await fc.assert(calls, { numRuns: RUNS * 3 });
  });

  it('never makes a server error of a path with dots', async () => {
    await call('PATCH', '/months/2026-01/items/./fund', {});
    await call('PATCH', '/months/../items/..', {});
  });

  it('never makes a server error of a query', async () => {
    const values = {
      view: fc.constantFrom('tracked', 'untracked', 'deleted'),
      month: month(),
      item_id: id(),
      q: text(),
      cursor: text(),
      limit: fc.constantFrom('1', '200', '0', '1e2', ''),
    };
    const parameters = fields(values, ['view']);
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
