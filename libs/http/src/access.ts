import { SetMetadata, applyDecorators, type ExecutionContext } from '@nestjs/common';
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

/** The header that names the household to act on. */
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

interface PublicOptions {
  /** Responses to a personal access token have its rate headers, as on every other route. */
  readonly tellsRate?: boolean;
}

interface ScopeOptions {
  /** The call acts on a household: membership is checked before the body is read. */
  readonly household?: boolean;
}

const ACCESS = Symbol('access of a route');

/** Who may call the route under way; undefined for a route that declares nothing, which must not be served. */
export function accessOf(context: Pick<ExecutionContext, 'getHandler'>): RouteAccess | undefined {
  return accessOfHandler(context.getHandler());
}

export function accessOfHandler(handler: object): RouteAccess | undefined {
  return Reflect.getMetadata(ACCESS, handler) as RouteAccess | undefined;
}

const OPEN = { scopes: [], anyOf: [], tellsRate: false, household: false } as const;

/** Declares who may call a route; every route has exactly one of these, and the guards read it. */
export const Access = {
  /** Everybody may call. A credential is read only for the rate headers of a personal access token. */
  public({ tellsRate = false }: PublicOptions = {}): MethodDecorator {
    const codes: readonly ErrorCode[] = tellsRate ? ['rate_limited'] : [];
    // The stores are read only to find the token.
    return access({ ...OPEN, who: 'public', tellsRate }, { codes, needsStores: tellsRate });
  },

  /** Only a signed-in session, by cookie or bearer; a personal access token gets `session_required`. */
  session({ household = false }: ScopeOptions = {}): MethodDecorator {
    const described: (MethodDecorator & ClassDecorator)[] = [
      ApiBearerAuth('session'),
      ApiCookieAuth('cookie'),
    ];
    if (household) described.push(ApiHeader(HOUSEHOLD_PARAMETER));
    const codes: ErrorCode[] = ['unauthenticated', 'session_required', 'rate_limited'];
    if (household) codes.push('not_a_member');
    return access({ ...OPEN, who: 'session', household }, { described, codes });
  },

  /** A session, or a personal access token that has every scope named. */
  scope(scopes: Scope | readonly Scope[], options: ScopeOptions = {}): MethodDecorator {
    return token(typeof scopes === 'string' ? [scopes] : scopes, [], options);
  },

  /** A session, or a personal access token with one of the scopes: the handler finds out which one it needs. */
  anyScope(anyOf: readonly Scope[], options: ScopeOptions = {}): MethodDecorator {
    return token([], anyOf, options);
  },
};

function token(
  scopes: readonly Scope[],
  anyOf: readonly Scope[],
  { household = false }: ScopeOptions,
): MethodDecorator {
  // OpenAPI: of the requirements of an operation one is enough, and needs all the scopes that it lists.
  const sufficient = anyOf.length > 0 ? anyOf.map(scope => [scope]) : [[...scopes]];
  const described: (MethodDecorator & ClassDecorator)[] = [
    ...sufficient.map(needed => ApiSecurity('token', needed)),
    ApiBearerAuth('session'),
    ApiCookieAuth('cookie'),
  ];
  if (scopes.length > 0) described.push(ApiExtension('x-required-scope', [...scopes]));
  if (household) described.push(ApiHeader(HOUSEHOLD_PARAMETER));
  const codes: ErrorCode[] = ['unauthenticated', 'insufficient_scope', 'rate_limited'];
  if (household) codes.push('not_a_member');
  return access({ ...OPEN, who: 'token', scopes, anyOf, household }, { described, codes });
}

const HOUSEHOLD_PARAMETER = {
  name: HOUSEHOLD_HEADER,
  description: 'The household to act on. Without it, the caller’s default household.',
  required: false,
  schema: { type: 'string', pattern: ULID_PATTERN },
};

/** Who may call, as the API description says it. */
interface DescribedAccess {
  readonly described?: readonly MethodDecorator[];
  /** The errors of the checks that are made before the handler. */
  readonly codes: readonly ErrorCode[];
  /** Whether the call reads the stores, which may be unavailable; true by default. */
  readonly needsStores?: boolean;
}

function access(
  route: RouteAccess,
  { described = [], codes, needsStores = true }: DescribedAccess,
): MethodDecorator {
  return applyDecorators(
    SetMetadata(ACCESS, Object.freeze(route)),
    ...described,
    Fails(...codes, 'validation_failed', ...BODY_CODES, ...(needsStores ? UNAVAILABLE : []), 'internal'),
  );
}

/** Errors of any body, even one that the route does not take. */
const BODY_CODES = ['invalid_json', 'payload_too_large', 'unsupported_media_type'] as const;
const UNAVAILABLE = ['unavailable'] as const;
