import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { DatabaseSync } from '@photostructure/sqlite';
import type { Database } from './open-database.js';
import {
  DatabaseRefused,
  breaksHandle,
  describeUnavailable,
  isBusy,
  isDamage,
  isFull,
  isUnavailable,
  refusalOf,
} from './unavailable.js';

const PAGE_BYTES = 4_096;

/** Every way in which the binding reads. */
const READS = {
  get: (db: Database) => db.prepare('SELECT note FROM notes ORDER BY id DESC').get(),
  all: (db: Database) => db.prepare('SELECT note FROM notes').all(),
  iterate: (db: Database) => [...db.prepare('SELECT note FROM notes').iterate()],
};

describe('an error of SQLite', () => {
  let directory: string;
  let file: string;
  let db: Database;

  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'unavailable-'));
    file = join(directory, 'notes.db');
    db = new DatabaseSync(file, { timeout: 1 });
    db.exec('CREATE TABLE notes (id INTEGER PRIMARY KEY, note TEXT)');
    const insert = db.prepare('INSERT INTO notes (note) VALUES (?)');
    for (let i = 0; i < 10; i++) insert.run('x'.repeat(PAGE_BYTES / 2));
  });
  afterEach(() => {
    if (db.isOpen) db.close();
    rmSync(directory, { recursive: true });
  });

  function failureOf(read: (db: Database) => unknown): unknown {
    try {
      read(db);
    } catch (error) {
      return error;
    }
    return assert.fail('it was read');
  }

  for (const [name, read] of Object.entries(READS)) {
    it(`tells a lock of another connection, by ${name}`, () => {
      const other = new DatabaseSync(file);
      other.exec('BEGIN EXCLUSIVE');
      const error = failureOf(read);
      other.close();
      assert.ok(isBusy(error) && isUnavailable(error) && !breaksHandle(error), String(error));
    });

    it(`tells a damaged file, by ${name}`, () => {
      db.close();
      const bytes = readFileSync(file);
      // The first pages hold the schema and the inner nodes; the others are leaves.
      writeFileSync(file, bytes.fill(0xff, 2 * PAGE_BYTES));
      db = new DatabaseSync(file);
      const error = failureOf(read);
      assert.ok(isUnavailable(error) && breaksHandle(error) && !isBusy(error), String(error));
      assert.equal(describeUnavailable(error), 'the database file is damaged');
    });
  }

  it('tells a full disk', () => {
    db.exec('PRAGMA max_page_count = 1');
    const error = failureOf(opened =>
      opened.prepare('INSERT INTO notes (note) VALUES (?) RETURNING id').all('x'.repeat(100 * PAGE_BYTES)),
    );
    assert.ok(isFull(error) && isUnavailable(error), String(error));
  });

  for (const [errcode, message, isBroken] of [
    [3, 'access permission denied', false],
    [5, 'database is locked', false],
    [6, 'database table is locked', false],
    [7, 'out of memory', false],
    [8, 'attempt to write a readonly database', false],
    [10, 'disk I/O error', true],
    [11, 'database disk image is malformed', true],
    [13, 'database or disk is full', false],
    [14, 'unable to open database file', true],
    [15, 'locking protocol', true],
    [26, 'file is not a database', true],
  ] as const) {
    it(`is told by its code, whatever it is more exactly, and by its text: ${message}`, () => {
      const code = 'ERR_SQLITE_ERROR';
      const coded = Object.assign(new Error('any'), { code, errcode: errcode | (4 << 8) });
      const worded = Object.assign(new Error(message), { code });
      for (const error of [coded, worded]) {
        assert.ok(isUnavailable(error));
        assert.equal(breaksHandle(error), isBroken);
        assert.equal(isDamage(error), errcode === 11 || errcode === 26);
      }
      assert.equal(describeUnavailable(worded), describeUnavailable(coded));
    });
  }

  it('makes the refusal of a file of what it tells of the machine, and leaves a refusal as it is', () => {
    const refusal = refusalOf('some.db', Object.assign(new Error('any'), { errcode: 14 }));
    assert.ok(refusal instanceof DatabaseRefused);
    assert.match(refusal.message, /some\.db cannot be used: the database file cannot be opened/);
    const bug = new TypeError('a bug');
    for (const error of [refusal, bug]) assert.equal(refusalOf('other.db', error), error);
  });

  it('is a fault of the program otherwise, and so is what only sounds like one', () => {
    for (const error of [
      failureOf(opened => opened.prepare('SELECT nothing FROM notes')),
      failureOf(opened => opened.prepare('INSERT INTO notes (id) VALUES (1) RETURNING id').all()),
      new Error('database is locked'),
    ]) {
      assert.ok(!isUnavailable(error), String(error));
    }
  });
});
