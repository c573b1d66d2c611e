import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { SqliteDocuments } from '#documents/sqlite/sqlite-documents';
import { dropFormerSnapshots, snapshotCollections, STATE_VERSION } from './snapshots.js';

describe('the snapshots of earlier versions', () => {
  it('are dropped, and the present ones stay', async context => {
    const directory = mkdtempSync(join(tmpdir(), 'snapshots-'));
    const documents = SqliteDocuments.open({ directory });
    context.after(async () => {
      await documents.close();
      rmSync(directory, { recursive: true });
    });
    const present = snapshotCollections('').parts;
    const former = snapshotCollections('', STATE_VERSION - 1).parts;
    await documents.ensure([present, former]);
    for (const collection of [present, former]) {
      await documents.put(collection, [
        { key: 'a', revision: 1, part: { month: '2026-01', live: 0, budget: null } },
      ]);
    }
    await dropFormerSnapshots(documents);
    await documents.ensure([former]);
    assert.equal(await documents.get(former, 'a'), null);
    assert.notEqual(await documents.get(present, 'a'), null);
  });
});
