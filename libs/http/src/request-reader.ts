import { isUtf8 } from 'node:buffer';
import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  type CanActivate,
  type ExecutionContext,
  SetMetadata,
  applyDecorators,
  createParamDecorator,
} from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApiBody, ApiConsumes } from '@nestjs/swagger';
import { validationFailed, ApiError } from './api-error.js';
import type { FieldRule } from './field-rules.js';
import { Problems, REPEATED_NAME_MAX, reportUnknown, type Shape } from './shape.js';

/** What one route reads from a request, compiled at start-up by `routes.ts`. */
export interface ReadingPlan {
  readonly path: ReadonlyMap<string, FieldRule>;
  /** Absent: the route takes no query parameter. */
  readonly query: Shape<object> | undefined;
  /** Absent: the route takes no body. */
  readonly body: Shape<object> | undefined;
  /** The most bytes of a body. */
  readonly bodyBytesMax: number;
  /** The body is a file; absent for JSON. */
  readonly file: FileBody | undefined;
}

type Input = Readonly<Record<string, unknown>>;

/**
 * Reads path, query and body, and refuses what is not valid, after every guard that decides who may call: the
 * last of the global guards, because nothing else of Nest runs between the guards and the parameters of a handler
 * without the price of an interceptor's observables. Afterwards `request.query` and `request.body` are instances
 * of the DTO classes, and `@Query()` and `@Body()` need no pipe.
 */
export class RequestReader implements CanActivate {
  constructor(private readonly plans: ReadonlyMap<object, ReadingPlan>) {}

  canActivate(context: ExecutionContext): true | Promise<true> {
    const plan = this.plans.get(context.getHandler());
    if (plan === undefined)
      throw new TypeError(`${context.getHandler().name} was not there when the routes were read`);
    const http = context.switchToHttp();
    const request = http.getRequest<FastifyRequest>();
    const { raw } = http.getResponse<FastifyReply>();
    const pending = plan.file
      ? readFile(request.raw, raw, plan.file)
      : readJson(request.raw, raw, plan.bodyBytesMax);
    if (pending === undefined) return accept(plan, request, undefined);
    return pending.then(body => accept(plan, request, body));
  }
}

function accept(plan: ReadingPlan, request: FastifyRequest, body: unknown): true {
  const problems = new Problems();
  if (plan.path.size > 0) readPath(plan.path, request.params as Record<string, unknown>, problems);
  readQuery(plan.query, request, problems);
  request.body = plan.file ? (body ?? new Uint8Array()) : readBody(plan.body, body, problems);
  if (problems.fields.length > 0) throw validationFailed(problems.fields);
  return true;
}

function readQuery(shape: Shape<object> | undefined, request: FastifyRequest, problems: Problems): void {
  const undecodable = undecodableIn(request.url);
  const query = request.query as Input;
  // The request is refused anyway, and each parameter is to be named once.
  if (undecodable.length > 0) {
    for (const name of undecodable) problems.add(name, 'must be percent-encoded UTF-8');
  } else if (shape !== undefined) request.query = shape.readQuery(query, problems);
  else for (const name of Object.keys(query)) reportUnknown('parameter', name, '', problems);
}

/**
 * The parameters of a query that do not decode. Fastify takes them literally, or replaces them by U+FFFD: a search would
 * find something else.
 */
function undecodableIn(url: string): string[] {
  const start = url.indexOf('?');
  if (start === -1 || !url.includes('%', start)) return [];
  const pairs = url.slice(start + 1).split('&');
  return pairs.filter(pair => decoded(pair) === null).map(nameOf);
}

function nameOf(pair: string): string {
  const [name = ''] = pair.split('=', 1);
  return (decoded(name) ?? name).slice(0, REPEATED_NAME_MAX);
}

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

function readPath(
  rules: ReadonlyMap<string, FieldRule>,
  params: Record<string, unknown>,
  problems: Problems,
): void {
  for (const [name, { normalise, problem }] of rules) {
    if (normalise !== undefined) params[name] = normalise(params[name]);
    const wrong = problem(params[name]);
    if (wrong !== null) problems.add(name, wrong);
  }
}

/** A missing body counts as `{}`, so that each missing field is named, and a change of nothing needs no body. */
function readBody(
  shape: Shape<object> | undefined,
  body: unknown = {},
  problems: Problems,
): object | undefined {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    problems.add('body', 'must be a JSON object');
    return undefined;
  }
  if (shape !== undefined) return shape.read(body as Input, '', problems);
  for (const name of Object.keys(body)) reportUnknown('field', name, '', problems);
  return undefined;
}

const MIB = 1024 * 1024;
/** The largest body, in bytes, of a route that does not declare another one. */
export const BODY_BYTES_MAX = MIB;
const BYTE_ORDER_MARK = '\ufeff';
/** How long a body may take to arrive, in milliseconds. */
export const BODY_TIMEOUT_MS = 20_000;
/** How much of an unwanted body is discarded before the connection is cut. */
export const UNREAD_BYTES_MAX = 16 * 1024 * 1024;
/** How long an unwanted body is discarded, in milliseconds. */
export const UNREAD_TIMEOUT_MS = 5_000;

/** Whether the request announces a body. */
export function hasBody({ headers }: IncomingMessage): boolean {
  const length = headers['content-length'];
  return (length !== undefined && length !== '0') || headers['transfer-encoding'] !== undefined;
}

const LARGEST_BODY = Symbol('largest body of a route');

/** Sets the largest body of a route in bytes, a whole number of MiB. */
export function TakesBodyUpTo(bytes: number): MethodDecorator {
  return SetMetadata(LARGEST_BODY, bytes);
}

/** How many bytes the body of a handler may have. */
export function largestBodyOf(handler: object): number {
  return (Reflect.getMetadata(LARGEST_BODY, handler) as number | undefined) ?? BODY_BYTES_MAX;
}

/**
 * Reads the body of a request and parses it as JSON.
 * @param bytesMax what it may have at most
 * @returns undefined without a body
 * @throws ApiError `unsupported_media_type`, `payload_too_large`, `invalid_json`, `request_timeout`
 */
export function readJson(
  request: IncomingMessage,
  response: ServerResponse,
  bytesMax: number,
): Promise<unknown> | undefined {
  const bytes = readBytes(request, response, { bytesMax, accepts: isJson });
  return bytes?.then(read => (read.length === 0 ? undefined : parse(read)));
}

/**
 * Reads the body of a request as it is.
 * @returns undefined without a body
 * @throws ApiError as `readJson`
 */
export function readFile(
  request: IncomingMessage,
  response: ServerResponse,
  { types, bytesMax }: FileBody,
): Promise<Buffer> | undefined {
  return readBytes(request, response, {
    bytesMax,
    refusal: `Send the file as one of ${types.join(', ')}, not compressed.`,
    accepts: contentType => types.includes((contentType ?? '').split(';', 1)[0]!.trim().toLowerCase()),
  });
}

/** How much of a body is read, and of which media type. */
interface BodyKind {
  readonly bytesMax: number;
  readonly accepts: (contentType: string | undefined) => boolean;
  /** The message for another media type, if it differs from that of the error code. */
  readonly refusal?: string;
}

function readBytes(
  request: IncomingMessage,
  response: ServerResponse,
  kind: BodyKind,
): Promise<Buffer> | undefined {
  if (!hasBody(request)) return undefined;
  if (Number(request.headers['content-length']) > kind.bytesMax) throw tooLarge(kind);
  if (request.headers['transfer-encoding'] === undefined) checkMediaType(request, kind);
  // The client may wait for this before it sends the body.
  if (request.headers.expect !== undefined) response.writeContinue();
  return readWhole(request, kind);
}

async function readWhole(request: IncomingMessage, kind: BodyKind): Promise<Buffer> {
  // The client left before anything listened: no event will follow.
  if (request.destroyed) throw new ApiError('malformed_request');
  // Small bodies mostly arrive with their headers and wait in the stream's buffer already.
  const bytes = request.complete ? readBuffered(request) : await collect(request, kind);
  if (bytes.length > kind.bytesMax) throw tooLarge(kind);
  if (bytes.length > 0) checkMediaType(request, kind);
  return bytes;
}

function tooLarge({ bytesMax }: BodyKind): ApiError {
  return new ApiError('payload_too_large', {}, { message: `The body is larger than ${bytesMax / MIB} MiB.` });
}

function readBuffered(request: IncomingMessage): Buffer {
  const chunks: Buffer[] = [];
  // Newer versions of Node give one chunk a call, older ones all of them.
  for (let next = take(request); next !== null; next = take(request)) chunks.push(next);
  return chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks);
}

function take(request: IncomingMessage): Buffer | null {
  return request.read() as Buffer | null;
}

function collect(request: IncomingMessage, kind: BodyKind): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    const settle = (act: () => void): void => {
      clearTimeout(timer);
      request.off('data', onData).off('end', onEnd).off('error', onLost).off('close', onLost);
      act();
    };
    const onData = (chunk: Buffer): void => {
      length += chunk.length;
      chunks.push(chunk);
      if (length > kind.bytesMax) settle(() => reject(tooLarge(kind)));
    };
    const onEnd = (): void =>
      settle(() => resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)));
    // The client is gone; the error only keeps the log free of a fault that is not ours.
    const onLost = (): void => settle(() => reject(new ApiError('malformed_request')));
    const timer = setTimeout(
      () => settle(() => reject(new ApiError('request_timeout', {}, { headers: { Connection: 'close' } }))),
      BODY_TIMEOUT_MS,
    );
    request.on('data', onData).on('end', onEnd).on('error', onLost).on('close', onLost);
  });
}

function checkMediaType({ headers }: IncomingMessage, { accepts, refusal }: BodyKind): void {
  const encoding = headers['content-encoding'];
  const isPlain = encoding === undefined || encoding.toLowerCase() === 'identity';
  if (isPlain && accepts(headers['content-type'])) return;
  throw new ApiError('unsupported_media_type', {}, refusal === undefined ? {} : { message: refusal });
}

/** `application/json`, with UTF-8 as the only charset that may be named. */
function isJson(contentType: string | undefined): boolean {
  if (contentType === 'application/json') return true;
  if (contentType === undefined) return false;
  const [type, ...parameters] = contentType.toLowerCase().split(';');
  if (type?.trim() !== 'application/json') return false;
  return parameters.every(parameter => {
    const [name, value] = parameter.split('=');
    if (name?.trim() !== 'charset') return true;
    const charset = value?.trim().replaceAll('"', '');
    return charset === 'utf-8' || charset === 'utf8' || charset === 'us-ascii';
  });
}

function parse(bytes: Buffer): unknown {
  if (!isUtf8(bytes)) throw new ApiError('invalid_json');
  const text = bytes.toString('utf8');
  try {
    // RFC 8259 §8.1: some programs write it before every text, and it may be ignored.
    return JSON.parse(text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text) as unknown;
  } catch {
    throw new ApiError('invalid_json');
  }
}

/**
 * Discards an unwanted body, so that its sender reads the refusal and the connection can be used again. Cuts the
 * connection if the body does not end within bounds.
 */
export function discardBody(request: IncomingMessage): void {
  if (request.complete && request.readableLength === 0) return;
  let bytes = 0;
  const cut = (): void => void request.socket.destroy();
  const timer = setTimeout(cut, UNREAD_TIMEOUT_MS).unref();
  request.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > UNREAD_BYTES_MAX) cut();
  });
  request.once('close', () => clearTimeout(timer));
  request.on('error', cut);
}

/** A body that is a file: its bytes as they are. */
interface FileBody {
  /** The media types that a client may send. */
  readonly types: readonly string[];
  readonly bytesMax: number;
}

const FILE_BODY = Symbol('file that a route takes as its body');

/** The route takes a file as its body, and reads it by `@FileBytes()`. */
export function TakesFile(file: FileBody, description: string): MethodDecorator {
  return applyDecorators(
    SetMetadata(FILE_BODY, file),
    ApiConsumes(...file.types),
    ApiBody({ required: true, description, schema: { type: 'string', format: 'binary' } }),
  );
}

/** The file that a route takes; undefined if it takes JSON or nothing. */
export function fileBodyOf(handler: object): FileBody | undefined {
  return Reflect.getMetadata(FILE_BODY, handler) as FileBody | undefined;
}

/** The bytes of the file; none where the request has no body. */
export const FileBytes = createParamDecorator((_: unknown, context: ExecutionContext): Uint8Array => {
  const { body } = context.switchToHttp().getRequest<FastifyRequest>();
  if (!(body instanceof Uint8Array)) throw new TypeError('this route takes no file');
  return body;
});
