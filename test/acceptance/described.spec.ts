import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { assertDescribed, type ApiDocument } from './described.scenario.js';

/** The check behind every acceptance test is checked itself: it must notice what it is there for. */
describe('assertDescribed', () => {
  const document: ApiDocument = {
    paths: {
      '/things/{thingId}': {
        get: {
          responses: {
            200: {
              headers: { ETag: {} },
              content: { 'application/json': { schema: { $ref: '#/components/schemas/Thing' } } },
            },
            204: {},
            404: {
              content: {
                'application/json': {
                  schema: { type: 'object', properties: { code: { type: 'string' } } },
                  examples: { not_found: {} },
                },
              },
            },
          },
        },
      },
    },
    components: {
      schemas: {
        Thing: {
          type: 'object',
          required: ['id'],
          properties: {
            id: { type: 'string', pattern: '^[A-Z]$' },
            note: { type: ['string', 'null'] },
            part: { anyOf: [{ $ref: '#/components/schemas/Part' }, { type: 'null' }] },
            parts: { type: 'array', items: { $ref: '#/components/schemas/Part' } },
            map: { type: 'object', additionalProperties: { type: 'integer' } },
          },
        },
        Part: {
          type: 'object',
          required: ['at'],
          properties: { at: { type: 'string', format: 'date-time' } },
        },
      },
    },
  };
  const check = (status: number, body: unknown, path = '/things/7', headers = {}, method = 'GET'): void =>
    assertDescribed(document, { method, path, status, headers: new Headers(headers), body });
  const part = { at: '2026-01-15T08:00:00.000Z' };

  it('accepts what is described', () => {
    check(200, { id: 'A' });
    check(200, { id: 'A', note: null, part: null, parts: [part, part], map: { a: 1, b: 2 } });
    check(200, { id: 'A', note: 'x', part });
    check(200, { id: 'A' }, '/things/7', { etag: '"1"' });
    check(204, null);
    check(404, { code: 'not_found' });
    check(404, { code: 'not_found' }, '/elsewhere');
    check(405, { code: 'method_not_allowed' }, '/things/7', {}, 'PUT');
  });

  it('notices what is not', () => {
    const wrong: readonly [number, unknown, string?][] = [
      [201, { id: 'A' }],
      [204, {}],
      [404, { code: 'conflict' }],
      [200, {}],
      [200, { id: 7 }],
      [200, { id: 'a' }],
      [200, { id: 'A', more: 1 }],
      [200, { id: 'A', note: 1 }],
      [200, { id: 'A', part: {} }],
      [200, { id: 'A', part: { at: '2026-01-15T08:00:00Z' } }],
      [200, { id: 'A', parts: [part, { ...part, more: 1 }] }],
      [200, { id: 'A', map: { a: 1.5 } }],
      [200, [], '/elsewhere'],
    ];
    for (const [status, body, path] of wrong) {
      assert.throws(() => check(status, body, path), assert.AssertionError, JSON.stringify([status, body]));
    }
    assert.throws(() => check(200, { id: 'A' }, '/things/7', { 'retry-after': '1' }), assert.AssertionError);
    assert.throws(() => check(404, {}, '/things/7', {}, 'PUT'), assert.AssertionError);
    assert.throws(() => check(405, {}, '/elsewhere'), assert.AssertionError);
  });
});
