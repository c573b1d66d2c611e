import type { Socket } from 'node:net';
import { STATUS_CODES } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ApiError, type ErrorCode } from './api-error.js';
import { errorBody } from './error-filter.js';
import { newRequestId } from './request-log.js';

/**
 * How many requests are processed side by side, so that the first of very many does not wait for all others. Only under
 * load does one turn of the event loop bring more.
 */
export const SIDE_BY_SIDE_MAX = 64;

interface Waiting {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly begin: () => void;
}

/**
 * Begins the requests of one turn of the event loop together, once all of them are read. They then go through the program
 * side by side, since each waits after the same steps: what a step needs is in the processor's caches for all but the
 * first (ADR 23).
 *
 * Long work in the same process has to leave them two turns: one to be read in, and one to begin in.
 */
export function beginSideBySide(fastify: FastifyInstance): void {
  const waiting: Waiting[] = [];
  const beginAll = (): void => {
    const together = waiting.splice(0, SIDE_BY_SIDE_MAX);
    if (waiting.length > 0) setImmediate(beginAll);
    for (const { request, reply, begin } of together) {
      if (isLeft(request)) reply.hijack();
      else begin();
    }
  };
  fastify.addHook('onRequest', (request, reply, done) => {
    waiting.push({ request, reply, begin: done });
    if (waiting.length === 1) setImmediate(beginAll);
  });
}

/** Whether the client went away while its request waited: later listeners would never be notified. */
function isLeft({ raw }: FastifyRequest): boolean {
  return raw.destroyed || raw.socket.destroyed;
}

/**
 * How many requests of one connection may be open. Programs wait for a response before the next request, or send a few
 * ahead; browsers do the former.
 */
export const PIPELINED_MAX = 16;

const UNDER_WAY = Symbol('requests under way');
type CountedSocket = Socket & { [UNDER_WAY]?: number };

/**
 * Ends connections with more open requests than `PIPELINED_MAX`. Node starts every request of a packet at once, and keeps
 * all responses until the first ones are read: a packet of a few kilobytes could request gigabytes.
 */
export function limitPipelining(fastify: FastifyInstance): void {
  fastify.addHook('onRequest', (request, reply, done) => {
    const socket: CountedSocket = request.raw.socket;
    const underWay = (socket[UNDER_WAY] ?? 0) + 1;
    socket[UNDER_WAY] = underWay;
    if (underWay <= PIPELINED_MAX && !socket.destroyed) return done();
    reply.hijack();
    socket.destroy();
  });
  fastify.addHook('onResponse', (request, _reply, done) => {
    const socket: CountedSocket = request.raw.socket;
    socket[UNDER_WAY] = (socket[UNDER_WAY] ?? 1) - 1;
    done();
  });
}

const CODES: Readonly<Record<string, ErrorCode>> = {
  HPE_HEADER_OVERFLOW: 'headers_too_large',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 'payload_too_large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
};

/**
 * Responds to bytes that are not a request, in the shape of every error, and closes the connection: nothing after them can
 * be trusted.
 */
export function answerClientError(cause: Error & { code?: string }, socket: Socket): void {
  const { _httpMessage: answering } = socket as Socket & { _httpMessage?: { headersSent: boolean } | null };
  if (cause.code === 'ECONNRESET' || !socket.writable || answering?.headersSent === true) {
    socket.destroy(cause);
    return;
  }
  const error = new ApiError(CODES[cause.code ?? ''] ?? 'malformed_request');
  const requestId = newRequestId();
  const body = errorBody(error, requestId);
  const head = [
    `HTTP/1.1 ${error.status} ${STATUS_CODES[error.status] ?? ''}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${requestId}`,
    'Access-Control-Allow-Origin: *',
    'Connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`, () => socket.destroySoon());
}
