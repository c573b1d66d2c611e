import assert from 'node:assert/strict';
import { after, before, describe } from 'node:test';
import {
  canStartEventStoreDb,
  startEventStoreDb,
  type EventStoreDbServer,
} from '#test-servers/eventstoredb-server';
import { eventStoreContract } from '../event-store/event-store.contract.js';
import type { EventStoreHarness } from '../event-store/contract/streams.fixture.js';
import { EventStoreDbEventStore } from './eventstoredb-event-store.js';
import { StreamsServiceFake } from '#test-servers/eventstoredb-fake/streams-service-fake';

/** What stores must do is not how soon: a machine may be busy. */
const timings = { attemptMs: 20_000, retryBudgetMs: 60_000 };

/** A store at a URL, and how to end what serves it. */
function harness(url: string, end: () => Promise<void> | void): EventStoreHarness {
  let open = EventStoreDbEventStore.open({ url, timings });
  return {
    store: open,
    reopen: async () => {
      const closed = open.close();
      open = EventStoreDbEventStore.open({ url, timings });
      await closed;
      return open;
    },
    close: async () => {
      await open.close();
      await end();
    },
  };
}

eventStoreContract('EventStoreDB adapter on the fake', async () => {
  const fake = await StreamsServiceFake.start();
  return harness(fake.url, () => fake.kill());
});

const given = process.env['EVENTSTORE_URL'];
if (given) {
  eventStoreContract('EventStoreDB adapter at EVENTSTORE_URL', async () => harness(given, () => undefined));
} else if (canStartEventStoreDb()) {
  describe('with a server of our own', () => {
    let server: EventStoreDbServer | null = null;
    before(async () => {
      server = await startEventStoreDb();
    });
    after(() => server?.stop());
    eventStoreContract('EventStoreDB adapter on a real server', async () => {
      assert.ok(server);
      return harness(server.url, () => undefined);
    });
  });
}
