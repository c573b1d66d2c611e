import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { Controller, Get, Header, Injectable, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { Access } from './access.js';

/** Holds the API's description, once the application that it describes is there. */
@Injectable()
export class ApiReference {
  private document = '';

  describe(document: object): void {
    this.document = JSON.stringify(document);
  }

  get json(): string {
    return this.document;
  }
}

/** Swagger UI styles its elements one by one; nothing may come from elsewhere, and no script from the page itself. */
const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>API reference</title>
<link rel="stylesheet" href="/docs/swagger-ui.css">
<link rel="stylesheet" href="/docs/page.css">
<link rel="icon" type="image/png" href="/docs/favicon-32x32.png">
</head>
<body>
<div id="reference"></div>
<script src="/docs/swagger-ui-bundle.js"></script>
<script src="/docs/start.js"></script>
</body>
</html>
`;

const START = `SwaggerUIBundle({
  url: '/openapi.json',
  dom_id: '#reference',
  deepLinking: true,
  persistAuthorization: false,
  displayRequestDuration: true,
  docExpansion: 'none',
  validatorUrl: null,
});
`;

/** What Swagger UI's own style leaves unreadable in a narrow window, and a column of links that no answer has. */
const STYLE = `
.swagger-ui .info code { padding: 1px 2px; overflow-wrap: anywhere; white-space: normal }
.swagger-ui .info td, .swagger-ui .info th { padding-right: 12px }
.swagger-ui .info td:nth-of-type(2) code { white-space: nowrap }
.swagger-ui .info details { margin: 12px 0 }
.swagger-ui .info summary { cursor: pointer; font-weight: 700 }
.swagger-ui .response-col_links { display: none }
@media (max-width: 640px) {
  .swagger-ui .wrapper, .swagger-ui .scheme-container .schemes { padding: 0 10px }
  .swagger-ui .info table, .swagger-ui .info tbody, .swagger-ui .info tr { display: block }
  .swagger-ui .info thead { display: none }
  .swagger-ui .info table tbody tr td { display: inline-block; max-width: none; min-width: 0; padding: 2px 8px 2px 0 }
  .swagger-ui .info table tbody tr td:last-of-type { display: block; padding-bottom: 10px }
  .swagger-ui .opblock-tag { flex-wrap: wrap }
  .swagger-ui .opblock-tag small { flex: 1 1 100%; order: 1; padding: 0 }
}
`;

/** Swagger UI's files come with @nestjs/swagger, which depends on them. */
const FILES = dirname(
  createRequire(createRequire(import.meta.url).resolve('@nestjs/swagger')).resolve(
    'swagger-ui-dist/package.json',
  ),
);

/** The API's description, for programs and for people; works without internet. */
@ApiExcludeController()
@Controller()
export class ReferenceController {
  constructor(private readonly reference: ApiReference) {}

  @Get('openapi.json')
  @Access.public()
  @Header('Content-Type', 'application/json; charset=utf-8')
  document(): string {
    return this.reference.json;
  }

  @Get('docs')
  @Access.public()
  @Header('Content-Type', 'text/html; charset=utf-8')
  @Header('Content-Security-Policy', PAGE_POLICY)
  page(): string {
    return PAGE;
  }

  @Get('docs/start.js')
  @Access.public()
  @Header('Content-Type', 'text/javascript; charset=utf-8')
  start(): string {
    return START;
  }

  @Get('docs/page.css')
  @Access.public()
  @Header('Content-Type', 'text/css; charset=utf-8')
  pageStyle(): string {
    return STYLE;
  }

  @Get('docs/swagger-ui-bundle.js')
  @Access.public()
  async script(@Res({ passthrough: true }) reply: FastifyReply): Promise<Buffer> {
    return file(reply, 'swagger-ui-bundle.js', 'text/javascript; charset=utf-8');
  }

  @Get('docs/swagger-ui.css')
  @Access.public()
  async style(@Res({ passthrough: true }) reply: FastifyReply): Promise<Buffer> {
    return file(reply, 'swagger-ui.css', 'text/css; charset=utf-8');
  }

  @Get('docs/favicon-32x32.png')
  @Access.public()
  async icon(@Res({ passthrough: true }) reply: FastifyReply): Promise<Buffer> {
    return file(reply, 'favicon-32x32.png', 'image/png');
  }
}

/** Read once: many clients that take their time share one copy. */
const files = new Map<string, Promise<Buffer>>();

async function file(reply: FastifyReply, name: string, type: string): Promise<Buffer> {
  void reply.headers({ 'Content-Type': type, 'Cache-Control': 'public, max-age=3600' });
  const known = files.get(name) ?? readFile(join(FILES, name));
  files.set(name, known);
  known.catch(() => files.delete(name));
  return known;
}
