import type { Socket } from 'node:net';
import { STATUS_CODES, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import type { FastifyInstance, FastifyReply, FastifyHttpOptions, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { ApiError, type ErrorCode } from './api-error.js';
import { completeTagged, compress } from './representation.js';
import { errorBody, errorHeaders, toApiError } from './error-filter.js';
import { API_PREFIX } from './openapi.js';
import { answerOf, logAccess, newRequestId, requestIdOf, type Answered } from './request-log.js';
import { discardBody, hasBody } from './request-reader.js';
import { KnownPaths } from './routes.js';
import { belowBase, type WebApp } from './web-app.js';

const API_PATH = `/${API_PREFIX}/`;
const HEADERS_BYTES_MAX = 16 * 1024;
/** How long the headers of a request may take to arrive, in milliseconds. */
const HEADERS_TIMEOUT_MS = 10_000;
/** How long a whole request may take to arrive, in milliseconds. */
const REQUEST_TIMEOUT_MS = 30_000;
/**
 * How long a connection may stand still in the middle of a request, in milliseconds. No request takes so long; a client
 * that reads nothing of the response would keep its contents in memory for ever.
 */
export const STANDSTILL_MS = 60_000;
/** How long an idle connection is kept, in milliseconds; longer than load balancers keep theirs. */
const KEEP_ALIVE_MS = 72_000;
/** How long running requests have to finish when the server closes, in milliseconds. */
export const CLOSING_GRACE_MS = 8_000;
/** How long a connection that browsers opened early has to begin when the server closes, in milliseconds. */
const FIRST_BYTE_GRACE_MS = 250;

export interface HttpServerOptions {
  readonly logger: Logger;
  /** Which proxies' `X-Forwarded-*` count: addresses and ranges as `proxy-addr` reads them, true for every one. */
  readonly trustProxy?: boolean | readonly string[];
  /** The path below which people find the service, as in `APP_URL`, with a slash at its end. */
  readonly basePath?: string;
  /** Served at `/`. */
  readonly web?: WebApp;
  /** Until then every call of the API is answered `503 unavailable`. */
  readonly prepared?: Promise<void>;
  /** Called after the response to every request, for metrics. Must not throw. */
  readonly observe?: (answer: Answered) => void;
  /** Calls `next`, which answers the request, in whatever context its work shall have, for traces. Must not throw. */
  readonly enclose?: (request: FastifyRequest, reply: FastifyReply, next: () => void) => void;
}

/** The methods whose bodies Fastify would read before any guard runs. */
const METHODS_WITH_BODY = ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

/** The server of an application, with all that happens to a request before and behind Nest. */
export function fastifyAdapter(options: HttpServerOptions): FastifyAdapter {
  const { logger, observe, enclose } = options;
  const adapter = new FastifyAdapter({
    ...serverOptions(options),
    // Nest middleware is not used: it would cost every request a hook.
    skipMiddie: true,
  });
  const fastify = adapter.getInstance<FastifyInstance>();
  for (const method of METHODS_WITH_BODY) {
    fastify.addHttpMethod(method, { hasBody: false, overrideExisting: true });
  }
  fastify.decorateRequest('userId', null);
  limitPipelining(fastify);
  // After what counts requests as they arrive, and before whatever gives one a context of its own: what waits goes on in
  // that of the first one.
  beginSideBySide(fastify);
  if (enclose) fastify.addHook('onRequest', (request, reply, done) => enclose(request, reply, done));
  addHooks(fastify, options);
  fastify.addHook('onResponse', (request, reply, done) => {
    const answer = answerOf(request, reply);
    logAccess(logger, request, answer);
    observe?.(answer);
    done();
  });
  expectContinue(fastify);
  return adapter;
}

function serverOptions(options: HttpServerOptions): FastifyHttpOptions<Server> {
  const { logger, trustProxy = false, basePath = '/' } = options;
  return {
    logger: false,
    trustProxy: typeof trustProxy === 'boolean' ? trustProxy : [...trustProxy],
    genReqId: request => requestIdOf(request),
    requestIdHeader: false,
    http: {
      maxHeaderSize: HEADERS_BYTES_MAX,
      headersTimeout: HEADERS_TIMEOUT_MS,
      // Checked below: Node's own refusal has no body.
      requireHostHeader: false,
    },
    requestTimeout: REQUEST_TIMEOUT_MS,
    connectionTimeout: STANDSTILL_MS,
    keepAliveTimeout: KEEP_ALIVE_MS,
    // A parameter is as long as the address may be: it is its rule that refuses it, in the shape of every error.
    routerOptions: { maxParamLength: HEADERS_BYTES_MAX },
    // A request that arrives while the server closes still gets its response; then its connection is closed.
    return503OnClosing: false,
    rewriteUrl: ({ url = '/' }) => decodableUrl(basePath === '/' ? url : belowBase(url, basePath)),
    frameworkErrors: (error, request, reply) => answerUnrouted(logger, error, request, reply),
    clientErrorHandler: answerClientError,
  };
}

/**
 * An address whose path does not decode is taken letter by letter: it still names nothing, but is refused after
 * authentication and rate limit. The router would refuse it before them.
 */
function decodableUrl(url: string): string {
  // Nearly every address has none, and this runs for every request.
  if (!url.includes('%')) return url;
  const end = url.search(/[?#]/);
  const path = end < 0 ? url : url.slice(0, end);
  try {
    decodeURI(path);
    return url;
  } catch {
    return path.replaceAll('%', '%25') + url.slice(path.length);
  }
}

/** Headers of every response: it must not be framed, sniffed, or kept by a shared cache. */
const HEADERS = {
  'Cache-Control': 'private, no-cache',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  Vary: 'Accept-Encoding',
};

/** Any origin may call, never with credentials: the cookie does not work across origins, a bearer token does. */
const CORS_HEADERS = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers':
    'Allow, Content-Disposition, Dry-Run, ETag, Idempotent-Replay, Location, Retry-After, WWW-Authenticate, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, X-Request-Id',
};

const PREFLIGHT_HEADERS = {
  ...CORS_HEADERS,
  'Access-Control-Allow-Methods': 'GET, HEAD, POST, PUT, PATCH, DELETE',
  'Access-Control-Allow-Headers':
    'Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, Last-Event-ID, X-Request-Id, X-Service-Household',
  'Access-Control-Max-Age': '86400',
};

/** The service still waits for one of its servers. */
class NotPrepared extends Error {
  override readonly name = 'NotPrepared';
  override readonly message = 'The service is starting. Try again in a moment.';
  // For the log, which has a line of each: where it is thrown is known.
  override readonly stack = this.message;
  readonly unavailable = true;
}

function addHooks(fastify: FastifyInstance, { web, prepared }: HttpServerOptions): void {
  let closing = false;
  let starting = prepared !== undefined;
  void prepared?.then(() => (starting = false));
  const paths = new KnownPaths();
  fastify.addHook('onRoute', ({ url, method }) => paths.add(url, method));
  const silent = silentConnections(fastify.server);
  fastify.addHook('onRequest', (request, reply, done) => {
    void reply.header('X-Request-Id', request.id).headers(HEADERS);
    if (request.headers.origin !== undefined) void reply.headers(CORS_HEADERS);
    const matched = request.is404 ? undefined : request.routeOptions.url;
    const allowed = matched?.includes('/:') === false ? '' : paths.allowed(request.url, matched);
    if (allowed !== '') void reply.header('Allow', allowed);
    if (request.method === 'OPTIONS') void reply.code(204).headers(PREFLIGHT_HEADERS).send();
    else if (request.headers.host === undefined && request.raw.httpVersion !== '1.0') done(noHost());
    else if (request.is404 && web?.answer(request, reply) === true) return;
    else if (starting && !request.is404 && request.url.startsWith(API_PATH)) done(new NotPrepared());
    else done();
  });
  fastify.addHook('onSend', (request, reply, payload, done) => {
    if (closing) void reply.header('Connection', 'close');
    if (hasBody(request.raw) && !request.raw.readableEnded) discardBody(request.raw);
    compress(request, reply, completeTagged(request, reply, payload), done);
  });
  fastify.addHook('preClose', done => {
    closing = true;
    const deadlines = [
      setTimeout(() => fastify.server.closeAllConnections(), CLOSING_GRACE_MS).unref(),
      setTimeout(() => silent().forEach(socket => socket.destroy()), FIRST_BYTE_GRACE_MS).unref(),
    ];
    fastify.server.once('close', () => deadlines.forEach(clearTimeout));
    done();
  });
}

/** Connections on which nothing was sent yet: Node's server waits for them when it closes, as if they were busy. */
function silentConnections(server: Server): () => readonly Socket[] {
  const open = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
  return () => [...open].filter(({ bytesRead }) => bytesRead === 0);
}

function noHost(): ApiError {
  const options = { message: 'The request has no Host header.', headers: { Connection: 'close' } };
  return new ApiError('malformed_request', {}, options);
}

/** Responds to a request that never reached a route, for which no hook has run. */
function answerUnrouted(
  logger: Logger,
  cause: Error,
  request: FastifyRequest,
  { raw }: Pick<FastifyReply, 'raw'>,
): void {
  const error = toApiError(cause);
  if (error.code === 'internal') logger.error({ err: cause, request_id: request.id }, 'request failed');
  const body = errorBody(error, request.id);
  if (hasBody(request.raw)) discardBody(request.raw);
  raw.writeHead(error.status, {
    ...HEADERS,
    ...CORS_HEADERS,
    ...errorHeaders(error),
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(body),
    'X-Request-Id': request.id,
  });
  raw.end(body);
  logger.info(
    { method: request.method, route: null, status: error.status, request_id: request.id },
    'request',
  );
}

/** A client that sends `Expect: 100-continue` gets its response when the body is read, after authentication. */
function expectContinue({ server }: FastifyInstance): void {
  const handle = (request: IncomingMessage, response: ServerResponse): void => {
    server.emit('request', request, response);
  };
  server.on('checkContinue', handle);
  // Other expectations may be ignored, and must not get a response in another shape.
  server.on('checkExpectation', handle);
}

/** How many requests are processed side by side, so that the first of very many does not wait for all others. */
export const SIDE_BY_SIDE_MAX = 64;

interface Waiting {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly begin: () => void;
}

/**
 * Begins the requests of one turn of the event loop together, once all are read: they go through the program side by
 * side, and find what a step needs in the processor's caches (ADR 23). Long work in the same process has to leave them
 * two turns, one to be read in and one to begin in.
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

/** How many requests of one connection may be open: browsers send one at a time, programs at most a few ahead. */
export const PIPELINED_MAX = 16;

const UNDER_WAY = Symbol('requests under way');
type CountedSocket = Socket & { [UNDER_WAY]?: number };

/**
 * Ends connections with more open requests than `PIPELINED_MAX`. Node starts every request of a packet at once, and keeps
 * all responses until the first ones are read: a packet of a few kilobytes could request gigabytes.
 */
function limitPipelining(fastify: FastifyInstance): void {
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

/** Responds to bytes that are not a request, and closes the connection: nothing after them can be trusted. */
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
