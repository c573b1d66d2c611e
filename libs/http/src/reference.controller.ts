import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { Controller, Get, Header, Injectable, Req, Res } from '@nestjs/common';
import { ApiExcludeController, type OpenAPIObject } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Access } from './access.js';
import { notFound } from './api-error.js';
import { publishedDocument, referenceDocument } from './reference-document.js';
import { PAGE_POLICY, pageIn, SCRIPT, STYLE } from './reference-page.js';

/** The API's description, once the application that it describes exists. */
@Injectable()
export class ApiReference {
  private description: OpenAPIObject | undefined;
  private text = '';
  private readonly forPage = { month: '', text: '' };

  /** @param basePath below which people find the service, with a slash at its end */
  describe(description: OpenAPIObject, basePath: string): void {
    this.description = description;
    this.text = JSON.stringify(publishedDocument(description, basePath.slice(0, -1)));
  }

  get json(): string {
    return this.text;
  }

  /** For the reference page, with examples of a month. */
  jsonForPage(month: string): string {
    if (this.forPage.month !== month && this.description !== undefined) {
      const text = JSON.stringify(referenceDocument(this.description, month));
      Object.assign(this.forPage, { month, text });
    }
    return this.forPage.text;
  }
}

const TYPES = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  png: 'image/png',
  json: 'application/json; charset=utf-8',
} as const;

/** The files of Swagger UI that the page uses. */
const SWAGGER_UI_FILES = ['swagger-ui-bundle.js', 'swagger-ui.css', 'favicon-32x32.png'];

/** The API's description, for programs and for people; works without internet. */
@ApiExcludeController()
@Controller()
export class ReferenceController {
  constructor(private readonly reference: ApiReference) {}

  @Get('openapi.json')
  @Access.public()
  @Header('Content-Type', TYPES.json)
  description(): string {
    return this.reference.json;
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
      'openapi.json': () => this.reference.jsonForPage(new Date().toISOString().slice(0, 7)),
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
}

/** Read once: many clients that take their time share one copy. */
const files = new Map<string, Promise<Buffer>>();
const { resolve } = createRequire(import.meta.url);

function swaggerUi(name: string): Promise<Buffer> {
  const known = files.get(name) ?? readFile(resolve(`swagger-ui-dist/${name}`));
  files.set(name, known);
  known.catch(() => files.delete(name));
  return known;
}
