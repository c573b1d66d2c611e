import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { DatabaseSync } from '@photostructure/sqlite';
import { DatabaseRefused } from '#sqlite/unavailable';
import { NOTES, note, PLAIN } from './notes.scenario.js';
import { SqliteDocuments } from './sqlite-documents.js';
import { holdsDocuments, openStoredDocuments } from './stored-documents.js';

describe('a look into a file of documents', () => {
  let directory: string;
  let file: string;
  let documents: SqliteDocuments;

  beforeEach(async () => {
    directory = mkdtempSync(join(tmpdir(), 'stored-documents-'));
    file = join(directory, 'views.db');
    documents = SqliteDocuments.open({ directory });
  });
  afterEach(async () => {
    await documents.close();
    rmSync(directory, { recursive: true });
  });

  it('finds documents of any of the collections, beside who writes them', async () => {
    assert.equal(holdsDocuments(file, [NOTES, PLAIN]), false, 'there is no collection');
    await documents.ensure([NOTES]);
    assert.equal(holdsDocuments(file, [PLAIN, NOTES]), false, 'there is no document');
    await documents.put(NOTES, [note('a')]);
    assert.equal(holdsDocuments(file, [PLAIN, NOTES]), true);
    assert.equal(holdsDocuments(file, [PLAIN]), false);
    await documents.remove(NOTES, 'a');
    assert.equal(holdsDocuments(file, [PLAIN, NOTES]), false);
  });

  it('changes nothing', () => {
    const looking = openStoredDocuments(file);
    assert.throws(() => looking.exec('DELETE FROM definitions'), /readonly/);
    looking.close();
  });

  it('refuses a file in which it cannot read, by name', async () => {
    await documents.ensure([NOTES]);
    const copy = join(directory, 'copy.db');
    const database = new DatabaseSync(file);
    database.exec(`VACUUM INTO '${copy}'`);
    const { page_size: bytes } = database.prepare('PRAGMA page_size').get() as { page_size: number };
    database.close();
    // Its first pages are sound.
    writeFileSync(copy, readFileSync(copy).fill(0xff, bytes * 2));
    assert.throws(
      () => holdsDocuments(copy, [NOTES]),
      (error: unknown) => error instanceof DatabaseRefused && error.file === copy,
    );
  });
});
