import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { DatabaseSync } from '@photostructure/sqlite';
import { LOCK_WAIT_MS_MAX } from '#sqlite/group-commit';
import { closeDatabase, openDatabase, type Database } from '#sqlite/open-database';
import { DatabaseRefused } from '#sqlite/unavailable';
import { idsOf, newEvent, newEvents, readEvents } from '../contract/fixture.js';
import { Follower } from '../contract/follower.js';
import { EventStoreUnavailable, NO_STREAM, READ_PAGE_EVENTS, WrongExpectedRevision } from '../event-store.js';
import { Appends } from './appends.js';
import { EventTable, PAGE_SIZE_MAX } from './event-table.js';
import { SqliteEventStore } from './sqlite-event-store.js';
import { Tail } from './tail.js';

/** Room for a hundred thousand pages: as good as an empty disk. */
const PAGES_PLENTY = 100_000;
/** More turns of the event loop than a read takes that has nothing to wait for. */
const TURNS = 20;

describe('SQLite event store', () => {
  let directory: string;
  let file: string;
  let store: SqliteEventStore;
  let connection: Database;
  let opened: SqliteEventStore[];

  const open = (options: { readOnly?: boolean; appendsInThread?: boolean } = {}): SqliteEventStore => {
    const another = SqliteEventStore.open({ file, ...options });
    opened.push(another);
    return another;
  };

  const recorded = async (stream: string): Promise<number[]> =>
    (await readEvents(store.readStream(stream))).map(({ revision }) => revision);

  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'event-store-'));
    file = join(directory, 'events.sqlite');
    store = SqliteEventStore.open({ file, connected: db => (connection = db) });
    opened = [store];
  });
  afterEach(async () => {
    for (const each of opened) await each.close();
    rmSync(directory, { recursive: true });
  });

  it('commits the appends of one turn together', async context => {
    const streams = Array.from({ length: 200 }, (_, index) => `group-${index}`);
    await Promise.all(streams.map(stream => store.append(stream, NO_STREAM, newEvents(1))));
    assert.equal(store.commits, 1);
    // Dependent appends to one stream also share a commit, and a refused one neither parts nor repeats them.
    const append = context.mock.method(Appends.prototype, 'append');
    const outcomes = await Promise.allSettled([
      store.append('group-0', 0, newEvents(2)),
      store.append('group-0', 0, newEvents(1)),
      store.append('group-0', 2, newEvents(1)),
    ]);
    assert.deepEqual(
      outcomes.map(({ status }) => status),
      ['fulfilled', 'rejected', 'fulfilled'],
    );
    assert.equal(store.commits, 2);
    assert.equal(append.mock.callCount(), 3);
  });

  for (const appendsInThread of [false, true]) {
    it(`keeps every acknowledged append when its process is killed (in a thread ${appendsInThread})`, async () => {
      await store.close();
      for (let kill = 0; kill < 3; kill += 1) {
        const acknowledged = await appendUntilKilled(file, kill, appendsInThread);
        const survivor = open();
        for (const [stream, ids] of acknowledged) {
          const stored = await readEvents(survivor.readStream(stream));
          assert.deepEqual(idsOf(stored).slice(0, ids.length), ids);
          assert.deepEqual(
            stored.map(({ revision }) => revision),
            stored.map((_, index) => index),
          );
        }
        await survivor.close();
      }
    });
  }

  it('refuses appends on a full disk, goes on reading, and heals by itself', async () => {
    const before = newEvents(2);
    await store.append('full-a', NO_STREAM, before);
    const follower = new Follower(store, { prefix: 'full-' });
    await follower.until(() => follower.isCaughtUp);

    connection.exec('PRAGMA max_page_count = 1');
    const small = newEvents(1);
    const large = [newEvent(), newEvent({ data: { filler: 'x'.repeat(100_000) } })];
    const outcomes = await Promise.allSettled([
      store.append('full-b', NO_STREAM, small),
      store.append('full-a', 1, large),
    ]);
    for (const outcome of outcomes) {
      assert.ok(outcome.status === 'rejected' && outcome.reason instanceof EventStoreUnavailable);
      assert.equal(outcome.reason.message, 'the event file: the disk is full');
    }
    await assert.rejects(store.ping(), EventStoreUnavailable);
    assert.deepEqual(idsOf(await readEvents(store.readStream('full-a'))), idsOf(before));
    assert.deepEqual(idsOf(await readEvents(store.readAll({ prefix: 'full-' }))), idsOf(before));

    connection.exec(`PRAGMA max_page_count = ${PAGES_PLENTY}`);
    assert.equal((await store.append('full-b', NO_STREAM, small)).revision, 0);
    assert.equal((await store.append('full-a', 1, large)).revision, 3);
    await store.ping();
    await follower.until(() => follower.events.length >= 5);
    assert.deepEqual(idsOf(follower.events), idsOf([...before, ...small, ...large]));
    await follower.stop();
  });

  it('refuses appends while too much of their text waits', async () => {
    connection.exec('PRAGMA max_page_count = 1');
    const data = { filler: 'x'.repeat(990_000) };
    const outcomes = await Promise.allSettled(
      Array.from({ length: 70 }, (_, index) =>
        store.append(`large-${index}`, NO_STREAM, [newEvent({ data })]),
      ),
    );
    const reasons = outcomes.map(outcome => outcome.status === 'rejected' && String(outcome.reason));
    assert.match(String(reasons[0]), /the disk is full/);
    assert.match(String(reasons.at(-1)), /too many writes are waiting/);
  });

  for (const appendsInThread of [false, true]) {
    it(`waits for a lock that another process holds (in a thread ${appendsInThread})`, async () => {
      const waiting = open({ appendsInThread });
      const other = new DatabaseSync(file);
      other.exec('BEGIN IMMEDIATE');
      const append = waiting.append('locked', NO_STREAM, newEvents(1));
      for (let turn = 0; turn < TURNS; turn += 1) await nextTurn();
      assert.deepEqual(await readEvents(waiting.readStream('locked')), []);
      other.exec('ROLLBACK');
      assert.equal((await append).revision, 0);
      other.close();
    });
  }

  it('lets others have their turn while it waits for a lock, and gives up in the end', async context => {
    let isLocked = true;
    const { streamPage } = EventTable.prototype;
    context.mock.method(
      EventTable.prototype,
      'streamPage',
      function (this: EventTable, ...range: Parameters<typeof streamPage>) {
        if (isLocked) throw errorOfSqlite(5);
        return streamPage.apply(this, range);
      },
    );
    setImmediate(() => (isLocked = false));
    assert.deepEqual(await recorded('locked'), []);
    isLocked = true;
    let clock = performance.now();
    context.mock.method(performance, 'now', () => (clock += LOCK_WAIT_MS_MAX / 3));
    await assert.rejects(recorded('locked'), /locked by another process/);
  });

  it('opens its file anew after a read that failed', async context => {
    const former = connection;
    const read = context.mock.method(EventTable.prototype, 'streamPage', () => {
      throw errorOfSqlite(10);
    });
    await assert.rejects(recorded('any'), EventStoreUnavailable);
    read.mock.restore();
    assert.deepEqual(await recorded('any'), []);
    assert.notEqual(connection, former);
  });

  it('comes back to a subscription after longer and longer pauses, and says that it has caught up', async context => {
    let failures = 8;
    const { allPage } = EventTable.prototype;
    context.mock.method(
      EventTable.prototype,
      'allPage',
      function (this: EventTable, ...range: Parameters<typeof allPage>) {
        failures -= 1;
        if (failures >= 0) throw errorOfSqlite(10);
        return allPage.apply(this, range);
      },
    );
    const pauses: number[] = [];
    const { wait } = Tail.prototype;
    context.mock.method(Tail.prototype, 'wait', function (this: Tail, pauseMs?: number) {
      if (pauseMs === undefined) return wait.call(this);
      pauses.push(pauseMs);
      return Promise.resolve();
    });
    const intervals = context.mock.method(globalThis, 'setInterval', (_look: () => void) => ({
      unref: () => undefined,
    }));
    const look = (): void => {
      const failing = context.mock.method(EventTable.prototype, 'lastPosition', () => {
        throw errorOfSqlite(10);
      });
      intervals.mock.calls[0]!.arguments[0]();
      failing.mock.restore();
    };
    const follower = new Follower(store, { prefix: '' });
    await follower.until(() => follower.isCaughtUp);
    assert.deepEqual(pauses, [100, 200, 400, 800, 1_600, 3_200, 5_000, 5_000]);

    const former = connection;
    look();
    for (let turn = 0; turn < TURNS; turn += 1) await nextTurn();
    assert.notEqual(connection, former);

    failures = 1;
    look();
    await follower.until(() => follower.deliveries.length === 2);
    assert.deepEqual(follower.deliveries, [{ kind: 'caught-up' }, { kind: 'caught-up' }]);
    assert.deepEqual(pauses.slice(8), [100]);
    await follower.stop();
  });

  it('ends a subscription with what is a bug', async context => {
    context.mock.method(EventTable.prototype, 'allPage', () => {
      throw new TypeError('a bug');
    });
    await assert.rejects(new Follower(store, { prefix: '' }).ended(), TypeError);
  });

  for (const appendsInThread of [false, true]) {
    it(`is unavailable while its file is gone, and heals when it is back (in a thread ${appendsInThread})`, async () => {
      const bereft = open({ appendsInThread });
      await bereft.append('gone', NO_STREAM, newEvents(1));
      renameSync(file, `${file}.away`);
      await assert.rejects(bereft.append('gone', 0, newEvents(1)), EventStoreUnavailable);
      await assert.rejects(bereft.ping(), EventStoreUnavailable);
      renameSync(`${file}.away`, file);
      await bereft.ping();
      assert.equal((await bereft.append('gone', 0, newEvents(1))).revision, 1);
    });
  }

  it('decides rightly beside another writer of the same file', async () => {
    const other = open();
    for (let revision = NO_STREAM; revision < 20; revision += 1) {
      const outcomes = await Promise.allSettled(
        [store, other].map(each => each.append('shared', revision, newEvents(1))),
      );
      const refused = outcomes.filter(outcome => outcome.status === 'rejected');
      assert.equal(refused.length, 1);
      assert.ok(refused[0]?.reason instanceof WrongExpectedRevision, String(refused[0]?.reason));
      assert.equal(refused[0].reason.actual, revision + 1);
    }
  });

  it('goes on where another writer of the same file has brought a stream', async () => {
    const writers = [store, open()];
    for (let revision = NO_STREAM; revision < 12; revision += 1) {
      // Each writes twice in turn, so that what the other one remembers is always behind.
      const writer = writers[Math.floor((revision + 1) / 2) % 2];
      assert.equal((await writer?.append('shared', revision, newEvents(1)))?.revision, revision + 1);
    }
  });

  it('delivers what another process appends, in the order of the store', async () => {
    const other = open();
    const follower = new Follower(store, { prefix: 'shared-' });
    await follower.until(() => follower.isCaughtUp);
    await other.append('shared-quiet', NO_STREAM, newEvents(3));
    await follower.until(() => follower.events.length === 3);
    await Promise.all(
      [store, other].map(async (each, writer) => {
        for (let revision = NO_STREAM; revision < 50; revision += 1) {
          await each.append(`shared-${writer}`, revision, newEvents(1));
        }
      }),
    );
    await follower.until(() => follower.events.length === 3 + 2 * 51);
    assert.deepEqual(follower.events, await readEvents(store.readAll({ prefix: 'shared-' })));
    await follower.stop();
  });

  it('only reads, beside a writer, when asked to', async () => {
    const reader = open({ readOnly: true });
    const follower = new Follower(reader, { prefix: '' });
    await store.append('written', NO_STREAM, newEvents(2));
    await follower.until(() => follower.events.length === 2);
    await assert.rejects(reader.append('written', 1, newEvents(1)), EventStoreUnavailable);
    assert.equal((await readEvents(reader.readStream('written'))).length, 2);
    await follower.stop();
  });

  it('delivers the appended objects themselves to live subscribers, also behind those of others', async context => {
    const intervals = context.mock.method(globalThis, 'setInterval');
    const follower = new Follower(store, { prefix: 'live-' });
    await follower.until(() => follower.isCaughtUp);
    await open().append('live-0', NO_STREAM, newEvents(1));
    intervals.mock.calls[0]!.arguments[0]();
    await follower.until(() => follower.events.length === 1);
    const event = newEvent({ data: { a: [1, 2] } });
    await store.append('live-1', NO_STREAM, [event]);
    await follower.until(() => follower.events.length === 2);
    assert.equal(follower.events[1]?.data, event.data);
    assert.deepEqual(follower.events, await readEvents(store.readAll({ prefix: 'live-' })));
    await follower.stop();
  });

  it('tells a subscription how far the store is when nothing was for it', async () => {
    await store.append('mine-1', NO_STREAM, newEvents(1));
    for (let batch = 0; batch < 24; batch += 1)
      await store.append(`other-${batch}`, NO_STREAM, newEvents(500));
    const follower = new Follower(store, { prefix: 'mine-' });
    await follower.until(() => follower.isCaughtUp);
    assert.deepEqual(
      follower.deliveries.map(({ kind }) => kind),
      ['events', 'checkpoint', 'caught-up'],
    );
    assert.equal(follower.position, await store.head('other-'));
    let othersHadTheirTurn = false;
    setImmediate(() => (othersHadTheirTurn = true));
    assert.equal(await store.head('mine-'), follower.events[0]?.position);
    assert.ok(othersHadTheirTurn, 'while it was looked for');
    for (let batch = 0; batch < 4; batch += 1)
      await store.append(`later-${batch}`, NO_STREAM, newEvents(500));
    await follower.until(() => follower.position === `${'0'.repeat(15)}14001`);
    assert.equal((await readEvents(store.readAll({ prefix: 'later-3' }))).length, 500);
    await follower.stop();
  });

  it('lets others have their turn between two pages', async () => {
    await store.append('long-1', NO_STREAM, newEvents(3 * READ_PAGE_EVENTS));
    let othersHadTheirTurn = true;
    const pageWasRead = (): void => {
      assert.ok(othersHadTheirTurn);
      othersHadTheirTurn = false;
      setImmediate(() => (othersHadTheirTurn = true));
    };
    for (const pages of [store.readStream('long-1'), store.readAll({ prefix: 'long-' })]) {
      for await (const page of pages) {
        assert.equal(page.length, READ_PAGE_EVENTS);
        pageWasRead();
      }
      await nextTurn();
    }
    const { signal } = new AbortController();
    for await (const { kind } of store.subscribe({ prefix: 'long-', signal })) {
      if (kind === 'caught-up') break;
      pageWasRead();
    }
  });

  it('looks for the writes of others for as long as there are subscriptions', async context => {
    const set = context.mock.method(globalThis, 'setInterval');
    const clear = context.mock.method(globalThis, 'clearInterval');
    const [one, other] = [new Follower(store, { prefix: '' }), new Follower(store, { prefix: '' })];
    await one.until(() => one.isCaughtUp);
    await other.until(() => other.isCaughtUp);
    await one.stop();
    assert.deepEqual([set.mock.callCount(), clear.mock.callCount()], [1, 0]);
    assert.ok(!set.mock.calls[0]?.result?.hasRef(), 'it keeps no process alive');
    await other.stop();
    assert.deepEqual(clear.mock.calls[0]?.arguments, [set.mock.calls[0]?.result]);
    const later = new Follower(store, { prefix: '' });
    await later.until(() => later.isCaughtUp);
    assert.equal(set.mock.callCount(), 2);
    await later.stop();
  });

  it('cuts pages of large events, and skips none', async () => {
    const text = 'x'.repeat(900_000);
    const events = Array.from({ length: 12 }, (_, index) => newEvent({ data: { index, text } }));
    for (const [index, event] of events.entries()) await store.append('large-1', index - 1, [event]);
    const pages = [];
    for await (const page of store.readStream('large-1')) pages.push(page);
    assert.deepEqual(idsOf(pages.flat()), idsOf(events));
    for (const page of pages) assert.ok(page.length * text.length < PAGE_SIZE_MAX + 2 * text.length);
    assert.deepEqual(
      idsOf(await readEvents(store.readStream('large-1', { direction: 'backwards' }))),
      idsOf(events.toReversed()),
    );
    for (const isKnown of [undefined, () => false]) {
      assert.deepEqual(await readEvents(store.readAll({ prefix: 'large-', isKnown })), pages.flat());
    }
    const follower = new Follower(store, { prefix: 'large-' });
    await follower.until(() => follower.isCaughtUp);
    assert.deepEqual(idsOf(follower.events), idsOf(events));
    await follower.stop();
  });

  it('passes over everything that is known at once, to the last event', async () => {
    await store.append('known-a', NO_STREAM, newEvents(600));
    await store.append('known-b', NO_STREAM, newEvents(600));
    const last = newEvent();
    await store.append('known-a', 599, [last]);
    const events = await readEvents(store.readAll({ prefix: 'known-', isKnown: () => true }));
    assert.deepEqual(idsOf(events), [last.id]);
    const follower = new Follower(store, { prefix: 'known-', isKnown: () => true });
    await follower.until(() => follower.isCaughtUp);
    assert.deepEqual(idsOf(follower.events), [last.id]);
    await follower.stop();
  });

  it('refuses files that hold no event log, and leaves them as they are', async () => {
    await store.close();
    const log = readFileSync(file);
    const damaged = Buffer.from(log);
    damaged.fill(0xee, 0, 60);
    const documents = join(directory, 'documents.sqlite');
    closeDatabase(
      openDatabase({
        file: documents,
        applicationId: 5,
        version: 1,
        synchronous: 'FULL',
        migrate: () => undefined,
      }),
    );
    const cases: Record<string, Buffer> = {
      text: Buffer.from('date;amount\n2026-11-21;12.50\n'.repeat(200)),
      damaged,
      short: log.subarray(0, log.length - 4096),
      documents: readFileSync(documents),
    };
    for (const [name, bytes] of Object.entries(cases)) {
      const refused = join(directory, `${name}-refused.sqlite`);
      writeFileSync(refused, bytes);
      assert.throws(
        () => SqliteEventStore.open({ file: refused }),
        (error: unknown) => error instanceof DatabaseRefused && error.message.includes(refused),
        name,
      );
      assert.ok(readFileSync(refused).equals(bytes), name);
    }
    copyFileSync(file, join(directory, 'copy.sqlite'));
    await SqliteEventStore.open({ file: join(directory, 'copy.sqlite') }).close();
  });

  it('knows no position of another store', async () => {
    await assert.rejects(readEvents(store.readAll({ prefix: '', after: 'C:1/P:1' })), RangeError);
  });
});

/** As the binding throws it. @param errcode SQLite's result code */
function errorOfSqlite(errcode: number): Error {
  return Object.assign(new Error('some failure'), { code: 'ERR_SQLITE_ERROR', errcode });
}

/** Enough that many commits lie behind the kill. */
const ACKNOWLEDGED_MIN = 200;
const WRITERS = 8;
const APPENDING_PROGRAM = `
  const [module, file, run, thread] = process.argv.slice(2);
  const { SqliteEventStore } = await import(module);
  const store = SqliteEventStore.open({ file, appendsInThread: thread === 'true' });
  for (let writer = 0; writer < ${WRITERS}; writer += 1) append('run-' + run + '-' + writer);
  async function append(stream) {
    for (let revision = -1; ; revision += 1) {
      const id = crypto.randomUUID();
      await store.append(stream, revision, [{ id, type: 'tested', data: {}, metadata: {} }]);
      process.stdout.write(stream + ' ' + id + '\\n');
    }
  }`;

/** Kills a process that appends. @returns the ids that it had acknowledged, by stream */
async function appendUntilKilled(
  file: string,
  run: number,
  appendsInThread: boolean,
): Promise<Map<string, string[]>> {
  const module = new URL('./sqlite-event-store.js', import.meta.url).href;
  // A thread takes over the arguments of Node.js, of which those for a program's text are not for its file.
  const program = `${file}.program.mjs`;
  writeFileSync(program, APPENDING_PROGRAM);
  const args = [program, module, file, String(run), String(appendsInThread)];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const closed = once(child, 'close');
  const acknowledged = new Map<string, string[]>();
  let count = 0;
  for await (const line of createInterface({ input: child.stdout })) {
    const [stream, id] = line.split(' ');
    // The last line may be cut by the kill.
    if (stream === undefined || id?.length !== 36) continue;
    acknowledged.set(stream, [...(acknowledged.get(stream) ?? []), id]);
    count += 1;
    if (count === ACKNOWLEDGED_MIN) child.kill('SIGKILL');
  }
  const [, signal]: unknown[] = await closed;
  assert.equal(signal, 'SIGKILL');
  return acknowledged;
}
