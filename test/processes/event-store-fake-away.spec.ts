// The service on the fake of an event store, which also loses answers when it is told to.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { disconnectAfterCommit, silenceAfterCommit } from '#test-servers/eventstoredb-fake/faults';
import { assertUnavailable, freshId, retried } from './budget.scenario.js';
import { Place, whileAway } from './event-store-away.scenario.js';
import { FakeEventStore } from './event-store-server.scenario.js';

/** What a real server does too rarely to wait for. */
function lostAnswers(): void {
  let store: FakeEventStore;
  const place = new Place();

  before(async () => {
    store = await FakeEventStore.start();
    await place.start(store.url);
    await place.begin();
  });
  after(async () => {
    await place.end();
    await store.stop();
  });

  it('an answer that is lost on the way costs the client nothing', async () => {
    const { budget, server } = place;
    const { append } = store.fake.faults;
    for (const fault of [disconnectAfterCommit, silenceAfterCommit]) {
      append.push(fault);
      const { status, headers } = await budget.spend(server);
      assert.deepEqual([status, headers.get('idempotent-replay')], [201, null]);
      assert.equal(append.length, 0, 'the answer was lost');
    }
    const transactions = await budget.transactionIds(server);
    assert.equal(transactions.length, 2);
    assert.equal(await budget.spentTransactions(server), 2);
  });

  it('when every answer is lost, the command stands, and its repetition is recognised', async () => {
    const { budget, server } = place;
    const { append } = store.fake.faults;
    const before = await budget.transactionIds(server);
    const id = freshId();
    append.push(...Array.from({ length: 1_000 }, () => disconnectAfterCommit));
    assertUnavailable(await budget.spend(server, id));
    append.length = 0;
    append.push(...Array.from({ length: 1_000 }, () => disconnectAfterCommit));
    assertUnavailable(await budget.addGroup(server, 'Lost', 'lost'));
    append.length = 0;
    const group = await retried(server, () => budget.addGroup(server, 'Lost', 'lost'));
    assert.deepEqual([group.status, group.headers.get('idempotent-replay')], [200, 'true']);
    const spent = await retried(server, () => budget.spend(server, id));
    assert.deepEqual([spent.status, spent.headers.get('idempotent-replay')], [200, 'true']);
    assert.deepEqual([...(await budget.transactionIds(server))].sort(), [...before, id].sort());
    assert.equal(await budget.spentTransactions(server), before.length + 1);
    assert.equal((await budget.groupNames(server)).filter(name => name === 'Lost').length, 1);
  });
}

describe('with the fake of an event store', () => {
  whileAway(() => FakeEventStore.start());
  lostAnswers();
});
