import { applyDecorators, createParamDecorator } from '@nestjs/common';
import type { ExecutionContext } from '@nestjs/common';
import { ApiHeader } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Access } from '#http/access';
import type { Scope } from '#http/access';
import { Also, Answers, Fails } from '#http/answers';
import { validationFailed } from '#http/api-error';
import { ETAG_HEADER, HonoursIfMatch, ifMatchOf, tagAnswer, type IfMatch } from '#http/entity-tag';
import type { Actor } from '#ledger/event-codec';
import { MonthResponse } from './months/month.response.js';

/** The header by which a client makes any write repeatable. */
export const IDEMPOTENCY_KEY_HEADER = 'Idempotency-Key';

/** The header of an answer to a command that had been recorded before. */
export const REPLAY_HEADER = 'Idempotent-Replay';

/** The longest `Idempotency-Key`, in characters. */
export const IDEMPOTENCY_KEY_MAX = 64;

const VISIBLE_ASCII = /^[\x21-\x7e]+$/;

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
}

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
  };
});

function idempotencyKeyOf({ headers }: FastifyRequest): string | undefined {
  const key = headers['idempotency-key'];
  if (key === undefined) return undefined;
  if (typeof key === 'string' && key.length <= IDEMPOTENCY_KEY_MAX && VISIBLE_ASCII.test(key)) return key;
  const message = `must be 1 to ${IDEMPOTENCY_KEY_MAX} visible ASCII characters`;
  throw validationFailed([{ path: IDEMPOTENCY_KEY_HEADER, message }]);
}

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

/** What a command answers, and whether it had been recorded before. */
export interface Answer<T> {
  readonly body: T;
  readonly replayed: boolean;
  /** Where the body is a month: the revision at which its own content last changed. */
  readonly revision?: number;
}

/** Gives the body of an answer; a replay is `200` with `Idempotent-Replay: true`, also of a creation. */
export async function answered<T>(reply: FastifyReply, answer: Promise<Answer<T>>): Promise<T> {
  const { body, replayed, revision } = await answer;
  if (revision !== undefined) tagAnswer(reply, revision);
  if (replayed) void reply.code(200).header(REPLAY_HEADER, 'true');
  return body;
}

/** A write on the household of the call: who may, what it may answer in every case, and its `Idempotency-Key`. */
export function HouseholdWrite(scope: Scope): MethodDecorator {
  return applyDecorators(Access.scope(scope, { household: true }), RepeatableWrite());
}

/** A write whose scope depends on what it finds: the handler demands it. */
export function HouseholdWriteOfAnyScope(): MethodDecorator {
  return applyDecorators(Access.anyScope({ household: true }), RepeatableWrite());
}

function RepeatableWrite(): MethodDecorator {
  return applyDecorators(
    ApiHeader({
      name: IDEMPOTENCY_KEY_HEADER,
      description:
        'The same key by the same user in the same household within 24 hours records once. A repetition ' +
        `answers \`200\` with \`${REPLAY_HEADER}: true\` and today’s state.`,
      required: false,
      schema: { type: 'string', minLength: 1, maxLength: IDEMPOTENCY_KEY_MAX, pattern: VISIBLE_ASCII.source },
    }),
    Fails('idempotency_key_conflict', 'conflict', 'payload_too_large', 'figure_out_of_range'),
  );
}

type ResponseClass = abstract new () => object;

const REPLAY = { [REPLAY_HEADER]: '`true` where the command had been recorded before' };

/** `201` with what was made; `200` where it was made by an earlier call. */
export function Creates(
  type: ResponseClass,
  description: string,
  headers: Readonly<Record<string, string>> = {},
): MethodDecorator {
  return applyDecorators(
    Answers(201, type, { description, headers }),
    Also(200, type, { description: 'It was made by an earlier call', headers: { ...headers, ...REPLAY } }),
  );
}

/** `201` with a month; conditional on `If-Match`. */
export function CreatesInMonth(description: string): MethodDecorator {
  return applyDecorators(Creates(MonthResponse, description, ETAG_HEADER), HonoursIfMatch());
}

/** `200` with the month as a write left it; conditional on `If-Match`. */
export function ChangesMonth(description: string): MethodDecorator {
  const headers = { ...ETAG_HEADER, ...REPLAY };
  return applyDecorators(Answers(200, MonthResponse, { description, headers }), HonoursIfMatch());
}

/** `200` with what a write left, also where it changed nothing. */
export function Changes(type: ResponseClass, description: string): MethodDecorator {
  return Answers(200, type, { description, headers: REPLAY });
}
