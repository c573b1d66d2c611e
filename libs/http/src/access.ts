import { applyDecorators } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { ApiBearerAuth, ApiCookieAuth, ApiExtension, ApiHeader, ApiSecurity } from '@nestjs/swagger';
import type { ErrorCode } from './api-error.js';
import { Fails } from './answers.js';
import { ULID_PATTERN } from './field-rules.js';

/** What a personal access token may be allowed. A write scope includes its read scope. */
export const SCOPES = [
  'budget:read',
  'budget:write',
  'transactions:read',
  'transactions:write',
  'households:read',
  'households:manage',
  'account:read',
  'account:write',
] as const;

export type Scope = (typeof SCOPES)[number];

export const HOUSEHOLD_HEADER = 'X-Service-Household';

/** Who may call a route. */
export interface RouteAccess {
  /** `public`: anybody. `session`: a signed-in session, no personal access token. `token`: both. */
  readonly who: 'public' | 'session' | 'token';
  /** The scopes that a personal access token needs, all of them. */
  readonly scopes: readonly Scope[];
  /** Scopes of which a personal access token needs one; empty where it needs none of these. */
  readonly anyOf: readonly Scope[];
  /** A public route whose responses to a personal access token have its rate headers. */
  readonly tellsRate: boolean;
  /** The call acts on a household, named by `{householdId}` of the path, else by the header, else the default one. */
  readonly household: boolean;
}

interface ScopeOptions {
  /** The call acts on a household: membership is checked before the body is read. */
  readonly household?: boolean;
}

/** Who may call a route. One that declares nothing has none, and must not be served. */
export const DeclaredAccess = Reflector.createDecorator<RouteAccess>();

/** Errors of every route. Those of the body come even if the route does not take one. */
const COMMON_CODES = [
  'invalid_json',
  'payload_too_large',
  'unsupported_media_type',
  'validation_failed',
  'internal',
] as const satisfies ErrorCode[];

/** Declares who may call a route; every route has exactly one of these, and the guards read it. */
export const Access = {
  /** Everybody may call. A credential is read only for the rate headers of a personal access token. */
  public({ tellsRate = false }: { readonly tellsRate?: boolean } = {}): MethodDecorator {
    const access: RouteAccess = { who: 'public', scopes: [], anyOf: [], tellsRate, household: false };
    const codes: readonly ErrorCode[] = tellsRate ? ['rate_limited', 'unavailable'] : [];
    return applyDecorators(DeclaredAccess(Object.freeze(access)), Fails(...COMMON_CODES, ...codes));
  },

  /** Only a signed-in session, by cookie or bearer; a personal access token gets `session_required`. */
  session({ household = false }: ScopeOptions = {}): MethodDecorator {
    return guarded({ who: 'session', scopes: [], anyOf: [], tellsRate: false, household });
  },

  /** A session, or a personal access token that has every scope named. */
  scope(scopes: Scope | readonly Scope[], { household = false }: ScopeOptions = {}): MethodDecorator {
    return guarded({ who: 'token', scopes: [scopes].flat(), anyOf: [], tellsRate: false, household });
  },

  /** A session, or a personal access token with one of the scopes: the handler finds out which one it needs. */
  anyScope(anyOf: readonly Scope[], { household = false }: ScopeOptions = {}): MethodDecorator {
    return guarded({ who: 'token', scopes: [], anyOf, tellsRate: false, household });
  },
};

function guarded(access: RouteAccess): MethodDecorator {
  const { who, scopes, anyOf, household } = access;
  // OpenAPI: of the requirements of an operation one is enough, and needs all the scopes that it lists.
  const sufficient = anyOf.length > 0 ? anyOf.map(scope => [scope]) : [[...scopes]];
  const refusal = who === 'token' ? 'insufficient_scope' : 'session_required';
  const described: MethodDecorator[] = [ApiBearerAuth('session'), ApiCookieAuth('cookie')];
  if (who === 'token') described.unshift(...sufficient.map(needed => ApiSecurity('token', needed)));
  if (scopes.length > 0) described.push(ApiExtension('x-required-scope', [...scopes]));
  if (household) described.push(ApiHeader(HOUSEHOLD_PARAMETER), Fails('not_a_member'));
  return applyDecorators(
    DeclaredAccess(Object.freeze(access)),
    ...described,
    Fails(...COMMON_CODES, 'unauthenticated', refusal, 'rate_limited', 'unavailable'),
  );
}

const HOUSEHOLD_PARAMETER = {
  name: HOUSEHOLD_HEADER,
  description: 'The household to act on. Without it, the caller’s default household.',
  required: false,
  schema: { type: 'string', pattern: ULID_PATTERN },
};
