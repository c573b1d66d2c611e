import { callbackify } from 'node:util';
import {
  Injectable,
  SetMetadata,
  type CanActivate,
  type ExecutionContext,
  type OnModuleInit,
} from '@nestjs/common';
import type { FastifyReply, FastifyRequest, FastifyInstance } from 'fastify';
import { HttpAdapterHost } from '@nestjs/core';
import { Clock } from '#concurrency/clock';
import { accessOf, HOUSEHOLD_HEADER, type RouteAccess, type Scope } from '#http/access';
import { ApiError, retryLater, validationFailed } from '#http/api-error';
import { isUlid } from '#http/field-rules';
import { Households, membershipOf } from '../households/households.js';
import type { HouseholdRecord } from '../households/household-records.js';
import type { Caller, Membership } from './caller.js';
import { Credentials, showsAccessToken, type Authenticated } from './credentials.js';
import { RateLimiter, RATE_LIMIT } from './rate-limiter.js';

/**
 * The guards run on every request in the order in which they stand here, before the body is read:
 * authentication, rate limit, scope, membership.
 */

/** Who may call the route. @throws Error for a route that does not declare it */
function accessOfRoute(context: ExecutionContext): RouteAccess {
  const access = accessOf(context);
  if (access === undefined) throw new Error(`${context.getHandler().name} declares no access`);
  return access;
}

function requestOf(context: ExecutionContext): FastifyRequest {
  return context.switchToHttp().getRequest<FastifyRequest>();
}

function callerOf(request: FastifyRequest): Caller {
  if (request.caller === undefined) throw new ApiError('unauthenticated');
  return request.caller;
}

/** Finds out who calls and sets `request.caller`. @throws ApiError `unauthenticated` */
@Injectable()
export class AuthenticationGuard implements CanActivate {
  constructor(private readonly credentials: Credentials) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = requestOf(context);
    const known = await this.recognised(accessOfRoute(context), request);
    if (known === null) return true;
    const { caller, account } = known;
    request.caller = caller;
    request.userId = caller.userId;
    request.callerAccount = account;
    return true;
  }

  /** Public routes need no credential, but every response to a personal access token has its rate headers. */
  private async recognised(
    { who, tellsRate }: RouteAccess,
    request: FastifyRequest,
  ): Promise<Authenticated | null> {
    if (who !== 'public') return this.credentials.authenticate(request);
    const isTold = tellsRate && showsAccessToken(request);
    return isTold ? this.credentials.recognise(request) : null;
  }
}

/** Limits personal access tokens and reports what is left. @throws ApiError `rate_limited` */
@Injectable()
export class RateLimitGuard implements CanActivate {
  constructor(
    private readonly limiter: RateLimiter,
    private readonly clock: Clock,
  ) {}

  canActivate(context: ExecutionContext): boolean {
    const { caller } = requestOf(context);
    if (caller !== undefined) this.take(caller, context.switchToHttp().getResponse<FastifyReply>());
    return true;
  }

  /** Takes one request from the bucket of a caller's token; sessions have none. @throws ApiError `rate_limited` */
  take({ credential }: Caller, reply: FastifyReply): void {
    if (credential.kind !== 'token') return;
    const rate = this.limiter.take(credential.id, this.clock.now());
    void reply
      .header('X-RateLimit-Limit', String(RATE_LIMIT))
      .header('X-RateLimit-Remaining', String(rate.remaining))
      .header('X-RateLimit-Reset', String(rate.resetSeconds));
    if (!rate.allowed) throw retryLater('rate_limited', rate.retrySeconds);
  }
}

/** @throws ApiError `session_required`, `insufficient_scope` */
@Injectable()
export class ScopeGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const access = accessOfRoute(context);
    if (access.who === 'public') return true;
    const caller = callerOf(requestOf(context));
    if (access.who === 'session' && caller.credential.kind !== 'session')
      throw new ApiError('session_required');
    for (const scope of access.scopes) requireScope(caller, scope);
    const [first] = access.anyOf;
    // The handler finds out which one the call needs; until then the first is named.
    if (first !== undefined && !access.anyOf.some(scope => hasScope(caller, scope)))
      requireScope(caller, first);
    return true;
  }
}

/** The write scope that includes a read scope. */
const INCLUDED_BY: Partial<Record<Scope, Scope>> = {
  'budget:read': 'budget:write',
  'transactions:read': 'transactions:write',
  'households:read': 'households:manage',
  'account:read': 'account:write',
};

function hasScope({ scopes }: Pick<Caller, 'scopes'>, scope: Scope): boolean {
  if (scopes === 'all' || scopes.has(scope)) return true;
  const wider = INCLUDED_BY[scope];
  return wider !== undefined && scopes.has(wider);
}

/** For handlers that find out which scope they need. @throws ApiError `insufficient_scope` */
export function requireScope(caller: Pick<Caller, 'scopes'>, scope: Scope): void {
  if (!hasScope(caller, scope)) throw new ApiError('insufficient_scope', { required_scope: scope });
}

const HOUSEHOLD_IN_QUERY = 'household in query';
const OWNER_ONLY = 'owner only';

/** The route also takes the household as `?household=`, for clients that cannot send headers. */
export const HouseholdInQuery = (): MethodDecorator => SetMetadata(HOUSEHOLD_IN_QUERY, true);

/**
 * Only an owner of the household may call the route; checked with membership, before the body is read.
 * @param except the path parameter in which other members may name themselves
 */
export const OwnerOnly = (except?: string): MethodDecorator => SetMetadata(OWNER_ONLY, { except });

function declares(context: ExecutionContext, what: string): boolean {
  return Reflect.getMetadata(what, context.getHandler()) === true;
}

/**
 * Finds out which household a call acts on and sets `request.membership`.
 * @throws ApiError `not_a_member`, `owner_required`, and `validation_failed` for an id that is none
 */
@Injectable()
export class MembershipGuard implements CanActivate {
  constructor(private readonly households: Households) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    if (!accessOfRoute(context).household) return true;
    const request = requestOf(context);
    const caller = callerOf(request);
    const named = namedHousehold(request, declares(context, HOUSEHOLD_IN_QUERY));
    const household = await (named === null ? this.defaultOf(request) : this.households.find(named));
    const membership = household && membershipOf(household, caller.userId);
    if (membership === null) throw new ApiError('not_a_member');
    if (membership.role !== 'owner' && isForOwners(context, caller)) throw new ApiError('owner_required');
    request.membership = membership;
    return true;
  }

  private async defaultOf({ callerAccount }: FastifyRequest): Promise<HouseholdRecord> {
    if (callerAccount === undefined) throw new ApiError('unauthenticated');
    return this.households.defaultOf(callerAccount);
  }
}

function isForOwners(context: ExecutionContext, { userId }: Caller): boolean {
  const ownerOnly = Reflect.getMetadata(OWNER_ONLY, context.getHandler()) as
    { readonly except: string | undefined } | undefined;
  if (ownerOnly === undefined) return false;
  return ownerOnly.except === undefined || paramsOf(requestOf(context))[ownerOnly.except] !== userId;
}

/** The path wins over the header, the header over the query. Null: the default household. */
function namedHousehold(request: FastifyRequest, queryCounts: boolean): string | null {
  const params = paramsOf(request);
  if (params['householdId'] !== undefined) return wellFormed('householdId', params['householdId']);
  const header = request.headers[HOUSEHOLD_HEADER.toLowerCase()];
  if (header !== undefined) return wellFormed(HOUSEHOLD_HEADER, header);
  const query = request.query as Readonly<Record<string, unknown>>;
  if (queryCounts && query['household'] !== undefined) return wellFormed('household', query['household']);
  return null;
}

function paramsOf({ params }: FastifyRequest): Readonly<Record<string, unknown>> {
  return params as Readonly<Record<string, unknown>>;
}

function wellFormed(path: string, value: unknown): string {
  if (!isUlid(value)) throw validationFailed([{ path, message: 'must be a ULID' }]);
  return value;
}

/** Checks again whether a long response, such as a stream, may go on. */
@Injectable()
export class StandingAccess {
  constructor(
    private readonly credentials: Credentials,
    private readonly households: Households,
  ) {}

  /**
   * Repeats the checks that admitted the request, except the rate limit. Costs at most three reads of single documents.
   * @returns the membership as it is now
   * @throws ApiError `unauthenticated`, `not_a_member`; DocumentsUnavailable
   */
  async confirm(request: FastifyRequest): Promise<Membership> {
    const { caller, membership } = request;
    if (caller === undefined || membership === undefined) throw new Error('this request had no membership');
    await this.credentials.authenticate(request);
    const household = await this.households.find(membership.householdId);
    const present = household && membershipOf(household, caller.userId);
    if (present === null) throw new ApiError('not_a_member');
    return present;
  }
}

/**
 * The rate limit of calls to unknown routes: they count as well, and their responses to a personal access token have its
 * rate headers. Guards run for known routes only.
 */
@Injectable()
export class UnroutedRateLimit implements OnModuleInit {
  constructor(
    private readonly adapterHost: HttpAdapterHost,
    private readonly credentials: Credentials,
    private readonly rateLimit: RateLimitGuard,
  ) {}

  onModuleInit(): void {
    const fastify = this.adapterHost.httpAdapter.getInstance<FastifyInstance>();
    const take = callbackify((request: FastifyRequest, reply: FastifyReply) => this.take(request, reply));
    // No promise for the calls that have a route, as nearly all do.
    fastify.addHook('onRequest', (request, reply, done) => {
      if (!request.is404 || request.headers.authorization === undefined) done();
      else take(request, reply, error => done(error ?? undefined));
    });
  }

  /** @throws ApiError `rate_limited`, DocumentsUnavailable */
  private async take(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    // An unknown route needs no credential.
    const known = await this.credentials.recognise(request);
    if (known !== null) this.rateLimit.take(known.caller, reply);
  }
}
