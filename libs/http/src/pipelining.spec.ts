import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { after, before, describe, it } from 'node:test';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { PIPELINED_MAX } from './http-server.js';
import { startTestApplication } from './test-application.fixture.js';

const REQUEST = 'GET /health/live HTTP/1.1\r\nHost: localhost\r\n\r\n';

describe('requests that are sent ahead on one connection', () => {
  let app: NestFastifyApplication;
  let port: number;
  before(async () => {
    ({ app, port } = await startTestApplication());
  });
  after(() => app.close());

  /** Sends requests in one packet. @returns how many were answered before the connection was idle or ended */
  async function answered(socket: Socket, count: number): Promise<number> {
    let text = '';
    socket.on('data', part => (text += String(part)));
    socket.write(REQUEST.repeat(count));
    const answers = (): number => text.split('HTTP/1.1 200 OK').length - 1;
    while (!socket.destroyed && answers() < count)
      await Promise.race([once(socket, 'data'), once(socket, 'close')]);
    return answers();
  }

  async function client(): Promise<Socket> {
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => undefined);
    await once(socket, 'connect');
    return socket;
  }

  it('are answered as long as they are few, again and again', async () => {
    const socket = await client();
    for (let time = 0; time < 3; time += 1)
      assert.equal(await answered(socket, PIPELINED_MAX), PIPELINED_MAX);
    socket.destroy();
  });

  it('cost the connection where they are many', async () => {
    const socket = await client();
    assert.ok((await answered(socket, 1_000)) <= PIPELINED_MAX);
    assert.ok(socket.destroyed);
    const other = await client();
    assert.equal(await answered(other, 1), 1);
    other.destroy();
  });
});
