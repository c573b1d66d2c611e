import assert from 'node:assert/strict';
import { it } from 'node:test';
import { parseConnectionUrl } from './connection-url.js';
import { EventStoreDbConnection } from './connection.js';

/** How long a channel has its chance. */
const CHANCE_MS = 1_000;

it('a node is left once at a time, and not while it is looked for or before it had its chance', async t => {
  const clock = { now: 10_000 };
  t.mock.method(performance, 'now', () => clock.now);
  // It is connected to with the first call: nobody listens there.
  const connection = EventStoreDbConnection.to(parseConnectionUrl('esdb://127.0.0.1:1?tls=false'));
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
