import { isDeepStrictEqual } from 'node:util';
import { getSchemaPath, type OpenAPIObject } from '@nestjs/swagger';
import { HOUSEHOLD_HEADER, type RouteAccess } from './access.js';
import {
  ERRORS,
  type ErrorCode,
  ApiError,
  notFound,
  validationFailed,
  type FieldProblem,
  type Resource,
} from './api-error.js';
import { DRY_RUN_HEADER, dryRunQueryOf } from './repeatable-write.js';
import { Describes, ErrorBody, failuresOf, type DescriptionNotes } from './answers.js';
import { ULID_EXAMPLE } from './field-rules.js';
import type { Route } from './routes.js';
import { Problems, reportUnknown } from './shape.js';

/**
 * Completes an OpenAPI document beyond what the decorators of a route declare: headers that come with a status, examples
 * of errors that fit the route, and that a body takes no undeclared fields.
 */

export type Operation = NonNullable<OpenAPIObject['paths'][string]['get']>;
export type Response = Exclude<Operation['responses'][string], Reference | undefined>;
type Components = NonNullable<OpenAPIObject['components']>;
type SchemaOrRef = NonNullable<Components['schemas']>[string];

interface Reference {
  $ref: string;
}

export const JSON_TYPE = 'application/json';

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;

export function operationsOf({ paths }: OpenAPIObject): Operation[] {
  return Object.values(paths).flatMap(item => METHODS.flatMap(method => item[method] ?? []));
}

/**
 * Adds a part to `components`, unless it is there already.
 * @returns a reference to it
 * @throws Error where the name belongs to a different part
 */
function share(
  components: Components,
  section: 'parameters' | 'headers' | 'responses' | 'examples',
  name: string,
  part: object,
): Reference {
  const parts = (components[section] ??= {}) as Record<string, object>;
  parts[name] ??= part;
  if (!isDeepStrictEqual(parts[name], part)) {
    throw new Error(`two different ${section} of the API description have the name ${name}`);
  }
  return { $ref: `#/components/${section}/${name}` };
}

const HEADERS = {
  'X-Request-Id': 'The id of the request, as in the log: the caller’s own, or a new one',
  'WWW-Authenticate': '`Bearer`',
  'Retry-After': 'Seconds to wait before the next attempt',
  [DRY_RUN_HEADER]: '`true` if `dry_run` was: nothing was recorded',
  'X-RateLimit-Limit': 'For personal access tokens: calls allowed per minute',
  'X-RateLimit-Remaining': 'For personal access tokens: calls left',
  'X-RateLimit-Reset': 'For personal access tokens: seconds until all calls are available again',
} as const;

type HeaderName = keyof typeof HEADERS;

const RATE_HEADERS = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'] as const;
const COUNTS: readonly HeaderName[] = ['Retry-After', ...RATE_HEADERS];
const HEADERS_OF_STATUS: Readonly<Record<string, readonly HeaderName[]>> = {
  401: ['WWW-Authenticate'],
  429: ['Retry-After'],
  503: ['Retry-After'],
};

const CODES = Object.keys(ERRORS) as ErrorCode[];

export function completeDocument(document: OpenAPIObject, routes: readonly Route[]): void {
  const components = (document.components ??= {});
  components.headers = Object.fromEntries(
    Object.entries(HEADERS).map(([name, description]) => {
      const type = COUNTS.some(count => count === name) ? 'integer' : 'string';
      return [name, { description, schema: { type } }];
    }),
  );
  const byId = new Map(routes.map(route => [route.operationId, route]));
  for (const operation of operationsOf(document)) {
    const route = byId.get(operation.operationId ?? '');
    if (route !== undefined) completeOperation(operation, route, components);
  }
  shareParameters(document, components);
  shareHeaders(document, components);
}

function completeOperation(operation: Operation, route: Route, components: Components): void {
  const noted = Reflect.getMetadata(Describes.KEY, route.handler) as DescriptionNotes | undefined;
  const { texts = {}, ...notes } = noted ?? {};
  for (const [status, response] of Object.entries(operation.responses)) {
    if (response === undefined || '$ref' in response) continue;
    response.headers = { ...response.headers, ...headersOf(status, route) };
    for (const [type, description] of Object.entries(texts)) {
      if (response.content?.[type]) response.content[type] = { schema: { type: 'string', description } };
    }
  }
  addErrors(operation, route, components);
  // Without it, the operation would inherit the security of the document.
  if (route.access?.who === 'public') operation.security = [];
  if (route.path.includes(':householdId')) {
    const { parameters = [] } = operation;
    operation.parameters = parameters.filter(one => '$ref' in one || one.name !== HOUSEHOLD_HEADER);
  }
  leaveOptionalEmpty(operation);
  completeBody(operation, notes, components);
}

/** References to the headers that come with a status. */
function headersOf(status: string, { access, handler }: Route): Record<string, Reference> {
  const names: HeaderName[] = ['X-Request-Id', ...(HEADERS_OF_STATUS[status] ?? [])];
  if (status === '200' && dryRunQueryOf(handler)) names.push(DRY_RUN_HEADER);
  if (access !== undefined && hasLimit(access)) names.push(...RATE_HEADERS);
  return Object.fromEntries(names.map(name => [name, { $ref: `#/components/headers/${name}` }]));
}

/** Whether responses tell a personal access token what is left of its rate. */
function hasLimit({ who, tellsRate }: RouteAccess): boolean {
  return who !== 'public' || tellsRate;
}

/**
 * The reference page fills a parameter in with its `example`, but not with the `examples` of its schema. Optional
 * parameters have the latter, so that a call that is tried out sends only what the user typed.
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

/**
 * One response for each error status, in `components`. Its codes are in the order of `ERRORS`, so that equal sets are
 * equal, each with the example that fits the route.
 */
function addErrors(operation: Operation, route: Route, components: Components): void {
  const failures = new Set(failuresOf(route.handler));
  const codes = CODES.filter(code => failures.has(code));
  for (const status of new Set(codes.map(code => String(ERRORS[code].status)))) {
    const own = codes.filter(code => String(ERRORS[code].status) === status);
    const examples = own.map(code => [code, ...exampleOf(code, route)] as const);
    const response = {
      headers: headersOf(status, route),
      description: own.map(code => `\`${code}\`: ${ERRORS[code].when}`).join('\n\n'),
      content: {
        [JSON_TYPE]: {
          schema: { $ref: getSchemaPath(ErrorBody) },
          examples: Object.fromEntries(
            examples.map(([code, name, example]) => [code, share(components, 'examples', name, example)]),
          ),
        },
      },
    };
    const name = errorName(
      examples.map(([, name]) => name),
      route,
      status,
    );
    operation.responses[status] = share(components, 'responses', name, response);
  }
}

function completeBody({ requestBody }: Operation, notes: DescriptionNotes, components: Components): void {
  if (requestBody === undefined || '$ref' in requestBody) return;
  const media = requestBody.content[JSON_TYPE];
  if (media?.schema === undefined) return;
  refuseOtherFields(media.schema, components, new Set());
  const { bodyExample, bodyExamples, either } = notes;
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

/** Example `details` of the codes that always carry some. */
const DETAILS: Partial<Record<ErrorCode, Readonly<Record<string, unknown>>>> = {
  not_found: { resource: 'month' },
  import_unreadable: { reason: 'no_date_column', columns: ['When', 'What', 'How much'] },
  item_not_in_month: { item_id: ULID_EXAMPLE, month: '2026-01' },
  splits_total_mismatch: { amount: 4500, splits_total: 4400 },
  not_harvestable: { reason: 'nothing_remaining' },
  order_mismatch: { missing: [ULID_EXAMPLE], unexpected: [] },
  undo_blocked: { by_event_id: ULID_EXAMPLE },
  month_full: { limit: 'transactions', max: 20_000, month: '2026-01' },
  batch_too_large: { operations_max: 120 },
  household_full: { limit: 'months', max: 1_200 },
};

/** What `not_found` names, by the last parameter of the path. */
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

/** The example of a code that fits one route, behind its name among all examples: the code, and what it depends on. */
function exampleOf(code: ErrorCode, route: Route): [name: string, example: object] {
  const [of, error] = specific(code, route) ?? [null, new ApiError(code, DETAILS[code])];
  const { message, details } = error;
  const value = { code, message, details, request_id: ULID_EXAMPLE };
  return [of === null ? code : `${code}.${of}`, { summary: code, value }];
}

/** An error that depends on the route, behind the scope, the resource, the parameter or the operation that it is of. */
function specific(code: ErrorCode, route: Route): [of: string, error: ApiError] | undefined {
  if (code === 'insufficient_scope') {
    const scope = route.access?.scopes[0] ?? route.access?.anyOf[0];
    return scope && [scope.replace(':', '_'), new ApiError(code, { required_scope: scope })];
  }
  if (code === 'not_found') {
    const resource = RESOURCES[/:(\w+)[^:]*$/.exec(route.path)?.[1] ?? ''];
    return resource && [resource, notFound(resource)];
  }
  if (code === 'validation_failed') {
    const [of, problems] = sampleProblems(route);
    return [of, validationFailed(problems)];
  }
  return undefined;
}

/** How the route refuses an empty body, else a malformed path parameter, else an unknown parameter. */
function sampleProblems({ plan, operationId }: Route): [string, readonly FieldProblem[]] {
  const problems = new Problems();
  plan.body?.read({}, '', problems);
  if (problems.fields.length > 0) return [operationId, problems.fields];
  for (const [name, { problem }] of plan.path) {
    const wrong = problem('x');
    if (wrong !== null) return [name, [{ path: name, message: wrong }]];
  }
  reportUnknown('parameter', 'colour', '', problems);
  return ['unknown', problems.fields];
}

const NAMED_EXAMPLES_MAX = 3;

/** Moves into `components` each parameter that operations repeat. @throws Error for two different ones of one name */
function shareParameters(document: OpenAPIObject, components: Components): void {
  const operations = operationsOf(document);
  const repeated = repeatedOf(operations.flatMap(({ parameters = [] }) => parameters));
  for (const operation of operations) {
    operation.parameters = (operation.parameters ?? []).map(parameter =>
      '$ref' in parameter || !repeated.has(JSON.stringify(parameter))
        ? parameter
        : share(components, 'parameters', pascal(parameter.name.replace(/^X-Service-/, '')), parameter),
    );
  }
}

function shareHeaders(document: OpenAPIObject, components: Components): void {
  const responses = operationsOf(document).flatMap(operation => Object.values(operation.responses));
  const headed = responses.flatMap(response =>
    response === undefined || '$ref' in response || response.headers === undefined ? [] : [response.headers],
  );
  const repeated = repeatedOf(headed.flatMap(headers => Object.values(headers)));
  for (const headers of headed) {
    for (const [name, header] of Object.entries(headers)) {
      if ('$ref' in header || !repeated.has(JSON.stringify(header))) continue;
      headers[name] = share(components, 'headers', name, header);
    }
  }
}

function repeatedOf(parts: readonly object[]): ReadonlySet<string> {
  const texts = parts.map(part => JSON.stringify(part));
  return new Set(texts.filter((text, index) => texts.indexOf(text) !== index));
}

/** Named after its examples, as `NotFoundMonth`; after the operation if they are many, or if one is its own. */
function errorName(examples: readonly string[], { operationId, access }: Route, status: string): string {
  const isOwn = examples.some(name => name.endsWith(`.${operationId}`));
  const isLong = examples.length > NAMED_EXAMPLES_MAX;
  const name = isOwn || isLong ? `${pascal(operationId)}${status}` : examples.map(pascal).join('Or');
  return access !== undefined && hasLimit(access) ? name : `${name}WithoutLimit`;
}

/** `not_found.month` becomes `NotFoundMonth`. */
function pascal(name: string): string {
  return name
    .split(/[^A-Za-z0-9]/)
    .map(word => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');
}
