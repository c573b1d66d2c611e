import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { Scope } from '#http/access';
import { idempotencyKeyOf } from '#http/repeatable-write';
import type { Account } from '../accounts/account-records.js';
import type { Role } from '../households/household-records.js';
import type { KeyedCall } from '../repeatable-changes.js';

/** Who makes a call. */
export interface Caller {
  readonly userId: string;
  /** What the caller showed; `id` is the session's or token's id, no secret. */
  readonly credential: { readonly kind: 'session' | 'token'; readonly id: string };
  readonly scopes: ReadonlySet<Scope> | 'all';
}

/** The household that a call acts on, and the caller's place in it. */
export interface Membership {
  readonly householdId: string;
  readonly role: Role;
  /** What the household's amounts are in, by the code of ISO 4217. */
  readonly currency: string;
  /** The budget of an archived household can be read but not written. */
  readonly archived: boolean;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by the authentication guard on every route that is not public. */
    caller?: Caller;
    /** Set by the membership guard on every route that acts on a household. */
    membership?: Membership;
    /** The caller's account as authentication read it. */
    callerAccount?: Account;
  }
}

/** The caller, on a route that is not public. */
export const CurrentCaller = createParamDecorator((_: unknown, context: ExecutionContext): Caller => {
  return callerOf(context.switchToHttp().getRequest<FastifyRequest>());
});

function callerOf({ caller }: FastifyRequest): Caller {
  if (caller === undefined) throw new Error('a public route has no caller');
  return caller;
}

/** The repeatable write under way. Refuses a malformed key with `422 validation_failed`. */
export const CurrentKeyedCall = createParamDecorator((_: unknown, context: ExecutionContext): KeyedCall => {
  const request = context.switchToHttp().getRequest<FastifyRequest>();
  return { userId: callerOf(request).userId, key: idempotencyKeyOf(request) };
});

/** The membership, on a route that acts on a household. */
export const CurrentMembership = createParamDecorator((_: unknown, context: ExecutionContext): Membership => {
  const { membership } = context.switchToHttp().getRequest<FastifyRequest>();
  if (membership === undefined) throw new Error('this route acts on no household');
  return membership;
});
