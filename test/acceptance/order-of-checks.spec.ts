import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { Household, invalid, NOWHERE, ok, refused, useService, type Reply } from './household.scenario.js';

/** Every route of the budget: its scope, and a call with a body that is not valid. */
const ROUTES: readonly (readonly [method: string, path: string, scope: string])[] = [
  ['GET', '/months', 'budget:read'],
  ['GET', '/months/2026-01', 'budget:read'],
  ['POST', '/months/2026-01', 'budget:write'],
  ['POST', '/months/2026-01/reset', 'budget:write'],
  ['POST', '/months/2026-01/groups', 'budget:write'],
  ['PATCH', `/groups/${NOWHERE}`, 'budget:write'],
  ['DELETE', `/months/2026-01/groups/${NOWHERE}`, 'budget:write'],
  ['PUT', '/months/2026-01/group-order', 'budget:write'],
  ['POST', `/months/2026-01/groups/${NOWHERE}/items`, 'budget:write'],
  ['PATCH', `/items/${NOWHERE}`, 'budget:write'],
  ['PATCH', `/months/2026-01/items/${NOWHERE}`, 'budget:write'],
  ['DELETE', `/months/2026-01/items/${NOWHERE}`, 'budget:write'],
  ['PUT', `/months/2026-01/groups/${NOWHERE}/item-order`, 'budget:write'],
  ['POST', `/months/2026-01/items/${NOWHERE}/fund`, 'budget:write'],
  ['POST', `/months/2026-01/items/${NOWHERE}/fund-balance`, 'budget:write'],
  ['POST', `/months/2026-01/items/${NOWHERE}/harvest`, 'budget:write'],
  ['GET', '/transactions?view=tracked', 'transactions:read'],
  ['GET', `/transactions/${NOWHERE}`, 'transactions:read'],
  ['POST', '/transactions', 'transactions:write'],
  ['PATCH', `/transactions/${NOWHERE}`, 'transactions:write'],
  ['DELETE', `/transactions/${NOWHERE}`, 'transactions:write'],
  ['POST', `/transactions/${NOWHERE}/restore`, 'transactions:write'],
  ['GET', '/merchants', 'transactions:read'],
];

const SCOPES = ['budget:read', 'budget:write', 'transactions:read', 'transactions:write', 'account:write'];

describe('the order of checks', () => {
  const service = useService();
  let home: Household;

  before(async () => {
    home = await service.household();
  });

  /** The same household by a personal access token. */
  const byToken = async (scopes: readonly string[]): Promise<Household> => {
    const { secret } = ok(await home.post<{ secret: string }>('/tokens', { name: 'T', scopes }), 201);
    return new Household(home.service, { ...home.user, token: secret }, home.id);
  };

  /** A call in which everything behind the access checks is wrong as well. */
  const wrong = (of: Household, method: string, path: string, headers = {}): Promise<Reply<unknown>> => {
    const parameter = path.includes('?') ? '&nonsense=1' : '?nonsense=1';
    return of.send(method, path + parameter, method === 'GET' ? undefined : { nonsense: 1 }, headers);
  };

  it('asks first who calls', async () => {
    for (const [method, path] of ROUTES) {
      const headers = { Authorization: 'Bearer nonsense', 'X-Service-Household': 'nonsense' };
      refused(await wrong(home, method, path, headers), 401, 'unauthenticated');
    }
  });

  it('then for the scope, naming the one that is needed', async () => {
    for (const scope of new Set(ROUTES.map(([, , needed]) => needed))) {
      const wider = scope.replace(':read', ':write');
      const limited = await byToken(SCOPES.filter(one => one !== scope && one !== wider));
      for (const [method, path, needed] of ROUTES) {
        if (needed !== scope) continue;
        const reply = await wrong(limited, method, path, { 'X-Service-Household': 'nonsense' });
        assert.deepEqual(refused(reply, 403, 'insufficient_scope'), { required_scope: scope }, path);
      }
    }
  });

  it('then for one of the scopes, where it depends on what is found', async () => {
    const headers = { 'X-Service-Household': 'nonsense' };
    const limited = await byToken(SCOPES.filter(scope => !/^(budget|transactions):write$/.test(scope)));
    for (const id of [NOWHERE, 'nonsense']) {
      const reply = await wrong(limited, 'POST', `/activity/${id}/undo`, headers);
      assert.deepEqual(refused(reply, 403, 'insufficient_scope'), { required_scope: 'budget:write' });
    }
    await home.createMonth('2026-12');
    const { activity } = ok(await home.get<{ activity: { event_id: string }[] }>('/activity?limit=1'));
    const path = `/activity/${activity[0]!.event_id}/undo`;
    const other = await byToken(['transactions:write', 'budget:read']);
    assert.deepEqual(invalid(await wrong(other, 'POST', path)), ['nonsense', 'nonsense']);
    assert.deepEqual(refused(await other.post(path), 403, 'insufficient_scope'), {
      required_scope: 'budget:write',
    });
    ok(await (await byToken(['budget:write'])).post(path));
  });

  it('then for membership', async () => {
    const stranger = await service.stranger();
    for (const [method, path] of ROUTES) {
      refused(await wrong(stranger, method, path, { 'X-Service-Household': home.id }), 403, 'not_a_member');
    }
  });

  it('then for validity, before anything is looked up', async () => {
    for (const [method, path] of ROUTES) {
      const paths = invalid(await wrong(home, method, path));
      assert.ok(paths.includes('nonsense'), `${method} ${path}: ${paths.join()}`);
    }
  });

  it('lets a token of just the scope pass, and a write scope read', async () => {
    const budget = await byToken(['budget:write']);
    ok(await budget.post('/months/2026-01'), 201);
    ok(await budget.get('/months/2026-01'));
    const reader = await byToken(['budget:read']);
    ok(await reader.get('/months/2026-01'));
    const transactions = await byToken(['transactions:write']);
    ok(await transactions.get('/transactions?view=tracked'));
    ok(await transactions.get('/merchants'));
  });
});
