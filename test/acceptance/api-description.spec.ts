import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { resolved as resolvedIn } from './described.scenario.js';
import { itemNamed, NOWHERE, ok, refused, useService, type Household } from './household.scenario.js';

type Json = Readonly<Record<string, unknown>>;

interface Schema extends Json {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly pattern?: string;
  readonly format?: string;
  readonly example?: unknown;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly additionalProperties?: boolean;
}

interface Media {
  readonly schema: Schema;
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, unknown>>;
}

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly example?: unknown;
  readonly examples?: unknown;
  readonly schema: Schema & { readonly examples?: readonly unknown[]; readonly default?: unknown };
}

interface Operation {
  readonly name: string;
  readonly path: string;
  readonly tags: readonly string[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, Media>> };
  readonly responses: Readonly<Record<string, Response>>;
  readonly security?: readonly unknown[];
  readonly operationId: string;
}

interface Response {
  readonly description: string;
  readonly headers?: Json;
  readonly content?: Readonly<Record<string, Media>>;
}

interface Description {
  readonly info: { readonly description: string };
  readonly tags: readonly { readonly name: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: Readonly<Record<string, Readonly<Record<string, object>>>> & {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly examples: Readonly<Record<string, { readonly value: Json }>>;
  };
}

const JSON_TYPE = 'application/json';

/** What an operation does, as its name begins. */
const VERBS = (
  'accept add change check confirm create decline delete end explain export follow get harvest list lookUp open order plan preview ' +
  'remove request resend reset restore revoke send set sign undo verify'
).split(' ');

describe('The API description', () => {
  const service = useService();
  let home: Household;
  let document: Description;
  let operations: readonly Operation[];

  before(async () => {
    home = await service.household();
    document = home.service.description as unknown as Description;
    operations = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods)
        .filter(([method]) => method !== 'servers')
        .map(([method, operation]) => ({
          ...operation,
          parameters: (operation.parameters ?? []).map(each => resolvedIn(document, each)!),
          responses: Object.fromEntries(
            Object.entries(operation.responses).map(([status, each]) => [
              status,
              resolvedIn(document, each)!,
            ]),
          ),
          path,
          name: `${method} ${path}`,
        })),
    );
  });

  function operation(name: string): Operation {
    const found = operations.find(each => each.name === name);
    assert.ok(found, name);
    return found;
  }

  function resolved(schema: Schema): Schema {
    return resolvedIn(document, schema)!;
  }

  /** As the reference page fills in the body of a call. */
  function sample(schema: Schema): unknown {
    const { example, properties, items, anyOf } = resolved(schema);
    if (example !== undefined) return example;
    if (anyOf) return sample(anyOf[0]!);
    if (items) return [sample(items)];
    assert.ok(properties, `no example for ${JSON.stringify(schema)}`);
    return Object.fromEntries(Object.entries(properties).map(([name, each]) => [name, sample(each)]));
  }

  /** Examples with names of their own, of which the reference page fills in the first. */
  function examplesOf({ examples = {} }: Media): Json[] {
    return Object.values(examples).map(example => (example as { readonly value: Json }).value);
  }

  function bodyOf(name: string): Json {
    const media = operation(name).requestBody!.content[JSON_TYPE]!;
    return examplesOf(media)[0] ?? ((media.example ?? sample(media.schema)) as Json);
  }

  it('is a valid OpenAPI 3.1 document', async () => {
    const whole = document as unknown as Record<string, unknown>;
    const { valid, errors } = await new Validator().validate(whole);
    assert.deepEqual({ valid, errors }, { valid: true, errors: undefined });
    assert.equal(whole['openapi'], '3.1.0');
  });

  it('says a repeated parameter, header or error once, and refers to it', () => {
    const repeated = (parts: readonly object[]): string[] => {
      const texts = parts.filter(part => !('$ref' in part)).map(part => JSON.stringify(part));
      return texts.filter((text, index) => texts.indexOf(text) !== index);
    };
    const written = Object.values(document.paths).flatMap(item =>
      Object.entries(item).flatMap(([method, operation]) => (method === 'servers' ? [] : [operation])),
    );
    const responses = written.flatMap(operation => Object.entries(operation.responses));
    const headers = responses.flatMap(([, response]) => Object.values(response.headers ?? {}) as object[]);
    assert.deepEqual(repeated(written.flatMap(({ parameters = [] }) => parameters)), []);
    assert.deepEqual(repeated(headers), []);
    const errors = responses.filter(([status, response]) => Number(status) >= 400 && !('$ref' in response));
    // The report of what is not ready is not an error.
    assert.deepEqual(
      errors.map(([status]) => status),
      ['503'],
    );
    assert.ok(JSON.stringify(document).length < 340_000);
  });

  it('refers to nothing that is missing', () => {
    JSON.stringify(document, (key, value: unknown) => {
      if (key === '$ref') assert.ok(resolvedIn(document, { $ref: String(value) }), String(value));
      return value;
    });
  });

  it('names each operation by a verb and what it acts on', () => {
    const names = operations.map(({ operationId }) => operationId);
    assert.deepEqual([...new Set(names)], names);
    for (const name of names) assert.match(name, new RegExp(`^(${VERBS.join('|')})[A-Z][A-Za-z]+$`));
    for (const name of ['listTransactions', 'getMonth', 'createTransaction', 'harvestItem']) {
      assert.ok(names.includes(name), name);
    }
  });

  it('says that what needs no credential needs none', () => {
    for (const { name, path, security } of operations) {
      const isPublic =
        /^\/(health|auth\/password|auth\/email\/confirm|invites\/lookup)/.test(path) &&
        name !== 'put /auth/password';
      assert.equal(security?.length === 0, isPublic, name);
      assert.ok(security, name);
    }
  });

  it('says what each response returns', () => {
    for (const { name, responses } of operations) {
      for (const [status, { description }] of Object.entries(responses)) {
        assert.match(description, / /, `${name} ${status}`);
        assert.doesNotMatch(description, /^(Done|OK|Created|Success)\b/i, `${name} ${status}`);
      }
    }
  });

  it('has a sentence for each tag that is used, and no other', () => {
    const used = new Set(operations.flatMap(({ tags }) => tags));
    assert.deepEqual(document.tags.map(({ name }) => name).sort(), [...used].sort());
  });

  it('calls bodies and answers what they are, not by the classes that declare them', () => {
    const names = Object.keys(document.components.schemas);
    assert.deepEqual(
      names.filter(name => /(Answer|Response|Dto)$/.test(name)),
      [],
    );
    for (const name of ['Month', 'Me', 'Household', 'Accepted']) assert.ok(names.includes(name), name);
  });

  it('says of every field what it means', () => {
    for (const { name, requestBody, responses } of operations) {
      const answers = Object.values(responses);
      for (const { content = {} } of [...(requestBody ? [requestBody] : []), ...answers]) {
        if (content[JSON_TYPE]) assertDescribedFields(content[JSON_TYPE].schema, name);
      }
    }
  });

  function assertDescribedFields(schema: Schema, where: string): void {
    const { properties = {}, items, allOf = [] } = resolved(schema);
    for (const [field, of] of Object.entries(properties)) {
      assert.ok(of.description ?? resolved(of).description, `${where}: ${field}`);
      assertDescribedFields(of, `${where}: ${field}`);
    }
    for (const part of items ? [items, ...allOf] : allOf) assertDescribedFields(part, where);
  }

  it('names the headers that come with an answer', () => {
    for (const { name, path, responses } of operations) {
      for (const [status, { headers = {} }] of Object.entries(responses)) {
        const where = `${name} ${status}`;
        assert.ok('X-Request-Id' in headers, where);
        assert.equal('WWW-Authenticate' in headers, status === '401', where);
        assert.equal('Retry-After' in headers, status === '429' || status === '503', where);
        assert.equal('X-RateLimit-Remaining' in headers, !path.startsWith('/health/'), where);
      }
    }
    assert.ok('Set-Cookie' in operation('post /auth/sign-out').responses['204']!.headers!);
  });

  it('tells of errors in JSON alone, also where a route answers something else', () => {
    for (const { name, responses } of operations) {
      for (const [status, { content = {} }] of Object.entries(responses)) {
        if (Number(status) >= 400) assert.deepEqual(Object.keys(content), [JSON_TYPE], `${name} ${status}`);
      }
    }
    const types = (name: string): string[] => Object.keys(operation(name).responses['200']!.content!);
    assert.deepEqual(types('get /changes'), ['text/event-stream']);
    assert.deepEqual(types('get /export'), [JSON_TYPE, 'text/csv']);
    assert.equal(operation('get /export').responses['200']!.content!['text/csv']!.schema.type, 'string');
    const ready = operation('get /health/ready').responses['503']!.content![JSON_TYPE]!.schema;
    assert.deepEqual(ready, { $ref: '#/components/schemas/ReadinessReport' });
  });

  it('describes a message of the stream of changes, not just a text', () => {
    const { schema } = operation('get /changes').responses['200']!.content!['text/event-stream']!;
    assert.deepEqual(schema, { $ref: '#/components/schemas/ChangeMessage' });
    const { id, data } = resolved(schema).properties!;
    assert.match('-1', new RegExp(id!.pattern!));
    assert.deepEqual(data!.allOf, [{ $ref: '#/components/schemas/Change' }]);
  });

  it('says that a body takes no other fields', () => {
    for (const { name, requestBody } of operations) {
      for (const [type, { schema }] of Object.entries(requestBody?.content ?? {})) {
        // A file has no fields.
        const isFile = resolved(schema).format === 'binary';
        assert.equal(
          isFile ? type !== JSON_TYPE : resolved(schema).additionalProperties === false,
          true,
          name,
        );
      }
    }
  });

  it('knows what is answered to a body that a route does not take', async () => {
    const path = `/tokens/${NOWHERE}`;
    refused(await home.send('DELETE', path, { a: 1 }), 422, 'validation_failed');
    refused(
      await home.send('DELETE', path, { a: 1 }, { 'Content-Type': 'text/plain' }),
      415,
      'unsupported_media_type',
    );
    for (const { name, responses } of operations) {
      for (const status of ['400', '413', '415']) assert.ok(responses[status], `${name} ${status}`);
    }
  });

  it('has examples of bodies that fit their schemas', () => {
    const ajv = new Ajv2020({ strict: false, validateFormats: false });
    ajv.addSchema({ $id: 'api', components: document.components });
    for (const { name, requestBody } of operations) {
      const schema = requestBody?.content[JSON_TYPE]?.schema;
      if (schema?.$ref === undefined) continue;
      const validate = ajv.compile({ $ref: `api${schema.$ref}` });
      for (const body of [bodyOf(name), ...examplesOf(requestBody!.content[JSON_TYPE]!)]) {
        assert.ok(validate(body), `${name}: ${JSON.stringify(validate.errors)}`);
      }
    }
    const addGroup = ajv.compile({ $ref: 'api#/components/schemas/AddGroupBody' });
    assert.ok(!addGroup({}));
    assert.ok(!addGroup({ name: 'Pets', group_id: NOWHERE }));
    assert.ok(addGroup({ group_id: NOWHERE }));
    const changeItem = ajv.compile({ $ref: 'api#/components/schemas/ChangeItemBody' });
    assert.ok(!changeItem({ is_fund: true }));
  });

  it('has examples of bodies that are accepted as they are, where there is what they name', async () => {
    const month = '2026-01';
    const view = await home.createMonth(month);
    const { id } = itemNamed(view, 'Groceries');
    const group = view.groups.find(({ items }) => items.some(item => item.id === id))!;
    ok(await home.post(`/months/${month}/groups`, bodyOf('post /months/{month}/groups')), 201);
    const addItem = bodyOf('post /months/{month}/groups/{groupId}/items');
    ok(await home.post(`/months/${month}/groups/${group.id}/items`, addItem), 201);
    ok(await home.patch(`/items/${id}`, bodyOf('patch /items/{itemId}')));
    ok(await home.patch(`/households/${home.id}`, bodyOf('patch /households/{householdId}')));
    const [untracked, transaction] = examplesOf(
      operation('post /transactions').requestBody!.content[JSON_TYPE]!,
    );
    assert.ok(untracked && transaction);
    ok(await home.post('/transactions', untracked), 201);
    ok(await home.delete(`/transactions/${String(untracked['id'])}`));
    const splits = (transaction['splits'] as readonly Json[]).map(split => ({ ...split, item_id: id }));
    ok(await home.post('/transactions', { ...transaction, id: NOWHERE, splits }), 201);
    const change = bodyOf('patch /transactions/{transactionId}');
    ok(await home.patch(`/transactions/${NOWHERE}`, { ...change, splits }));
  });

  it('fills in nothing that may be left out, and says of every parameter in a path what it is', () => {
    for (const { name, parameters = [] } of operations) {
      for (const { name: parameter, in: place, required, description, schema, ...rest } of parameters) {
        const where = `${name} ${parameter}`;
        if (place === 'path') assert.ok(description && (schema.example ?? schema.examples), where);
        if (required === true) continue;
        assert.deepEqual(
          [rest.example, rest.examples, schema.example],
          [undefined, undefined, undefined],
          where,
        );
      }
    }
    const asOf = operation('get /months/{month}').parameters!.find(({ name }) => name === 'as_of');
    assert.deepEqual(asOf?.schema.examples, ['2026-01-15T18:30:00.000Z']);
  });

  it('has an example of a transaction whose splits add up, as one that was changed', () => {
    const schema = operation('get /transactions/{transactionId}').responses['200']!.content![JSON_TYPE]!
      .schema;
    const { amount, splits, updated_by, updated_by_name } = sample(schema) as Json;
    const [split] = splits as readonly Json[];
    assert.equal(split?.['amount'], amount);
    assert.equal(updated_by === null, updated_by_name === null);
  });

  it('has examples of errors that are what the route answers', async () => {
    const example = (name: string, status: number, code: string): Json => {
      const own = operation(name).responses[status]!.content![JSON_TYPE]!.examples![code];
      const { $ref, value } = own as { readonly $ref?: string; readonly value?: Json };
      return value ?? document.components.examples[$ref!.replace('#/components/examples/', '')]!.value;
    };
    const month = await home.delete('/months/2026-01/items/x');
    refused(month, 422, 'validation_failed');
    const described = example('delete /months/{month}/items/{itemId}', 422, 'validation_failed');
    assert.deepEqual(month.error.details, described['details']);
    const token = await home.delete(`/tokens/${NOWHERE}`);
    assert.deepEqual(token.error.details, example('delete /tokens/{tokenId}', 404, 'not_found')['details']);
    const unnamed = await home.post('/tokens', {});
    assert.deepEqual(unnamed.error.details, example('post /tokens', 422, 'validation_failed')['details']);
    assert.deepEqual(example('get /me', 403, 'insufficient_scope')['details'], {
      required_scope: 'account:read',
    });
  });

  it('has every shared example under the code that it is of', () => {
    for (const [code, { value }] of Object.entries(document.components.examples)) {
      // `not_found.month` is the one of a month.
      assert.equal(value['code'], code.replace(/\..*/, ''));
    }
  });

  it('names a header for the household only where the path does not name one', () => {
    for (const { name, path, parameters = [] } of operations) {
      const isNamed = parameters.some(parameter => parameter.name === 'X-Service-Household');
      if (path.includes('{householdId}')) assert.ok(!isNamed, name);
    }
    assert.ok(operation('get /months').parameters!.some(({ name }) => name === 'X-Service-Household'));
  });

  it('tells the limits and the errors, folded, before the operations', () => {
    const { description } = document.info;
    for (const title of ['Conventions', 'Limits', 'Error codes']) {
      assert.match(
        description,
        new RegExp(`<details><summary>${title}</summary>\\n\\n[^]+?\\n\\n</details>`),
      );
    }
    for (const text of ['20,000 transactions', '120 times a minute', '200 personal access', '30 days']) {
      assert.ok(description.replaceAll('\n', ' ').includes(text), text);
    }
  });
});
