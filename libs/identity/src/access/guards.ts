import { callbackify } from 'node:util';
import { Injectable, type CanActivate, type ExecutionContext, type OnModuleInit } from '@nestjs/common';
import type { FastifyReply, FastifyRequest, FastifyInstance } from 'fastify';
import { HttpAdapterHost, Reflector } from '@nestjs/core';
import { Clock } from '#concurrency/clock';
import { DeclaredAccess, HOUSEHOLD_HEADER, type RouteAccess, type Scope } from '#http/access';
import { ApiError, retryLater, validationFailed } from '#http/api-error';
import { isUlid } from '#http/field-rules';
import type { HouseholdRecord } from '../households/household-records.js';
import { Households, requireMember } from '../households/households.js';
import type { Caller, Membership } from './caller.js';
import { Credentials, showsAccessToken, type Authenticated } from './credentials.js';
import { RateLimiter, RATE_LIMIT } from './rate-limiter.js';

const reflector = new Reflector();

/** The route also takes the household as `?household=`, for clients that cannot send headers. */
export const HouseholdInQuery = Reflector.createDecorator();

/**
 * Only an owner of the household may call the route; checked with membership, before the body is read.
 * @param except the path parameter in which other members may name themselves
 */
export const OwnerOnly = Reflector.createDecorator({ transform: (except?: string) => ({ except }) });

/** Decides on every request, before its body is read: who calls, how often, with which scope, in which household. */
@Injectable()
export class AccessGuard implements CanActivate, OnModuleInit {
  constructor(
    private readonly adapterHost: HttpAdapterHost,
    private readonly credentials: Credentials,
    private readonly limiter: RateLimiter,
    private readonly households: Households,
    private readonly clock: Clock,
  ) {}

  /** Guards run for known routes only. Calls to others count as well, and are told the rate of their token. */
  onModuleInit(): void {
    const fastify = this.adapterHost.httpAdapter.getInstance<FastifyInstance>();
    const limitUnrouted = callbackify(async (request: FastifyRequest, reply: FastifyReply) => {
      // An unknown route needs no credential.
      const known = await this.credentials.recognise(request);
      if (known !== null) this.limit(known.caller, reply);
    });
    // No promise for the calls that have a route, as nearly all do.
    fastify.addHook('onRequest', (request, reply, done) => {
      const isRouted = !request.is404 && !isWrongMethod(reply);
      if (isRouted || request.headers.authorization === undefined) done();
      else limitUnrouted(request, reply, error => done(error ?? undefined));
    });
  }

  /**
   * @throws ApiError `method_not_allowed`, `unauthenticated`, `rate_limited`, `session_required`, `insufficient_scope`,
   *   `not_a_member`, `owner_required`, and `validation_failed` for a malformed household id; DocumentsUnavailable;
   *   Error for a route that does not declare who may call it
   */
  async canActivate(context: ExecutionContext): Promise<boolean> {
    const access: RouteAccess | undefined = reflector.get(DeclaredAccess, context.getHandler());
    if (access === undefined) throw new Error(`${context.getHandler().name} declares no access`);
    const http = context.switchToHttp();
    if (isWrongMethod(http.getResponse())) throw new ApiError('method_not_allowed');
    const request = http.getRequest<FastifyRequest>();
    const known = await this.authenticated(access, request);
    if (known === null) return true;
    const { caller, account } = known;
    request.caller = caller;
    request.userId = caller.userId;
    request.callerAccount = account;
    this.limit(caller, http.getResponse<FastifyReply>());
    requireScopes(access, caller);
    if (access.household) request.membership = await this.membership(context.getHandler(), request, known);
    return true;
  }

  /**
   * Whether a long response, such as a stream, may go on: repeats the checks that admitted the request, except the rate
   * limit. Costs at most three reads of single documents.
   * @returns the membership as it is now
   * @throws ApiError `unauthenticated`, `not_a_member`; DocumentsUnavailable
   */
  async confirm(request: FastifyRequest): Promise<Membership> {
    const { caller, membership } = request;
    if (caller === undefined || membership === undefined) throw new Error('this request had no membership');
    await this.credentials.authenticate(request);
    return membershipIn(await this.households.require(membership.householdId), caller.userId);
  }

  /** Public routes need no credential, but every response to a personal access token has its rate headers. */
  private async authenticated(
    { who, tellsRate }: RouteAccess,
    request: FastifyRequest,
  ): Promise<Authenticated | null> {
    if (who !== 'public') return this.credentials.authenticate(request);
    return tellsRate && showsAccessToken(request) ? this.credentials.recognise(request) : null;
  }

  /** Takes one request from the bucket of a caller's token, and reports how many are left; sessions have none. */
  private limit({ credential }: Caller, reply: FastifyReply): void {
    if (credential.kind !== 'token') return;
    const rate = this.limiter.take(credential.id, this.clock.now());
    void reply
      .header('X-RateLimit-Limit', String(RATE_LIMIT))
      .header('X-RateLimit-Remaining', String(rate.remaining))
      .header('X-RateLimit-Reset', String(rate.resetSeconds));
    if (!rate.allowed) throw retryLater('rate_limited', rate.retrySeconds);
  }

  private async membership(
    handler: Function,
    request: FastifyRequest,
    { caller: { userId }, account }: Authenticated,
  ): Promise<Membership> {
    const named = namedHousehold(request, reflector.get(HouseholdInQuery, handler) !== undefined);
    const household = await (named === null
      ? this.households.defaultOf(account)
      : this.households.require(named));
    const membership = membershipIn(household, userId);
    if (membership.role !== 'owner') refuseOwnerOnly(handler, request, userId);
    return membership;
  }
}

/** Whether the router took a path of its own, which takes other methods, for the value of another's parameter. */
function isWrongMethod(reply: FastifyReply): boolean {
  return reply.hasHeader('Allow');
}

/** @throws ApiError `not_a_member` */
function membershipIn(household: HouseholdRecord, userId: string): Membership {
  const { key: householdId, currency, archived } = household;
  return { householdId, role: requireMember(household, userId).role, currency, archived };
}

/** @throws ApiError `owner_required` for a member who is not an owner */
function refuseOwnerOnly(handler: Function, request: FastifyRequest, userId: string): void {
  const ownerOnly: { readonly except: string | undefined } | undefined = reflector.get(OwnerOnly, handler);
  if (!ownerOnly) return;
  const { except } = ownerOnly;
  const isThemselves = except !== undefined && paramsOf(request)[except] === userId;
  if (!isThemselves) throw new ApiError('owner_required');
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

/** @throws ApiError `session_required`, `insufficient_scope` */
function requireScopes({ who, scopes, anyOf }: RouteAccess, caller: Caller): void {
  if (who === 'session' && caller.credential.kind !== 'session') throw new ApiError('session_required');
  for (const scope of scopes) requireScope(caller, scope);
  const [first] = anyOf;
  // The handler finds out which one the call needs; until then the first is named.
  if (first !== undefined && !anyOf.some(scope => hasScope(caller, scope))) requireScope(caller, first);
}

/** The path wins over the header, the header over the query. Null: the default household. */
function namedHousehold(request: FastifyRequest, queryCounts: boolean): string | null {
  const { householdId } = paramsOf(request);
  if (householdId !== undefined) return wellFormed('householdId', householdId);
  const header = request.headers[HOUSEHOLD_HEADER.toLowerCase()];
  if (header !== undefined) return wellFormed(HOUSEHOLD_HEADER, header);
  const { household } = request.query as Readonly<Record<string, unknown>>;
  return queryCounts && household !== undefined ? wellFormed('household', household) : null;
}

function paramsOf({ params }: FastifyRequest): Readonly<Record<string, unknown>> {
  return params as Readonly<Record<string, unknown>>;
}

function wellFormed(path: string, value: unknown): string {
  if (!isUlid(value)) throw validationFailed([{ path, message: 'must be a ULID' }]);
  return value;
}
