import { randomFillSync } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { monotonicFactory } from 'ulid';
import type { LoggerService } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';

/** The longest request id of a caller's own that is kept, in characters. */
export const REQUEST_ID_MAX = 64;

const VISIBLE_ASCII = /^[\x21-\x7e]+$/;

/** Random bytes are drawn many at once: one draw a character was a twentieth of a small request's time. */
const random = new Uint8Array(4096);
let used = random.length;

/** A source of randomness for `monotonicFactory` of `ulid`: a multiple of 1/256, from 0 to below 1, unpredictable. */
export function randomFraction(): number {
  if (used === random.length) {
    randomFillSync(random);
    used = 0;
  }
  const byte = random[used] ?? 0;
  used += 1;
  return byte / 256;
}

export const newRequestId: () => string = monotonicFactory(randomFraction);

/** The caller's own `X-Request-Id` where it is at most 64 visible ASCII characters, else a new ULID. */
export function requestIdOf(request: Pick<IncomingMessage, 'headers'>): string {
  const own = request.headers['x-request-id'];
  if (typeof own === 'string' && own.length <= REQUEST_ID_MAX && VISIBLE_ASCII.test(own)) return own;
  return newRequestId();
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The caller, for the access log. Set by the guard that authenticates; null until then and on public routes. */
    userId: string | null;
  }
}

/** Routes that machines poll every few seconds: logged at `debug` only, unless they fail. */
const QUIET_ROUTES = new Set(['/health/live', '/health/ready', '/metrics']);

/** Whether a route is for machines that watch the service, not for its clients. */
export function isQuietRoute(route: string | null): boolean {
  return route !== null && QUIET_ROUTES.has(route);
}

/** One finished request, as metrics count it. */
export interface Answered {
  readonly method: string;
  /** The route's pattern, null if none matched: never an address, since there are endlessly many. */
  readonly route: string | null;
  readonly status: number;
  /** From the arrival of the headers to the end of the response, in milliseconds. */
  readonly ms: number;
}

export function answerOf(request: FastifyRequest, reply: FastifyReply): Answered {
  return {
    method: request.method,
    route: request.is404 ? null : (request.routeOptions.url ?? null),
    status: reply.statusCode,
    ms: Math.round(reply.elapsedTime * 10) / 10,
  };
}

/** One line for one request, with the route's pattern: the address would contain search texts and link tokens. */
export function logAccess(logger: Logger, request: FastifyRequest, answer: Answered): void {
  const { route, status } = answer;
  const level = status >= 500 ? 'warn' : isQuietRoute(route) ? 'debug' : 'info';
  if (!logger.isLevelEnabled(level)) return;
  const { method, ms } = answer;
  const line = { method, route, status, ms, request_id: request.id, user_id: request.userId ?? undefined };
  logger[level](line, 'request');
}

/** Nest's own messages through the service's logger. Its start-up chatter is for `LOG_LEVEL=debug`. */
export class NestLog implements LoggerService {
  constructor(private readonly logger: Logger) {}

  log(message: unknown, ...rest: unknown[]): void {
    this.logger.debug({ context: rest.at(-1) }, String(message));
  }

  warn(message: unknown, ...rest: unknown[]): void {
    this.logger.warn({ context: rest.at(-1) }, String(message));
  }

  error(message: unknown, ...rest: unknown[]): void {
    if (message instanceof Error)
      this.logger.error({ err: message, context: rest.at(-1) }, 'unexpected error');
    else
      this.logger.error(
        { context: rest.at(-1), stack: rest.length > 1 ? rest[0] : undefined },
        String(message),
      );
  }
}
