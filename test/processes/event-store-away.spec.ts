// The service while a real event store is killed, frozen, or not there yet.
import assert from 'node:assert/strict';
import { describe } from 'node:test';
import { canStartEventStoreDb, startEventStoreDb } from '#test-servers/eventstoredb-server';
import { whileAway } from './event-store-away.scenario.js';

if (canStartEventStoreDb()) {
  describe('with EventStoreDB', () => {
    whileAway(async () => {
      const server = await startEventStoreDb();
      assert.ok(server);
      return server;
    });
  });
}
