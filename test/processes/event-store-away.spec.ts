// The service while a real event store is killed, frozen, or not there yet.
import assert from 'node:assert/strict';
import { describe } from 'node:test';
import { canStartEventStoreDb } from '#event-store/eventstoredb/real-server';
import { whileAway } from './event-store-away.scenario.js';
import { realEventStore } from './event-store-server.scenario.js';

if (canStartEventStoreDb()) {
  describe('with EventStoreDB', () => {
    whileAway(async () => {
      const server = await realEventStore();
      assert.ok(server);
      return server;
    });
  });
}
