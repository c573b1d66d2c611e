import assert from 'node:assert/strict';
import fs, {
  appendFileSync,
  closeSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { DatabaseSync } from '@photostructure/sqlite';
import {
  BUSY_TIMEOUT_MS,
  CHECKPOINT_BYTES,
  closeDatabase,
  openDatabase,
  readPragma,
  type Database,
  type DatabaseOptions,
} from './open-database.js';
import { hasDamagedPage, WHOLE_CHECK_BYTES_MAX } from './page-check.js';
import { openFilesIn } from './open-files.scenario.js';
import { DatabaseRefused, describeUnavailable, isUnavailable } from './unavailable.js';

const APPLICATION_ID = 0x7e57;
const PAGE_BYTES = 4_096;
const onLinux = { skip: process.platform !== 'linux' };
const onPosix = { skip: process.platform === 'win32' };

/** SQL of a row for each number. */
function numbers(from: number, to: number): string {
  return `WITH RECURSIVE n(i) AS (SELECT ${from} UNION ALL SELECT i + 1 FROM n WHERE i < ${to}) SELECT i FROM n`;
}

/** @param page from 1, as SQLite counts */
function overwrite(file: string, page: number, bytes: Buffer): void {
  const handle = openSync(file, 'r+');
  writeSync(handle, bytes, 0, bytes.length, (page - 1) * PAGE_BYTES);
  closeSync(handle);
}

describe('opening a database', () => {
  let directory: string;
  let file: string;

  const open = (changes: Partial<DatabaseOptions> = {}): Database =>
    openDatabase({
      file,
      applicationId: APPLICATION_ID,
      version: 1,
      migrate: db => db.exec('CREATE TABLE notes (note TEXT)'),
      ...changes,
    });
  /** Refused with the reason and the name of the file, which keeps every byte. */
  const assertRefused = (reason: RegExp, changes: Partial<DatabaseOptions> = {}): void => {
    const before = readFileSync(file);
    assert.throws(
      () => open(changes),
      (error: unknown) =>
        error instanceof DatabaseRefused &&
        error.message.startsWith(`The file ${file} cannot be used: `) &&
        error.message.endsWith('.') &&
        reason.test(error.message),
    );
    assert.ok(readFileSync(file).equals(before));
  };

  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'open-database-'));
    file = join(directory, 'data', 'notes.sqlite');
  });
  afterEach(() => rmSync(directory, { recursive: true }));

  it('copies the log into the file seldom', () => {
    const db = open();
    const pageBytes = Number(readPragma(db, 'page_size'));
    assert.equal(Number(readPragma(db, 'wal_autocheckpoint')) * pageBytes, CHECKPOINT_BYTES);
    closeDatabase(db);
  });

  it('keeps as much of the file in memory as is asked for, cuts its log back, and waits for locks shortly', () => {
    const db = open({ cacheBytes: 1024 * 1024 });
    assert.equal(readPragma(db, 'cache_size'), -1024);
    assert.equal(readPragma(db, 'journal_size_limit'), 64 * 1024 * 1024);
    assert.equal(readPragma(db, 'busy_timeout'), BUSY_TIMEOUT_MS);
    closeDatabase(db);
    closeDatabase(db);
  });

  it('syncs the directory of a file that it makes', onPosix, context => {
    const synced: bigint[] = [];
    const { fsyncSync } = fs;
    context.mock.method(fs, 'fsyncSync', (handle: number) => {
      synced.push(fs.fstatSync(handle, { bigint: true }).ino);
      fsyncSync(handle);
    });
    syncBuiltinESMExports();
    closeDatabase(open());
    context.mock.restoreAll();
    syncBuiltinESMExports();
    assert.deepEqual(synced, [statSync(dirname(file), { bigint: true }).ino]);
  });

  it('keeps its locks when this process opens the file once more, in whichever thread', onLinux, () => {
    const first = open();
    const locks = locksOn(file);
    assert.ok(locks > 0);
    closeDatabase(open());
    assert.equal(locksOn(file), locks);
    closeDatabase(first);

    const elsewhere = join(directory, 'elsewhere.sqlite');
    copyFileSync(file, elsewhere);
    const other = new DatabaseSync(elsewhere);
    other.prepare('SELECT note FROM notes').all();
    assert.ok(locksOn(elsewhere) > 0);
    closeDatabase(open({ file: elsewhere, openInOtherThread: true }));
    assert.ok(locksOn(elsewhere) > 0);
    other.close();
  });

  it('makes the directory and the file for its owner alone', () => {
    const db = open();
    db.exec(`INSERT INTO notes VALUES ('a')`);
    assert.equal(statSync(join(directory, 'data')).mode & 0o777, 0o700);
    for (const name of readdirSync(join(directory, 'data'))) {
      assert.equal(statSync(join(directory, 'data', name)).mode & 0o777, 0o600, name);
    }
    closeDatabase(db);
  });

  it('keeps synchronous=FULL on the first connection and on later ones', () => {
    for (let connection = 0; connection < 2; connection += 1) {
      const db = open();
      db.exec(`INSERT INTO notes VALUES ('a')`);
      assert.equal(readPragma(db, 'synchronous'), 2);
      assert.equal(readPragma(db, 'journal_mode'), 'wal');
      closeDatabase(db);
    }
  });

  it('migrates once from each version', () => {
    const from: number[] = [];
    const migrate = (_: Database, fromVersion: number): void => void from.push(fromVersion);
    for (const version of [1, 1, 3]) closeDatabase(open({ version, migrate }));
    assert.deepEqual(from, [0, 1]);
  });

  it('undoes a migration that fails', () => {
    closeDatabase(open());
    const migrate = (db: Database): void => {
      db.exec('DROP TABLE notes');
      throw new TypeError('a bug');
    };
    assert.throws(() => open({ version: 2, migrate }), TypeError);
    const db = open();
    assert.equal(db.prepare('SELECT count(*) AS count FROM notes').get().count, 0);
    db.exec(`INSERT INTO notes VALUES ('a')`);
    closeDatabase(db);
  });

  it('goes on where the making of a file was cut short, which nobody reads before', () => {
    mkdirSync(join(directory, 'data'));
    const begun = new DatabaseSync(file);
    begun.exec('PRAGMA journal_mode = WAL');
    begun.close();
    assertRefused(/it is empty/, { readOnly: true });
    closeDatabase(open());
  });

  it('refuses a file whose schema has no version', () => {
    closeDatabase(open());
    const db = new DatabaseSync(file);
    db.exec('PRAGMA user_version = 0');
    db.close();
    for (const readOnly of [true, false]) assertRefused(/it is damaged; restore a backup/, { readOnly });
  });

  it('knows its file while everything is still in the log of a dead process', () => {
    const db = open();
    db.exec(`INSERT INTO notes VALUES ('kept')`);
    const copy = join(directory, 'data', 'copy.sqlite');
    for (const suffix of ['', '-wal']) copyFileSync(file + suffix, copy + suffix);
    closeDatabase(db);
    const recovered = open({ file: copy });
    assert.equal(recovered.prepare('SELECT note FROM notes').get().note, 'kept');
    closeDatabase(recovered);
  });

  it('refuses a file that is no database', () => {
    mkdirSync(join(directory, 'data'));
    const magic = 'SQLite format 3\0';
    const garbage = Buffer.concat([Buffer.from(magic), Buffer.alloc(8192, 7)]);
    for (const content of ['x', 'no database at all '.repeat(1000), magic, garbage]) {
      writeFileSync(file, content);
      assertRefused(/is not a SQLite database; move it away /);
    }
    if (process.platform === 'linux') assert.deepEqual(openFilesIn(directory), []);
  });

  it('refuses the database of another program, in either journal mode, also with its log beside it', () => {
    mkdirSync(join(directory, 'data'));
    for (const mode of ['DELETE', 'WAL']) {
      const other = new DatabaseSync(file);
      other.exec(
        `PRAGMA journal_mode = ${mode}; CREATE TABLE theirs_${mode} (a); INSERT INTO theirs_${mode} VALUES (1)`,
      );
      if (mode === 'WAL') assertRefused(/it belongs to another program; move it away /);
      other.close();
      assertRefused(/it belongs to another program; move it away /);
    }
    assertRefused(/it belongs to another program; move it away /, { applicationId: 5 });
  });

  it('refuses the file of another of our stores and a file of a newer program', () => {
    closeDatabase(open({ version: 2 }));
    assertRefused(/it belongs to another program; move it away /, { applicationId: APPLICATION_ID + 1 });
    const reason = /has schema version 2, but this version supports only 1; run a newer version/;
    for (const readOnly of [false, true]) assertRefused(reason, { readOnly });
    const unknown = join(directory, 'unknown', 'notes.sqlite');
    mkdirSync(dirname(unknown));
    copyFileSync(file, unknown);
    file = unknown;
    assertRefused(reason);
    assert.deepEqual(readdirSync(dirname(file)), ['notes.sqlite']);
  });

  it('refuses a file cut short', () => {
    closeDatabase(open());
    const whole = file;
    file = join(directory, 'data', 'short.sqlite');
    copyFileSync(whole, file);
    truncateSync(file, statSync(file).size - 4096);
    assertRefused(/: it is damaged; restore a backup\.$/);
  });

  it('refuses a file with a damaged page after an unclean end', () => {
    const db = open();
    db.exec(`INSERT INTO notes VALUES ('a')`);
    db.exec('PRAGMA wal_checkpoint(FULL)');
    const damaged = join(directory, 'data', 'damaged.sqlite');
    for (const suffix of ['', '-wal']) copyFileSync(file + suffix, damaged + suffix);
    closeDatabase(db);
    const bytes = readFileSync(damaged);
    bytes.fill(0xee, 4096, 4196);
    writeFileSync(damaged, bytes);
    // Without frames that cover the page: the log of a connection that only began.
    writeFileSync(`${damaged}-wal`, Buffer.alloc(32));
    file = damaged;
    assertRefused(/: it is damaged; restore a backup\.$/);
  });

  it('refuses a file with a damaged page also where the program had ended in order', () => {
    const db = open();
    db.exec(`INSERT INTO notes SELECT hex(zeroblob(1000)) FROM (${numbers(1, 20)})`);
    closeDatabase(db);
    overwrite(file, 3, Buffer.alloc(PAGE_BYTES));
    assertRefused(/: it is damaged; restore a backup\.$/);
    // Checked once: by the first connection that may write.
    for (const changes of [{ readOnly: true }, { openInOtherThread: true }]) closeDatabase(open(changes));
  });

  for (const [name, bytes] of Object.entries({
    zeros: Buffer.alloc(PAGE_BYTES),
    ones: Buffer.alloc(PAGE_BYTES, 0xff),
    text: Buffer.alloc(PAGE_BYTES, 'the notes of somebody else '),
  })) {
    it(`refuses a large file of which a page was replaced by ${name}, in a bounded time`, t => {
      const db = open();
      const rows = Math.ceil(WHOLE_CHECK_BYTES_MAX / 100_000) + 10;
      db.exec(`INSERT INTO notes SELECT hex(zeroblob(50000)) FROM (${numbers(1, rows)})`);
      db.exec(`INSERT INTO notes SELECT hex(zeroblob(100)) FROM (${numbers(1, 20_000)})`);
      const { page } = db
        .prepare("SELECT max(pageno) AS page FROM dbstat WHERE name = 'notes' AND pagetype = 'leaf'")
        .get() as { readonly page: number };
      closeDatabase(db);
      const size = statSync(file).size;
      assert.ok(size > WHOLE_CHECK_BYTES_MAX);
      closeDatabase(open());
      overwrite(file, page - 5, bytes);
      const damaged = new DatabaseSync(file, { readOnly: true });
      assert.equal(hasDamagedPage(damaged, size, -1), false, 'it goes on beyond its time');
      // On a busy machine the time may be over before the page is reached.
      t.mock.method(performance, 'now', () => 0);
      assert.equal(hasDamagedPage(damaged, size), true);
      damaged.close();
      assertRefused(/: it is damaged; restore a backup\.$/);
    });
  }

  it('refuses a log without its database', () => {
    mkdirSync(join(directory, 'data'));
    appendFileSync(`${file}-wal`, 'frames');
    assert.throws(() => open(), /it is missing, but its write-ahead log exists/);
  });

  it('refuses a path that cannot be a file', () => {
    mkdirSync(file, { recursive: true });
    for (const openInOtherThread of [false, true]) {
      assert.throws(() => open({ openInOtherThread }), DatabaseRefused);
    }
    writeFileSync(join(directory, 'plain'), '');
    assert.throws(
      () => open({ file: join(directory, 'plain', 'notes.sqlite') }),
      /plain.notes\.sqlite cannot be used: it cannot be accessed \((ENOTDIR|EEXIST)\)\.$/,
    );
  });

  it('reads only, beside a writer, when asked to', () => {
    assert.throws(() => open({ readOnly: true }), /it does not exist/);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, '');
    assert.throws(() => open({ readOnly: true }), /is empty/);
    const writer = open();
    const reader = open({ readOnly: true });
    writer.exec(`INSERT INTO notes VALUES ('a')`);
    assert.equal(reader.prepare('SELECT count(*) AS count FROM notes').get().count, 1);
    assert.throws(
      () => reader.exec('DELETE FROM notes'),
      (error: unknown) =>
        isUnavailable(error) && describeUnavailable(error) === 'the database file cannot be written',
    );
    closeDatabase(reader);
    closeDatabase(writer);
    assertRefused(/has an older schema/, { readOnly: true, version: 2 });
  });

  it('tells bugs from failures of the machine', () => {
    const db = open();
    for (const sql of ['SELEC', 'INSERT INTO missing VALUES (1)']) {
      assert.throws(
        () => db.exec(sql),
        (error: unknown) => !isUnavailable(error),
      );
    }
    closeDatabase(db);
    assert.equal(isUnavailable(new Error('any')), false);
  });
});

/** How many locks on a file this and other processes hold. */
function locksOn(file: string): number {
  const { ino } = statSync(file);
  return readFileSync('/proc/locks', 'utf8')
    .split('\n')
    .filter(line => line.includes(`:${ino} `)).length;
}
