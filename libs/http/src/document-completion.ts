import { isDeepStrictEqual } from 'node:util';
import type { OpenAPIObject } from '@nestjs/swagger';
import { HOUSEHOLD_HEADER } from './access.js';
import { notFound, validationFailed, type FieldProblem, type Resource } from './api-error.js';
import { notesOf } from './description-notes.js';
import type { Route } from './routes.js';
import { Problems, reportUnknown } from './shape.js';

/**
 * What an OpenAPI document needs and no decorator of a route can say: headers that come with a status, examples of
 * errors that fit the route, and that a body takes no other fields than those declared.
 */

type Operation = NonNullable<OpenAPIObject['paths'][string]['get']>;
type Response = Exclude<Operation['responses'][string], { $ref: string } | undefined>;
type MediaTypes = NonNullable<Response['content']>;
type Components = NonNullable<OpenAPIObject['components']>;
type SchemaOrRef = NonNullable<Components['schemas']>[string];

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;
const JSON_TYPE = 'application/json';
const FIRST_ERROR_STATUS = 400;

/** Headers that the service sends by itself, whatever the route. */
const HEADERS = {
  'X-Request-Id': 'The id of the request, as in the log: the caller’s own, or one made here',
  'WWW-Authenticate': '`Bearer`',
  'Retry-After': 'After how many seconds it may be tried again',
  'X-RateLimit-Limit': 'To personal access tokens: calls a minute',
  'X-RateLimit-Remaining': 'To personal access tokens: calls that are left at present',
  'X-RateLimit-Reset': 'To personal access tokens: in how many seconds all calls are left again',
} as const;

type HeaderName = keyof typeof HEADERS;

const RATE_HEADERS = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'] as const;
const COUNTS: readonly HeaderName[] = ['Retry-After', ...RATE_HEADERS];
const HEADERS_OF_STATUS: Readonly<Record<string, readonly HeaderName[]>> = {
  401: ['WWW-Authenticate'],
  429: ['Retry-After'],
  503: ['Retry-After'],
};

/** What is not there, by the last parameter of the path. */
const RESOURCES: Readonly<Record<string, Resource>> = {
  month: 'month',
  groupId: 'group',
  itemId: 'item',
  transactionId: 'transaction',
  userId: 'member',
  inviteId: 'invite',
  token: 'invite',
  tokenId: 'token',
  sessionId: 'session',
};

/** @param operationId how a route is called in the document */
export function completeDocument(
  document: OpenAPIObject,
  routes: readonly Route[],
  operationId: (controller: string, method: string) => string,
): void {
  const components = (document.components ??= {});
  components.headers = Object.fromEntries(
    Object.entries(HEADERS).map(([name, description]) => {
      const type = COUNTS.some(count => count === name) ? 'integer' : 'string';
      return [name, { description, schema: { type } }];
    }),
  );
  const byId = new Map(
    routes.map(route => {
      const [controller = '', method = ''] = route.name.split('.');
      return [operationId(controller, method), route];
    }),
  );
  for (const operation of operationsOf(document)) {
    const route = byId.get(operation.operationId ?? '');
    if (route !== undefined) completeOperation(operation, route, components);
  }
}

function operationsOf({ paths }: OpenAPIObject): Operation[] {
  return Object.values(paths).flatMap(item => METHODS.flatMap(method => item[method] ?? []));
}

function completeOperation(operation: Operation, route: Route, components: Components): void {
  for (const [status, response] of Object.entries(operation.responses)) {
    if (response === undefined || '$ref' in response) continue;
    addHeaders(response, status, route);
    if (response.content === undefined) continue;
    if (Number(status) < FIRST_ERROR_STATUS) {
      describeTexts(response.content, route);
    } else {
      response.content = onlyJson(response.content);
      fitExamples(response.content, route);
      shareExamples(response.content, components);
    }
  }
  if (route.path.includes(':householdId')) leaveOutHouseholdHeader(operation);
  leaveOptionalEmpty(operation);
  completeBody(operation, route, components);
}

function addHeaders(response: Response, status: string, { access }: Route): void {
  const names: HeaderName[] = ['X-Request-Id', ...(HEADERS_OF_STATUS[status] ?? [])];
  if (access !== undefined && (access.who !== 'public' || access.tellsRate)) names.push(...RATE_HEADERS);
  const references = names.map(name => [name, { $ref: `#/components/headers/${name}` }]);
  response.headers = { ...response.headers, ...Object.fromEntries(references) };
}

function describeTexts(content: MediaTypes, { handler }: Route): void {
  for (const [type, description] of Object.entries(notesOf(handler).texts ?? {})) {
    if (type in content) content[type] = { schema: { type: 'string', description } };
  }
}

/** Errors are JSON, whatever a route produces otherwise. */
function onlyJson(content: MediaTypes): MediaTypes {
  const [first] = Object.values(content);
  return first === undefined ? content : { [JSON_TYPE]: content[JSON_TYPE] ?? first };
}

/** The path names the household. */
function leaveOutHouseholdHeader(operation: Operation): void {
  operation.parameters = (operation.parameters ?? []).filter(
    parameter => '$ref' in parameter || parameter.name !== HOUSEHOLD_HEADER,
  );
}

/**
 * The reference page fills a parameter in with its `example`, but not with the `examples` of its schema. What may be
 * left out has the latter, so that a call that is tried out sends nothing that nobody typed.
 */
function leaveOptionalEmpty({ parameters = [] }: Operation): void {
  for (const parameter of parameters) {
    if ('$ref' in parameter || parameter.required === true) continue;
    const { schema } = parameter;
    if (schema === undefined || '$ref' in schema || schema.example === undefined) continue;
    const { example, ...rest } = schema;
    // OpenAPI 3.1 has the keywords of JSON Schema, the types of @nestjs/swagger those of 3.0.
    parameter.schema = { ...rest, examples: [example] } as SchemaOrRef;
  }
}

interface ErrorExample {
  readonly value: { message: string; details: Record<string, unknown> };
}

type ErrorExamples = Record<string, ErrorExample | { readonly $ref: string } | undefined>;

/** Puts what the route would answer in place of the details that stand for all routes. */
function fitExamples(content: MediaTypes, route: Route): void {
  const examples = (content[JSON_TYPE]?.examples ?? {}) as Record<string, ErrorExample | undefined>;
  const scope = route.access?.scopes[0] ?? route.access?.anyOf[0];
  if (scope !== undefined && examples['insufficient_scope']) {
    examples['insufficient_scope'].value.details = { required_scope: scope };
  }
  const resource = RESOURCES[/:(\w+)[^:]*$/.exec(route.path)?.[1] ?? ''];
  if (resource !== undefined && examples['not_found']) {
    const { message, details } = notFound(resource);
    Object.assign(examples['not_found'].value, { message, details });
  }
  if (examples['validation_failed']) {
    const { message, details } = validationFailed(sampleProblems(route));
    Object.assign(examples['validation_failed'].value, { message, details });
  }
}

/** Most errors read the same everywhere: they stand once in the document. */
function shareExamples(content: MediaTypes, components: Components): void {
  const examples = (content[JSON_TYPE]?.examples ?? {}) as ErrorExamples;
  const shared = (components.examples ??= {}) as ErrorExamples;
  for (const [code, example] of Object.entries(examples)) {
    shared[code] ??= example;
    if (isDeepStrictEqual(shared[code], example)) examples[code] = { $ref: `#/components/examples/${code}` };
  }
}

/** What the route says of an empty body, of a path that is none, or of a parameter that it does not know. */
function sampleProblems({ plan }: Route): FieldProblem[] {
  const problems = new Problems();
  plan.body?.read({}, '', problems);
  if (problems.fields.length > 0) return problems.fields;
  for (const [name, { problem }] of plan.path) {
    const wrong = problem('x');
    if (wrong !== null) return [{ path: name, message: wrong }];
  }
  reportUnknown('colour', '', problems);
  return problems.fields;
}

function completeBody(operation: Operation, { handler }: Route, components: Components): void {
  const { requestBody } = operation;
  if (requestBody === undefined || '$ref' in requestBody) return;
  const media = requestBody.content[JSON_TYPE];
  if (media?.schema === undefined) return;
  refuseOtherFields(media.schema, components, new Set());
  const { bodyExample, bodyExamples, either } = notesOf(handler);
  if (bodyExample !== undefined) media.example = bodyExample;
  if (bodyExamples !== undefined) media.examples = { ...bodyExamples };
  const schema = resolved(media.schema, components);
  if (either !== undefined && schema !== undefined && !('$ref' in schema)) {
    schema.oneOf = either.map(field => ({ required: [field] }));
  }
}

function refuseOtherFields(schema: SchemaOrRef, components: Components, seen: Set<object>): void {
  const known = resolved(schema, components);
  if (known === undefined || '$ref' in known || seen.has(known)) return;
  seen.add(known);
  if (known.properties !== undefined) known.additionalProperties = false;
  const parts = [...Object.values(known.properties ?? {}), ...(known.allOf ?? []), ...(known.oneOf ?? [])];
  if (known.items !== undefined) parts.push(known.items);
  for (const part of parts) refuseOtherFields(part, components, seen);
}

function resolved(schema: SchemaOrRef, { schemas = {} }: Components): SchemaOrRef | undefined {
  return '$ref' in schema ? schemas[schema.$ref.replace('#/components/schemas/', '')] : schema;
}
