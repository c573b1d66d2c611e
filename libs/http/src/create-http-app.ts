import 'reflect-metadata';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { Global, Module, RequestMethod, type DynamicModule, type Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyInstance, FastifyReply, FastifyHttpOptions, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { answerOf, logAccess, NestLog, type Answered, requestIdOf } from './request-log.js';
import { ApiError } from './api-error.js';
import { discardBody, hasBody, RequestReader } from './request-reader.js';
import { compress } from './compression.js';
import { completeTagged } from './entity-tag.js';
import { errorBody, ErrorFilter, errorHeaders, toApiError } from './error-filter.js';
import { HealthController } from './health.controller.js';
import { KnownPaths, routesOf } from './routes.js';
import { API_PREFIX, buildDocument, type ApiDescription } from './openapi.js';
import { limitPipelining, beginSideBySide, answerClientError } from './connections.js';
import { Readiness } from './readiness.js';
import { ApiReference, ReferenceController } from './reference.controller.js';
import { belowBase, type WebApp } from './web-app.js';

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
/**
 * How long a connection on which nothing was sent yet has to begin when the server closes, in milliseconds: browsers
 * open some early.
 */
const FIRST_BYTE_GRACE_MS = 250;

export interface HttpAppOptions {
  readonly logger: Logger;
  readonly description: ApiDescription;
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

/** What this library gives to every module: the registry of readiness checks. */
@Global()
@Module({
  controllers: [HealthController, ReferenceController],
  providers: [Readiness, ApiReference],
  exports: [Readiness],
})
class HttpModule {}

@Module({})
class HttpRoot {}

/**
 * An application with every convention of the API in place, ready to listen.
 *
 * Guards that decide who may call are provided under `APP_GUARD`: they run in the order of their modules, before
 * the body is read.
 * @throws Error for a route that declares no access or is not validated, see `routesOf`
 */
export async function createHttpApp(
  module: Type<unknown> | DynamicModule,
  options: HttpAppOptions,
): Promise<NestFastifyApplication> {
  const adapter = fastifyAdapter(options);
  const root: DynamicModule = { module: HttpRoot, imports: [HttpModule, module] };
  const app = await NestFactory.create<NestFastifyApplication>(root, adapter, {
    bodyParser: false,
    abortOnError: false,
    logger: new NestLog(options.logger),
  });
  try {
    app.setGlobalPrefix(API_PREFIX, { exclude: OUTSIDE });
    app.useGlobalFilters(new ErrorFilter(options.logger));
    const routes = routesOf(app);
    app.useGlobalGuards(new RequestReader(new Map(routes.map(({ handler, plan }) => [handler, plan]))));
    await app.init();
    const description = buildDocument(app, routes, options.description);
    app.get(ApiReference).describe(description, options.basePath ?? '/');
  } catch (error) {
    await app.close();
    throw error;
  }
  return app;
}

/**
 * Opens the port of an application that `createHttpApp` made. Nest's own `listen` logs an error as well as throwing it;
 * here the caller reports it, once.
 * @throws Error of the system, with its `code`
 */
export async function listen(app: NestFastifyApplication, port: number, host: string): Promise<void> {
  await app.getHttpAdapter().getInstance().listen({ port, host });
}

const API_PATH = `/${API_PREFIX}/`;

const OUTSIDE = ['health/live', 'health/ready', 'metrics', 'openapi.json', 'docs', 'docs/*path'].map(
  path => ({
    path,
    method: RequestMethod.GET,
  }),
);

/** The methods whose bodies Fastify would read before any guard runs. */
const METHODS_WITH_BODY = ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

function fastifyAdapter(options: HttpAppOptions): FastifyAdapter {
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

function serverOptions(options: HttpAppOptions): FastifyHttpOptions<Server> {
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
  readonly unavailable = true;

  constructor() {
    super('The service is starting. Try again in a moment.');
    // For the log, which has a line of each: where it is thrown is known.
    this.stack = this.message;
  }
}

function addHooks(fastify: FastifyInstance, { web, prepared }: HttpAppOptions): void {
  let closing = false;
  let starting = prepared !== undefined;
  void prepared?.then(() => (starting = false));
  const paths = new KnownPaths();
  fastify.addHook('onRoute', ({ url, method }) => paths.add(url, method));
  const silent = silentConnections(fastify.server);
  fastify.addHook('onRequest', (request, reply, done) => {
    void reply.header('X-Request-Id', request.id).headers(HEADERS);
    if (request.headers.origin !== undefined) void reply.headers(CORS_HEADERS);
    const allowed = request.is404 ? paths.allowed(request.url) : '';
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
