import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { DocumentsUnavailable, DuplicateKey, type Collection, type Document } from '../documents.js';
import { SCHEMA_STEP_DOCUMENTS } from './collection-schema.js';
import type { DocumentFile } from './document-file.js';
import { GROUPS_SWEPT } from './index-entries.js';
import { WALK_ENTRIES } from './query-plan.js';
import { DOCUMENTS_PER_WRITE } from './file-documents.js';
import { PURGE_INTERVAL_MS, SqliteDocuments, type DocumentFiles } from './sqlite-documents.js';

interface Entry extends Document {
  readonly household?: string;
  readonly date?: string;
  readonly text?: string;
  readonly tags?: readonly string[];
  readonly email?: string;
}

const BY_DATE = { name: 'by_date', equals: ['household'], sort: 'date', covers: ['text'] };
const BY_TAG = { name: 'by_tag', equals: ['household', 'tags'], sort: 'date' };
const BY_EMAIL = { name: 'by_email', equals: ['email'], unique: true };
const VIEWS: Collection<Entry> = {
  name: 'views',
  durability: 'derived',
  indexes: [BY_DATE, BY_TAG, BY_EMAIL],
};

const entry = (number: number): Entry => {
  const key = `k${String(number).padStart(6, '0')}`;
  return {
    key,
    revision: 1,
    household: 'h',
    date: key,
    text: `text ${number}`,
    tags: ['t', key],
    email: key,
  };
};
const entries = (from: number, count: number): Entry[] =>
  Array.from({ length: count }, (_, index) => entry(from + index));

const TURNS_MAX = 10_000;
const MANY = 2_048;

/** Waits in turns of the event loop. */
async function until(condition: () => boolean): Promise<void> {
  for (let turn = 0; !condition(); turn += 1) {
    assert.ok(turn < TURNS_MAX, 'the condition never held');
    await nextTurn();
  }
}

describe('SQLite documents, their upkeep', () => {
  let directory: string;
  let files: DocumentFiles;
  let documents: SqliteDocuments;
  let time: number;

  const open = (): void => {
    files = SqliteDocuments.files({ directory });
    documents = SqliteDocuments.on(files, () => time);
  };
  beforeEach(async () => {
    time = 1_000;
    directory = mkdtempSync(join(tmpdir(), 'documents-upkeep-'));
    open();
  });
  afterEach(async () => {
    await documents.close();
    rmSync(directory, { recursive: true });
  });
  const reopen = async (): Promise<void> => {
    await documents.close();
    open();
    await documents.ensure([VIEWS]);
  };
  /** Rows of an index's table. */
  const rowsIn = (index: string): number =>
    files.derived.read(c => Number(c.row(`SELECT count(*) FROM main."entries:views:${index}"`)?.[0]));
  const tables = (): unknown[] =>
    files.derived.read(c =>
      c.rows("SELECT name FROM main.sqlite_schema WHERE type = 'table'").map(([name]) => name),
    );
  const byDate = async (): Promise<Entry[]> =>
    documents.query(VIEWS, { index: 'by_date', equals: { household: 'h' }, limit: 25_000 });
  const byTag = async (): Promise<Entry[]> =>
    documents.query(VIEWS, { index: 'by_tag', equals: { household: 'h', tags: 't' }, limit: 25_000 });
  const assertStored = async (expected: readonly Entry[]): Promise<void> => {
    assert.deepEqual(await byDate(), expected);
    assert.deepEqual(await byTag(), expected);
  };

  it('outlive a purge that fails for whatever reason, tell it, and purge again later', async t => {
    t.mock.timers.enable({ apis: ['setInterval'] });
    const failures: unknown[] = [];
    const purging = SqliteDocuments.on(
      SqliteDocuments.files({ directory: mkdtempSync(join(directory, 'purging-')) }),
      () => time,
      'write',
      error => failures.push(error),
    );
    const broken = new RangeError('no such index');
    const { mock } = t.mock.method(purging, 'purge', () => Promise.reject(broken));
    t.mock.timers.tick(PURGE_INTERVAL_MS);
    await until(() => failures.length === 1);
    mock.mockImplementation(() => Promise.reject(new DocumentsUnavailable('the disk is full')));
    t.mock.timers.tick(PURGE_INTERVAL_MS);
    await nextTurn();
    assert.equal(mock.callCount(), 2);
    assert.deepEqual(failures, [broken]);
    mock.restore();
    await purging.close();
  });

  describe('entries of indexes', () => {
    beforeEach(() => documents.ensure([VIEWS]));

    it('are found after a start, changed and removed', async () => {
      await documents.put(VIEWS, entries(0, 3));
      await documents.purge();
      await documents.put(VIEWS, entries(3, 3));
      await reopen();
      await assertStored(entries(0, 6));
      const moved = [1, 4].map(number => ({ ...entry(number), revision: 2, date: `moved ${number}` }));
      await documents.put(VIEWS, moved);
      await documents.remove(VIEWS, entry(2).key);
      await documents.remove(VIEWS, entry(5).key);
      const left = [entry(0), entry(3), ...moved];
      await assertStored(left);
      await reopen();
      await assertStored(left);
      await documents.purge();
      assert.equal(rowsIn('by_date'), 4);
      await assertStored(left);
    });

    it('stay consistent when a write fails that had added some', async () => {
      const known = entries(0, MANY - 1);
      await documents.put(VIEWS, known);
      const [added, doubled] = entries(MANY, 2) as [Entry, Entry];
      const last = entry(MANY + 2);
      const failing = documents.put(VIEWS, [added, doubled, { ...last, email: known[0]!.email! }]);
      const succeeding = documents.put(VIEWS, [last]);
      await assert.rejects(failing, DuplicateKey);
      await succeeding;
      await assertStored([...known, last]);
      const [first, ...rest] = known as [Entry, ...Entry[]];
      const moved = { ...first, revision: 2, date: 'moved' };
      await documents.put(VIEWS, [moved, added, doubled]);
      const all = [...rest, added, doubled, last, moved];
      const ofTag = (tags: string): Promise<Entry[]> =>
        documents.query(VIEWS, { index: 'by_tag', equals: { household: 'h', tags }, limit: 10 });
      await assertStored(all);
      for (const each of [added, doubled, last]) assert.deepEqual(await ofTag(each.key), [each]);
      await reopen();
      await assertStored(all);
      for (const each of [added, doubled, last]) assert.deepEqual(await ofTag(each.key), [each]);
    });

    it('are kept of new documents that are put together with known ones', async () => {
      const plain: Collection<Entry> = { ...VIEWS, name: 'plain', indexes: [BY_DATE, BY_TAG] };
      await documents.ensure([plain]);
      const [first, late, newer, last] = entries(0, 4) as [Entry, Entry, Entry, Entry];
      await documents.put(plain, [{ ...late, revision: 5 }, newer]);
      await documents.put(plain, [first, late, { ...newer, revision: 2 }, last]);
      for (const [index, equals] of [
        ['by_date', { household: 'h' }],
        ['by_tag', { household: 'h', tags: 't' }],
      ] as const) {
        const found = await documents.query(plain, { index, equals, limit: 9 });
        assert.deepEqual(found, [first, { ...late, revision: 5 }, { ...newer, revision: 2 }, last]);
      }
    });

    it('are kept of two documents in the place of one', async () => {
      const placed: Collection<Entry> = {
        ...VIEWS,
        name: 'placed',
        indexes: [{ ...BY_DATE, sortUnique: true }],
      };
      await documents.ensure([placed]);
      const other = { ...entry(1), date: entry(0).date! };
      await documents.put(placed, [entry(0)]);
      await documents.put(placed, [other]);
      const query = { index: 'by_date', equals: { household: 'h' }, limit: 9 };
      assert.equal(await documents.count(placed, query), 2);
      await documents.remove(placed, entry(0).key);
      assert.deepEqual(await documents.query(placed, query), [other]);
    });

    it('come before all others where a document has no sort field', async () => {
      const { date, ...undated } = entry(9);
      assert.ok(date);
      await documents.put(VIEWS, [entry(0), undated]);
      assert.deepEqual(await byDate(), [undated, entry(0)]);
    });

    it('are refused where two fields hold an array, and nothing is written of the document', async () => {
      const broken = { name: 'pairs', equals: ['tags', 'text'], sort: 'date' };
      for (const indexes of [[broken], [BY_EMAIL, broken]]) {
        const pairs: Collection<Document> = {
          name: `pairs${indexes.length}`,
          durability: 'derived',
          indexes,
        };
        await documents.ensure([pairs]);
        const stored = { key: 'k', revision: 1, tags: ['t'], text: 'x' };
        await documents.insert(pairs, stored);
        const refused = { ...stored, revision: 2, text: ['x', 'y'] };
        await assert.rejects(documents.put(pairs, [refused]), RangeError);
        await assert.rejects(documents.replace(pairs, refused, 1), RangeError);
        assert.deepEqual(await documents.get(pairs, 'k'), stored);
        const other = { ...refused, key: 'l' };
        await assert.rejects(documents.insert(pairs, other), RangeError);
        await assert.rejects(documents.put(pairs, [other]), RangeError);
        await assert.rejects(documents.put(pairs, [{ ...stored, key: 'm' }, other]), RangeError);
        assert.deepEqual(await documents.getMany(pairs, ['k', 'l', 'm']), [stored]);
      }
    });

    it('are read by another process beside the writing one', async () => {
      const reader = SqliteDocuments.open({ directory, readOnly: true });
      await assert.rejects(reader.ensure([{ ...VIEWS, name: 'others' }]), DocumentsUnavailable);
      await reader.ensure([VIEWS]);
      const query = { index: 'by_tag', equals: { household: 'h', tags: 't' }, limit: 25_000 };
      for (const count of [2, MANY + 2]) {
        await documents.put(VIEWS, entries(0, count));
        assert.deepEqual(await reader.query(VIEWS, query), entries(0, count));
        assert.deepEqual(await reader.get(VIEWS, entry(0).key), entry(0));
        await documents.purge();
        assert.deepEqual(await reader.query(VIEWS, query), entries(0, count));
      }
      await assert.rejects(reader.put(VIEWS, [entry(9)]), DocumentsUnavailable);
      await reader.close();
      await assertStored(entries(0, MANY + 2));
    });
  });

  describe('expired documents', () => {
    beforeEach(() => documents.ensure([VIEWS]));

    it('are removed from the file with their entries, however many', async () => {
      const expiring = entries(0, DOCUMENTS_PER_WRITE * 2 + 3).map(each => ({ ...each, expiresAt: 2_000 }));
      const staying = entries(DOCUMENTS_PER_WRITE * 3, 2);
      await documents.put(VIEWS, [...expiring, ...staying]);
      const rows = (): number =>
        files.derived.read(c => Number(c.row('SELECT count(*) FROM main."documents:views"')?.[0]));
      time = 1_999;
      await documents.purge();
      assert.equal(rows(), expiring.length + staying.length);
      time = 2_000;
      await documents.purge();
      assert.equal(rows(), staying.length);
      assert.deepEqual([rowsIn('by_tag'), rowsIn('by_email')], [4, 2]);
      await assertStored(staying);
    });
  });

  describe('groups of entries', () => {
    beforeEach(() => documents.ensure([VIEWS]));

    it('are forgotten when their last entry is gone, and made anew', async () => {
      const groups = (): number =>
        files.derived.read(c => Number(c.row('SELECT count(*) FROM main."groups:views:by_tag"')?.[0]));
      const stored = entries(0, GROUPS_SWEPT + 8);
      await documents.put(VIEWS, stored);
      assert.equal(groups(), stored.length + 1);
      const [left, gone] = [stored.slice(0, -10), stored.slice(-10)];
      await documents.removePrefix(VIEWS, 'k00051');
      assert.deepEqual(gone[0], entry(510));
      // One sweep looks at some of them only, and begins again when it has come to the last.
      await documents.purge();
      assert.equal(groups(), stored.length, 'that of the first one that is gone is');
      await documents.purge();
      assert.equal(groups(), left.length + 1);
      await documents.remove(VIEWS, left.shift()!.key);
      await documents.purge();
      await documents.purge();
      assert.equal(groups(), left.length + 1);
      await documents.put(VIEWS, gone.slice(0, 2));
      await assertStored([...left, ...gone.slice(0, 2)]);
      await reopen();
      await assertStored([...left, ...gone.slice(0, 2)]);
      const query = { index: 'by_tag', equals: { household: 'h', tags: gone[1]!.key }, limit: 9 };
      assert.deepEqual(await documents.query(VIEWS, query), [gone[1]]);
    });
  });

  it('search under a group without entries that only the covering index has forgotten', async () => {
    const covered: Collection<Entry> = {
      ...VIEWS,
      name: 'covered',
      indexes: [BY_DATE, { ...BY_TAG, coveredBy: BY_DATE.name }],
    };
    await documents.ensure([covered]);
    const tags = Array.from({ length: GROUPS_SWEPT + 1 }, (_, at) => `tag ${at}`);
    await documents.put(covered, [{ ...entry(0), tags }]);
    await documents.remove(covered, entry(0).key);
    await documents.purge();
    const where = [{ field: 'text', contains: 'text' }];
    const query = { index: 'by_tag', equals: { household: 'h', tags: tags.at(-1)! }, where, limit: 9 };
    assert.deepEqual(await documents.query(covered, query), []);
  });

  it('look up a group that was made anew also where another process has read it before', async () => {
    await documents.ensure([VIEWS]);
    const [one, other] = [entry(0), { ...entry(1), household: 'other' }] as const;
    await documents.put(VIEWS, [one, other]);
    const reader = SqliteDocuments.open({ directory, readOnly: true });
    await reader.ensure([VIEWS]);
    const query = { index: 'by_date', equals: { household: 'h' }, limit: 9 };
    const assertFound = async (): Promise<void> => {
      const where = [{ field: 'text', contains: 'text' }];
      assert.deepEqual(await reader.query(VIEWS, { ...query, where }), [one]);
      assert.deepEqual(await reader.query(VIEWS, query), [one]);
      assert.equal(await reader.count(VIEWS, query), 1);
    };
    await assertFound();
    assert.deepEqual(await reader.query(VIEWS, { ...query, equals: { household: 'nobody' } }), []);
    await documents.remove(VIEWS, one.key);
    await documents.purge();
    await documents.put(VIEWS, [one]);
    await assertFound();
    await reader.close();
  });

  describe('definitions', () => {
    it('are needed before a collection is used', async () => {
      await assert.rejects(documents.get(VIEWS, 'k'), RangeError);
      await assert.rejects(documents.put(VIEWS, [entry(0)]), RangeError);
    });

    it('cannot move a collection to the other durability', async () => {
      await documents.ensure([VIEWS]);
      await assert.rejects(documents.ensure([{ ...VIEWS, durability: 'durable' }]), RangeError);
      await documents.put(VIEWS, [entry(0)]);
      await assertStored([entry(0)]);
    });

    it('make an index complete whose filling was interrupted', async () => {
      const former = { ...VIEWS, indexes: [BY_DATE] };
      const stored = entries(0, SCHEMA_STEP_DOCUMENTS * 4);
      await documents.ensure([former]);
      await documents.put(former, stored);
      const interrupted = documents.ensure([VIEWS]);
      await until(() => tables().includes('entries:views:by_tag') && rowsIn('by_tag') > 0);
      await documents.close();
      await assert.rejects(interrupted, DocumentsUnavailable);
      // A program that knows nothing of the new index writes meanwhile.
      open();
      await documents.ensure([former]);
      const changed = { ...entry(0), revision: 2, tags: ['other'] };
      await documents.put(former, [changed]);
      await reopen();
      assert.deepEqual(await byDate(), [changed, ...stored.slice(1)]);
      assert.deepEqual(await byTag(), stored.slice(1));
    });

    it('keep an index in step with writes that come while it is filled', async () => {
      const former = { ...VIEWS, indexes: [BY_DATE] };
      const stored = entries(0, SCHEMA_STEP_DOCUMENTS * 4);
      await documents.ensure([former]);
      await documents.put(former, stored);
      const ensured = documents.ensure([VIEWS]);
      await until(() => tables().includes('entries:views:by_tag') && rowsIn('by_tag') > 0);
      const [first, last] = [entry(0), stored.at(-1)!];
      await documents.put(VIEWS, [{ ...first, revision: 2, tags: ['t', 'changed'] }]);
      await documents.remove(VIEWS, last.key);
      await documents.put(VIEWS, [entry(stored.length)]);
      await ensured;
      const expected = [
        { ...first, revision: 2, tags: ['t', 'changed'] },
        ...stored.slice(1, -1),
        entry(stored.length),
      ];
      await assertStored(expected);
      await reopen();
      await assertStored(expected);
    });

    it('keep what is computed of documents when an index is added after a start', async () => {
      const computed: Collection<Entry> = {
        name: 'computed',
        durability: 'derived',
        indexes: [{ name: 'by_home', equals: ['home'], sort: 'date' }],
        indexed: ({ household }) => ({ home: `home of ${household}` }),
      };
      await documents.ensure([computed]);
      await documents.put(computed, [entry(0)]);
      await reopen();
      const latter = { ...computed, indexes: [...computed.indexes, BY_DATE] };
      await documents.ensure([latter]);
      const query = { index: 'by_home', equals: { home: 'home of h' }, limit: 9 };
      assert.deepEqual(await documents.query(latter, query), [entry(0)]);
      assert.deepEqual(
        await documents.query(latter, { index: 'by_date', equals: { household: 'h' }, limit: 9 }),
        [entry(0)],
      );
    });

    it('refuse a unique index that the documents do not suit, and stay as they were', async () => {
      const former = { ...VIEWS, indexes: [BY_DATE, BY_TAG] };
      await documents.ensure([former]);
      await documents.put(former, [entry(0), { ...entry(1), email: entry(0).email! }]);
      await assert.rejects(documents.ensure([VIEWS]), DuplicateKey);
      await documents.put(former, [entry(2)]);
      assert.equal((await byTag()).length, 3);
      await documents.close();
      open();
      await assert.rejects(documents.ensure([VIEWS]), DuplicateKey);
      await assert.rejects(byTag(), RangeError, 'nothing is known of it then');
    });
  });

  it('purge on while a collection is dropped', async () => {
    const other: Collection<Entry> = { ...VIEWS, name: 'other' };
    await documents.ensure([VIEWS, other]);
    const expired = entries(0, DOCUMENTS_PER_WRITE * 10).map(each => ({ ...each, expiresAt: time }));
    await documents.put(VIEWS, expired);
    const purged = documents.purge();
    await documents.drop(other.name);
    assert.ok(rowsIn('by_date') > 0, 'the purge has not come to the other collection yet');
    await purged;
    assert.equal(rowsIn('by_date'), 0);
    await assert.rejects(documents.get(other, 'k'), RangeError);
  });

  it('drop a collection whose index is being filled once that is complete', async () => {
    const former = { ...VIEWS, indexes: [BY_DATE] };
    await documents.ensure([former]);
    await documents.put(former, entries(0, SCHEMA_STEP_DOCUMENTS * 8));
    const ensured = documents.ensure([VIEWS]);
    await until(() => tables().includes('entries:views:by_tag') && rowsIn('by_tag') > 0);
    await documents.drop(VIEWS.name);
    await ensured;
    assert.deepEqual(tables(), ['definitions']);
  });

  const isUndefined = (): boolean =>
    files.derived.read(c => c.rows('SELECT 1 FROM main.definitions')).length === 0;
  const interruptDropping = async (when = isUndefined): Promise<void> => {
    await documents.ensure([VIEWS]);
    await documents.put(VIEWS, entries(0, SCHEMA_STEP_DOCUMENTS * 3));
    const dropped = documents.drop(VIEWS.name);
    await until(when);
    await documents.close();
    await assert.rejects(dropped, DocumentsUnavailable);
    open();
    assert.ok(tables().length > 1);
  };

  it('finish dropping a collection after an interruption', async () => {
    await interruptDropping();
    await documents.purge();
    assert.deepEqual(tables(), ['definitions']);
    await documents.ensure([VIEWS]);
    await documents.put(VIEWS, [entry(1)]);
    await assertStored([entry(1)]);
  });

  it('finish dropping a collection of which some tables are gone', async () => {
    await documents.ensure([VIEWS]);
    const { length } = tables();
    await interruptDropping(() => tables().length < length);
    await documents.purge();
    assert.deepEqual(tables(), ['definitions']);
  });

  it('spare a collection that is made anew while its remains are removed', async () => {
    await interruptDropping();
    const purged = documents.purge();
    await documents.ensure([VIEWS]);
    await documents.put(VIEWS, [entry(1)]);
    await purged;
    await assertStored([entry(1)]);
  });

  it('keep derived documents in large pages, and copy the log into a file when it has 24 MiB', () => {
    const pragma = (file: DocumentFile, name: string): unknown =>
      file.read(c => c.row(`PRAGMA ${name}`, []))?.[0];
    assert.equal(pragma(files.derived, 'page_size'), 8_192);
    for (const file of [files.derived, files.durable]) {
      const bytes = Number(pragma(file, 'page_size')) * Number(pragma(file, 'wal_autocheckpoint'));
      assert.equal(bytes, 24 * 1024 * 1024);
    }
  });

  /** How many turns of the event loop others have while something is answered. */
  const turnsDuring = async (answer: () => Promise<unknown>): Promise<number> => {
    let turns = 0;
    const answered = new AbortController();
    const counting = (async () => {
      for (; !answered.signal.aborted; turns += 1) await nextTurn();
    })();
    await answer();
    answered.abort();
    await counting;
    return turns;
  };

  it('let other work run while a search walks through many entries', async () => {
    await documents.ensure([VIEWS]);
    const walks = 6;
    await documents.put(VIEWS, entries(0, WALK_ENTRIES * walks));
    const turns = await turnsDuring(async () => {
      const found = await documents.query(VIEWS, {
        index: 'by_date',
        equals: { household: 'h' },
        where: [{ field: 'text', contains: 'nowhere' }],
        limit: 100,
      });
      assert.deepEqual(found, []);
    });
    // One between each two walks.
    assert.ok(turns >= walks - 1, `${turns} turns`);
  });

  const range = { from: 'k', before: 'l' };
  const dated = { index: 'by_date', equals: { household: 'h' }, limit: MANY };
  const long: readonly [string, () => Promise<unknown>][] = [
    ['by a digest', () => documents.digest(VIEWS, range)],
    [
      'by their keys',
      () =>
        documents.getMany(
          VIEWS,
          entries(0, MANY).map(({ key }) => key),
        ),
    ],
    ['in a range of keys', () => documents.range(VIEWS, { ...range, limit: MANY })],
    ['by an index', () => documents.query(VIEWS, dated)],
    ['by a search', () => documents.query(VIEWS, { ...dated, where: [{ field: 'text', contains: 'text' }] })],
  ];
  for (const [how, answer] of long) {
    it(`let other work run while many documents are read ${how}`, async () => {
      await documents.ensure([VIEWS]);
      await documents.put(VIEWS, entries(0, MANY));
      const turns = await turnsDuring(answer);
      assert.ok(turns >= 3, `${turns} turns`);
    });
  }
});
