import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ArgumentsHost } from '@nestjs/common';
import { pino } from 'pino';
import { ErrorFilter, toApiError } from './error-filter.js';

const codeOf = (exception: unknown): string => toApiError(exception).code;

/** What the filter does with an exception, once it has begun to answer or before. */
function caught(exception: unknown, headersSent = false) {
  const done: unknown[] = [];
  const reply = {
    raw: { headersSent, destroy: () => done.push('destroy'), removeHeader: () => undefined },
    hasHeader: () => false,
    removeHeader: () => reply,
    code: (status: number) => (done.push(status), reply),
    headers: () => reply,
    type: () => reply,
    send: () => done.push('send'),
  };
  const http = { getRequest: () => ({ id: 'request-1' }), getResponse: () => reply };
  const log: Record<string, unknown>[] = [];
  const write = (line: string) => void log.push(JSON.parse(line) as Record<string, unknown>);
  const filter = new ErrorFilter(pino({ level: 'info' }, { write }));
  filter.catch(exception, { switchToHttp: () => http } as unknown as ArgumentsHost);
  return { done, log: log.map(({ level, msg, request_id }) => [level, msg, request_id]) };
}

describe('what is thrown', () => {
  it('cuts the connection where the answer has begun: it must not pass for a whole one', () => {
    assert.deepEqual(caught(new Error('broken'), true).done, ['destroy']);
    assert.deepEqual(caught(new Error('broken')).done, [500, 'send']);
  });

  it('is logged with the request where the service or a store of it is at fault, and only then', () => {
    const unavailable = Object.assign(new Error('away'), { unavailable: true });
    assert.deepEqual(caught(new Error('broken')).log, [[50, 'request failed', 'request-1']]);
    assert.deepEqual(caught(unavailable).log, [[40, 'store unavailable', 'request-1']]);
    assert.deepEqual(caught(Object.assign(new Error('no'), { refusal: true, code: 'month_full' })).log, []);
  });

  it('is a refusal of a library only where it says so itself, with details that are an object', () => {
    const refusal = { refusal: true, code: 'month_full' };
    assert.equal(codeOf(Object.assign(new Error('x'), refusal)), 'month_full');
    assert.equal(codeOf(Object.assign(new Error('x'), { code: 'month_full' })), 'internal');
    assert.equal(codeOf(Object.assign(new Error('x'), { ...refusal, code: 'toString' })), 'internal');
    for (const details of ['text', ['list'], null, 1]) {
      assert.deepEqual(toApiError(Object.assign(new Error('x'), { ...refusal, details })).details, {});
    }
  });

  it('by Fastify has the code of its status', () => {
    const codes = [400, 404, 405, 408, 413, 414, 415, 431, 418, 500, 503].map(statusCode =>
      codeOf(Object.assign(new Error('x'), { name: 'FastifyError', code: 'FST_X', statusCode })),
    );
    assert.deepEqual(codes, [
      'malformed_request',
      'not_found',
      'not_found',
      'request_timeout',
      'payload_too_large',
      'validation_failed',
      'unsupported_media_type',
      'headers_too_large',
      'internal',
      'internal',
      'internal',
    ]);
    assert.equal(codeOf(Object.assign(new Error('x'), { statusCode: 413 })), 'internal');
  });
});
