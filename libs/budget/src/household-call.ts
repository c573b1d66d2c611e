import { applyDecorators, createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Access, type Scope } from '#http/access';
import { Answers, Fails } from '#http/answers';
import {
  CanBeTried,
  isDryRun,
  Creates,
  idempotencyKeyOf,
  REPLAY,
  RepeatableWrite,
} from '#http/repeatable-write';
import { ETAG_HEADER, HonoursIfMatch, ifMatchOf, tagAnswer, type IfMatch } from '#http/entity-tag';
import type { Membership } from '#identity/access/caller';
import type { Actor } from '#ledger/event-codec';
import { MonthResponse } from './months/month.response.js';

/** A write on a household: which one, who asks, and how the request is told apart from others. */
export interface HouseholdCall {
  readonly householdId: string;
  /** An archived household refuses every write. */
  readonly archived: boolean;
  readonly actor: Actor;
  /** The caller's name, where authentication had to read the account anyway. */
  readonly callerName: string | undefined;
  readonly requestId: string;
  /** As the client sent it; undefined where it sent none. */
  readonly idempotencyKey: string | undefined;
  /** What the client bases a write of a month or a transaction on; undefined where it says nothing. */
  readonly ifMatch: IfMatch | undefined;
  /** The write is only tried: nothing is recorded. */
  readonly dryRun: boolean;
}

/** A household, with what its amounts are in. */
export type HouseholdInCurrency = Pick<Membership, 'householdId' | 'currency'>;

/** The write under way. Refuses a malformed `Idempotency-Key` with `422 validation_failed`. */
export const CurrentCall = createParamDecorator((_: unknown, context: ExecutionContext): HouseholdCall => {
  const request = context.switchToHttp().getRequest<FastifyRequest>();
  const { caller, callerAccount, membership } = request;
  if (!caller || !membership) throw new Error('this route acts on no household');
  return {
    householdId: membership.householdId,
    archived: membership.archived,
    actor: { userId: caller.userId, credential: caller.credential },
    callerName: callerAccount?.name,
    requestId: request.id,
    idempotencyKey: idempotencyKeyOf(request),
    ifMatch: ifMatchOf(request),
    dryRun: isDryRun(request),
  };
});

/** What is answered, with the revision at which its own content last changed. */
export interface Versioned<T> {
  readonly body: T;
  readonly revision: number;
}

/** Gives the body of an answer, tagged with its revision. */
export async function versioned<T>(reply: FastifyReply, answer: Promise<Versioned<T>>): Promise<T> {
  const { body, revision } = await answer;
  tagAnswer(reply, revision);
  return body;
}

/** A write on the household of the call: who may, what it may answer in every case, and its `Idempotency-Key`. */
export function HouseholdWrite(scope: Scope): MethodDecorator {
  return applyDecorators(Access.scope(scope, { household: true }), BudgetWrite());
}

/** A write that needs one of several scopes, which one depending on what it finds: the handler demands it. */
export function HouseholdWriteOfAnyScope(scopes: readonly Scope[]): MethodDecorator {
  return applyDecorators(Access.anyScope(scopes, { household: true }), BudgetWrite());
}

function BudgetWrite(): MethodDecorator {
  return applyDecorators(RepeatableWrite(), CanBeTried(), Fails('payload_too_large', 'figure_out_of_range'));
}

/** `201` with a month; conditional on `If-Match`. */
export function CreatesInMonth(description: string): MethodDecorator {
  return applyDecorators(Creates(MonthResponse, description, ETAG_HEADER), HonoursIfMatch());
}

/** `200` with the month as a write left it; conditional on `If-Match`. */
export function ChangesMonth(description: string): MethodDecorator {
  const headers = { ...ETAG_HEADER, ...REPLAY };
  return applyDecorators(Answers(200, MonthResponse, description, { headers }), HonoursIfMatch());
}
