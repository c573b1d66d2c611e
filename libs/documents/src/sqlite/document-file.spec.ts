import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { LogSync } from '#sqlite/log-sync';
import { openFilesIn } from '#sqlite/open-files.scenario';
import { DocumentFile } from './document-file.js';
import { FileDocuments } from './file-documents.js';
import { note, PLAIN } from './notes.scenario.js';

describe('a file of documents that is synced ahead', () => {
  let directory: string;
  let file: DocumentFile;
  let documents: FileDocuments;

  beforeEach(async () => {
    directory = mkdtempSync(join(tmpdir(), 'document-file-'));
    const path = join(directory, 'views.db');
    file = new DocumentFile({ file: path, synchronous: 'NORMAL', cacheBytes: 1_000_000, readOnly: false });
    documents = new FileDocuments(file, Date.now);
    await documents.ensure([PLAIN]);
  });
  afterEach(() => rmSync(directory, { recursive: true }));

  /** How many descriptors the log has. */
  const openLogs = (): number => openFilesIn(directory).filter(path => path.includes('views.db-wal')).length;

  it('takes batches of any size meanwhile', async () => {
    for (let batch = 0; batch < 5; batch += 1) {
      const bodies = Array.from({ length: 1_500 }, (_, at) => JSON.stringify(note(`${batch}-${at}`)));
      await documents.putTogether([{ collection: PLAIN.name, bodies, described: null }]);
      file.syncAhead();
    }
    assert.equal((await documents.range(PLAIN, { from: '', before: '~', limit: 10_000 })).length, 7_500);
    await documents.close();
  });

  it('begins to be behind a batch that mostly has more behind it, and behind no small one', async context => {
    const ahead = context.mock.method(file, 'syncAhead');
    const bodies = Array.from({ length: 1_500 }, (_, at) => JSON.stringify(note(String(at))));
    await documents.putTogether([{ collection: PLAIN.name, bodies: bodies.slice(0, 9), described: null }]);
    assert.equal(ahead.mock.callCount(), 0);
    await documents.putTogether([{ collection: PLAIN.name, bodies, described: null }]);
    assert.equal(ahead.mock.callCount(), 1);
    await documents.close();
  });

  it(
    'leaves no log open when it is closed at once',
    { skip: process.platform !== 'linux' },
    async context => {
      const sync = context.mock.method(LogSync.prototype, 'sync');
      await documents.putTogether([
        { collection: PLAIN.name, bodies: [JSON.stringify(note('a'))], described: null },
      ]);
      // SQLite's own stays until the statements are collected.
      const before = openLogs();
      file.syncAhead();
      await documents.close();
      assert.equal(sync.mock.callCount(), 1);
      // Whether or not it was closed meanwhile, the log is opened no later than that.
      await (sync.mock.calls[0]!.result as Promise<void>).catch(() => undefined);
      assert.equal(openLogs(), before);
    },
  );
});
