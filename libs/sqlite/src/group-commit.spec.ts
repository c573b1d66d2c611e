import assert from 'node:assert/strict';
import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it, type TestContext } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { GroupCommit, JOBS_PER_COMMIT_MAX, QUEUED_JOBS_MAX, type Job } from './group-commit.js';
import { openDatabase, type Database } from './open-database.js';
import { SqliteUnavailable, isBusy } from './unavailable.js';

const APPLICATION_ID = 0x7e57;
/** A job that leaves no room for another one like it. */
const LARGE = { bytes: 60 * 1024 * 1024 };

class Refusal extends Error {
  override readonly name = 'Refusal';
}

describe('group commit', () => {
  let directory: string;
  let file: string;
  let group: GroupCommit;
  let beginnings: number;
  let rollbacks: number;

  const open = (): Database =>
    openDatabase({
      file,
      applicationId: APPLICATION_ID,
      version: 1,
      synchronous: 'FULL',
      migrate: db => db.exec('CREATE TABLE numbers (number INTEGER PRIMARY KEY, filler BLOB)'),
    });
  const insert =
    (number: number): Job<number> =>
    db => {
      db.prepare('INSERT INTO numbers VALUES (?, NULL)').run(number);
      return number;
    };
  const stored = (of = group): unknown[] =>
    of
      .reader()
      .prepare('SELECT number FROM numbers ORDER BY number')
      .all()
      .map((row: { number: number }) => row.number);

  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'group-commit-'));
    file = join(directory, 'numbers.sqlite');
    beginnings = 0;
    rollbacks = 0;
    group = new GroupCommit({
      file,
      open,
      began: () => (beginnings += 1),
      rolledBack: () => (rollbacks += 1),
    });
  });
  afterEach(async () => {
    await group.close();
    rmSync(directory, { recursive: true });
  });

  it('commits the jobs of one turn together and answers each', async () => {
    const answers = await Promise.all([3, 1, 2].map(number => group.run(insert(number))));
    assert.deepEqual(answers, [3, 1, 2]);
    assert.deepEqual(stored(), [1, 2, 3]);
    assert.equal(group.commits, 1);
  });

  it('splits what is over the bound of one commit', async () => {
    const numbers = Array.from({ length: JOBS_PER_COMMIT_MAX + 1 }, (_, index) => index);
    await Promise.all(numbers.map(number => group.run(insert(number))));
    assert.deepEqual(stored(), numbers);
    assert.equal(group.commits, 2);
  });

  it('lets a refusal before any write fail alone, without a second run', async () => {
    let runs = 0;
    const outcomes = await Promise.allSettled([
      group.run(db => {
        runs += 1;
        return insert(1)(db);
      }),
      group.run(
        () => {
          throw new Refusal();
        },
        { refusesFirst: true },
      ),
      group.run(insert(2)),
    ]);
    assert.deepEqual(
      outcomes.map(outcome => outcome.status),
      ['fulfilled', 'rejected', 'fulfilled'],
    );
    assert.deepEqual(stored(), [1, 2]);
    assert.equal(runs, 1);
    assert.equal(rollbacks, 0);
  });

  for (const refusesFirst of [true, false]) {
    it(`undoes what a failing job wrote and keeps the others (refusesFirst ${refusesFirst})`, async () => {
      const writeAndFail: Job<void> = db => {
        insert(5)(db);
        if (refusesFirst) insert(5)(db);
        throw new Refusal();
      };
      const [before, failed, after] = await Promise.allSettled([
        group.run(insert(1)),
        group.run(writeAndFail, { refusesFirst }),
        group.run(insert(2)),
      ]);
      assert.equal(before.status, 'fulfilled');
      assert.equal(failed.status, 'rejected');
      assert.equal(after.status, 'fulfilled');
      assert.deepEqual(stored(), [1, 2]);
      assert.deepEqual([beginnings, rollbacks], [2, 1]);
    });
  }

  it('waits for a lock of another connection without blocking the event loop', async () => {
    const other = open();
    other.exec('BEGIN IMMEDIATE');
    const handle = group.reader();
    const first = group.run(insert(1));
    await nextTurn();
    await nextTurn();
    assert.equal(group.queued, 1);
    const second = group.run(insert(2));
    other.exec('ROLLBACK');
    assert.deepEqual(await Promise.all([first, second]), [1, 2]);
    assert.equal(group.commits, 1);
    assert.equal(group.reader(), handle);
    other.close();
  });

  it('keeps others from writing from the beginning of a transaction on', async () => {
    const other = open();
    const alone = new GroupCommit({
      file,
      open,
      began: () => assert.throws(() => other.exec('BEGIN IMMEDIATE'), isBusy),
    });
    await alone.run(() => undefined);
    await alone.close();
    other.close();
  });

  it('gives up on a lock that is held for too long, and heals when it is released', async context => {
    const pauses = pausesSkipped(context);
    const impatient = new GroupCommit({ file, open, lockWaitMsMax: 500 });
    const other = open();
    other.exec('BEGIN IMMEDIATE');
    for (let job = 0; job < 2; job++) {
      pauses.length = 0;
      await assert.rejects(impatient.run(insert(1), LARGE), /locked by another process/);
      assert.equal(pauses[0], 4);
    }
    other.exec('ROLLBACK');
    assert.equal(await impatient.run(insert(2), LARGE), 2);
    assert.deepEqual(stored(), [2]);
    await impatient.close();
    other.close();
  });

  it('asks for a lock less and less often, and often again the next time', async context => {
    const pauses = pausesSkipped(context);
    const other = open();
    for (const number of [1, 2]) {
      pauses.length = 0;
      other.exec('BEGIN IMMEDIATE');
      const waiting = group.run(insert(number));
      while (pauses.length < 7) await nextTurn();
      other.exec('ROLLBACK');
      await waiting;
      assert.deepEqual(pauses.slice(0, 7), [4, 8, 16, 32, 64, 100, 100]);
    }
    other.close();
  });

  it('runs a batch again, before what is behind it, that met a lock half-way', async () => {
    let isLocked = true;
    const ran: number[] = [];
    const job =
      (number: number): Job<void> =>
      () => {
        if (isLocked) throw errorOfSqlite(5);
        ran.push(number);
      };
    const numbers = Array.from({ length: JOBS_PER_COMMIT_MAX + 1 }, (_, index) => index);
    const waiting = numbers.map(number => group.run(job(number), number === 0 ? LARGE : {}));
    await nextTurn();
    await nextTurn();
    assert.equal(group.queued, numbers.length);
    await assert.rejects(group.run(job(-1), LARGE), /too many writes are waiting/);
    isLocked = false;
    await Promise.all(waiting);
    assert.deepEqual(ran, numbers);
  });

  it('rejects the whole batch on a full disk, goes on reading, and heals when there is room', async () => {
    await group.run(insert(1));
    group.reader().exec('PRAGMA max_page_count = 4');
    const big: Job<void> = db => void db.prepare('INSERT INTO numbers VALUES (2, zeroblob(50000))').run();
    const outcomes = await Promise.allSettled([group.run(insert(3)), group.run(big)]);
    for (const outcome of outcomes) {
      assert.ok(outcome.status === 'rejected' && outcome.reason instanceof SqliteUnavailable);
      assert.match(outcome.reason.message, /disk is full/);
    }
    assert.deepEqual(stored(), [1]);
    assert.throws(() => group.requireHealth(), /disk is full/);
    group.reader().exec('PRAGMA max_page_count = 100000');
    await Promise.all([group.run(insert(3)), group.run(big)]);
    assert.deepEqual(stored(), [1, 2, 3]);
    group.requireHealth();
  });

  it('rejects the whole batch on a full disk, also when it runs again for a job that failed', async () => {
    group.reader().exec('PRAGMA max_page_count = 4');
    const failing: Job<void> = db => {
      insert(1)(db);
      throw new Refusal();
    };
    const big: Job<void> = db => void db.prepare('INSERT INTO numbers VALUES (2, zeroblob(50000))').run();
    for (const outcome of await Promise.allSettled([failing, big].map(job => group.run(job)))) {
      assert.ok(outcome.status === 'rejected' && outcome.reason instanceof SqliteUnavailable);
    }
    assert.deepEqual(stored(), []);
  });

  it('goes on with another handle where an error breaks the one it has', async () => {
    const former = group.reader();
    await assert.rejects(
      group.run(() => {
        throw errorOfSqlite(10);
      }),
      SqliteUnavailable,
    );
    assert.notEqual(group.reader(), former);
    assert.ok(!former.isOpen);
    assert.equal(await group.run(insert(1)), 1);
  });

  it('goes on with another handle where a rollback fails', async () => {
    const handles = [failingToRollBack(open()), open()];
    const stubborn = new GroupCommit({ file, open: () => handles.shift()! });
    const full: Job<void> = db => {
      insert(1)(db);
      throw errorOfSqlite(13);
    };
    await assert.rejects(stubborn.run(full), /disk is full/);
    assert.deepEqual(stored(stubborn), []);
    assert.deepEqual(handles, []);
    assert.equal(await stubborn.run(insert(1)), 1);
    await stubborn.close();
  });

  it('tells of a commit that failed for a while only, since none may come while it is told', async () => {
    const forgetful = new GroupCommit({ file, open, failureToldMs: 0 });
    forgetful.reader().exec('PRAGMA max_page_count = 4');
    await assert.rejects(
      forgetful.run(db => void db.prepare('INSERT INTO numbers VALUES (2, zeroblob(50000))').run()),
      /disk is full/,
    );
    forgetful.requireHealth();
    await forgetful.close();
  });

  it('answers nothing for a file that was taken away, and goes on when it is back', async () => {
    await group.run(insert(1));
    renameSync(file, `${file}.away`);
    await assert.rejects(group.run(insert(2)), SqliteUnavailable);
    assert.throws(() => group.requireFile(), SqliteUnavailable);
    renameSync(`${file}.away`, file);
    await group.run(insert(3));
    assert.deepEqual(stored(), [1, 3]);
  });

  it('opens the file anew when another one took its place', async () => {
    await group.run(insert(1));
    for (const suffix of ['', '-wal', '-shm']) renameSync(file + suffix, `${file}.away${suffix}`);
    open().close();
    await group.run(insert(7));
    assert.deepEqual(stored(), [7]);
    assert.equal(rollbacks, 1);
    const handle = group.reader();
    group.requireFile();
    assert.equal(group.reader(), handle);
  });

  it('answers nothing while what took its place cannot be opened, and goes on afterwards', async () => {
    await group.run(insert(1));
    for (const suffix of ['', '-wal', '-shm']) renameSync(file + suffix, `${file}.away${suffix}`);
    writeFileSync(file, 'no database');
    for (let time = 0; time < 2; time++) await assert.rejects(group.run(insert(2)), SqliteUnavailable);
    for (const suffix of ['', '-wal', '-shm']) renameSync(`${file}.away${suffix}`, file + suffix);
    await group.run(insert(3));
    assert.deepEqual(stored(), [1, 3]);
  });

  it('answers nothing for a file that was emptied', async () => {
    writeFileSync(file, '');
    await assert.rejects(group.run(insert(1)), /the database file was emptied/);
  });

  it('refuses what is over the bounds of the queue', async () => {
    const waiting = Array.from({ length: QUEUED_JOBS_MAX }, () => group.run(() => undefined));
    await assert.rejects(
      group.run(() => undefined),
      /too many writes are waiting/,
    );
    await Promise.all(waiting);
    const large = group.run(() => undefined, LARGE);
    await assert.rejects(
      group.run(() => undefined, LARGE),
      /too many writes are waiting/,
    );
    await large;
    await group.run(() => undefined, LARGE);
    // By itself, whatever its size: it would never go in otherwise.
    await group.run(() => undefined, { bytes: 100 * LARGE.bytes });
  });

  it('finishes what is queued before it closes, and refuses what comes later', async () => {
    const queued = group.run(insert(1));
    const closed = Promise.all([group.close(), group.close()]);
    await assert.rejects(group.run(insert(2)), SqliteUnavailable);
    assert.equal(await queued, 1);
    await closed;
    assert.throws(() => group.reader(), SqliteUnavailable);
    assert.throws(() => group.requireFile(), SqliteUnavailable);
    group.noteReadError(errorOfSqlite(10));
    assert.throws(() => group.reader(), /the database is closed/);
  });
});

/** As the binding throws it. @param errcode SQLite's result code */
function errorOfSqlite(errcode: number): Error {
  return Object.assign(new Error('any'), { errcode });
}

/** Has every pause end in the next turn. @returns how long they would have been */
function pausesSkipped({ mock }: Pick<TestContext, 'mock'>): number[] {
  const pauses: number[] = [];
  mock.method(globalThis, 'setTimeout', (run: () => void, pauseMs: number) => {
    pauses.push(pauseMs);
    return setImmediate(run);
  });
  return pauses;
}

function failingToRollBack(db: Database): Database {
  return new Proxy(db, {
    get: (target, name) => {
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== 'function') return value;
      return (...args: unknown[]): unknown => {
        const result: unknown = Reflect.apply(value, target, args);
        if (args[0] === 'ROLLBACK') throw new Error('any');
        return result;
      };
    },
  });
}
