import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  AppendTooLarge,
  EventStoreUnavailable,
  WrongExpectedRevision,
  type Appended,
  type EventStore,
} from '#storage/event-store/event-store';
import { ServiceMetrics, meteredEventStore } from './metrics.js';

describe('a metered event store', () => {
  const appended: Appended = { revision: 0, position: '1' };
  const outcomes: readonly [string, () => Promise<Appended>][] = [
    ['appended', () => Promise.resolve(appended)],
    ['conflict', () => Promise.reject(new WrongExpectedRevision('s', 1, 2))],
    ['unavailable', () => Promise.reject(new EventStoreUnavailable('The log is away.'))],
    ['refused', () => Promise.reject(new AppendTooLarge(2, 1))],
    ['failed', () => Promise.reject(new TypeError('x is not a function'))],
  ];

  for (const [outcome, append] of outcomes) {
    it(`counts an append by what it came to: ${outcome}`, async () => {
      const metrics = new ServiceMetrics();
      const store = meteredEventStore({ append } as unknown as EventStore, metrics);
      await store.append('s', 1, []).catch(() => undefined);
      const counts = (await metrics.registry.metrics()).match(
        /^event_store_append_duration_seconds_count.*$/gm,
      );
      assert.deepEqual(counts, [`event_store_append_duration_seconds_count{outcome="${outcome}"} 1`]);
    });
  }
});
