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
  /** Absent: the route takes no body, or a file. */
  readonly body: Shape<object> | undefined;
  readonly bodyKind: BodyKind;
}

/** What the body of a route may be. */
interface BodyKind {
  readonly bytesMax: number;
  /** The media types of a file, whose bytes are taken as they are; absent for JSON. */
  readonly types?: readonly string[];
}

type Input = Readonly<Record<string, unknown>>;

/**
 * Reads and checks path, query and body, as the last of the global guards: nothing else of Nest runs between the guards
 * and the parameters of a handler without the price of an interceptor's observables. Afterwards `request.query` and
 * `request.body` are instances of the DTO classes, and `@Query()` and `@Body()` need no pipe.
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
    const pending = readBytes(request.raw, raw, plan.bodyKind);
    return pending === undefined
      ? accept(plan, request)
      : pending.then(bytes => accept(plan, request, bytes));
  }
}

function accept(plan: ReadingPlan, request: FastifyRequest, bytes: Buffer = NO_BYTES): true {
  const isFile = plan.bodyKind.types !== undefined;
  const body = isFile || bytes.length === 0 ? undefined : parse(bytes);
  const problems = new Problems();
  if (plan.path.size > 0) readPath(plan.path, request.params as Record<string, unknown>, problems);
  readQuery(plan.query, request, problems);
  request.body = isFile ? bytes : readBody(plan.body, body, problems);
  if (problems.fields.length > 0) throw validationFailed(problems.fields);
  return true;
}

const NO_BYTES = Buffer.alloc(0);

function readQuery(shape: Shape<object> | undefined, request: FastifyRequest, problems: Problems): void {
  const undecodable = undecodableIn(request.url);
  const query = request.query as Input;
  // The request is refused anyway, and each parameter is to be named once.
  if (undecodable.length > 0) {
    for (const name of undecodable) problems.add(name, 'must be percent-encoded UTF-8');
  } else if (shape !== undefined) request.query = shape.readQuery(query, problems);
  else for (const name of Object.keys(query)) reportUnknown('parameter', name, '', problems);
}

/** The parameters of a query that do not decode. Fastify takes them otherwise, and a search would find other things. */
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

/**
 * Reads the body of a request.
 * @returns undefined without a body
 * @throws ApiError `unsupported_media_type`, `payload_too_large`, `request_timeout`, `malformed_request`
 */
export function readBytes(
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
  const bytes = await collect(request, kind);
  if (bytes.length > 0) checkMediaType(request, kind);
  return bytes;
}

function tooLarge({ bytesMax }: BodyKind): ApiError {
  return new ApiError('payload_too_large', {}, { message: `The body is larger than ${bytesMax / MIB} MiB.` });
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
    const onEnd = (): void => settle(() => resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)));
    // The client is gone; the error only keeps the log free of a fault that is not ours.
    const onLost = (): void => settle(() => reject(new ApiError('malformed_request')));
    const timer = setTimeout(
      () => settle(() => reject(new ApiError('request_timeout', {}, { headers: { Connection: 'close' } }))),
      BODY_TIMEOUT_MS,
    );
    request.on('data', onData).on('end', onEnd).on('error', onLost).on('close', onLost);
  });
}

function checkMediaType({ headers }: IncomingMessage, { types }: BodyKind): void {
  const encoding = headers['content-encoding'];
  const isPlain = encoding === undefined || encoding.toLowerCase() === 'identity';
  const type = headers['content-type'];
  const isTaken = types ? types.includes(mediaTypeOf(type)) : isJson(type);
  if (isPlain && isTaken) return;
  const message = types && `Send the file as one of ${types.join(', ')}, not compressed.`;
  throw new ApiError('unsupported_media_type', {}, message === undefined ? {} : { message });
}

function mediaTypeOf(contentType = ''): string {
  return contentType.split(';', 1)[0]!.trim().toLowerCase();
}

/** `application/json`, with UTF-8 as the only charset that may be named. */
function isJson(contentType: string | undefined): boolean {
  if (contentType === 'application/json') return true;
  if (contentType === undefined || mediaTypeOf(contentType) !== 'application/json') return false;
  const [, ...parameters] = contentType.toLowerCase().split(';');
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

/** Discards an unwanted body, so that its sender reads the refusal; cuts the connection where it has no end. */
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

const BODY_KIND = Symbol('what the body of a route may be');

export function bodyKindOf(handler: object): BodyKind {
  const kind = Reflect.getMetadata(BODY_KIND, handler) as BodyKind | undefined;
  return kind ?? { bytesMax: BODY_BYTES_MAX };
}

/** Sets the largest body of a route in bytes, a whole number of MiB. */
export function TakesBodyUpTo(bytesMax: number): MethodDecorator {
  return SetMetadata(BODY_KIND, { bytesMax });
}

/** The route takes a file as its body, and reads it by `@FileBytes()`. */
export function TakesFile(file: Required<BodyKind>, description: string): MethodDecorator {
  return applyDecorators(
    SetMetadata(BODY_KIND, file),
    ApiConsumes(...file.types),
    ApiBody({ required: true, description, schema: { type: 'string', format: 'binary' } }),
  );
}

/** The bytes of the file; none where the request has no body. */
export const FileBytes = createParamDecorator((_: unknown, context: ExecutionContext): Uint8Array => {
  const { body } = context.switchToHttp().getRequest<FastifyRequest>();
  if (!(body instanceof Uint8Array)) throw new TypeError('this route takes no file');
  return body;
});
