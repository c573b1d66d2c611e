import type { OpenAPIObject } from '@nestjs/swagger';
import { HOUSEHOLD_HEADER } from './access.js';
import { ERRORS, type ErrorCode } from './api-error.js';
import { DRY_RUN_HEADER, dryRunQueryOf } from './dry-run.js';
import { notesOf } from './description-notes.js';
import { exampleFor, type ErrorExample } from './error-examples.js';
import {
  FIRST_ERROR_STATUS,
  JSON_TYPE,
  operationsOf,
  share,
  type Components,
  type MediaTypes,
  type Operation,
  type Response,
  type SchemaOrRef,
} from './operations.js';
import type { Route } from './routes.js';
import { shareComponents } from './description-components.js';

/**
 * What an OpenAPI document needs and no decorator of a route can say: headers that come with a status, examples of
 * errors that fit the route, and that a body takes no other fields than those declared.
 */

/** Headers that the service sends by itself, whatever the route. */
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
  shareComponents(document);
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
      const media = response.content[JSON_TYPE];
      if (media !== undefined) completeErrors(response, media, route, components);
    }
  }
  // Without it, the operation would inherit the security of the document, and generators could not tell.
  if (route.access?.who === 'public') operation.security = [];
  if (route.path.includes(':householdId')) leaveOutHouseholdHeader(operation);
  leaveOptionalEmpty(operation);
  completeBody(operation, route, components);
}

function addHeaders(response: Response, status: string, { access, handler }: Route): void {
  const names: HeaderName[] = ['X-Request-Id', ...(HEADERS_OF_STATUS[status] ?? [])];
  if (status === '200' && dryRunQueryOf(handler)) names.push(DRY_RUN_HEADER);
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

/** Errors in the order of their codes, so that equal sets are equal, each with the example that fits the route. */
function completeErrors(
  response: Response,
  media: MediaTypes[string],
  route: Route,
  components: Components,
): void {
  const examples = (media.examples ?? {}) as Record<string, ErrorExample>;
  const codes = CODES.filter(code => code in examples);
  if (codes.length === 0) return;
  response.description = codes.map(code => `\`${code}\`: ${ERRORS[code].when}`).join('\n\n');
  media.examples = Object.fromEntries(
    codes.map(code => {
      const [name, example] = exampleFor(code, examples[code]!, route);
      return [code, share(components, 'examples', name, example)];
    }),
  );
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
