import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { SCOPES, type Scope } from '#http/access';
import { ApiError } from '#http/api-error';
import { requireScope } from './guards.js';

/** What each scope allows beyond itself. */
const INCLUDED: Partial<Record<Scope, Scope>> = {
  'budget:write': 'budget:read',
  'transactions:write': 'transactions:read',
  'households:manage': 'households:read',
  'account:write': 'account:read',
};

function allowed(scopes: ReadonlySet<Scope> | 'all'): Scope[] {
  return SCOPES.filter(scope => {
    try {
      requireScope({ scopes }, scope);
      return true;
    } catch (error) {
      assert.ok(error instanceof ApiError);
      assert.deepEqual([error.code, error.details], ['insufficient_scope', { required_scope: scope }]);
      return false;
    }
  });
}

describe('a scope', () => {
  for (const held of SCOPES) {
    const expected = SCOPES.filter(scope => scope === held || scope === INCLUDED[held]);
    it(`${held} allows ${expected.join(' and ')}, and nothing else`, () => {
      assert.deepEqual(allowed(new Set([held])), expected);
    });
  }

  it('is nothing that a session asks for, nor anything that a token without one has', () => {
    assert.deepEqual(allowed('all'), [...SCOPES]);
    assert.deepEqual(allowed(new Set()), []);
  });
});
