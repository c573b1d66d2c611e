import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { Controller, Get, Header, Req, Res } from '@nestjs/common';
import { ApiExcludeController, type OpenAPIObject } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Access } from './access.js';
import { notFound, ERRORS, isErrorCode, type ErrorCode } from './api-error.js';
import { PAGE_POLICY, pageIn, SCRIPT, STYLE } from './reference-page.js';
import { ULID_EXAMPLE } from './field-rules.js';
import { JSON_TYPE, operationsOf, type Operation, type Response } from './document-completion.js';

const TYPES = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  png: 'image/png',
  json: 'application/json; charset=utf-8',
} as const;

const SWAGGER_UI_FILES = ['swagger-ui-bundle.js', 'swagger-ui.css', 'favicon-32x32.png'];

/** The API's description, for programs and for people; works without internet. */
@ApiExcludeController()
@Controller()
export class ReferenceController {
  private described!: OpenAPIObject;
  private text!: string;
  private forPage = { month: '', text: '' };

  /**
   * Once the application that is described exists.
   * @param basePath below which people find the service, with a slash at its end
   */
  describe(description: OpenAPIObject, basePath: string): void {
    this.described = description;
    this.text = JSON.stringify(publishedDocument(description, basePath.slice(0, -1)));
  }

  @Get('openapi.json')
  @Access.public()
  @Header('Content-Type', TYPES.json)
  description(): string {
    return this.text;
  }

  @Get('docs')
  @Access.public()
  @Header('Content-Type', TYPES.html)
  @Header('Content-Security-Policy', PAGE_POLICY)
  page(): string {
    return pageIn('./docs/');
  }

  @Get('docs/*')
  @Access.public()
  async file(
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string | Buffer> {
    const { '*': name = '' } = request.params as { readonly '*'?: string };
    const own: Readonly<Record<string, () => string>> = {
      '': () => pageIn('./'),
      'page.js': () => SCRIPT,
      'page.css': () => STYLE,
      'openapi.json': () => this.textForPage(new Date().toISOString().slice(0, 7)),
    };
    const isOurs = Object.hasOwn(own, name);
    if (!isOurs && !SWAGGER_UI_FILES.includes(name)) throw notFound('route');
    const ending = name.replace(/.*\./, '') || 'html';
    void reply.header('Content-Type', TYPES[ending as keyof typeof TYPES]);
    if (isOurs) {
      void reply.header('Content-Security-Policy', PAGE_POLICY);
      return own[name]!();
    }
    void reply.header('Cache-Control', 'public, max-age=3600');
    return swaggerUi(name);
  }

  /** For the reference page, with examples of a month. */
  private textForPage(month: string): string {
    if (this.forPage.month !== month) {
      this.forPage = { month, text: JSON.stringify(referenceDocument(this.described, month)) };
    }
    return this.forPage.text;
  }
}

/** Read once: slow clients share one copy. */
const files = new Map<string, Promise<Buffer>>();
const { resolve } = createRequire(import.meta.url);

function swaggerUi(name: string): Promise<Buffer> {
  const known = files.get(name) ?? readFile(resolve(`swagger-ui-dist/${name}`));
  files.set(name, known);
  known.catch(() => files.delete(name));
  return known;
}

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
function referenceDocument(description: OpenAPIObject, month: string): OpenAPIObject {
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
function publishedDocument(description: OpenAPIObject, prefix: string): OpenAPIObject {
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

/** The page has one credential for everything, so the description of an operation names the scope. */
function describeAccess(operation: Operation): void {
  const { security = [], description = '' } = operation;
  if (security.length === 0) return;
  const scopes = security.flatMap(({ token }) => (token === undefined ? [] : [`\`${token.join('`, `')}\``]));
  const needed = scopes.length > 0 ? `Scope: ${scopes.join(' or ')}` : 'Needs the token of a session.';
  operation.description = `${description}\n\n${needed}`.trim();
  operation.security = [{ [BEARER]: [] }];
}

function gatherErrors(operation: Operation, { components }: OpenAPIObject): void {
  const codes: ErrorCode[] = [];
  for (const [status, response] of Object.entries(operation.responses)) {
    // The errors are what responses have in common.
    if (response === undefined || !('$ref' in response)) continue;
    const name = response.$ref.replace('#/components/responses/', '');
    const shared = components?.responses?.[name] as Response | undefined;
    codes.push(...Object.keys(shared?.content?.[JSON_TYPE]?.examples ?? {}).filter(isErrorCode));
    delete operation.responses[status];
  }
  if (codes.length === 0) return;
  operation.responses.default = {
    description: `Errors: ${codes.map(code => `${ERRORS[code].status} \`${code}\``).join(', ')}`,
    content: { [JSON_TYPE]: { schema: { $ref: '#/components/schemas/ErrorBody' }, example: ERROR_EXAMPLE } },
  };
}

/** The introduction describes the headers of every response. */
function leaveOutCommonHeaders({ responses }: Operation): void {
  for (const response of Object.values(responses)) {
    if (response === undefined || '$ref' in response || response.headers === undefined) continue;
    for (const name of Object.keys(response.headers)) {
      if (name === 'X-Request-Id' || name.startsWith('X-RateLimit-')) delete response.headers[name];
    }
    if (Object.keys(response.headers).length === 0) delete response.headers;
  }
}
