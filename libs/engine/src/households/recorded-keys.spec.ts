import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { IDEMPOTENCY_KEY_MS, IdempotencyKeys } from '#storage/documents/idempotency-keys';
import type { DecodedEvent } from '#ledger/event-codec';
import type { LedgerEvent } from '#ledger/events';
import { chained, keyedCommandOf, recordedEvents, settledKeys, type Envelope } from './household-stream.js';
import { envelope, freshId, workplace, type Workplace } from './streams.scenario.js';

/** Of a command that records two. */
const EVENTS: readonly LedgerEvent[] = ['A', 'B'].map(name => ({
  type: 'ItemChanged',
  data: { itemId: 'ITEM', before: { name: 'Food' }, after: { name } },
}));
const IDEMPOTENCY = { key: 'once', commandHash: 'hash' };

function recorded(household: string, command: Envelope): readonly DecodedEvent[] {
  const events = recordedEvents(household, 6, EVENTS, command);
  return chained(household, events, null, [], command).events;
}

describe('keys of commands', () => {
  let place: Workplace;
  let keys: IdempotencyKeys;
  before(async () => {
    place = await workplace();
    keys = new IdempotencyKeys(place.documents);
  });
  after(() => place.close());

  it('lead to the first of several events, in whatever pages these come', async () => {
    const command = envelope({ idempotency: IDEMPOTENCY, at: new Date().toISOString() });
    for (const pages of [
      [0, 2],
      [0, 1, 2],
    ]) {
      const household = freshId();
      const events = recorded(household, command);
      for (const [i, from] of pages.slice(0, -1).entries())
        await place.documents.putAll(settledKeys(keys, household, events.slice(from, pages[i + 1])));
      assert.equal((await keys.find(household, keyedCommandOf(command)!))?.firstRevision, 7);
    }
  });

  it('are not remembered for longer than a day, whenever the events are read', async () => {
    const at = new Date(Date.now() - IDEMPOTENCY_KEY_MS).toISOString();
    const command = envelope({ idempotency: IDEMPOTENCY, at });
    const household = freshId();
    assert.deepEqual(settledKeys(keys, household, recorded(household, command)), []);
  });
});
