import { hash as digest } from 'node:crypto';
import {
  applyDecorators,
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
  SetMetadata,
  UseInterceptors,
} from '@nestjs/common';
import { ApiHeader, ApiQuery } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { map, type Observable } from 'rxjs';
import { Also, Answers, Fails, type ResponseClass } from './answers.js';
import { validationFailed } from './api-error.js';
import { tagAnswer } from './representation.js';
import { BooleanField } from './fields.js';

/** The header by which a client makes any write repeatable. */
const IDEMPOTENCY_KEY_HEADER = 'Idempotency-Key';

/** The header of an answer to a command that had been recorded before. */
const REPLAY_HEADER = 'Idempotent-Replay';

const IDEMPOTENCY_KEY_MAX = 64;

const VISIBLE_ASCII = /^[\x21-\x7e]+$/;

/** The `Idempotency-Key` of a request; undefined without one. @throws ApiError `validation_failed` */
export function idempotencyKeyOf({ headers }: Pick<FastifyRequest, 'headers'>): string | undefined {
  const key = headers['idempotency-key'];
  if (key === undefined) return undefined;
  if (typeof key === 'string' && key.length <= IDEMPOTENCY_KEY_MAX && VISIBLE_ASCII.test(key)) return key;
  const message = `must be 1 to ${IDEMPOTENCY_KEY_MAX} visible ASCII characters`;
  throw validationFailed([{ path: IDEMPOTENCY_KEY_HEADER, message }]);
}

/**
 * SHA-256 of what a command asks for, in hexadecimal: equal for equal contents, whatever the order of fields.
 * @param command plain JSON values
 */
export function hashOfCommand(command: object): string {
  const canonical = JSON.stringify(command, (_, part: unknown) => {
    if (typeof part !== 'object' || part === null || Array.isArray(part)) return part;
    return Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)));
  });
  return digest('sha256', canonical);
}

/** What a command returns, and whether it had been recorded before. */
export interface Answer<T> {
  readonly body: T;
  readonly replayed: boolean;
  /** Where the body has an entity tag: the revision at which its own content last changed. */
  readonly revision?: number;
}

/**
 * Sends the body of the answer that a handler returns. A replay has `Idempotent-Replay: true` and is `200`, even for a
 * creation, or `204` without a body. A dry run is `200` as well, and has no tag: nothing has that revision.
 */
class SendsBody implements NestInterceptor<Answer<unknown>, unknown> {
  intercept(context: ExecutionContext, next: CallHandler<Answer<unknown>>): Observable<unknown> {
    const reply = context.switchToHttp().getResponse<FastifyReply>();
    return next.handle().pipe(map(answer => this.bodyOf(answer, reply)));
  }

  private bodyOf({ body, replayed, revision }: Answer<unknown>, reply: FastifyReply): unknown {
    if (isDryRun(reply.request)) void reply.code(200).header(DRY_RUN_HEADER, 'true');
    else if (revision !== undefined) tagAnswer(reply, revision);
    if (replayed) void reply.code(body === undefined ? 204 : 200).header(REPLAY_HEADER, 'true');
    return body;
  }
}

/** A write that its `Idempotency-Key` makes repeatable: its handler returns an `Answer`. */
export function RepeatableWrite(): MethodDecorator {
  return applyDecorators(
    ApiHeader({
      name: IDEMPOTENCY_KEY_HEADER,
      description:
        'Makes the write safe to repeat for 24 hours. A user’s second request with the same key, in the same ' +
        `household, records nothing and returns the current state with \`${REPLAY_HEADER}: true\`. A request that ` +
        'was refused leaves the key unused.',
      required: false,
      schema: { type: 'string', minLength: 1, maxLength: IDEMPOTENCY_KEY_MAX, pattern: VISIBLE_ASCII.source },
    }),
    Fails('idempotency_key_conflict', 'conflict'),
    UseInterceptors(SendsBody),
  );
}

export const REPLAY = { [REPLAY_HEADER]: '`true` if an earlier request recorded the command' };

/** `201` with what was made; `200` where it was made by an earlier call. */
export function Creates(
  type: ResponseClass,
  description: string,
  headers: Readonly<Record<string, string>> = {},
): MethodDecorator {
  return applyDecorators(
    Answers(201, type, description, headers),
    Also(200, type, 'The current state; an earlier request created it', { ...headers, ...REPLAY }),
  );
}

/** `200` with what a write left, also where it changed nothing. */
export function Changes(type: ResponseClass, description: string): MethodDecorator {
  return Answers(200, type, description, REPLAY);
}

/** `204`: the write is done, now or by an earlier call. */
export function Ends(description: string): MethodDecorator {
  return Answers(204, undefined, description, REPLAY);
}

export const DRY_RUN_HEADER = 'Dry-Run';

const DESCRIPTION =
  'If `true`, the write is only tried: it is checked and answered as always, with `200`, ids and times that are not ' +
  `kept, and \`${DRY_RUN_HEADER}: true\`. Nothing is recorded or sent to listeners, and its key stays unused.`;

class DryRunQuery {
  @BooleanField({ default: false, description: DESCRIPTION })
  dry_run!: boolean;
}

const CAN_BE_TRIED = Symbol('whether a route can be tried');

/** A write that `?dry_run=true` decides without recording it. */
export function CanBeTried(): MethodDecorator {
  return applyDecorators(
    SetMetadata(CAN_BE_TRIED, DryRunQuery),
    ApiQuery({
      name: 'dry_run',
      required: false,
      description: DESCRIPTION,
      schema: { type: 'boolean', default: false },
    }),
  );
}

/** The query that `CanBeTried` adds to a handler; undefined without it. */
export function dryRunQueryOf(handler: object): typeof DryRunQuery | undefined {
  return Reflect.getMetadata(CAN_BE_TRIED, handler) as typeof DryRunQuery | undefined;
}

export function isDryRun({ query }: Pick<FastifyRequest, 'query'>): boolean {
  return (query as Partial<DryRunQuery>).dry_run === true;
}
