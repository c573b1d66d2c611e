import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, SwaggerModule, type OpenAPIObject } from '@nestjs/swagger';
import { ErrorBody } from './answers.js';
import { ERRORS } from './api-error.js';
import { completeDocument } from './document-completion.js';
import type { Route } from './routes.js';

export const API_PREFIX = 'v1';

export interface ApiDescription {
  readonly title: string;
  readonly version: string;
  /** The tags of the controllers with a sentence each, in the order in which they are shown. */
  readonly tags: Readonly<Record<string, string>>;
  /** What the service is, and how to get a token, as paragraphs of Markdown. */
  readonly introduction: string;
  /** The limits, as paragraphs of Markdown. */
  readonly limits: string;
}

const CONVENTIONS = `
**Credentials**: send \`Authorization: Bearer …\` with a personal access token or a session's token. The web app uses the
session cookie, which is ignored on cross-origin calls. A session may do everything. A personal access token needs the
scopes that each operation names; a write scope includes its read scope.

**Households**: operations on a household act on the one named by the \`X-Service-Household\` header, or else on the
caller's default household.

**Values**: ids are ULIDs. Months are \`YYYY-MM\`, dates \`YYYY-MM-DD\`, timestamps \`YYYY-MM-DDTHH:MM:SS.sssZ\` (UTC).
Amounts are integers in minor units of the household's \`currency\`: \`1250\` is 12.50 EUR, 1250 JPY or 1.250 KWD. A
field without a value is \`null\`, never absent. Unknown fields and parameters are refused. Text is trimmed and
normalised to NFC; lengths count Unicode code points. Control characters are refused, except newlines and tabs in notes.
Names and merchants need a visible character and must not contain characters that change the direction of text.

**Errors** all have the same body: \`code\` for programs, \`message\` for people, \`details\` and \`request_id\`. Checks run
in this order: path and method, authentication, rate limit, session or scope, membership, validation, existence, rules.

**Headers**: every response has an \`X-Request-Id\`, which is the caller's own if that has at most 64 visible ASCII
characters. Responses to personal access tokens have \`X-RateLimit-Limit\`, \`X-RateLimit-Remaining\` and
\`X-RateLimit-Reset\` (in seconds). Responses of 1 KiB or more are compressed with Brotli or gzip if
\`Accept-Encoding\` allows it, except event streams; the \`ETag\` is the same in every encoding.
`;

/** The OpenAPI 3.1 document of everything that the application serves. */
export function buildDocument(
  app: INestApplication,
  routes: readonly Route[],
  description: ApiDescription,
): OpenAPIObject {
  const builder = new DocumentBuilder()
    .setOpenAPIVersion('3.1.0')
    .setTitle(description.title)
    .setVersion(description.version)
    .setDescription(
      [
        description.introduction.trim(),
        folded('Conventions', CONVENTIONS.trim()),
        folded('Limits', description.limits.trim()),
        folded('Error codes', errorTable()),
      ].join('\n\n'),
    )
    .setLicense('MIT', 'https://spdx.org/licenses/MIT.html')
    .addServer(`/${API_PREFIX}`)
    .addBearerAuth(
      // Nest's default is JWT, which neither is.
      { type: 'http', bearerFormat: 'hbp_…', description: 'A personal access token' },
      'token',
    )
    .addBearerAuth(
      { type: 'http', bearerFormat: 'hbs_…', description: 'The token of a signed-in session' },
      'session',
    )
    .addCookieAuth(
      '__Host-session',
      { type: 'apiKey', in: 'cookie', description: 'The web app’s session; named `session` on plain HTTP' },
      'cookie',
    );
  for (const [name, sentence] of Object.entries(description.tags)) builder.addTag(name, sentence);
  const document = SwaggerModule.createDocument(app, builder.build(), {
    extraModels: [ErrorBody],
    ignoreGlobalPrefix: true,
    operationIdFactory: (_controller, method) => method,
  });
  for (const [path, item] of Object.entries(document.paths)) {
    if (path.startsWith('/health/')) Object.assign(item, { servers: [{ url: '/' }] });
  }
  completeDocument(document, routes);
  return document;
}

/** Long texts are folded on the reference page. An empty one is left out. */
function folded(title: string, text: string): string {
  return text === '' ? '' : `<details><summary>${title}</summary>\n\n${text}\n\n</details>`;
}

function errorTable(): string {
  const rows = Object.entries(ERRORS)
    .toSorted(([, a], [, b]) => a.status - b.status)
    .map(([code, { status, when }]) => `| ${status} | \`${code}\` | ${when} |`);
  return ['| Status | Code | When |', '|---|---|---|', ...rows].join('\n');
}
