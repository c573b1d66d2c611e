import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Documents } from '#documents/documents';
import { PRESENCE_LAPSES_MS, PresenceObserver, PRESENCES, type PresenceDocument } from './presences.js';

/** What an observer remembers. */
interface Watched {
  readonly presences: { readonly seen: ReadonlyMap<string, unknown> };
}

describe(PresenceObserver.name, () => {
  it('forgets processes that are gone', async () => {
    let present: PresenceDocument[] = [];
    let time = 0;
    const removed: unknown[] = [];
    const documents = {
      range: async () => present,
      remove: async (...which: unknown[]) => removed.push(which),
    } as unknown as Documents;
    const observer = new PresenceObserver(documents, () => time);
    for (let process = 0; process < 100; process++) {
      present = [{ key: `P${process}`, revision: 1, pointer: 0 }];
      assert.deepEqual(await observer.behind(1), [`P${process}`]);
    }
    const { presences } = observer as unknown as Watched;
    assert.deepEqual([...presences.seen.keys()], ['P99']);
    time = PRESENCE_LAPSES_MS + 1;
    assert.deepEqual(await observer.behind(1), []);
    assert.deepEqual(removed, [[PRESENCES, 'P99', 1]], 'but not where it has moved meanwhile');
  });
});
