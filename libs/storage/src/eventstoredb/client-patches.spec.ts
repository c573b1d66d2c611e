import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { describe, it } from 'node:test';
import { PatchedClient } from './client-patches.js';
import { parseConnectionUrl } from './connection-url.js';
import { EventStoreDbEventStore } from './eventstoredb-event-store.js';

/** How long a channel has its chance. */
const CHANCE_MS = 1_000;
const CONNECTED_MS_MAX = 60_000;

it('a node is left once at a time, and not while it is looked for or before it had its chance', async t => {
  const clock = { now: 10_000 };
  t.mock.method(performance, 'now', () => clock.now);
  // It connects with the first call: no server listens there.
  const connection = new PatchedClient(parseConnectionUrl('esdb://127.0.0.1:1?tls=false'));
  try {
    const execute = t.mock.fn(async () => undefined);
    Object.assign(connection, { execute });
    const { mock: left } = execute;
    connection.leave();
    connection.leave();
    assert.equal(left.callCount(), 1);
    clock.now += CHANCE_MS;
    connection.leave();
    assert.equal(left.callCount(), 2);

    clock.now += CHANCE_MS;
    const found = connection['getChannel']();
    clock.now += CHANCE_MS;
    connection.leave();
    assert.equal(left.callCount(), 2, 'it is being looked for');
    await found;
    connection.leave();
    assert.equal(left.callCount(), 3);

    clock.now += CHANCE_MS;
    await connection['getChannel']();
    connection.leave();
    assert.equal(left.callCount(), 3, 'it has had no chance yet');
  } finally {
    await connection.end();
  }
});

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
