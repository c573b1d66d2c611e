import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { SCOPES } from '#http/access';
import { routesOf, type Route } from '#http/routes';
import { LastUse } from '#identity/access/credentials';
import { RATE_LIMIT } from '#identity/access/rate-limiter';
import { tokenSecret } from '#identity/secrets';
import {
  IdentityServer,
  longCalls,
  NOBODY,
  PASSWORD,
  type Answer,
  type Person,
} from './identity.scenario.js';

const DAY = 24 * 3_600_000;

let server: IdentityServer;
let owner: Person;
let routes: Route[];

before(async () => {
  server = await IdentityServer.start();
  owner = await server.person('Owner');
  routes = routesOf(server.app).filter(({ path }) => !/^\/(health|docs|openapi|metrics)/.test(path));
});
after(() => server.stop());

const refused = ({ status, body }: Answer): unknown[] => [status, body['code']];

/** Calls a route with made-up ids, in the caller's own household where one is in the path. */
function callRoute({ method, path }: Route, household: string, token?: string): Promise<Answer> {
  const filled = path.replace(':householdId', household).replaceAll(/:\w+/g, NOBODY);
  return server.call(method, filled, { token });
}

const guarded = (): Route[] => routes.filter(({ access }) => access?.who !== 'public');

describe('every route', () => {
  it('says who may call it', () => {
    assert.ok(routes.length >= 30, `${routes.length} routes`);
    for (const { operationId, access } of routes) {
      assert.ok(access, operationId);
      if (access.who === 'token') assert.ok(access.scopes.length > 0, `${operationId} needs no scope`);
    }
    const open = routes.filter(({ access }) => access?.who === 'public').map(({ path }) => path);
    assert.deepEqual(open.sort(), [
      '/auth/email/confirm',
      '/auth/password/forgot',
      '/auth/password/resend',
      '/auth/password/reset',
      '/auth/password/sign-in',
      '/auth/password/sign-up',
      '/auth/password/verify',
      '/invites/lookup',
    ]);
  });

  it('refuses callers without, with wrong, expired and revoked credentials', async () => {
    const expired = await server.accessToken(owner, undefined, 1);
    const leaving = await server.person('Leaving');
    const session = leaving.token;
    const revoked = await server.accessToken(leaving);
    const { body } = await server.call('GET', '/tokens', { token: session });
    const [token] = body['tokens'] as { id: string }[];
    await server.call('DELETE', `/tokens/${token?.id ?? ''}`, { token: session });
    await server.call('POST', '/auth/sign-out', { token: session });
    server.clock.pass(DAY);
    const unknown = tokenSecret(Buffer.alloc(32, 1));
    const credentials = [undefined, 'garbage', expired, revoked, session, unknown, `hbs_${'A'.repeat(43)}`];
    for (const route of guarded()) {
      for (const credential of credentials) {
        const answer = await callRoute(route, owner.home, credential);
        assert.deepEqual(
          refused(answer),
          [401, 'unauthenticated'],
          `${route.operationId} ${String(credential)}`,
        );
        assert.equal(answer.headers.get('www-authenticate'), 'Bearer');
        assert.equal(answer.headers.get('x-ratelimit-limit'), null);
      }
    }
  });

  it('refuses tokens whose scopes do not cover it, and names the scope', async () => {
    for (const route of guarded()) {
      const { access } = route;
      if (access?.who !== 'token') continue;
      const [scope] = access.scopes;
      const area = String(scope).split(':')[0];
      const foreign = SCOPES.filter(one => one.split(':')[0] !== area);
      const narrow = String(scope).endsWith(':read') ? foreign : [...foreign, `${area}:read`];
      const reader = await server.person(`Reader${route.operationId}`);
      const token = await server.accessToken(reader, narrow);
      const answer = await callRoute(route, reader.home, token);
      assert.deepEqual(refused(answer), [403, 'insufficient_scope'], route.operationId);
      assert.deepEqual(answer.body['details'], { required_scope: scope }, route.operationId);
    }
  });

  it('that manages sessions, passwords and tokens refuses access tokens', async () => {
    const sessionOnly = guarded().filter(({ access }) => access?.who === 'session');
    assert.equal(sessionOnly.length, 10);
    const token = await server.accessToken(await server.person('Scripted'));
    for (const route of sessionOnly) {
      const answer = await callRoute(route, owner.home, token);
      assert.deepEqual(refused(answer), [403, 'session_required'], route.operationId);
    }
  });

  it('of a household refuses strangers and removed members, whether it exists or not', async () => {
    const [stranger, removed] = [await server.person('Stranger'), await server.person('Removed')];
    const household = await server.household(owner);
    await server.join(removed, owner, household);
    const path = `/households/${household}/members/${removed.id}`;
    assert.equal(
      (await server.call('GET', `/households/${household}/members`, { token: removed.token })).status,
      200,
    );
    assert.equal((await server.call('DELETE', path, { token: owner.token })).status, 204);
    for (const route of guarded().filter(({ access }) => access?.household)) {
      for (const [person, id] of [
        [stranger, household],
        [removed, household],
        [owner, NOBODY],
      ] as const) {
        const inPath = route.path.includes(':householdId');
        const headers: Record<string, string> = inPath ? {} : { 'x-service-household': id };
        const filled = route.path.replace(':householdId', id).replaceAll(/:\w+/g, NOBODY);
        const answer = await server.call(route.method, filled, { token: person.token, headers });
        assert.deepEqual(refused(answer), [403, 'not_a_member'], route.operationId);
      }
    }
  });
});

describe('tokens in the wrong place', () => {
  it('never count: query, body, another scheme, two words', async () => {
    const { token } = owner;
    const calls: Promise<Answer>[] = [
      server.call('GET', `/me?access_token=${token}`),
      server.call('PATCH', '/me', { body: { access_token: token } }),
      server.call('GET', '/me', { headers: { authorization: `Token ${token}` } }),
      server.call('GET', '/me', { headers: { authorization: `Bearer ${token} x` } }),
      server.call('GET', '/me', { headers: { authorization: token } }),
      server.call('GET', '/me', { headers: { authorization: 'Bearer' } }),
      server.call('GET', '/me', { headers: { authorization: '' } }),
    ];
    for (const answer of await Promise.all(calls))
      assert.deepEqual(refused(answer), [401, 'unauthenticated']);
  });

  it('the scheme may be written in any case', async () => {
    const answer = await server.call('GET', '/me', { headers: { authorization: `bearer ${owner.token}` } });
    assert.equal(answer.status, 200);
  });
});

describe('the order of the checks', () => {
  const invalid = { headers: { 'content-type': 'application/json' }, body: '{' };

  it('is authentication, rate limit, scope, membership, then the body', async () => {
    const person = await server.person('Orderly');
    const narrow = await server.accessToken(person, ['budget:read']);
    const wide = await server.accessToken(person, ['budget:write']);
    const elsewhere = { ...invalid.headers, 'x-service-household': NOBODY };
    const malformed = { ...invalid.headers, 'x-service-household': 'home' };
    const post = (token: string | undefined, headers: Record<string, string>): Promise<Answer> =>
      server.call('POST', '/probe', { token, headers, body: invalid.body });
    assert.deepEqual(refused(await post(undefined, malformed)), [401, 'unauthenticated']);
    assert.deepEqual(refused(await post(narrow, malformed)), [403, 'insufficient_scope']);
    assert.deepEqual(refused(await post(wide, malformed)), [422, 'validation_failed']);
    assert.deepEqual(refused(await post(wide, elsewhere)), [403, 'not_a_member']);
    assert.deepEqual(refused(await post(wide, invalid.headers)), [400, 'invalid_json']);
    const named = await server.call('POST', '/probe', { token: wide, body: { name: '' } });
    assert.deepEqual(refused(named), [422, 'validation_failed']);
    for (let request = 0; request < RATE_LIMIT; request += 1) {
      await server.call('GET', '/probe', { token: narrow });
    }
    assert.deepEqual(refused(await post(narrow, malformed)), [429, 'rate_limited']);
  });

  it('asks for owners before it looks at anything else of a member', async () => {
    const [boss, member] = [await server.person('Boss'), await server.person('Member')];
    await server.join(member, boss, boss.home);
    for (const [method, path, body] of [
      ['PATCH', `/households/${boss.home}`, { nonsense: 1 }],
      ['PATCH', `/households/${boss.home}/members/${NOBODY}`, { role: 'king' }],
      ['DELETE', `/households/${boss.home}/members/${NOBODY}`, undefined],
      ['DELETE', `/households/${boss.home}/members/nobody`, undefined],
      ['DELETE', `/households/${boss.home}/members/${boss.id}?nonsense=1`, undefined],
    ] as const) {
      const answer = await server.call(method, path, { token: member.token, body });
      assert.deepEqual(refused(answer), [403, 'owner_required'], path);
    }
    const themself = `/households/${boss.home}/members/${member.id}?nonsense=1`;
    const answer = await server.call('DELETE', themself, { token: member.token });
    assert.deepEqual(refused(answer), [422, 'validation_failed']);
  });
});

describe('the household of a call', () => {
  const probe = async (token: string, headers: Record<string, string> = {}): Promise<unknown> =>
    (await server.call('GET', '/probe', { token, headers })).body['membership'];

  it('is the header’s, else the default one', async () => {
    const person = await server.person('Homely');
    const other = await server.household(person, 'Other');
    const owned = { role: 'owner', currency: 'USD', archived: false };
    assert.deepEqual(await probe(person.token), { householdId: person.home, ...owned });
    assert.deepEqual(await probe(person.token, { 'x-service-household': other }), {
      householdId: other,
      ...owned,
    });
    const body = { default_household_id: other };
    assert.equal((await server.call('PATCH', '/me', { token: person.token, body })).status, 200);
    const script = await server.accessToken(person, ['budget:read']);
    for (const token of [person.token, script]) {
      assert.deepEqual(await probe(token), { householdId: other, ...owned });
    }
  });

  it('may come by the query where a route says so, and nowhere else', async () => {
    const person = await server.person('Streaming');
    const other = await server.household(person, 'Other');
    const asked = await server.call('GET', `/probe-stream?household=${other}`, { token: person.token });
    assert.equal((asked.body['membership'] as { householdId: string }).householdId, other);
    const headers = { 'x-service-household': person.home };
    const both = await server.call('GET', `/probe-stream?household=${other}`, {
      token: person.token,
      headers,
    });
    assert.equal((both.body['membership'] as { householdId: string }).householdId, person.home);
    for (const [path, expected] of [
      [`/probe-stream?household=${NOBODY}`, [403, 'not_a_member']],
      ['/probe-stream?household=home', [422, 'validation_failed']],
      [`/probe?household=${NOBODY}`, [422, 'validation_failed']],
    ] as const) {
      assert.deepEqual(refused(await server.call('GET', path, { token: person.token })), expected, path);
    }
  });

  it('is a ULID: everything else is refused with the name of the header', async () => {
    for (const value of ['', 'home', NOBODY.toLowerCase(), `${NOBODY}, ${NOBODY}`, `${NOBODY}0`]) {
      const answer = await server.call('GET', '/probe', {
        token: owner.token,
        headers: { 'x-service-household': value },
      });
      assert.deepEqual(refused(answer), [422, 'validation_failed'], value);
      const { fields } = answer.body['details'] as { fields: { path: string }[] };
      assert.equal(fields[0]?.path, 'X-Service-Household');
    }
    const inPath = await server.call('GET', '/households/home/members', { token: owner.token });
    assert.deepEqual(refused(inPath), [422, 'validation_failed']);
  });

  it('falls back to the personal one when the default is archived, left or lost', async () => {
    const [person, host] = [await server.person('Guest'), await server.person('Host')];
    const own = await server.household(person, 'Own');
    const foreign = await server.household(host, 'Foreign');
    await server.join(person, host, foreign);
    const choose = (id: string): Promise<Answer> =>
      server.call('PATCH', '/me', { token: person.token, body: { default_household_id: id } });
    const householdOf = async (): Promise<unknown> =>
      ((await probe(person.token)) as { householdId: string }).householdId;
    const defaultOf = async (): Promise<unknown> =>
      (await server.call('GET', '/me', { token: person.token })).body['default_household_id'];

    await choose(own);
    await server.call('PATCH', `/households/${own}`, { token: person.token, body: { archived: true } });
    assert.deepEqual([await householdOf(), await defaultOf()], [person.home, person.home]);
    assert.deepEqual(refused(await choose(own)), [409, 'conflict']);

    assert.equal((await choose(foreign)).status, 200);
    assert.equal(await householdOf(), foreign);
    await server.call('DELETE', `/households/${foreign}/members/${person.id}`, { token: host.token });
    assert.deepEqual([await householdOf(), await defaultOf()], [person.home, person.home]);
    assert.deepEqual(refused(await choose(foreign)), [403, 'not_a_member']);
    assert.deepEqual(refused(await choose(NOBODY)), [403, 'not_a_member']);
  });

  it('is told to be archived', async () => {
    const person = await server.person('Archivist');
    const household = await server.household(person);
    await server.call('PATCH', `/households/${household}`, { token: person.token, body: { archived: true } });
    assert.deepEqual(await probe(person.token, { 'x-service-household': household }), {
      householdId: household,
      role: 'owner',
      currency: 'USD',
      archived: true,
    });
  });
});

describe('a call that lasts', () => {
  async function duringCall(
    person: Person,
    household: string,
    happening: () => Promise<unknown>,
  ): Promise<Answer> {
    const waits = longCalls.next();
    const headers = { 'x-service-household': household };
    const answer = server.call('GET', '/probe-long', { token: person.token, headers });
    await waits;
    await happening();
    longCalls.goOn();
    return answer;
  }

  it('goes on while its caller may be there', async () => {
    const [host, guest] = [await server.person('LongHost'), await server.person('LongGuest')];
    await server.join(guest, host, host.home);
    const answer = await duringCall(guest, host.home, async () => {
      const path = `/households/${host.home}/members/${guest.id}`;
      await server.call('PATCH', path, { token: host.token, body: { role: 'owner' } });
    });
    assert.deepEqual(answer.body['membership'], {
      householdId: host.home,
      role: 'owner',
      currency: 'USD',
      archived: false,
    });
  });

  it('ends with membership and with the session', async () => {
    const [host, guest] = [await server.person('LostHost'), await server.person('LostGuest')];
    await server.join(guest, host, host.home);
    const removed = await duringCall(guest, host.home, () =>
      server.call('DELETE', `/households/${host.home}/members/${guest.id}`, { token: host.token }),
    );
    assert.deepEqual(refused(removed), [403, 'not_a_member']);
    const signedOut = await duringCall(host, host.home, () =>
      server.call('POST', '/auth/sign-out', { token: host.token }),
    );
    assert.deepEqual(refused(signedOut), [401, 'unauthenticated']);
  });
});

describe('the rate limit of access tokens', () => {
  const limits = ({ headers }: Answer): unknown[] =>
    ['limit', 'remaining', 'reset'].map(name => headers.get(`x-ratelimit-${name}`));

  it('is told on every answer, errors included, and not to sessions', async () => {
    const person = await server.person('Limited');
    const token = await server.accessToken(person, ['budget:read', 'account:read']);
    assert.deepEqual(limits(await server.call('GET', '/me', { token })), ['120', '119', '1']);
    const headers = { 'x-service-household': NOBODY };
    const answers = [
      await server.call('POST', '/probe', { token }),
      await server.call('GET', '/tokens', { token }),
      await server.call('GET', '/probe', { token, headers }),
      await server.call('GET', '/me?nonsense=1', { token }),
      await server.call('GET', '/nowhere', { token }),
      await server.call('PUT', '/me', { token }),
      await server.call('GET', '/invites/lookup?token=x', { token }),
      await server.call('POST', '/auth/password/verify', { token, body: {} }),
      await server.call('GET', '/%ff', { token }),
      await server.call('GET', '/households/%ff/members', { token }),
    ];
    assert.deepEqual(
      answers.map(answer => [answer.status, answer.headers.get('x-ratelimit-remaining')]),
      [
        [403, '118'],
        [403, '117'],
        [403, '116'],
        [422, '115'],
        [404, '114'],
        [405, '113'],
        [410, '112'],
        [422, '111'],
        [404, '110'],
        [403, '109'],
      ],
    );
    assert.equal((await server.call('GET', '/nowhere', { token: 'hbp_garbage' })).status, 404);
    assert.equal((await server.call('GET', '/households/%ff/members')).status, 401);
    assert.deepEqual(limits(await server.call('GET', '/me', { token: person.token })), [null, null, null]);
  });

  it('is told whatever the letter case of the scheme', async () => {
    const token = await server.accessToken(await server.person('Lower'));
    const headers = { authorization: `bearer ${token}` };
    for (const [path, remaining] of [
      ['/me', '119'],
      ['/invites/lookup?token=x', '118'],
      ['/nowhere', '117'],
    ] as const) {
      assert.equal(limits(await server.call('GET', path, { headers }))[1], remaining, path);
    }
  });

  it('is not passed over where the store cannot say whose token it is', async () => {
    const token = await server.accessToken(await server.person('Unsure'));
    for (const path of ['/me', '/invites/lookup?token=x', '/nowhere']) {
      server.failing.add('get personal_access_tokens');
      assert.deepEqual(refused(await server.call('GET', path, { token })), [503, 'unavailable'], path);
    }
  });

  it('allows 120 at once, then two a second', async () => {
    const person = await server.person('Busy');
    const token = await server.accessToken(person);
    for (let request = 0; request < RATE_LIMIT; request += 1) {
      assert.equal((await server.call('GET', '/settings', { token })).status, 200, String(request));
    }
    const over = await server.call('GET', '/settings', { token });
    assert.deepEqual(refused(over), [429, 'rate_limited']);
    assert.deepEqual(limits(over).slice(0, 2), ['120', '0']);
    for (const path of ['/nowhere', '/invites/lookup?token=x']) {
      assert.deepEqual(refused(await server.call('GET', path, { token })), [429, 'rate_limited']);
    }
    const garbage = await server.call('GET', '/invites/lookup?token=x', {
      token: tokenSecret(Buffer.alloc(32, 1)),
    });
    assert.deepEqual(
      [refused(garbage), limits(garbage)],
      [
        [410, 'invalid_link'],
        [null, null, null],
      ],
    );
    const retry = Number(over.headers.get('retry-after'));
    assert.equal(retry, 1);
    server.clock.pass(retry * 1000);
    assert.equal((await server.call('GET', '/settings', { token })).status, 200);
    const other = await server.accessToken(person);
    assert.equal((await server.call('GET', '/settings', { token: other })).status, 200);
  });
});

describe('authentication', () => {
  it('of a read costs at most three reads of single documents, and no hash', async () => {
    const script = await server.accessToken(owner, ['budget:read']);
    for (const token of [owner.token, script]) {
      await server.call('GET', '/probe', { token });
      await server.app.get(LastUse, { strict: false }).flush();
      server.operations.length = 0;
      assert.equal((await server.call('GET', '/probe', { token })).status, 200);
      assert.equal(server.operations.length, 3, server.operations.join(', '));
      assert.ok(
        server.operations.every(operation => operation.startsWith('get ')),
        server.operations.join(', '),
      );
    }
    const headers = { 'x-service-household': owner.home };
    server.operations.length = 0;
    await server.call('GET', '/probe', { token: script, headers });
    assert.deepEqual(server.operations, ['get personal_access_tokens', 'get accounts', 'get households']);
  });

  it('is told to the log, by the id of the user', async () => {
    const script = await server.accessToken(owner, ['budget:read']);
    server.log.length = 0;
    for (const token of [owner.token, script]) await server.call('GET', '/probe', { token });
    const lines = server.log.map(line => JSON.parse(line) as Record<string, unknown>);
    const users = lines.filter(({ route }) => route === '/v1/probe').map(({ user_id }) => user_id);
    assert.deepEqual(users, [owner.id, owner.id]);
  });

  it('of a malformed token asks no store', async () => {
    server.operations.length = 0;
    for (const token of ['garbage', 'hbs_short', `hbp_${'a'.repeat(49)}`, `hbs_${'a'.repeat(44)}`]) {
      assert.equal((await server.call('GET', '/me', { token })).status, 401);
    }
    assert.deepEqual(server.operations, []);
  });

  it('by password is not possible with a token as password', async () => {
    const answer = await server.call('POST', '/auth/password/sign-in', {
      headers: server.from(99_999),
      body: { email: owner.email, password: owner.token.padEnd(PASSWORD.length), client: 'mobile' },
    });
    assert.equal(answer.status, 401);
  });
});
