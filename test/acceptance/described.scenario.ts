import assert from 'node:assert/strict';

/** The part of an OpenAPI 3.1 document that these checks read. */
export interface ApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: Components & { readonly schemas: Readonly<Record<string, Schema>> };
}

/** The parts of a description that its operations share: `schemas`, `responses`, `parameters`, …, each by name. */
type Components = Readonly<Record<string, Readonly<Record<string, object>>>>;

interface Reference {
  readonly $ref: string;
}

interface Operation {
  readonly requestBody?: { readonly content: { readonly 'application/json'?: { readonly schema: Schema } } };
  readonly responses: Readonly<Record<string, DescribedAnswer | Reference | undefined>>;
}

interface DescribedAnswer {
  readonly headers?: Readonly<Record<string, unknown>>;
  readonly content?: {
    readonly 'application/json'?: {
      readonly schema: Schema;
      /** Of an error status: an example of each code. */
      readonly examples?: Readonly<Record<string, unknown>>;
    };
  };
}

export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly pattern?: string;
  readonly format?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: Schema | boolean;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
}

/** A part of a description, or the shared one that it refers to; undefined if there is none. */
export function resolved<T extends object>(
  { components }: { readonly components: Components },
  part: T | Reference,
): T | undefined {
  if (!('$ref' in part) || typeof part.$ref !== 'string') return part as T;
  const [section = '', name = ''] = part.$ref.replace('#/components/', '').split('/');
  return components[section]?.[name] as T | undefined;
}

interface Received {
  readonly method: string;
  /** Without the prefix and the query. */
  readonly path: string;
  readonly status: number;
  readonly headers: Headers;
  readonly body: unknown;
}

/** Those that mean something to a caller; what the connection and caches need is not described. */
const TOLD_HEADERS = [
  'X-Request-Id',
  'WWW-Authenticate',
  'Retry-After',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'ETag',
  'Dry-Run',
  'Idempotent-Replay',
  'Set-Cookie',
  'Content-Disposition',
];

/**
 * Asserts that the API description tells of an answer: its status, its headers, its code where it is an error, and
 * exactly the fields that it has. Every call of every acceptance test goes through here. A path or method that is not described
 * is not there: it may only answer that.
 */
export function assertDescribed(document: ApiDocument, received: Received): void {
  const { method, path, status, headers, body } = received;
  const where = `${method} ${path} answered ${status}`;
  const operations = operationsOf(document, path);
  const operation = operations[method.toLowerCase()];
  if (!operation) {
    const isKnown = Object.keys(operations).length > 0;
    assert.equal(status, isKnown ? 405 : 404, `${where}, but is not described`);
    return;
  }
  const described = operation.responses[status];
  const answer = described && resolved(document, described);
  assert.ok(answer, `${where}, which is not described: ${JSON.stringify(body)}`);
  for (const name of TOLD_HEADERS.filter(told => headers.has(told))) {
    assert.ok(answer.headers && name in answer.headers, `${where} with ${name}, which is not described`);
  }
  const json = answer.content?.['application/json'];
  if (!json) {
    assert.equal(body, null, `${where} with a body that is not described`);
    return;
  }
  if (status >= 400) {
    const { code } = body as { readonly code: string };
    assert.ok(json.examples && code in json.examples, `${where} with ${code}, which is not described`);
  }
  const problem = problemIn(document, json.schema, body, 'body');
  assert.equal(problem, null, `${where}: ${problem}`);
}

/** The operations of a path, by their methods. One without parameters comes before those with them, as OpenAPI says. */
function operationsOf({ paths }: ApiDocument, path: string): Readonly<Record<string, Operation>> {
  const own = paths[path];
  if (own) return own;
  const segments = path.split('/');
  const found = Object.entries(paths).filter(([template]) => {
    const parts = template.split('/');
    return (
      parts.length === segments.length &&
      parts.every((part, i) => (part.startsWith('{') ? segments[i] !== '' : part === segments[i]))
    );
  });
  return Object.assign({}, ...found.map(([, operations]) => operations)) as Record<string, Operation>;
}

/** What is wrong with a value, or null. Fields that a schema does not name are wrong. */
function problemIn(document: ApiDocument, schema: Schema, value: unknown, at: string): string | null {
  const { $ref, anyOf, allOf } = schema;
  if ($ref !== undefined) {
    const named = resolved<Schema>(document, { $ref });
    return named ? problemIn(document, named, value, at) : `${at}: ${$ref} is not described`;
  }
  if (anyOf) {
    const problems = anyOf.map(one => problemIn(document, one, value, at));
    return problems.includes(null) ? null : problems.join(' or ');
  }
  for (const one of allOf ?? []) {
    const problem = problemIn(document, one, value, at);
    if (problem !== null) return problem;
  }
  return problemOfType(schema, value, at) ?? problemOfParts(document, schema, value, at);
}

function problemOfType(
  { type, enum: words, pattern, format }: Schema,
  value: unknown,
  at: string,
): string | null {
  if (type !== undefined) {
    const types = typeof type === 'string' ? [type] : type;
    if (!types.some(one => isOf(one, value)))
      return `${at} is no ${types.join(' or ')}: ${JSON.stringify(value)}`;
  }
  if (value === null) return null;
  if (words && !words.includes(value)) return `${at} is none of ${words.join()}: ${JSON.stringify(value)}`;
  if (typeof value !== 'string') return null;
  if (pattern !== undefined && !new RegExp(pattern).test(value))
    return `${at} does not match ${pattern}: ${value}`;
  if (format === 'date-time' && !/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(value)) {
    return `${at} is no time with milliseconds in UTC: ${value}`;
  }
  return null;
}

function isOf(type: string, value: unknown): boolean {
  if (type === 'null') return value === null;
  if (type === 'array') return Array.isArray(value);
  if (type === 'integer') return Number.isSafeInteger(value);
  if (type === 'object') return typeof value === 'object' && value !== null && !Array.isArray(value);
  return typeof value === type;
}

function problemOfParts(document: ApiDocument, schema: Schema, value: unknown, at: string): string | null {
  if (Array.isArray(value)) {
    return schema.items ? firstProblem(value.entries(), at, () => schema.items, document) : null;
  }
  if (typeof value !== 'object' || value === null) return null;
  const missing = (schema.required ?? []).find(name => !(name in value));
  if (missing !== undefined) return `${at}.${missing} is missing`;
  const { properties, additionalProperties } = schema;
  if (!properties && additionalProperties === undefined) return null;
  const others = typeof additionalProperties === 'object' ? additionalProperties : undefined;
  if (additionalProperties === true) return null;
  return firstProblem(Object.entries(value), at, name => properties?.[name] ?? others, document);
}

function firstProblem(
  parts: Iterable<readonly [string | number, unknown]>,
  at: string,
  schemaOf: (name: string) => Schema | undefined,
  document: ApiDocument,
): string | null {
  for (const [name, part] of parts) {
    const schema = schemaOf(String(name));
    const problem = schema
      ? problemIn(document, schema, part, `${at}.${name}`)
      : `${at}.${name} is not described`;
    if (problem !== null) return problem;
  }
  return null;
}
