import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, SwaggerModule, type OpenAPIObject } from '@nestjs/swagger';
import { ERRORS } from './api-error.js';
import { completeDocument } from './document-completion.js';
import type { Route } from './routes.js';

/** Where the API begins. */
export const API_PREFIX = 'v1';

export interface ApiDescription {
  readonly title: string;
  readonly version: string;
  /** The tags of the controllers with a sentence each, in the order in which they are shown. */
  readonly tags: Readonly<Record<string, string>>;
  /** What holds for many operations beyond the conventions of this library, as paragraphs of Markdown. */
  readonly notes: string;
}

const CONVENTIONS = `
A household's monthly budget, event-sourced: every figure can be traced to the events that made it.

**Ids** are ULIDs. **Months** are \`YYYY-MM\`, **dates** \`YYYY-MM-DD\`, **timestamps** \`YYYY-MM-DDTHH:MM:SS.sssZ\` (UTC).
**Amounts** are integers in minor units: \`1250\` is 12.50. A field without a value is \`null\`, never left out.
Fields and parameters that are not documented are refused, so that a typing error never passes silently.
Lengths count Unicode code points after trimming; text is normalised to NFC. Control characters are refused, newlines
and tabs in notes excepted.

**Signing in**: send \`Authorization: Bearer …\` with a session's token or a personal access token, or use the web
app's session cookie on calls that are not cross-origin. A session may do everything; a personal access token needs
the scope that each operation names, and a write scope includes its read scope.

**Households**: operations on a household act on the one named by the \`X-Service-Household\` header, else on the
caller's default household.

**Order of checks**: authentication, rate limit, session or scope, membership, validation, existence, rules.

**Request ids**: every answer carries \`X-Request-Id\`. A caller's own of up to 64 visible ASCII characters is kept.

**Errors** all have one shape: \`code\` for programs, \`message\` for people, \`details\`, \`request_id\`.
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
        CONVENTIONS.trim(),
        folded('Limits', description.notes.trim()),
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
      { type: 'apiKey', in: 'cookie', description: 'The web app’s session; `session` on plain http' },
      'cookie',
    );
  for (const [name, sentence] of Object.entries(description.tags)) builder.addTag(name, sentence);
  const document = SwaggerModule.createDocument(app, builder.build(), {
    ignoreGlobalPrefix: true,
    operationIdFactory: operationId,
  });
  for (const [path, item] of Object.entries(document.paths)) {
    if (path.startsWith('/health/')) Object.assign(item, { servers: [{ url: '/' }] });
  }
  completeDocument(document, routes, operationId);
  return document;
}

/** Unique in the document, as generators of clients need it: `HouseholdsController.create` is `householdsCreate`. */
function operationId(controller: string, method: string): string {
  const subject = controller.replace(/Controller$/, '');
  return (
    subject.charAt(0).toLowerCase() + subject.slice(1) + method.charAt(0).toUpperCase() + method.slice(1)
  );
}

/** Long texts stand folded on the reference page, before its operations. What has no text is left out. */
function folded(title: string, text: string): string {
  return text === '' ? '' : `<details><summary>${title}</summary>\n\n${text}\n\n</details>`;
}

function errorTable(): string {
  const rows = Object.entries(ERRORS)
    .toSorted(([, a], [, b]) => a.status - b.status)
    .map(([code, { status, when }]) => `| ${status} | \`${code}\` | ${when} |`);
  return ['| Status | Code | When |', '|---|---|---|', ...rows].join('\n');
}
