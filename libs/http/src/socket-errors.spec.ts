import assert from 'node:assert/strict';
import type { Socket } from 'node:net';
import { describe, it } from 'node:test';
import { answerClientError } from './http-server.js';

/** What becomes of a connection on which something goes wrong: what is said on it, or that it is cut. */
function outcome(
  code: string | undefined,
  state: { writable?: boolean; headersSent?: boolean } = {},
): string {
  const { writable = true, headersSent } = state;
  let done = 'nothing';
  const socket = {
    writable,
    _httpMessage: headersSent === undefined ? null : { headersSent },
    destroy: () => (done = 'cut'),
    destroySoon: () => undefined,
    end: (said: string) => (done = said),
  };
  const cause = Object.assign(new Error('broken'), code !== undefined && { code });
  answerClientError(cause, socket as unknown as Socket);
  return done;
}

describe('what could not be read as a request', () => {
  for (const [code, status, told] of [
    ['HPE_HEADER_OVERFLOW', '431 Request Header Fields Too Large', 'headers_too_large'],
    ['HPE_CHUNK_EXTENSIONS_OVERFLOW', '413 Payload Too Large', 'payload_too_large'],
    ['ERR_HTTP_REQUEST_TIMEOUT', '408 Request Timeout', 'request_timeout'],
    ['HPE_INVALID_METHOD', '400 Bad Request', 'malformed_request'],
    [undefined, '400 Bad Request', 'malformed_request'],
  ] as const) {
    it(`is answered ${status} for ${String(code)}, and ends the connection`, () => {
      const [head = '', body = ''] = outcome(code).split('\r\n\r\n');
      const [first, ...headers] = head.split('\r\n');
      assert.equal(first, `HTTP/1.1 ${status}`);
      assert.ok(headers.includes('Connection: close'));
      assert.ok(headers.includes(`Content-Length: ${body.length}`));
      const { code: answered, request_id } = JSON.parse(body) as Record<string, unknown>;
      assert.equal(answered, told);
      assert.ok(headers.includes(`X-Request-Id: ${String(request_id)}`));
    });
  }

  it('is answered while no answer to the request before has begun', () => {
    assert.match(outcome('HPE_INVALID_METHOD', { headersSent: false }), /^HTTP\/1\.1 400 /);
  });

  it('cuts the connection where an answer has begun, or nobody is there to read one', () => {
    assert.equal(outcome('HPE_INVALID_METHOD', { headersSent: true }), 'cut');
    assert.equal(outcome('HPE_INVALID_METHOD', { writable: false }), 'cut');
    assert.equal(outcome('ECONNRESET'), 'cut');
  });
});
