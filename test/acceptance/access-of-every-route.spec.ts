// Every route of the running service, as its own description lists them, with every kind of credential that must
// not do: a route that somebody forgets to guard fails here.
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { Household, NOBODY, NOWHERE, ok, refused, useService, type Reply } from './household.scenario.js';

interface Operation {
  readonly parameters?: readonly ({ readonly name: string } | { readonly $ref: string })[];
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[];
  readonly servers?: unknown;
}

interface Route {
  readonly method: string;
  /** Parameters filled in, the household's apart. */
  readonly path: string;
  readonly needsSession: boolean;
  /** All of these. */
  readonly scopes: readonly string[];
  /** One of these. */
  readonly anyOf: readonly string[];
  readonly ofHousehold: boolean;
}

const METHODS = ['get', 'post', 'put', 'patch', 'delete'];

/** What needs no credential: what one does before one is signed in. */
const OPEN = [
  'GET /invites/lookup',
  'POST /auth/email/confirm',
  'POST /auth/password/forgot',
  'POST /auth/password/resend',
  'POST /auth/password/reset',
  'POST /auth/password/sign-in',
  'POST /auth/password/sign-up',
  'POST /auth/password/verify',
];

function readRoutes(paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>): {
  readonly open: readonly string[];
  readonly guarded: readonly Route[];
} {
  const open: string[] = [];
  const guarded: Route[] = [];
  for (const [path, operations] of Object.entries(paths)) {
    for (const [name, operation] of Object.entries(operations)) {
      // What stands outside `/v1` names its own server.
      if (!METHODS.includes(name) || 'servers' in operations) continue;
      const method = name.toUpperCase();
      if (!operation.security?.length) {
        open.push(`${method} ${path}`);
        continue;
      }
      const byToken = operation.security.filter(scheme => 'token' in scheme);
      guarded.push({
        method,
        path: path
          .replace('{month}', '2026-01')
          .replace('{eventId}', '5f0c2a3e-7d1b-4c7e-9a55-0b1f6a1d2c3e')
          .replaceAll(/\{(?!householdId)\w+\}/g, NOWHERE),
        needsSession: byToken.length === 0,
        anyOf: byToken.length > 1 ? byToken.flatMap(scheme => scheme['token'] ?? []) : [],
        scopes: byToken.length === 1 ? (byToken[0]!['token'] ?? []) : [],
        ofHousehold:
          path.includes('{householdId}') ||
          (operation.parameters ?? []).some(
            parameter => '$ref' in parameter && parameter.$ref === '#/components/parameters/Household',
          ),
      });
    }
  }
  return { open, guarded };
}

describe('every route', () => {
  const service = useService();
  let home: Household;
  let routes: ReturnType<typeof readRoutes>;

  before(async () => {
    home = await service.household();
    const response = await fetch(`${home.service.origin}/openapi.json`);
    const { paths } = (await response.json()) as { readonly paths: Parameters<typeof readRoutes>[0] };
    routes = readRoutes(paths);
  });

  /** Calls a route in a household with a credential. */
  function call(
    { method, path }: Route,
    household: string,
    credential: string | null,
  ): Promise<Reply<unknown>> {
    const filled = path.replace('{householdId}', household);
    if (credential === null) return home.send(method, filled, undefined, NOBODY);
    const headers = { Authorization: `Bearer ${credential}`, 'X-Service-Household': household };
    return home.send(method, filled, undefined, headers);
  }

  const accessToken = async (
    of: Household,
    scopes?: readonly string[],
  ): Promise<{ id: string; secret: string }> =>
    ok(
      await of.post<{ id: string; secret: string }>('/tokens', { name: 'T', ...(scopes && { scopes }) }),
      201,
    );

  it('needs a credential, but for those that lead to one', () => {
    assert.deepEqual([...routes.open].sort(), OPEN);
    assert.ok(routes.guarded.length > 45, `${routes.guarded.length} routes`);
  });

  it('refuses whoever shows none, a wrong one or a revoked one', async () => {
    const leaver = await service.stranger('Leaver');
    const token = await accessToken(leaver);
    ok(await leaver.delete(`/tokens/${token.id}`), 204);
    ok(await leaver.post('/auth/sign-out'), 204);
    for (const route of routes.guarded) {
      for (const credential of [null, 'garbage', token.secret, leaver.user.token]) {
        const reply = await call(route, leaver.user.householdId, credential);
        refused(reply, 401, 'unauthenticated');
        assert.equal(reply.headers.get('www-authenticate'), 'Bearer');
      }
    }
  });

  it('refuses tokens that may do everything but this', async () => {
    const everything = [
      'budget:read',
      'budget:write',
      'transactions:read',
      'transactions:write',
      'households:read',
      'households:manage',
      'account:read',
      'account:write',
    ];
    const tokens = new Map<string, string>();
    for (const route of routes.guarded.filter(({ scopes }) => scopes.length > 0)) {
      for (const needed of route.scopes) {
        const [area, right] = needed.split(':');
        const allowed = everything.filter(scope => {
          const [ofArea, ofRight] = scope.split(':');
          return ofArea !== area || (right !== 'read' && ofRight === 'read');
        });
        const secret = tokens.get(needed) ?? (await accessToken(home, allowed)).secret;
        tokens.set(needed, secret);
        const reply = await call(route, home.id, secret);
        assert.equal(refused(reply, 403, 'insufficient_scope')['required_scope'], needed);
        assert.notEqual(reply.headers.get('x-ratelimit-remaining'), null);
      }
    }
  });

  it('of which one scope is enough refuses tokens that have none of them', async () => {
    const ofSeveral = routes.guarded.filter(({ anyOf }) => anyOf.length > 0);
    assert.deepEqual(
      ofSeveral.map(({ path, anyOf }) => [path.replace(/[0-9a-f-]{36}/, '*'), anyOf]),
      [['/activity/*/undo', ['budget:write', 'transactions:write']]],
    );
    const { secret } = await accessToken(home, ['budget:read', 'transactions:read', 'account:write']);
    for (const route of ofSeveral) {
      const details = refused(await call(route, home.id, secret), 403, 'insufficient_scope');
      assert.equal(details['required_scope'], route.anyOf[0]);
    }
  });

  it('about sessions, passwords and tokens refuses tokens', async () => {
    const { secret } = await accessToken(home);
    const reserved = routes.guarded.filter(({ needsSession }) => needsSession);
    assert.ok(reserved.length >= 8, `${reserved.length} routes`);
    for (const route of reserved) refused(await call(route, home.id, secret), 403, 'session_required');
  });

  it('of a household refuses strangers and who was removed', async () => {
    const stranger = await service.stranger('Stranger');
    const removed = await service.member(home, 'Removed');
    ok(await removed.get('/months'));
    ok(await home.delete(`/households/${home.id}/members/${removed.user.id}`), 204);
    const shared = routes.guarded.filter(({ ofHousehold }) => ofHousehold);
    assert.ok(shared.length >= 30, `${shared.length} routes`);
    for (const route of shared) {
      for (const { user } of [stranger, removed]) {
        refused(await call(route, home.id, user.token), 403, 'not_a_member');
        refused(await call(route, NOWHERE, user.token), 403, 'not_a_member');
      }
    }
  });
});
