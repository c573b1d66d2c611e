import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { until } from '../../../../test/until.js';
import { DocumentsUnavailable } from '../documents.js';
import type { FileDocuments } from './file-documents.js';
import { NOTES, note, OF_OWNER, PLAIN, storedNotes, type Note } from './notes.scenario.js';
import { SqliteDocuments } from './sqlite-documents.js';
import type { SuccessiveBatch } from './successive-batches.js';
import { ThreadWriter } from './thread-writer.js';

describe('the thread that writes documents', () => {
  const program = new URL('./contract-writer.scenario.js', import.meta.url);
  let directory: string;
  /** What is closed though a test fails: a thread keeps its process alive. */
  const opened: { close(): Promise<void> }[] = [];

  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'writer-thread-'));
  });
  afterEach(async () => {
    for (const each of opened.splice(0)) await each.close();
    rmSync(directory, { recursive: true });
  });

  async function endOfThread(documents: SqliteDocuments): Promise<void> {
    const { derived } = documents as unknown as {
      derived: { writer: { worker: { terminate(): Promise<void> } } };
    };
    await derived.writer.worker.terminate();
  }

  it('is started again after its end, and knows its collections', async () => {
    const documents = SqliteDocuments.openWritingBehind({ directory }, program);
    await documents.ensure([NOTES]);
    await documents.put(NOTES, [note('a')]);
    assert.equal((await documents.query(NOTES, OF_OWNER)).length, 1);
    await endOfThread(documents);
    await documents.put(NOTES, [note('b')]);
    assert.equal((await documents.query(NOTES, OF_OWNER)).length, 2);
    await documents.close();
  });

  /** The thread's writer without the documents before it. */
  function writerOfNotes(start = program): ThreadWriter {
    const file = join(directory, 'views.db');
    const options = { synchronous: 'NORMAL', cacheBytes: 1_000_000, readOnly: false } as const;
    return new ThreadWriter(start, { ...options, file, thread: 'writes' }, Date.now);
  }

  function batchOf(number: number, follows: number | null, collection: string): SuccessiveBatch {
    const bodies = [JSON.stringify(note(`n${number}`))];
    return { number, follows, documents: [{ collection, bodies, described: null }] };
  }

  it('writes nothing behind what it could not write', async () => {
    const writer = writerOfNotes();
    opened.push(writer);
    await writer.ensure([NOTES]);
    const ends = await Promise.allSettled([
      writer.call('putInTurn', batchOf(1, null, 'unknown')),
      writer.call('putInTurn', batchOf(2, 1, NOTES.name)),
      writer.call('putInTurn', batchOf(3, null, NOTES.name)),
      writer.call('putInTurn', batchOf(4, 3, NOTES.name)),
    ]);
    assert.deepEqual(
      ends.map(({ status }) => status),
      ['rejected', 'rejected', 'fulfilled', 'fulfilled'],
    );
    assert.deepEqual(await storedNotes(directory, ['n1', 'n2', 'n3', 'n4']), [note('n3'), note('n4')]);
  });

  it('tells where it failed, and why', async () => {
    const writer = writerOfNotes(new URL('./forgetful-writer.scenario.js', import.meta.url));
    opened.push(writer);
    writeFileSync(join(directory, 'views.db.once'), '');
    await assert.rejects(writer.ensure([NOTES]), ({ message, stack, cause }: Error) => {
      assert.equal(message, 'the collections are not taken up');
      assert.match(stack!, /^ +at .*forgetful-writer/m);
      assert.match(String(cause), /^RangeError: there is a file$/);
      const causes: string[] = [];
      for (let each = cause; each instanceof Error; each = each.cause) causes.push(each.message);
      assert.deepEqual(causes, ['there is a file', 'there is a file', 'there is a file']);
      return true;
    });
  });

  it('is started again when it could not take its collections up', async () => {
    const forgetful = new URL('./forgetful-writer.scenario.js', import.meta.url);
    const documents = SqliteDocuments.openWritingBehind({ directory }, forgetful);
    opened.push(documents);
    await documents.ensure([NOTES]);
    writeFileSync(join(directory, 'views.db.once'), '');
    await endOfThread(documents);
    await documents.put(NOTES, [note('a')]);
    await assert.rejects(documents.query(NOTES, OF_OWNER));
    // Until that thread has ended.
    let found: readonly Note[] | null = null;
    await until(async () => {
      found = await documents.query(NOTES, OF_OWNER).catch(() => null);
      return found !== null;
    });
    assert.deepEqual(found, [note('a')]);
  });

  it('writes to collections that are still being made, also behind one that could not be', async () => {
    const writer = writerOfNotes();
    opened.push(writer);
    const failing = assert.rejects(writer.call('ensure', [{ name: 'of no definition' }]));
    const made = writer.ensure([NOTES]);
    const inserted = writer.call('insert', NOTES, note('a'));
    await Promise.all([failing, made, inserted]);
    await assert.rejects(writer.call('insert', PLAIN, note('a')), RangeError);
  });

  it('that can never be started is told as everything else', async () => {
    const writer = writerOfNotes(new URL('http://127.0.0.1/writer.js'));
    await assert.rejects(writer.call('purge'), { code: 'ERR_INVALID_URL_SCHEME' });
    await writer.close();
  });

  it('does not make a dropped collection again when it is started again', async () => {
    const documents = SqliteDocuments.openWritingBehind({ directory }, program);
    await documents.ensure([NOTES, PLAIN]);
    await documents.drop(NOTES.name);
    await endOfThread(documents);
    await documents.put(PLAIN, [note('a')]);
    assert.equal((await documents.range(PLAIN, { from: '', before: 'z', limit: 9 })).length, 1);
    await documents.close();
    const again = SqliteDocuments.open({ directory });
    assert.ok(!(again as unknown as { derived: FileDocuments }).derived.holds(NOTES.name));
    await again.close();
  });

  it('tells who waits when it cannot begin', async () => {
    const writer = writerOfNotes(new URL('./no-such-program.js', import.meta.url));
    await assert.rejects(writer.call('purge'), DocumentsUnavailable);
    await writer.close();
  });
});
