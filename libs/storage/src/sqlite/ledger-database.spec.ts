import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { DatabaseSync } from '@photostructure/sqlite';
import {
  DocumentsUnavailable,
  DuplicateKey,
  type Collection,
  type Document,
  type IndexDefinition,
} from '../documents/documents.js';
import {
  EventStoreUnavailable,
  NO_STREAM,
  READ_PAGE_EVENTS,
  WrongExpectedRevision,
} from '../event-store/event-store.js';
import { idsOf, newEvent, newEvents, readEvents } from '../event-store/contract/streams.fixture.js';
import { Follower } from '../event-store/contract/follower.fixture.js';
import { countOf } from '../documents/contract/sample.fixture.js';
import { PAGE_SIZE_MAX } from './sqlite-event-store.js';
import { DOCUMENTS_PER_COMMIT, LEDGER_FILE, LedgerDatabase } from './ledger-database.js';
import { DatabaseRefused } from './unavailable.js';

interface Note extends Document {
  readonly group?: string;
  readonly tags?: readonly string[];
  readonly email?: string;
  readonly text?: string;
}

const BY_GROUP: IndexDefinition = { name: 'by_group', equals: ['group'], sort: 'key', covers: ['text'] };
const BY_TAG: IndexDefinition = { name: 'by_tag', equals: ['tags'], list: 'tags', sort: 'key' };
const BY_EMAIL: IndexDefinition = { name: 'by_email', equals: ['email'], unique: true };
const NOTES: Collection<Note> = {
  name: 'notes',
  durability: 'durable',
  indexes: [BY_GROUP, BY_TAG, BY_EMAIL],
};
/** More than a step of anything takes. */
const MANY = 2_000;

describe('a ledger in one file', () => {
  let directory: string;
  let file: string;
  let ledger: LedgerDatabase;
  let opened: LedgerDatabase[];

  const open = (options: { readOnly?: boolean; now?: () => number } = {}): LedgerDatabase => {
    const another = LedgerDatabase.open({ directory, ...options });
    opened.push(another);
    return another;
  };
  const reopen = async (): Promise<LedgerDatabase> => {
    await ledger.close();
    return (ledger = open());
  };
  const notes = (count: number, from = 0): Note[] =>
    Array.from({ length: count }, (_, at) => {
      const key = `k${String(from + at).padStart(5, '0')}`;
      return {
        key,
        revision: 1,
        group: 'g',
        tags: ['t', 'u'],
        email: `${key}@example.org`,
        text: `note ${key}`,
      };
    });
  /** What another program sees in the file. */
  const inFile = (sql: string): unknown[] => {
    const db = new DatabaseSync(file);
    try {
      return (db.prepare(sql).all() as object[]).map(row => ({ ...row }));
    } finally {
      db.close();
    }
  };

  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'ledger-file-'));
    file = join(directory, LEDGER_FILE);
    opened = [];
    ledger = open();
  });
  afterEach(async () => {
    for (const each of opened) await each.close();
    rmSync(directory, { recursive: true });
  });

  it('commits together what waits, and refuses one without touching the others', async () => {
    await ledger.documents.ensure([NOTES]);
    await ledger.documents.insert(NOTES, { key: 'a', revision: 1, email: 'e' });
    const before = ledger.commits;
    const outcomes = await Promise.allSettled([
      ...Array.from({ length: 200 }, (_, at) => ledger.eventStore.append(`s${at}`, NO_STREAM, newEvents(1))),
      ledger.documents.insert(NOTES, { key: 'b', revision: 1, email: 'e' }),
      ledger.eventStore.append('s0', 5, newEvents(1)),
      ledger.documents.insert(NOTES, { key: 'c', revision: 1, email: 'f' }),
    ]);
    assert.equal(ledger.commits, before + 1);
    const refused = outcomes.flatMap(each => (each.status === 'rejected' ? [each.reason as unknown] : []));
    assert.ok(refused[0] instanceof DuplicateKey && refused[0].index === 'by_email');
    assert.ok(refused[1] instanceof WrongExpectedRevision);
    assert.equal(refused.length, 2);
    assert.equal(await ledger.documents.get(NOTES, 'b'), null);
    assert.ok(await ledger.documents.get(NOTES, 'c'));
  });

  it('writes nothing of a commit of which a document is refused', async () => {
    await ledger.documents.ensure([NOTES]);
    await ledger.documents.insert(NOTES, { key: 'a', revision: 1, email: 'e' });
    const writes = [{ collection: NOTES, documents: [{ key: 'b', revision: 1, email: 'e' }] }];
    const unit = { stream: 's', expected: NO_STREAM, events: newEvents(1), writes };
    await assert.rejects(ledger.commit(unit), DuplicateKey);
    assert.deepEqual(await readEvents(ledger.eventStore.readStream('s')), []);
    assert.equal((await ledger.eventStore.append('s', NO_STREAM, newEvents(1))).revision, 0);
  });

  it('gives others their turn while a commit changes very many documents', async () => {
    await ledger.documents.ensure([NOTES]);
    const documents = notes(3 * DOCUMENTS_PER_COMMIT);
    const writes = [{ collection: NOTES, documents }];
    const committed = ledger.commit({ stream: 'many', expected: NO_STREAM, events: newEvents(1), writes });
    let [appends, between] = [0, 0];
    const ended = committed.then(() => true);
    while (!(await Promise.race([ended, nextTurn(false)]))) {
      await ledger.eventStore.append('others', appends - 1, newEvents(1));
      appends += 1;
      // Behind the first of its documents, and before the last.
      const [first, last] = [documents[0]!, documents.at(-1)!];
      if ((await ledger.documents.getMany(NOTES, [first.key, last.key])).length === 1) between += 1;
    }
    assert.ok(between > 0, `${appends} appends, none between its documents`);
    const query = { index: 'by_group', equals: { group: 'g' }, limit: documents.length + 1 };
    assert.equal(await countOf(ledger.documents, NOTES, query), documents.length);
  });

  it('keeps every acknowledged commit, whole, when its process is killed', async () => {
    await ledger.close();
    for (let run = 0; run < 2; run += 1) {
      const acknowledged = await commitUntilKilled(directory, run);
      const survivor = open();
      await survivor.documents.ensure([NOTES]);
      for (const [stream, ids] of acknowledged) {
        const stored = await readEvents(survivor.eventStore.readStream(stream));
        assert.deepEqual(idsOf(stored).slice(0, ids.length), ids);
        const document = await survivor.documents.get(NOTES, stream);
        assert.equal(document?.revision, stored.at(-1)?.revision, 'events and document are of one moment');
      }
      await survivor.close();
    }
  });

  it('survives a power cut: every commit is synced, and what is deleted overwritten', () => {
    const pragma = (name: string): unknown =>
      ledger.reader.use(c => c.row({ sql: `PRAGMA ${name}`, values: [] })?.[0]);
    assert.deepEqual([pragma('synchronous'), pragma('journal_mode'), pragma('secure_delete')], [2, 'wal', 1]);
  });

  it('waits for a lock that another process holds', async () => {
    const other = new DatabaseSync(file);
    other.exec('BEGIN IMMEDIATE');
    const append = ledger.eventStore.append('locked', NO_STREAM, newEvents(1));
    await pause(100);
    assert.deepEqual(await readEvents(ledger.eventStore.readStream('locked')), []);
    other.exec('ROLLBACK');
    assert.equal((await append).revision, 0);
    other.close();
  });

  it('is unavailable while its file is gone, and heals when it is back', async () => {
    await ledger.documents.ensure([NOTES]);
    await ledger.eventStore.append('gone', NO_STREAM, newEvents(1));
    renameSync(file, `${file}.away`);
    await assert.rejects(ledger.eventStore.append('gone', 0, newEvents(1)), EventStoreUnavailable);
    await assert.rejects(ledger.documents.put(NOTES, notes(1)), DocumentsUnavailable);
    await assert.rejects(ledger.eventStore.ping(), EventStoreUnavailable);
    await assert.rejects(ledger.documents.ping(), DocumentsUnavailable);
    renameSync(`${file}.away`, file);
    await ledger.eventStore.ping();
    assert.equal((await ledger.eventStore.append('gone', 0, newEvents(1))).revision, 1);
    await ledger.documents.put(NOTES, notes(1));
  });

  it('refuses what its thread had when that ended, and goes on with another', async context => {
    const workers: Worker[] = [];
    const { postMessage } = Worker.prototype;
    context.mock.method(Worker.prototype, 'postMessage', function (this: Worker, message: unknown) {
      workers.push(this);
      postMessage.call(this, message);
    });
    await ledger.eventStore.append('ended', NO_STREAM, newEvents(1));
    await workers[0]!.terminate();
    const events = newEvents(1);
    // It may have been noticed by now, or is while this is on its way.
    const outcome = await ledger.eventStore.append('ended', 0, events).catch((error: unknown) => error);
    assert.ok(!(outcome instanceof Error) || outcome instanceof EventStoreUnavailable, String(outcome));
    assert.equal((await ledger.eventStore.append('ended', 0, events)).revision, 1);
  });

  it('refuses writes while too much of their text waits', async () => {
    const data = { filler: 'x'.repeat(990_000) };
    const outcomes = await Promise.allSettled(
      Array.from({ length: 80 }, (_, at) =>
        ledger.eventStore.append(`large-${at}`, NO_STREAM, [newEvent({ data })]),
      ),
    );
    assert.equal(outcomes[0]?.status, 'fulfilled');
    const last = outcomes.at(-1);
    assert.match(String(last?.status === 'rejected' && last.reason), /too many writes are waiting/);
  });

  it('decides rightly, and delivers in order, beside another writer of the same file', async () => {
    const other = open();
    const stores = [ledger.eventStore, other.eventStore];
    const follower = new Follower(ledger.eventStore, { prefix: 'shared' });
    await follower.until(() => follower.isCaughtUp);
    for (let revision = NO_STREAM; revision < 10; revision += 1) {
      const outcomes = await Promise.allSettled(
        stores.map(each => each.append('shared', revision, newEvents(1))),
      );
      const refused = outcomes.filter(outcome => outcome.status === 'rejected');
      assert.equal(refused.length, 1);
      assert.ok(refused[0]?.reason instanceof WrongExpectedRevision, String(refused[0]?.reason));
    }
    await follower.until(() => follower.events.length === 11);
    assert.deepEqual(follower.events, await readEvents(ledger.eventStore.readAll({ prefix: 'shared' })));
    await follower.stop();
  });

  it('only reads, beside a writer, when asked to', async () => {
    await ledger.documents.ensure([NOTES]);
    const { eventStore, documents } = open({ readOnly: true });
    await documents.ensure([NOTES]);
    const follower = new Follower(eventStore, { prefix: '' });
    await ledger.eventStore.append('written', NO_STREAM, newEvents(2));
    await follower.until(() => follower.events.length === 2);
    await assert.rejects(eventStore.append('written', 1, newEvents(1)), EventStoreUnavailable);
    await assert.rejects(documents.put(NOTES, notes(1)), DocumentsUnavailable);
    await follower.stop();
  });

  it('passes an event on empty whose text is damaged, and gives no position twice', async () => {
    const { position } = await ledger.eventStore.append('a', NO_STREAM, newEvents(2));
    const db = new DatabaseSync(file);
    db.exec(`UPDATE events SET data = '{"index":' WHERE revision = 0; DELETE FROM events WHERE revision = 1`);
    db.close();
    const [event] = await readEvents(ledger.eventStore.readStream('a'));
    assert.deepEqual([event?.data, event?.metadata], [{}, {}]);
    await reopen();
    assert.ok((await ledger.eventStore.append('b', NO_STREAM, newEvents(1))).position > position);
  });

  it('cuts pages of large events, and skips none', async () => {
    const text = 'x'.repeat(900_000);
    const events = Array.from({ length: 12 }, (_, index) => newEvent({ data: { index, text } }));
    for (const [index, event] of events.entries())
      await ledger.eventStore.append('large', index - 1, [event]);
    const pages = [];
    for await (const page of ledger.eventStore.readStream('large')) pages.push(page);
    assert.deepEqual(idsOf(pages.flat()), idsOf(events));
    for (const page of pages) assert.ok(page.length * text.length < PAGE_SIZE_MAX + 2 * text.length);
    assert.deepEqual(await readEvents(ledger.eventStore.readAll({ prefix: 'large' })), pages.flat());
  });

  it('tells a subscription how far the store is when nothing was for it', async () => {
    await ledger.eventStore.append('mine', NO_STREAM, newEvents(1));
    await ledger.eventStore.append('other', NO_STREAM, newEvents(1_500));
    const follower = new Follower(ledger.eventStore, { prefix: 'mine' });
    await follower.until(() => follower.isCaughtUp);
    assert.deepEqual(
      follower.deliveries.map(({ kind }) => kind),
      ['events', 'checkpoint', 'caught-up'],
    );
    await ledger.eventStore.append('later', NO_STREAM, newEvents(1_500));
    const end = await ledger.eventStore.head('later');
    await follower.until(() => follower.position === end);
    await follower.stop();
  });

  it('refuses files that hold no ledger, and leaves them as they are', async () => {
    await ledger.close();
    const whole = readFileSync(file);
    const damaged = Buffer.from(whole);
    damaged.fill(0xee, 0, 60);
    const cases: Record<string, Buffer> = {
      text: Buffer.from('date;amount\n2026-11-21;12.50\n'.repeat(200)),
      damaged,
      short: whole.subarray(0, whole.length - 4096),
    };
    for (const [name, bytes] of Object.entries(cases)) {
      const refused = join(directory, `${name}.db`);
      writeFileSync(refused, bytes);
      assert.throws(
        () => LedgerDatabase.openFile(refused),
        (error: unknown) => error instanceof DatabaseRefused && error.message.includes(refused),
        name,
      );
      assert.ok(readFileSync(refused).equals(bytes), name);
    }
    copyFileSync(file, join(directory, 'copy.db'));
    await LedgerDatabase.openFile(join(directory, 'copy.db')).close();
  });

  it('makes an index complete whose making was interrupted, with what was written meanwhile', async () => {
    const former = { ...NOTES, indexes: [BY_GROUP] };
    await ledger.documents.ensure([former]);
    await ledger.documents.put(former, notes(MANY));
    const interrupted = ledger.documents.ensure([NOTES]);
    interrupted.catch(() => undefined);
    await nextTurn();
    await ledger.close();
    await interrupted.catch((error: unknown) => assert.ok(error instanceof DocumentsUnavailable));
    // A program that knows nothing of the new indexes writes meanwhile.
    ledger = open();
    await ledger.documents.ensure([former]);
    await ledger.documents.put(former, [{ ...notes(1)[0]!, revision: 2, tags: ['other'] }]);
    await reopen();
    await ledger.documents.ensure([NOTES]);
    const counted = (tags: string): Promise<number> =>
      countOf(ledger.documents, NOTES, { index: 'by_tag', equals: { tags }, limit: MANY + 1 });
    assert.deepEqual([await counted('t'), await counted('other')], [MANY - 1, 1]);
  });

  it('refuses a unique index that the documents do not suit', async () => {
    const former = { ...NOTES, indexes: [BY_GROUP] };
    await ledger.documents.ensure([former]);
    await ledger.documents.put(
      former,
      notes(2).map(note => ({ ...note, email: 'one' })),
    );
    await assert.rejects(ledger.documents.ensure([NOTES]), DuplicateKey);
    await ledger.documents.put(former, notes(1, 5));
    assert.equal(
      await countOf(ledger.documents, former, { index: 'by_group', equals: { group: 'g' }, limit: 9 }),
      3,
    );
  });

  it('removes what has expired, and what is left of a dropped collection', async () => {
    let time = 1_000;
    const later = open({ now: () => time });
    await later.documents.ensure([NOTES]);
    await later.documents.put(
      NOTES,
      notes(MANY).map(note => ({ ...note, expiresAt: 2_000 })),
    );
    await later.documents.put(NOTES, notes(1, MANY));
    time = 2_000;
    await later.documents.purge();
    assert.deepEqual(inFile('SELECT count(*) AS n FROM "documents:notes"'), [{ n: 1 }]);
    assert.deepEqual(inFile('SELECT count(*) AS n FROM "entries:notes:by_tag"'), [{ n: 2 }]);
    inFile("DELETE FROM collections WHERE name = 'notes' RETURNING name");
    await later.close();
    const { documents } = await reopen();
    await documents.purge();
    assert.deepEqual(inFile("SELECT name FROM sqlite_schema WHERE name LIKE '%:notes%'"), []);
    await documents.ensure([NOTES]);
    assert.equal(await documents.get(NOTES, 'k00000'), null);
  });

  it('lets other work run while much is read or written', async () => {
    await ledger.documents.ensure([NOTES]);
    const { documents, eventStore } = ledger;
    await documents.put(NOTES, notes(3 * MANY));
    await eventStore.append('long', NO_STREAM, newEvents(3 * READ_PAGE_EVENTS));
    const dated = { index: 'by_group', equals: { group: 'g' }, limit: 3 * MANY };
    const everywhere = [{ field: 'text', contains: 'note' }];
    for (const [how, work] of Object.entries({
      index: () => documents.query(NOTES, dated),
      search: () => documents.query(NOTES, { ...dated, where: everywhere }),
      range: () => documents.range(NOTES, { from: 'k', before: 'l', limit: 3 * MANY }),
      keys: () =>
        documents.getMany(
          NOTES,
          notes(3 * MANY).map(({ key }) => key),
        ),
      digest: () => documents.digest(NOTES, { from: 'k', before: 'l' }),
      put: () =>
        documents.put(
          NOTES,
          notes(3 * MANY).map(note => ({ ...note, revision: 2 })),
        ),
      stream: () => readEvents(eventStore.readStream('long')),
      all: () => readEvents(eventStore.readAll({ prefix: 'long' })),
      drop: () => documents.drop(NOTES.name),
    })) {
      let turns = 0;
      const working = { isOver: false };
      const count = async (): Promise<void> => {
        for (; !working.isOver; turns += 1) await nextTurn();
      };
      const counting = count();
      await work();
      working.isOver = true;
      await counting;
      assert.ok(turns >= 2, `${turns} turns for others: ${how}`);
    }
  });
});

/** Enough that many commits lie behind the kill. */
const ACKNOWLEDGED_MIN = 200;
const COMMITTING_PROGRAM = `
  const [module, directory, run] = process.argv.slice(2);
  const { LedgerDatabase } = await import(module);
  const ledger = LedgerDatabase.open({ directory });
  const collection = ${JSON.stringify(NOTES)};
  await ledger.documents.ensure([collection]);
  for (let writer = 0; writer < 8; writer += 1) commit('run-' + run + '-' + writer);
  async function commit(stream) {
    for (let expected = -1; ; expected += 1) {
      const id = crypto.randomUUID();
      const events = [{ id, type: 'tested', data: {}, metadata: {} }];
      const writes = [{ collection, documents: [{ key: stream, revision: expected + 1 }] }];
      await ledger.commit({ stream, expected, events, writes });
      process.stdout.write(stream + ' ' + id + '\\n');
    }
  }`;

/** Kills a process that commits. @returns the ids that it had acknowledged, by stream */
async function commitUntilKilled(directory: string, run: number): Promise<Map<string, string[]>> {
  const module = new URL('./ledger-database.js', import.meta.url).href;
  const program = join(directory, 'program.mjs');
  writeFileSync(program, COMMITTING_PROGRAM);
  const child = spawn(process.execPath, [program, module, directory, String(run)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
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
