import type { OpenAPIObject } from '@nestjs/swagger';
import { ERRORS, isErrorCode, notFound } from './api-error.js';
import { ULID_EXAMPLE } from './fields.js';
import { FIRST_ERROR_STATUS, JSON_TYPE, operationsOf, type Operation, type Response } from './operations.js';

/** The month of every example in the description, which stays the same for generators of clients. */
const EXAMPLE_MONTH = /\b2026-01\b/g;

const { code, message, details } = notFound('month');
const ERROR_EXAMPLE = { code, message, details, request_id: ULID_EXAMPLE };

/** The one credential that the page asks for. It must not offer the cookie, which no script may set. */
const BEARER = 'token';

/**
 * The description as the reference page loads it: examples name a month that the reader has, addresses are relative to
 * `/docs/`, there is one credential to enter, and the errors of an operation are one section.
 * @param month the current one
 */
export function referenceDocument(description: OpenAPIObject, month: string): OpenAPIObject {
  const document = JSON.parse(JSON.stringify(description).replace(EXAMPLE_MONTH, month)) as OpenAPIObject;
  // Behind a proxy that adds a prefix, `/v1` is not the root of the host.
  moveServers(document, '..');
  for (const operation of operationsOf(document)) {
    describeAccess(operation);
    gatherErrors(operation, document);
    leaveOutCommonHeaders(operation);
  }
  document.components = {
    ...document.components,
    responses: {},
    securitySchemes: {
      [BEARER]: {
        type: 'http',
        scheme: 'bearer',
        description:
          'A personal access token (`hbp_…`) or the token of a session (`hbs_…`), without `Bearer`.',
      },
    },
  };
  return document;
}

/** The description as programs load it. @param prefix the path below which people find the service, without a slash at its end */
export function publishedDocument(description: OpenAPIObject, prefix: string): OpenAPIObject {
  const document = structuredClone(description);
  moveServers(document, prefix);
  return document;
}

function moveServers(document: OpenAPIObject, prefix: string): void {
  const moved = (servers: OpenAPIObject['servers'] = []): { url: string }[] =>
    servers.map(server => ({ ...server, url: `${prefix}${server.url}` }));
  document.servers = moved(document.servers);
  for (const item of Object.values(document.paths)) {
    if (item.servers) item.servers = moved(item.servers);
  }
}

/** One credential opens everything, so the page says in words what it has to allow. */
function describeAccess(operation: Operation): void {
  const { security = [], description = '' } = operation;
  if (security.length === 0) return;
  const scopes = security.flatMap(({ token }) => (token === undefined ? [] : [`\`${token.join('`, `')}\``]));
  const needed = scopes.length > 0 ? `Scope: ${scopes.join(' or ')}` : 'Needs the token of a session.';
  operation.description = `${description}\n\n${needed}`.trim();
  operation.security = [{ [BEARER]: [] }];
}

function gatherErrors(operation: Operation, document: OpenAPIObject): void {
  const codes: string[] = [];
  for (const [status, response] of Object.entries(operation.responses)) {
    if (Number(status) < FIRST_ERROR_STATUS || response === undefined) continue;
    const { content } = resolved(response, document);
    const names = Object.keys(content?.[JSON_TYPE]?.examples ?? {});
    if (names.length === 0) continue;
    codes.push(...names.filter(isErrorCode));
    delete operation.responses[status];
  }
  if (codes.length === 0) return;
  const list = codes.filter(isErrorCode).map(code => `${ERRORS[code].status} \`${code}\``);
  operation.responses.default = {
    description: `Errors: ${list.join(', ')}`,
    content: { [JSON_TYPE]: { schema: { $ref: '#/components/schemas/ErrorBody' }, example: ERROR_EXAMPLE } },
  };
}

function resolved(response: Response | { readonly $ref: string }, { components }: OpenAPIObject): Response {
  if (!('$ref' in response)) return response;
  return components?.responses?.[response.$ref.replace('#/components/responses/', '')] as Response;
}

/** The introduction describes what every response carries. */
function leaveOutCommonHeaders({ responses }: Operation): void {
  for (const response of Object.values(responses)) {
    if (response === undefined || '$ref' in response || response.headers === undefined) continue;
    for (const name of Object.keys(response.headers)) {
      if (name === 'X-Request-Id' || name.startsWith('X-RateLimit-')) delete response.headers[name];
    }
    if (Object.keys(response.headers).length === 0) delete response.headers;
  }
}
