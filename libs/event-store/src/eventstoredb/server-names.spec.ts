import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { describe, it } from 'node:test';
import { EventStoreDbEventStore } from './eventstoredb-event-store.js';

const CONNECTED_MS_MAX = 60_000;

/** What a client sends first over TLS: an unencrypted message that holds the name of the server that it wants. */
async function helloTo(host: string): Promise<Buffer> {
  const listener = createServer().listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const { port } = listener.address() as AddressInfo;
  const store = EventStoreDbEventStore.open({ url: `esdb://admin:p4ss@${host}:${port}?tls=true` });
  try {
    const refused = assert.rejects(store.ping());
    const signal = AbortSignal.timeout(CONNECTED_MS_MAX);
    const [socket] = (await once(listener, 'connection', { signal })) as [Socket];
    const [hello] = (await once(socket, 'data', { signal })) as [Buffer];
    socket.destroy();
    await refused;
    return hello;
  } finally {
    await store.close();
    listener.close();
  }
}

describe('the server that a secure connection wants', () => {
  it('is named where the address is a name', async () => {
    assert.ok((await helloTo('localhost')).includes('localhost'));
  });

  it('is not named where the address is one of numbers', async () => {
    assert.ok(!(await helloTo('127.0.0.1')).includes('127.0.0.1'));
  });
});
