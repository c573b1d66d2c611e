import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { createInterface } from 'node:readline';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { DatabaseSync } from '@photostructure/sqlite';
import { DatabaseRefused } from '#sqlite/unavailable';
import { DocumentsUnavailable, type Collection, type Document } from '../documents.js';
import { SqliteDocuments, type DocumentFiles } from './sqlite-documents.js';

interface Entry extends Document {
  readonly household?: string;
  readonly date?: string;
  readonly tags?: readonly string[];
  readonly filler?: string;
}

const INDEXES = [
  { name: 'by_date', equals: ['household'], sort: 'date' },
  { name: 'by_tag', equals: ['household', 'tags'], sort: 'date' },
];
const RECORDS: Collection<Entry> = { name: 'records', durability: 'durable', indexes: INDEXES };
const VIEWS: Collection<Entry> = { name: 'views', durability: 'derived', indexes: INDEXES };
const BOTH = [RECORDS, VIEWS];
/** Answered writes after which the writing process is killed. */
const KILLED_AFTER = 150;

describe('SQLite documents under faults', () => {
  let directory: string;
  let files: DocumentFiles;
  let documents: SqliteDocuments;

  beforeEach(async () => {
    directory = mkdtempSync(join(tmpdir(), 'documents-faults-'));
    files = SqliteDocuments.files({ directory });
    documents = SqliteDocuments.on(files);
    await documents.ensure(BOTH);
  });
  afterEach(async () => {
    await documents.close();
    rmSync(directory, { recursive: true });
  });
  const reopen = async (): Promise<void> => {
    await documents.close();
    files = SqliteDocuments.files({ directory });
    documents = SqliteDocuments.on(files);
  };
  /** Cuts the texts of these documents short, as a disk might; `also` sets other columns of them. */
  const damage = async (collection: string, keys: readonly string[], also = ''): Promise<void> => {
    await reopen();
    const database = new DatabaseSync(join(directory, 'views.db'));
    const chosen = JSON.stringify(keys).replaceAll('"', "'").slice(1, -1);
    database.exec(`UPDATE "documents:${collection}" SET body = '{"key":'${also} WHERE key IN (${chosen})`);
    database.close();
  };

  it('keep every answered write when the process is killed', async () => {
    await documents.close();
    const script = `
      import { SqliteDocuments } from ${JSON.stringify(import.meta.resolve('./sqlite-documents.js'))};
      const [directory, collections] = [${JSON.stringify(directory)}, ${JSON.stringify(BOTH)}];
      const documents = SqliteDocuments.open({ directory });
      await documents.ensure(collections);
      for (let number = 0; ; number += 1) {
        const key = String(number).padStart(6, '0');
        const document = { key, revision: 1, household: 'h', date: key, tags: ['t', 'u'] };
        await Promise.all(collections.map(collection => documents.put(collection, [document])));
        console.log(key);
      }`;
    const writer = spawn(process.execPath, ['--input-type=module', '--eval', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const answered: string[] = [];
    for await (const key of createInterface({ input: writer.stdout })) {
      answered.push(key);
      if (answered.length === KILLED_AFTER) writer.kill('SIGKILL');
    }
    if (writer.exitCode === null && writer.signalCode === null) await once(writer, 'exit');
    assert.equal(writer.signalCode, 'SIGKILL');
    await reopen();
    await documents.ensure(BOTH);
    for (const collection of BOTH) {
      for (const [index, equals] of [
        ['by_date', { household: 'h' }],
        ['by_tag', { household: 'h', tags: 'u' }],
      ] as const) {
        const found = await documents.query(collection, { index, equals, limit: 25_000 });
        const keys = new Set(found.map(({ key }) => key));
        assert.deepEqual(
          answered.filter(key => !keys.has(key)),
          [],
        );
        assert.equal(found.length, keys.size);
      }
    }
  });

  for (const [collection, which] of [
    [RECORDS, 'durable'],
    [VIEWS, 'derived'],
  ] as const) {
    it(`refuse writes to a full disk, read on, and heal (${which})`, async () => {
      const stored = { key: 'kept', revision: 1, household: 'h', tags: ['t'] };
      await documents.put(collection, [stored]);
      const limitPages = (pages: number): unknown =>
        files[which].read(c => c.db.exec(`PRAGMA max_page_count = ${pages}`));
      limitPages(1);
      const large = { key: 'large', revision: 1, household: 'h', tags: ['t'], filler: 'x'.repeat(100_000) };
      await assert.rejects(documents.put(collection, [large]), DocumentsUnavailable);
      await assert.rejects(documents.insert(collection, large), DocumentsUnavailable);
      await assert.rejects(documents.ping(), DocumentsUnavailable);
      const query = { index: 'by_tag', equals: { household: 'h', tags: 't' }, limit: 9 };
      assert.deepEqual(await documents.get(collection, 'kept'), stored);
      assert.equal(await documents.get(collection, 'large'), null);
      assert.deepEqual(await documents.query(collection, query), [stored]);
      limitPages(1_000_000);
      await documents.put(collection, [large]);
      await documents.ping();
      assert.deepEqual(await documents.query(collection, query), [stored, large]);
    });
  }

  it('wait for a lock of another process, reading on meanwhile', async () => {
    await documents.put(VIEWS, [{ key: 'k', revision: 1, household: 'h' }]);
    const other = new DatabaseSync(join(directory, 'views.db'));
    other.exec('BEGIN IMMEDIATE');
    const written = documents.put(VIEWS, [{ key: 'k', revision: 2, household: 'h' }]);
    for (let turn = 0; turn < 3; turn += 1) await nextTurn();
    assert.equal((await documents.get(VIEWS, 'k'))?.revision, 1);
    await documents.put(RECORDS, [{ key: 'k', revision: 1 }]);
    other.exec('ROLLBACK');
    await written;
    assert.equal((await documents.get(VIEWS, 'k'))?.revision, 2);
    other.close();
  });

  for (const name of ['records.db', 'views.db']) {
    it(`refuse a ${name} of another program, unchanged`, async () => {
      await documents.close();
      const file = join(directory, name);
      for (const suffix of ['', '-wal', '-shm']) rmSync(file + suffix, { force: true });
      const foreign = new DatabaseSync(file);
      foreign.exec('CREATE TABLE notes (note TEXT); INSERT INTO notes VALUES (1)');
      foreign.close();
      const bytes = readFileSync(file);
      assert.throws(() => SqliteDocuments.open({ directory }), DatabaseRefused);
      assert.deepEqual(readFileSync(file), bytes);
    });

    it(`refuse a ${name} that is no database, unchanged`, async () => {
      await documents.close();
      const file = join(directory, name);
      writeFileSync(file, 'these are my notes\n'.repeat(100));
      const bytes = readFileSync(file);
      assert.throws(() => SqliteDocuments.open({ directory }), DatabaseRefused);
      assert.deepEqual(readFileSync(file), bytes);
    });

    it(`refuse a ${name} that was cut short, unchanged`, async () => {
      await documents.close();
      const file = join(directory, name);
      truncateSync(file, 50);
      assert.throws(() => SqliteDocuments.open({ directory }), DatabaseRefused);
      assert.equal(readFileSync(file).length, 50);
    });
  }

  it('name a document of which the text is damaged, the first one of a range', async () => {
    const keys = Array.from({ length: 600 }, (_, at) => `k${String(at).padStart(3, '0')}`);
    await documents.put(
      VIEWS,
      keys.map(key => ({ key, revision: 1 })),
    );
    await damage('views', ['k300', 'k550']);
    await documents.ensure(BOTH);
    const damaged = (key: string) => ({ name: 'DamagedDocument', collection: 'views', key });
    await assert.rejects(documents.get(VIEWS, 'k550'), damaged('k550'));
    for (const limit of [400, 600]) {
      await assert.rejects(documents.range(VIEWS, { from: 'k', before: 'l', limit }), damaged('k300'));
    }
    const behind = await documents.range(VIEWS, { from: 'k301', before: 'k550', limit: 600 });
    assert.deepEqual(
      behind.map(({ key }) => key),
      keys.slice(301, 550),
    );
  });

  it('name a damaged document however it is asked for', async () => {
    const covering = { name: 'by_household', equals: ['household'], sort: 'date', covers: ['filler'] };
    const covered: Collection<Entry> = { name: 'covered', durability: 'derived', indexes: [covering] };
    const keys = Array.from({ length: 600 }, (_, at) => `k${String(at).padStart(3, '0')}`);
    await documents.ensure([...BOTH, covered]);
    await documents.put(
      covered,
      keys.map(key => ({ key, revision: 1, household: 'h', date: key, filler: `text of ${key}` })),
    );
    await damage('covered', ['k300', 'k550']);
    await documents.ensure([...BOTH, covered]);
    const damaged = (key: string) => ({ name: 'DamagedDocument', collection: 'covered', key });
    const query = { index: 'by_household', equals: { household: 'h' } };
    for (const limit of [400, 600]) {
      await assert.rejects(documents.query(covered, { ...query, limit }), damaged('k300'));
      const descending = { ...query, order: 'descending', limit } as const;
      await assert.rejects(documents.query(covered, descending), damaged('k550'));
    }
    const sought = { ...query, where: [{ field: 'filler', contains: 'k55' }], limit: 20 };
    await assert.rejects(documents.query(covered, sought), damaged('k550'));
    await assert.rejects(documents.getMany(covered, ['k301', 'k300']), damaged('k300'));
    const sound = await documents.getMany(covered, keys.slice(301, 550));
    assert.equal(sound.length, 249);
    const behind = await documents.query(covered, {
      ...query,
      after: { sort: 'k300', key: 'k300' },
      limit: 249,
    });
    assert.deepEqual(
      behind.map(({ key }) => key),
      keys.slice(301, 550),
    );
  });

  it('replace and remove damaged documents, with what the indexes hold of them', async () => {
    const keys = ['k1', 'k2', 'k3', 'k4'];
    const entry = (key: string, revision: number, tags: readonly string[]): Entry => ({
      key,
      revision,
      household: 'h',
      date: key,
      tags,
    });
    const old = keys.map(key => entry(key, 1, ['old']));
    await documents.put(VIEWS, [...old.slice(0, 3), { ...old[3]!, expiresAt: Date.now() + 3_600_000 }]);
    await damage('views', ['k1', 'k2']);
    await damage('views', ['k4'], ', expires_at = 1');
    await documents.ensure(BOTH);
    const tagged = async (tag: string): Promise<string[]> => {
      const equals = { household: 'h', tags: tag };
      const found = await documents.query(VIEWS, { index: 'by_tag', equals, limit: 9 });
      return found.map(({ key }) => key);
    };
    await documents.put(VIEWS, [entry('k1', 2, ['new'])]);
    await documents.remove(VIEWS, 'k2');
    await documents.put(VIEWS, [entry('k4', 2, ['new'])]);
    assert.deepEqual(await tagged('old'), ['k3']);
    assert.deepEqual(await tagged('new'), ['k1', 'k4']);
    assert.deepEqual(await documents.get(VIEWS, 'k1'), entry('k1', 2, ['new']));
    assert.equal(await documents.get(VIEWS, 'k2'), null);
  });

  it('sweep expired documents away of which the text is damaged, with what the indexes hold of them', async () => {
    const stored = ['k1', 'k2'].map(key => ({
      key,
      revision: 1,
      household: 'h',
      date: key,
      tags: ['t', 'u'],
    }));
    await documents.put(VIEWS, stored);
    await damage('views', ['k1'], ', expires_at = 1');
    await documents.ensure(BOTH);
    await documents.purge();
    const rowsIn = (table: string): number =>
      files.derived.read(c => Number(c.row(`SELECT count(*) FROM main."${table}"`)?.[0]));
    const tables = ['documents:views', 'entries:views:by_date', 'entries:views:by_tag'];
    assert.deepEqual(tables.map(rowsIn), [1, 1, 2]);
  });

  it('name the damaged document when an index is added that needs its text', async () => {
    const plain: Collection<Entry> = { ...VIEWS, name: 'plain', indexes: [] };
    const stored = ['k1', 'k2', 'k3'].map(key => ({ key, revision: 1, household: 'h', tags: ['t'] }));
    await documents.ensure([plain]);
    await documents.put(plain, stored);
    await damage('plain', ['k2']);
    const indexed: Collection<Entry> = { ...plain, indexes: INDEXES };
    await assert.rejects(documents.ensure([indexed]), {
      name: 'DamagedDocument',
      collection: 'plain',
      key: 'k2',
    });
    await documents.ensure([plain]);
    await documents.put(plain, [{ ...stored[1]!, revision: 2 }]);
    await documents.ensure([indexed]);
    const query = { index: 'by_date', equals: { household: 'h' }, limit: 9 };
    assert.equal((await documents.query(indexed, query)).length, 3);
  });

  it('are unavailable while a file is gone, and serve again when it is back', async () => {
    await documents.put(VIEWS, [{ key: 'k', revision: 1 }]);
    await documents.ping();
    const file = join(directory, 'views.db');
    renameSync(file, `${file}.away`);
    await assert.rejects(documents.ping(), DocumentsUnavailable);
    await assert.rejects(documents.put(VIEWS, [{ key: 'k', revision: 2 }]), DocumentsUnavailable);
    renameSync(`${file}.away`, file);
    await documents.ping();
    await documents.put(VIEWS, [{ key: 'k', revision: 2 }]);
    assert.equal((await documents.get(VIEWS, 'k'))?.revision, 2);
  });
});
