import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { DatabaseSync } from '@photostructure/sqlite';
import { readOnlyLocation } from './read-only-location.js';

describe('where a database is read', () => {
  let directory: string;
  let file: string;
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'reading-'));
    file = join(directory, 'a name?#% of its own.db');
    const db = new DatabaseSync(file);
    db.exec('PRAGMA journal_mode = WAL; CREATE TABLE notes (text); INSERT INTO notes VALUES (7)');
    db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    db.close();
    for (const end of ['-wal', '-shm']) rmSync(file + end, { force: true });
  });
  afterEach(() => rmSync(directory, { recursive: true, force: true }));

  it('is the file as it is where its directory can be written', () => {
    assert.equal(readOnlyLocation(file), file);
  });

  it('is the file as one that nobody changes where nothing can be made beside it', () => {
    const location = readOnlyLocation(file, () => false);
    assert.match(location, /^file:.*\?immutable=1$/);
    const db = new DatabaseSync(location, { readOnly: true });
    assert.deepEqual({ ...db.prepare('SELECT text FROM notes').get() }, { text: 7 });
    db.close();
  });

  it('is so, too, where its directory does not take what would be made', () => {
    assert.match(readOnlyLocation(join(directory, 'missing', 'some.db')), /missing\/some\.db\?immutable=1$/);
  });

  it('is the file as it is where somebody has it open', () => {
    for (const end of ['-wal', '-shm']) {
      writeFileSync(file + end, '');
      assert.equal(
        readOnlyLocation(file, () => false),
        file,
      );
      rmSync(file + end);
    }
  });
});
