import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { it } from 'node:test';
import { pino } from 'pino';
import { Tracing } from './tracing.js';

it('ends before it has given up a collector that does not answer', async () => {
  const silent = createServer().listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const asked = once(silent, 'request') as Promise<[IncomingMessage]>;
  const endpoint = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
  const tracing = Tracing.start({ endpoint, instance: 'a', logger: pino({ enabled: false }) });
  await tracing.root('work', {}, async () => undefined);
  const stopped = tracing.stop().then(() => 'stopped');
  const [{ socket }] = await asked;
  const givenUp = once(socket, 'close').then(() => 'given up');
  assert.equal(await Promise.race([stopped, givenUp]), 'stopped');
  silent.closeAllConnections();
  silent.close();
  await givenUp;
});
