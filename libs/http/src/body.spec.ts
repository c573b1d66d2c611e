import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { PassThrough } from 'node:stream';
import { describe, it } from 'node:test';
import { ApiError } from './api-error.js';
import {
  BODY_BYTES_MAX,
  BODY_TIMEOUT_MS,
  discardBody,
  readBytes,
  UNREAD_TIMEOUT_MS,
} from './request-reader.js';

/** A request whose body arrives only as far as the test writes it. */
function slowRequest() {
  const socket = new PassThrough();
  const headers = { 'content-length': '100', 'content-type': 'application/json' };
  const stream = Object.assign(new PassThrough(), { headers, complete: false, socket });
  return { stream, socket, request: stream as unknown as IncomingMessage };
}

const response = {} as ServerResponse;

async function failureOf(pending: Promise<unknown> | undefined): Promise<ApiError | undefined> {
  try {
    await pending;
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
  return undefined;
}

describe('a body that does not come', () => {
  it('is waited for no longer than its time', async context => {
    context.mock.timers.enable({ apis: ['setTimeout'] });
    const { request, stream } = slowRequest();
    const failure = failureOf(readBytes(request, response, { bytesMax: BODY_BYTES_MAX }));
    stream.write('{"a":');
    context.mock.timers.tick(BODY_TIMEOUT_MS - 1);
    stream.write('1');
    context.mock.timers.tick(1);
    const error = await failure;
    assert.equal(error?.code, 'request_timeout');
    // What comes of it later must not be taken for the next request.
    assert.deepEqual(error.headers, { Connection: 'close' });
    assert.deepEqual([stream.listenerCount('data'), stream.listenerCount('close')], [0, 0]);
  });

  it('because its sender is gone is no fault of ours', async () => {
    const { request, stream } = slowRequest();
    const failure = failureOf(readBytes(request, response, { bytesMax: BODY_BYTES_MAX }));
    stream.write('{"a":');
    stream.destroy();
    assert.equal((await failure)?.code, 'malformed_request');
  });

  it('is not waited for where its sender was gone before', async () => {
    const { request, stream } = slowRequest();
    stream.destroy();
    await once(stream, 'close');
    assert.equal(
      (await failureOf(readBytes(request, response, { bytesMax: BODY_BYTES_MAX })))?.code,
      'malformed_request',
    );
  });

  it('and that nobody wants costs the connection', context => {
    context.mock.timers.enable({ apis: ['setTimeout'] });
    const { request, stream, socket } = slowRequest();
    discardBody(request);
    stream.write('x');
    context.mock.timers.tick(UNREAD_TIMEOUT_MS - 1);
    assert.ok(!socket.destroyed);
    context.mock.timers.tick(1);
    assert.ok(socket.destroyed);
  });
});
