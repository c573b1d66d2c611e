import type { CanActivate, ExecutionContext } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { validationFailed } from './api-error.js';
import { readFile, readJson } from './body.js';
import type { FieldRule } from './field-rules.js';
import type { FileBody } from './file-body.js';
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
  // It is refused in any case, and one parameter is to be named once.
  if (undecodable.length > 0) {
    for (const name of undecodable) problems.add(name, 'must be percent-encoded UTF-8');
  } else if (shape !== undefined) request.query = shape.readQuery(query, problems);
  else for (const name of Object.keys(query)) reportUnknown('parameter', name, '', problems);
}

/**
 * The parameters of a query that do not decode. Fastify takes them as they stand, or puts U+FFFD in their place: a
 * search would find something else than was asked for.
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
