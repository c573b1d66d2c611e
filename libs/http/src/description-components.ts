import type { OpenAPIObject } from '@nestjs/swagger';
import { FIRST_ERROR_STATUS, JSON_TYPE, operationsOf, share, type Components } from './operations.js';

/** How many examples a name can hold. */
const NAMED_EXAMPLES_MAX = 3;

/**
 * Moves into `components` what operations have in common: every error response, and each parameter and header that
 * occurs more than once.
 * @throws Error where two different parts would have the same name
 */
export function shareComponents(document: OpenAPIObject): void {
  const components = (document.components ??= {});
  shareParameters(document, components);
  shareHeaders(document, components);
  for (const { responses, operationId = '' } of operationsOf(document)) {
    for (const [status, response] of Object.entries(responses)) {
      if (Number(status) < FIRST_ERROR_STATUS || response === undefined || '$ref' in response) continue;
      const examples = Object.values(response.content?.[JSON_TYPE]?.examples ?? {});
      const names = examples.map(example => ('$ref' in example ? example.$ref.replace(/.*\//, '') : ''));
      // A report that is not an error has no example.
      if (names.length === 0) continue;
      const isLimited = 'X-RateLimit-Limit' in (response.headers ?? {});
      const name = errorName(names, operationId, status);
      const fullName = isLimited ? name : `${name}WithoutLimit`;
      responses[status] = share(components, 'responses', fullName, response);
    }
  }
}

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

/** The JSON of those that occur more than once. */
function repeatedOf(parts: readonly object[]): ReadonlySet<string> {
  const texts = parts.map(part => JSON.stringify(part));
  return new Set(texts.filter((text, index) => texts.indexOf(text) !== index));
}

/** Named after its examples, as `NotFoundMonth`; after the operation if they are many, or if one is its own. */
function errorName(examples: readonly string[], operationId: string, status: string): string {
  const isOwn = examples.some(name => name.endsWith(`.${operationId}`));
  const isLong = examples.length > NAMED_EXAMPLES_MAX;
  return isOwn || isLong ? `${pascal(operationId)}${status}` : examples.map(pascal).join('Or');
}

/** `not_found.month` becomes `NotFoundMonth`. */
function pascal(name: string): string {
  return name
    .split(/[^A-Za-z0-9]/)
    .map(word => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');
}
