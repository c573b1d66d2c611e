import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { Collection, Document } from '../documents.js';
import { KnownDocuments } from './known-documents.js';
import { SqliteDocuments } from './sqlite-documents.js';

interface Note extends Document {
  readonly text: string;
}

const NOTES: Collection<Note> = { name: 'notes', durability: 'durable', indexes: [] };
const note = (key: string, revision = 1, text = key): Note => ({ key, revision, text });

describe('known documents', () => {
  it('stay while they are asked for, and are given up otherwise when all together grow too large', () => {
    const known = new KnownDocuments(20_000);
    for (const key of ['used', 'unused']) known.note(NOTES, note(key), 1_000);
    for (let number = 0; number < 12; number += 1) {
      known.note(NOTES, note(`other ${number}`), 1_000);
      assert.ok(known.find(NOTES, 'used'), `gone after ${number}`);
    }
    assert.equal(known.find(NOTES, 'unused'), undefined);
    assert.equal(known.find(NOTES, 'other 0'), undefined);
    assert.ok(known.find(NOTES, 'other 11'));
  });

  it('are forgotten together, young and old ones, and others are not', () => {
    const known = new KnownDocuments(20_000);
    for (const key of ['old', 'kept']) known.note(NOTES, note(key), 1_000);
    known.note(NOTES, note('young'), 1_000);
    known.forgetEach('other', ['old', 'kept', 'young']);
    for (const key of ['old', 'kept', 'young']) assert.ok(known.find(NOTES, key), key);
    known.forgetEach(NOTES.name, ['old', 'young', 'unknown']);
    assert.equal(known.find(NOTES, 'old'), undefined);
    assert.equal(known.find(NOTES, 'young'), undefined);
    assert.ok(known.find(NOTES, 'kept'));
  });

  it('are forgotten wholly, also when they were old and are young again', () => {
    const known = new KnownDocuments(20_000);
    for (const key of ['a', 'b', 'c']) known.note(NOTES, note(key), 1_000);
    assert.ok(known.find(NOTES, 'a'));
    known.forget(NOTES, 'a');
    assert.equal(known.find(NOTES, 'a'), undefined);
  });

  it('take no more than the bound, the young and the old ones together', () => {
    const known = new KnownDocuments(20_000);
    const keys = Array.from({ length: 12 }, (_, number) => `note ${number}`);
    for (const key of keys) known.note(NOTES, note(key), 1_000);
    const kept = keys.filter(key => known.find(NOTES, key));
    assert.ok(kept.length > 0 && kept.length * (300 + 4 * 1_000) <= 20_000, `${kept.length} were kept`);
  });

  it('count once, however often they are noted', () => {
    const known = new KnownDocuments(10_000);
    known.note(NOTES, note('a'), 1_000);
    for (let time = 0; time < 10; time += 1) known.note(NOTES, note('b'), 1_000);
    assert.ok(known.find(NOTES, 'a'));
  });
});

describe('SQLite documents that were read before', () => {
  let directory: string;
  let documents: SqliteDocuments;
  let time = 0;

  before(async () => {
    directory = mkdtempSync(join(tmpdir(), 'known-documents-'));
    const thread = new URL('./contract-writer.scenario.js', import.meta.url);
    documents = SqliteDocuments.openWritingBehind({ directory, now: () => time }, thread);
    await documents.ensure([NOTES]);
  });
  after(async () => {
    await documents.close();
    rmSync(directory, { recursive: true, force: true });
  });

  /** Every way of asking for one document. */
  async function seen(key: string): Promise<(string | null)[]> {
    const one = await documents.get(NOTES, key);
    const [many] = await documents.getMany(NOTES, [key, key]);
    return [one?.text ?? null, many?.text ?? null];
  }

  it('are read each time where another process may write', async () => {
    const open = SqliteDocuments.open({ directory: join(directory, 'open') });
    await open.ensure([NOTES]);
    await open.insert(NOTES, note('each'));
    assert.notEqual(await open.get(NOTES, 'each'), await open.get(NOTES, 'each'));
    await open.close();
  });

  it('are read once', async () => {
    await documents.insert(NOTES, note('once'));
    assert.equal(await documents.get(NOTES, 'once'), await documents.get(NOTES, 'once'));
  });

  const changes: readonly [string, () => Promise<unknown>, readonly (string | number | null)[]][] = [
    ['put', () => documents.put(NOTES, [note('k', 2, 'put')]), ['put', 'put']],
    ['replaced', () => documents.replace(NOTES, note('k', 3, 'replaced'), 2), ['replaced', 'replaced']],
    ['removed', () => documents.remove(NOTES, 'k'), [null, null]],
    ['inserted', () => documents.insert(NOTES, note('k', 1, 'new')), ['new', 'new']],
    ['removed by prefix', () => documents.removePrefix(NOTES, 'k'), [null, null]],
  ];
  for (const [name, change, expected] of changes) {
    it(`are read anew once they are ${name}`, async () => {
      await seen('k');
      await change();
      assert.deepEqual(await seen('k'), expected);
      assert.deepEqual(await seen('k'), expected);
    });
  }

  it('are answered once each, however often they are asked for together', async () => {
    await documents.insert(NOTES, note('twice'));
    await documents.get(NOTES, 'twice');
    assert.deepEqual(await documents.getMany(NOTES, ['twice', 'twice']), [note('twice')]);
  });

  it('are read anew once others are inserted where they expired', async () => {
    await documents.insert(NOTES, { ...note('reborn'), expiresAt: time + 10 });
    await seen('reborn');
    time += 10;
    await documents.insert(NOTES, note('reborn', 1, 'new'));
    assert.deepEqual(await seen('reborn'), ['new', 'new']);
  });

  it('are known no longer once their collection is dropped', async () => {
    const dropped: Collection<Note> = { ...NOTES, name: 'dropped' };
    await documents.ensure([dropped]);
    await documents.insert(dropped, note('k'));
    assert.deepEqual(await documents.get(dropped, 'k'), note('k'));
    await documents.drop(dropped.name);
    await documents.ensure([dropped]);
    assert.equal(await documents.get(dropped, 'k'), null);
  });

  it('are there no longer from the millisecond on at which they expire', async () => {
    await documents.insert(NOTES, { ...note('short'), expiresAt: 100 });
    time = 99;
    assert.deepEqual(await seen('short'), ['short', 'short']);
    time = 100;
    assert.deepEqual(await seen('short'), [null, null]);
    await documents.purge();
    assert.deepEqual(await seen('short'), [null, null]);
  });
});
