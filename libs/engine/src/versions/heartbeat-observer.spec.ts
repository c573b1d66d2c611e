import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Documents } from '#storage/documents/documents';
import { HEARTBEAT_LAPSES_MS, HeartbeatObserver, HEARTBEATS, type Heartbeat } from './version-watch.js';

/** What an observer remembers. */
interface Watched {
  readonly standing: { readonly seen: ReadonlyMap<string, unknown> };
}

describe(HeartbeatObserver.name, () => {
  it('forgets processes that are gone', async () => {
    let present: Heartbeat[] = [];
    let time = 0;
    const removed: unknown[] = [];
    const documents = {
      range: async () => present,
      remove: async (...which: unknown[]) => removed.push(which),
    } as unknown as Documents;
    const observer = new HeartbeatObserver(documents, () => time);
    for (let process = 0; process < 100; process++) {
      present = [{ key: `P${process}`, revision: 1, actsBy: 0 }];
      assert.deepEqual(await observer.behind(1), [`P${process}`]);
    }
    const { standing } = observer as unknown as Watched;
    assert.deepEqual([...standing.seen.keys()], ['P99']);
    time = HEARTBEAT_LAPSES_MS + 1;
    assert.deepEqual(await observer.behind(1), []);
    assert.deepEqual(removed, [[HEARTBEATS, 'P99', 1]], 'but not where it has moved meanwhile');
  });
});
