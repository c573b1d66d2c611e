import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Documents } from '#storage/documents/documents';
import { StandingDocuments } from '../households/standing-documents.js';
import { HEARTBEAT_LAPSES_MS, HEARTBEATS, processesBehind, type Heartbeat } from './active-version.js';

it('processes that are gone are waited for no more, and forgotten', async () => {
  let present: Heartbeat[] = [];
  let time = 0;
  const removed: unknown[] = [];
  const documents = {
    range: async () => present,
    remove: async (...which: unknown[]) => removed.push(which),
  } as unknown as Documents;
  const standing = new StandingDocuments(HEARTBEAT_LAPSES_MS, () => time);
  for (let process = 0; process < 100; process++) {
    present = [{ key: `P${process}`, revision: 1, actsBy: 0 }];
    assert.deepEqual(await processesBehind(documents, 1, standing), [`P${process}`]);
  }
  const { seen } = standing as unknown as { readonly seen: ReadonlyMap<string, unknown> };
  assert.deepEqual([...seen.keys()], ['P99']);
  time = HEARTBEAT_LAPSES_MS + 1;
  assert.deepEqual(await processesBehind(documents, 1, standing), []);
  assert.deepEqual(removed, [[HEARTBEATS, 'P99', 1]], 'but not where it has moved meanwhile');
});
