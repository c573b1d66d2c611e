import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { Server } from 'node:http';
import { connect, type Socket } from 'node:net';
import { it } from 'node:test';
import { text } from 'node:stream/consumers';
import { CLOSING_GRACE_MS } from './http-server.js';
import { startTestApplication, type TestApplication } from './test-application.fixture.js';

/** A call that the server works on, of which the body is still to come. */
async function callUnderWay(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1').setEncoding('latin1');
  const lines = ['Host: x', 'Authorization: x', 'Content-Type: application/json', 'Content-Length: 2'];
  const head = ['PATCH /v1/things/01JZ8Q4T0V6W2X3Y4Z5A6B7C8D HTTP/1.1', ...lines, 'Expect: 100-continue'];
  socket.write(`${head.join('\r\n')}\r\n\r\n`);
  const [asked] = (await once(socket, 'data')) as [string];
  assert.match(asked, /^HTTP\/1\.1 100 Continue/);
  return socket;
}

const turn = (): Promise<void> => new Promise(resolve => setImmediate(resolve));

/** Begins to close a server. @returns when it takes no more connections, with the end of closing */
async function beginToClose({ app }: TestApplication): Promise<{ readonly closed: Promise<void> }> {
  const closed = app.close();
  const server: Server = app.getHttpServer();
  while (server.listening) await turn();
  return { closed };
}

it('a server that closes does not wait for connections on which nobody asked anything', async context => {
  const api = await startTestApplication();
  const { port } = api;
  const silent = connect(port, '127.0.0.1');
  await once(silent, 'connect');
  // That it is open at the server as well is known when another connection, made later, was answered.
  const later = connect(port, '127.0.0.1');
  later.write('GET /health/live HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
  assert.match(await text(later), /^HTTP\/1\.1 200 OK/);
  context.mock.timers.enable({ apis: ['setTimeout'] });
  const { closed } = await beginToClose(api);
  // Not as long as for calls under way: that time never passes here.
  context.mock.timers.tick(CLOSING_GRACE_MS - 1);
  await closed;
  silent.destroy();
});

it('a server that closes answers what is under way, and says that the connection ends', async () => {
  const api = await startTestApplication();
  const socket = await callUnderWay(api.port);
  const { closed } = await beginToClose(api);
  socket.write('{}');
  const answer = await text(socket);
  assert.match(answer, /^HTTP\/1\.1 200 OK\r\n/);
  assert.match(answer, /\r\nConnection: close\r\n/i);
  await closed;
});

it('a server that closes waits no longer for a call under way than its time', async context => {
  const api = await startTestApplication();
  context.mock.timers.enable({ apis: ['setTimeout'] });
  const socket = await callUnderWay(api.port);
  const answer = text(socket);
  const { closed } = await beginToClose(api);
  context.mock.timers.tick(CLOSING_GRACE_MS - 1);
  await turn();
  assert.ok(!socket.closed);
  context.mock.timers.tick(1);
  await closed;
  // There was no response that the body came too late: the connection was cut before.
  assert.equal(await answer, '');
});
