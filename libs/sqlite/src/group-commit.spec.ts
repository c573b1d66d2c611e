import assert from 'node:assert/strict';
import { mkdtempSync, renameSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { GroupCommit, JOBS_PER_COMMIT_MAX, QUEUED_JOBS_MAX, type Job } from './group-commit.js';
import { openDatabase, type Database } from './open-database.js';
import { SqliteUnavailable } from './unavailable.js';

const APPLICATION_ID = 0x7e57;

class Refusal extends Error {
  override readonly name = 'Refusal';
}

describe('group commit', () => {
  let directory: string;
  let file: string;
  let group: GroupCommit;
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
  const stored = (): unknown[] =>
    group
      .reader()
      .prepare('SELECT number FROM numbers ORDER BY number')
      .all()
      .map((row: { number: number }) => row.number);

  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'group-commit-'));
    file = join(directory, 'numbers.sqlite');
    rollbacks = 0;
    group = new GroupCommit({ file, open, rolledBack: () => (rollbacks += 1) });
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
      assert.equal(rollbacks, 1);
    });
  }

  it('waits for a lock of another connection without blocking the event loop', async () => {
    const other = open();
    other.exec('BEGIN IMMEDIATE');
    const first = group.run(insert(1));
    await nextTurn();
    await nextTurn();
    assert.equal(group.queued, 1);
    const second = group.run(insert(2));
    other.exec('ROLLBACK');
    assert.deepEqual(await Promise.all([first, second]), [1, 2]);
    assert.equal(group.commits, 1);
    other.close();
  });

  it('gives up on a lock that is held for too long, and heals when it is released', async () => {
    const impatient = new GroupCommit({ file, open, lockWaitMsMax: 30 });
    const other = open();
    other.exec('BEGIN IMMEDIATE');
    await assert.rejects(impatient.run(insert(1)), /locked by another process/);
    other.exec('ROLLBACK');
    assert.equal(await impatient.run(insert(2)), 2);
    assert.deepEqual(stored(), [2]);
    await impatient.close();
    other.close();
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
  });

  it('refuses what is over the bounds of the queue', async () => {
    const waiting = Array.from({ length: QUEUED_JOBS_MAX }, () => group.run(() => undefined));
    await assert.rejects(
      group.run(() => undefined),
      /too many writes are waiting/,
    );
    await Promise.all(waiting);
    const large = group.run(() => undefined, { bytes: 60 * 1024 * 1024 });
    await assert.rejects(
      group.run(() => undefined, { bytes: 60 * 1024 * 1024 }),
      /too many writes are waiting/,
    );
    await large;
    await group.run(() => undefined, { bytes: 60 * 1024 * 1024 });
  });

  describe('where the log is synced beside', () => {
    let syncs: { done: () => void; fail: (error: Error) => void }[];
    let forgotten: number;
    let beside: GroupCommit;

    beforeEach(() => {
      syncs = [];
      forgotten = 0;
      beside = new GroupCommit({
        file,
        open,
        rolledBack: () => (rollbacks += 1),
        log: {
          sync: () => new Promise((done, fail) => void syncs.push({ done, fail })),
          forget: () => Promise.resolve(void (forgotten += 1)),
        },
      });
    });
    afterEach(() => beside.close());

    it('answers after the sync, and commits nothing more before it', async () => {
      let answered = 0;
      const first = beside.run(insert(1)).then(() => (answered += 1));
      await nextTurn();
      await nextTurn();
      assert.equal(syncs.length, 1);
      const later = [2, 3].map(number => beside.run(insert(number)).then(() => (answered += 1)));
      await nextTurn();
      await nextTurn();
      assert.deepEqual([answered, beside.commits, beside.queued], [0, 1, 2]);
      const durable = beside.durable().then(() => [answered, beside.commits]);
      syncs[0]!.done();
      await first;
      assert.deepEqual(await durable, [1, 1]);
      await nextTurn();
      await nextTurn();
      syncs[1]!.done();
      await Promise.all(later);
      assert.deepEqual([answered, beside.commits], [3, 2]);
    });

    it('refuses what could not be synced, and syncs it with the file before it goes on', async () => {
      const refused = beside.run(insert(1));
      await nextTurn();
      await nextTurn();
      syncs[0]!.fail(new Error('EIO'));
      await assert.rejects(refused, SqliteUnavailable);
      assert.equal(rollbacks, 1);
      assert.deepEqual(stored(), [1]);
      beside.requireFile();
      assert.equal(statSync(`${file}-wal`).size, 0);
      assert.equal(forgotten, 1);
      const next = beside.run(insert(2));
      await nextTurn();
      await nextTurn();
      syncs[1]!.done();
      assert.equal(await next, 2);
    });

    it('waits for the sync before it closes', async () => {
      const last = beside.run(insert(1));
      await nextTurn();
      await nextTurn();
      const closed = beside.close();
      syncs[0]!.done();
      assert.equal(await last, 1);
      await closed;
    });
  });

  it('finishes what is queued before it closes, and refuses what comes later', async () => {
    const queued = group.run(insert(1));
    const closed = group.close();
    await assert.rejects(group.run(insert(2)), SqliteUnavailable);
    assert.equal(await queued, 1);
    await closed;
    assert.throws(() => group.reader(), SqliteUnavailable);
    assert.throws(() => group.requireFile(), SqliteUnavailable);
  });
});
