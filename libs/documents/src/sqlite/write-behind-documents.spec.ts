import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { DocumentsUnavailable, type Collection, type Document } from '../documents.js';
import { TextDigest } from '../text-digest.js';
import { DocumentFile } from './document-file.js';
import { FileDocuments } from './file-documents.js';
import type { SerialisedDocuments } from './serialised-documents.js';
import { NOTES, note, OF_OWNER, PLAIN, storedNotes, type Note } from './notes.scenario.js';
import { SuccessiveBatches, type SuccessiveBatch } from './successive-batches.js';
import type { RemoteWriter, WriterMethod } from './thread-writer.js';
import {
  FLIGHTS_MAX,
  PENDING_DOCUMENTS_MAX,
  PENDING_LENGTH_MAX,
  WriteBehindDocuments,
  WRITTEN_AFTER_MS,
} from './write-behind-documents.js';

function digestOf(...notes: readonly Note[]): string {
  const digest = new TextDigest();
  digest.add(notes.map(each => JSON.stringify(each)));
  return digest.end();
}

async function turns(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await new Promise(resolve => setImmediate(resolve));
}

/** A writer in the same thread, which a test may hold back or make fail. */
class HeldWriter implements RemoteWriter {
  /** Methods that were called. */
  readonly calls: WriterMethod[] = [];
  failure: Error | null = null;
  /** Whether only the next call fails. */
  failsOnce = false;
  /** Whether nothing comes here at all. */
  unreachable = false;
  private readonly documents: FileDocuments;
  private readonly batches = new SuccessiveBatches({ putTogether: batch => this.putTogether(batch) });
  private held: Promise<void> = Promise.resolve();
  private letGo: () => void = () => undefined;

  constructor(file: string) {
    const options = { file, synchronous: 'NORMAL', cacheBytes: 1_000_000, readOnly: false } as const;
    this.documents = new FileDocuments(new DocumentFile({ ...options, thread: 'writes' }), Date.now);
  }

  hold(): void {
    this.held = new Promise(resolve => (this.letGo = resolve));
  }

  release(): void {
    this.letGo();
  }

  async ensure(collections: readonly Collection<Document>[]): Promise<void> {
    await this.documents.ensure(collections);
  }

  async call<R>(method: WriterMethod, ...args: readonly unknown[]): Promise<R> {
    if (this.unreachable) throw new DocumentsUnavailable('no thread can be started');
    this.calls.push(method);
    if (method === 'putInTurn') return (await this.batches.put(args[0] as SuccessiveBatch)) as R;
    await this.pass();
    const run = this.documents[method] as (...all: readonly unknown[]) => Promise<R>;
    return run.apply(this.documents, [...args]);
  }

  close(): Promise<void> {
    return this.documents.close();
  }

  private async putTogether(batch: readonly SerialisedDocuments[]): Promise<void> {
    await this.pass();
    await this.documents.putTogether(batch);
  }

  private async pass(): Promise<void> {
    await this.held;
    const { failure } = this;
    if (this.failsOnce) this.failure = null;
    if (failure !== null) throw failure;
  }
}

describe('documents that are written behind', () => {
  let directory: string;
  let file: string;
  let stored: FileDocuments;
  let writer: HeldWriter;
  let documents: WriteBehindDocuments;

  beforeEach(async () => {
    directory = mkdtempSync(join(tmpdir(), 'write-behind-'));
    file = join(directory, 'views.db');
    const options = { file, synchronous: 'NORMAL', cacheBytes: 1_000_000, readOnly: false } as const;
    stored = new FileDocuments(
      new DocumentFile({ ...options, thread: 'reads', soleWriter: true }),
      Date.now,
      'read',
    );
    writer = new HeldWriter(file);
    documents = new WriteBehindDocuments(stored, writer, Date.now);
    await documents.ensure([NOTES, PLAIN]);
  });
  afterEach(async () => {
    writer.release();
    await documents.close();
    rmSync(directory, { recursive: true });
  });
  const put = (collection: Collection<Note>, ...notes: readonly Note[]): Promise<void> =>
    documents.putAll([{ collection, documents: notes }]);
  const found = async (): Promise<string[]> =>
    (await documents.query(NOTES, OF_OWNER)).map(({ text }) => text!);

  it('are there as soon as they are put, before anything is written', async () => {
    writer.hold();
    await put(NOTES, note('a'), note('b'));
    assert.deepEqual(await documents.get(NOTES, 'a'), note('a'));
    assert.deepEqual(await documents.getMany(NOTES, ['b', 'c']), [note('b')]);
    assert.equal(await stored.get(NOTES, 'a'), null);
  });

  it('are in the file when a query of their collection is answered, and only then does one wait', async () => {
    writer.hold();
    await put(NOTES, note('a'));
    assert.equal(
      await documents.count(PLAIN, { ...OF_OWNER, index: 'none' }).catch(() => 'refused'),
      'refused',
    );
    assert.deepEqual(writer.calls, []);
    const asked = found();
    await put(NOTES, note('b'));
    writer.release();
    assert.deepEqual(await asked, ['a 1']);
    assert.deepEqual(await found(), ['a 1', 'b 1']);
  });

  it('do not delay reads of other keys', async () => {
    await put(NOTES, note('other'));
    await found();
    writer.hold();
    await put(NOTES, note('a'));
    const other = { from: 'o', before: 'p' };
    assert.deepEqual(await documents.query(NOTES, { ...OF_OWNER, within: other }), [note('other')]);
    assert.deepEqual(await documents.range(NOTES, { ...other, limit: 10 }), [note('other')]);
    writer.release();
    assert.deepEqual(await documents.query(NOTES, { ...OF_OWNER, within: { from: 'a', before: 'b' } }), [
      note('a'),
      note('other'),
    ]);
  });

  it('give way to others while very many are put, and are seen all at once', async () => {
    const many = Array.from({ length: 2 * PENDING_DOCUMENTS_MAX }, (_, at) => note(`n${at}`));
    const [first, last] = [many[0]!, many.at(-1)!];
    const isPut = new AbortController();
    const putting = put(PLAIN, ...many).then(() => isPut.abort());
    let others = 0;
    const seen = new Set<string>();
    while (!isPut.signal.aborted) {
      const both = await documents.getMany(PLAIN, [first.key, last.key]);
      seen.add(both.map(({ key }) => key).join());
      others += 1;
      await turns();
    }
    await putting;
    assert.ok(others > 1, 'nobody had a turn');
    assert.ok(!seen.has(first.key) && !seen.has(last.key), 'a part of them was seen');
    assert.deepEqual((await documents.getMany(PLAIN, [first.key, last.key])).length, 2);
  });

  it('are in the file before anything is changed there at once, wherever they were put', async () => {
    writer.hold();
    await put(PLAIN, note('p'));
    await put(NOTES, note('a'));
    let isRemoved = false;
    const removed = documents.remove(NOTES, 'z').then(() => (isRemoved = true));
    await turns();
    assert.equal(isRemoved, false);
    assert.deepEqual(writer.calls, ['putInTurn']);
    writer.release();
    await removed;
    assert.deepEqual(writer.calls, ['putInTurn', 'remove']);
    assert.deepEqual(await stored.get(NOTES, 'a'), note('a'));
    assert.deepEqual(await stored.get(PLAIN, 'p'), note('p'));
    writer.failure = new DocumentsUnavailable('the disk is away');
    await put(PLAIN, note('q'));
    await assert.rejects(documents.remove(NOTES, 'a'), DocumentsUnavailable);
    writer.failure = null;
    assert.deepEqual(await documents.get(NOTES, 'a'), note('a'), 'it is not removed');
  });

  it('count in a digest once they are in the file, and two digests are made on both sides', async () => {
    writer.hold();
    const texts = ['b', 'a'].map(key => ({ key, revision: 1, text: JSON.stringify(note(key)) }));
    await documents.putTexts(NOTES, texts);
    await put(PLAIN, note('p'));
    assert.deepEqual(await documents.get(NOTES, 'a'), note('a'));
    const range = { from: '0', before: '~' };
    const asked = Promise.all([documents.digest(NOTES, range), documents.digest(PLAIN, range)]);
    writer.release();
    assert.deepEqual(await asked, [digestOf(note('a'), note('b')), digestOf(note('p'))]);
    assert.deepEqual(writer.calls, ['putInTurn', 'digest']);
    assert.equal(await documents.digest(PLAIN, range), digestOf(note('p')));
    assert.deepEqual(writer.calls, ['putInTurn', 'digest', 'digest']);
  });

  it('hold up a digest of their range alone, whatever characters their keys have', async () => {
    const smile = '\u{1f600}';
    await put(PLAIN, note('b'));
    assert.equal(await documents.digest(PLAIN, { from: 'b', before: 'c' }), digestOf(note('b')));
    await put(PLAIN, note('a'), note('c'), note(`c${smile}`), note(smile));
    assert.equal(await documents.digest(PLAIN, { from: 'b', before: 'c' }), digestOf(note('b')));
    assert.deepEqual(writer.calls, ['putInTurn', 'digest', 'digest'], 'nothing was written for it');
    const digested = digestOf(note('c'), note(`c${smile}`));
    assert.equal(await documents.digest(PLAIN, { from: 'c', before: 'd' }), digested);
    await put(PLAIN, note(smile, 2));
    // Its first unit is less than that of the bounds, its first byte is not.
    const behind = { from: '\ue000', before: '\u{10ffff}' };
    assert.equal(await documents.digest(PLAIN, behind), digestOf(note(smile, 2)));
    await put(PLAIN, note(`e${smile}`));
    assert.equal(
      await documents.digest(PLAIN, { from: 'e\ue000', before: 'f' }),
      digestOf(note(`e${smile}`)),
    );
    await put(PLAIN, note('g\ue000'));
    assert.equal(
      await documents.digest(PLAIN, { from: 'g', before: `g${smile}` }),
      digestOf(note('g\ue000')),
    );
  });

  it('are digested by later calls also after one that failed', async () => {
    await documents.putTexts(PLAIN, [{ key: 'p', revision: 1, text: JSON.stringify(note('p')) }]);
    assert.deepEqual(await documents.getMany(PLAIN, ['p']), [note('p')]);
    const range = { from: '0', before: '~' };
    await documents.digest(PLAIN, range);
    writer.failure = new DocumentsUnavailable('the disk is away');
    await assert.rejects(documents.digest(PLAIN, range), DocumentsUnavailable);
    writer.failure = null;
    assert.equal(await documents.digest(PLAIN, range), digestOf(note('p')));
  });

  it('are written once for many changes, all in one call', async () => {
    for (let revision = 1; revision <= 50; revision += 1) await put(NOTES, note('a', revision));
    await put(PLAIN, note('p'));
    assert.deepEqual(await found(), ['a 50']);
    assert.deepEqual(writer.calls, ['putInTurn']);
    assert.deepEqual(await stored.get(PLAIN, 'p'), note('p'));
  });

  it('never go back, whether the newer one waits, flies or is stored', async () => {
    await put(NOTES, note('a', 5));
    await put(NOTES, note('a', 4));
    assert.equal((await documents.get(NOTES, 'a'))?.revision, 5);
    assert.deepEqual(await found(), ['a 5']);
    await put(NOTES, note('a', 3));
    assert.equal((await documents.get(NOTES, 'a'))?.revision, 5);
    assert.deepEqual(await documents.getMany(NOTES, ['a']), [note('a', 5)]);
    assert.deepEqual(await found(), ['a 5']);
  });

  it('never go back when a late one comes while a newer one flies', async () => {
    writer.hold();
    await put(NOTES, note('a', 5));
    const asked = found();
    await put(NOTES, note('a', 4));
    assert.equal((await documents.get(NOTES, 'a'))?.revision, 5);
    assert.deepEqual(await documents.getMany(NOTES, ['a']), [note('a', 5)]);
    writer.release();
    assert.deepEqual(await asked, ['a 5']);
    assert.equal((await documents.get(NOTES, 'a'))?.revision, 5);
    assert.deepEqual(await found(), ['a 5']);
  });

  it('are read anew once they were changed, in whichever way', async () => {
    const inFileAndRead = async (each: Note): Promise<void> => {
      assert.deepEqual(await found(), [each.text]);
      for (let read = 0; read < 2; read++) assert.deepEqual(await documents.get(NOTES, each.key), each);
    };
    await put(NOTES, note('a'));
    await inFileAndRead(note('a'));
    await documents.replace(NOTES, note('a', 2), 1);
    await inFileAndRead(note('a', 2));
    await put(NOTES, note('a', 3));
    await inFileAndRead(note('a', 3));
    await documents.remove(NOTES, 'a');
    assert.equal(await documents.get(NOTES, 'a'), null);
    await documents.insert(NOTES, note('a', 4));
    await inFileAndRead(note('a', 4));
    await documents.drop(NOTES.name);
    await documents.ensure([NOTES]);
    assert.equal(await documents.get(NOTES, 'a'), null);
  });

  it('are tried again after longer and longer pauses, and soon after the next loss', async context => {
    const { timers } = context.mock;
    timers.enable({ apis: ['setTimeout'] });
    const assertPauses = async (...pauses: readonly number[]): Promise<void> => {
      for (const pause of pauses) {
        const { length } = writer.calls;
        timers.tick(pause - 1);
        await turns();
        assert.equal(writer.calls.length, length, `before ${pause} ms`);
        timers.tick(1);
        await turns();
        assert.equal(writer.calls.length, length + 1, `after ${pause} ms`);
      }
    };
    const failure = new DocumentsUnavailable('the disk is full');
    writer.failure = failure;
    await put(NOTES, note('a'));
    await assertPauses(WRITTEN_AFTER_MS, 250, 500, 1_000, 2_000, 4_000, 5_000);
    writer.failure = null;
    await assertPauses(5_000);
    writer.failure = failure;
    await put(NOTES, note('b'));
    await assertPauses(WRITTEN_AFTER_MS, 250, 500);
    writer.failure = null;
  });

  it('take no change once the store is closed', async () => {
    await documents.close();
    for (const change of [
      documents.insert(NOTES, note('a')),
      documents.replace(NOTES, note('a', 2), 1),
      documents.remove(NOTES, 'a'),
      documents.removePrefix(NOTES, 'a'),
    ]) {
      await assert.rejects(change, DocumentsUnavailable);
    }
    assert.deepEqual(writer.calls, []);
  });

  it('stay in memory while they cannot be written, which is told, and are written afterwards', async () => {
    writer.failure = new DocumentsUnavailable('the disk is full');
    await put(NOTES, note('a'));
    await assert.rejects(found(), /the disk is full/);
    await assert.rejects(documents.ping(), /the disk is full/);
    await put(NOTES, note('a', 2));
    assert.deepEqual(await documents.get(NOTES, 'a'), note('a', 2));
    writer.failure = null;
    assert.deepEqual(await found(), ['a 2']);
    await documents.ping();
  });

  it('are refused once too many wait that cannot be written', async () => {
    writer.failure = new DocumentsUnavailable('the disk is full');
    const many = Array.from({ length: PENDING_DOCUMENTS_MAX }, (_, number) => note(`k${number}`));
    await put(NOTES, ...many);
    await assert.rejects(found(), /the disk is full/);
    await assert.rejects(put(NOTES, note('more')), /the disk is full/);
    writer.failure = null;
    assert.equal((await documents.query(NOTES, { ...OF_OWNER, limit: 10_000 })).length, many.length);
    await put(NOTES, note('more'));
  });

  const many = (prefix: string, revision = 1): Note[] =>
    Array.from({ length: PENDING_DOCUMENTS_MAX }, (_, number) => note(`${prefix}${number}`, revision));

  /** Puts full batches until the writer has as many as it may have. */
  const fillFlights = async (): Promise<void> => {
    for (let flight = 0; flight < FLIGHTS_MAX; flight += 1) await put(NOTES, ...many(`${flight}-`));
    assert.equal(writer.calls.length, FLIGHTS_MAX, 'nothing gathers');
  };

  it('make a put wait while the writer has as many batches as it may, and as many documents gather', async () => {
    writer.hold();
    await fillFlights();
    let answered = false;
    const waiting = put(NOTES, ...many('c')).then(() => (answered = true));
    await turns();
    assert.equal(answered, false);
    writer.release();
    await waiting;
  });

  it('make a put wait for fewer where they are long', async () => {
    const text = 'x'.repeat(PENDING_LENGTH_MAX / 16);
    const long = (prefix: string): Note[] =>
      Array.from({ length: 16 }, (_, number) => ({ key: `${prefix}${number}`, revision: 1, text }));
    // The first ones are measured, these and later ones are taken to be like those that were written.
    await put(PLAIN, ...long('a'));
    assert.deepEqual(writer.calls, ['putInTurn']);
    await documents.range(PLAIN, { from: '', before: 'z', limit: 1 });
    writer.hold();
    for (let flight = 0; flight < FLIGHTS_MAX; flight += 1) await put(PLAIN, ...long(`b${flight}-`));
    let answered = false;
    const waiting = put(PLAIN, ...long('c')).then(() => (answered = true));
    await turns();
    assert.equal(answered, false);
    writer.release();
    await waiting;
  });

  it('are taken to be as long as the last ones that were written', async () => {
    const text = 'x'.repeat(PENDING_LENGTH_MAX / 16);
    const putLong = (prefix: string): Promise<void> =>
      put(PLAIN, ...Array.from({ length: 16 }, (_, at) => ({ ...note(`${prefix}${at}`), text })));
    const inFile = (): Promise<unknown> => documents.range(PLAIN, { from: '', before: 'z', limit: 1 });
    await put(PLAIN, note('short'));
    await inFile();
    await putLong('a');
    assert.equal(writer.calls.length, 1, 'they are not known to be long yet');
    await inFile();
    await putLong('b');
    assert.equal(writer.calls.length, 3);
  });

  it('gather on behind a large batch of short ones', async () => {
    await put(PLAIN, ...many('a'));
    await documents.range(PLAIN, { from: '', before: 'z', limit: 1 });
    const { length } = writer.calls;
    await put(PLAIN, ...many('b').slice(1));
    assert.equal(writer.calls.length, length);
  });

  it('fly one batch after the other, whoever waits for them', async () => {
    writer.hold();
    await put(NOTES, ...many('a'));
    const asked = documents.count(NOTES, { ...OF_OWNER, limit: 100_000 });
    const further = [put(NOTES, ...many('b')), put(NOTES, note('a0', 2)), found()];
    writer.release();
    await Promise.all([asked, ...further]);
    assert.equal(await documents.count(NOTES, { ...OF_OWNER, limit: 100_000 }), PENDING_DOCUMENTS_MAX * 2);
    assert.deepEqual(await documents.get(NOTES, 'a0'), note('a0', 2));
    assert.equal((await stored.get(NOTES, 'a0'))?.revision, 2);
  });

  it('are waited for in whichever batch they were put last', async () => {
    writer.hold();
    await fillFlights();
    const asked = documents.count(NOTES, { ...OF_OWNER, limit: 100_000 });
    writer.release();
    assert.equal(await asked, PENDING_DOCUMENTS_MAX * FLIGHTS_MAX);
  });

  it('go as soon as a batch has landed, once many have gathered', async () => {
    writer.hold();
    await fillFlights();
    const waiting = put(NOTES, ...many('a'));
    assert.equal(writer.calls.length, FLIGHTS_MAX);
    writer.release();
    await waiting;
    assert.equal(writer.calls.length, FLIGHTS_MAX + 1);
  });

  it('are tried again a quarter of a second after they were lost, however many batches were', async context => {
    context.mock.timers.enable({ apis: ['setTimeout'] });
    writer.failure = new DocumentsUnavailable('the disk was full for a moment');
    writer.failsOnce = true;
    await put(NOTES, ...many('a'));
    await put(NOTES, ...many('b'));
    await turns();
    assert.equal(writer.calls.length, 2);
    context.mock.timers.tick(WRITTEN_AFTER_MS);
    assert.equal(writer.calls.length, 3);
    await turns();
    assert.equal((await stored.get(NOTES, 'b0'))?.revision, 1);
  });

  it('are kept where they cannot even be handed to the writer', async () => {
    writer.unreachable = true;
    await put(NOTES, note('a'));
    await assert.rejects(found(), /no thread/);
    assert.deepEqual(await documents.get(NOTES, 'a'), note('a'));
    writer.unreachable = false;
    await put(PLAIN, note('p'));
    await documents.range(PLAIN, { from: '', before: 'z', limit: 1 });
    assert.deepEqual(await stored.get(NOTES, 'a'), note('a'));
  });

  it('are waited for no longer because others keep coming', async () => {
    const busy = { flights: 0, asked: true };
    const flown = writer.call.bind(writer);
    writer.call = async (method, ...args) => {
      busy.flights += 1;
      await pause(20);
      return flown(method, ...args);
    };
    const load = (async () => {
      for (let round = 0; busy.asked; round += 1) await put(NOTES, ...many(`${round}-`));
    })();
    while (busy.flights < FLIGHTS_MAX + 1) await pause(1);
    await put(PLAIN, note('p'));
    const before = busy.flights;
    assert.equal((await documents.range(PLAIN, { from: '', before: 'z', limit: 9 })).length, 1);
    assert.ok(busy.flights - before <= FLIGHTS_MAX + 1, `${busy.flights - before} flights`);
    busy.asked = false;
    await load;
  });

  it('are refused while a retry flies, too', async () => {
    writer.failure = new DocumentsUnavailable('the disk is full');
    await put(NOTES, ...many('a'));
    await assert.rejects(found(), /the disk is full/);
    writer.hold();
    const retried = found();
    for (let round = 0; round < 4; round += 1) {
      await assert.rejects(put(PLAIN, ...many(`${round}-`)), /the disk is full/);
    }
    writer.release();
    await assert.rejects(retried, /the disk is full/);
  });

  it('are found on their way, older and newer ones beside them', async () => {
    writer.hold();
    await put(NOTES, ...many('a', 2), note('c'));
    await put(NOTES, ...many('a', 3), note('b'));
    await put(NOTES, note('a0', 1), note('a1', 4));
    assert.deepEqual(await documents.getMany(NOTES, ['a0', 'a1', 'b', 'c']), [
      note('a0', 3),
      note('a1', 4),
      note('b'),
      note('c'),
    ]);
    writer.release();
    assert.equal(await documents.count(NOTES, { ...OF_OWNER, limit: 100_000 }), PENDING_DOCUMENTS_MAX + 2);
    assert.equal((await stored.get(NOTES, 'a0'))?.revision, 3);
    assert.equal((await stored.get(NOTES, 'a1'))?.revision, 4);
  });

  it('stay behind what was put before them when that cannot be written', async () => {
    writer.failure = new DocumentsUnavailable('the disk is full');
    writer.hold();
    await put(NOTES, ...many('a'));
    await put(PLAIN, ...many('b'));
    const landed = documents.range(PLAIN, { from: '', before: 'z', limit: 1 });
    writer.release();
    await assert.rejects(landed, /the disk is full/);
    assert.deepEqual(new Set(writer.calls), new Set(['putInTurn']));
    assert.equal(await stored.get(PLAIN, 'b0'), null);
    writer.failure = null;
    const calls = writer.calls.length;
    assert.equal((await documents.range(PLAIN, { from: '', before: 'z', limit: 1 })).length, 1);
    assert.equal(writer.calls.length, calls + 1, 'all go together');
    assert.equal((await stored.get(NOTES, 'a0'))?.revision, 1);
  });

  it('stay behind what was put before them though only that cannot be written', async () => {
    writer.failure = new DocumentsUnavailable('the disk was full for a moment');
    writer.failsOnce = true;
    writer.hold();
    await put(NOTES, ...many('a'));
    await put(PLAIN, ...many('b'));
    await put(PLAIN, note('b0', 2));
    assert.equal(writer.calls.length, 2, 'the writer has both');
    const landed = documents.range(PLAIN, { from: '', before: 'z', limit: 1 });
    writer.release();
    await assert.rejects(landed, /full for a moment/);
    // Time for the second one, if it were written.
    await turns();
    assert.equal(await stored.get(PLAIN, 'b0'), null);
    assert.deepEqual(await documents.get(PLAIN, 'b0'), note('b0', 2));
    assert.equal((await documents.range(PLAIN, { from: '', before: 'z', limit: 1 })).length, 1);
    assert.equal(writer.calls.length, 3, 'all go together');
    assert.deepEqual(await stored.get(PLAIN, 'b0'), note('b0', 2));
    assert.deepEqual(await stored.get(NOTES, 'a0'), note('a0'));
  });

  it('are all written when the store is closed while some are on their way', async () => {
    writer.hold();
    await put(NOTES, ...many('a'));
    await put(NOTES, ...many('b'));
    await put(NOTES, note('c'));
    const closed = documents.close();
    writer.release();
    await closed;
    assert.equal((await storedNotes(directory, ['a0', 'b0', 'c'])).length, 3);
  });

  it('are tried once more when the store is closed while all that is on its way is lost', async () => {
    writer.failure = new DocumentsUnavailable('the disk was full for a moment');
    writer.failsOnce = true;
    writer.hold();
    await put(NOTES, ...many('a'));
    await put(NOTES, ...many('b'));
    const closed = documents.close();
    writer.release();
    await closed;
    assert.equal((await storedNotes(directory, ['a0', 'b0'])).length, 2);
  });

  it('that come while their collection is dropped are refused, and keep nothing else from being written', async () => {
    writer.hold();
    await put(NOTES, note('a'));
    const dropped = documents.drop(NOTES.name);
    await assert.rejects(put(NOTES, note('b')), RangeError);
    writer.release();
    await dropped;
    await put(PLAIN, note('p'));
    assert.deepEqual(await documents.range(PLAIN, { from: '', before: 'z', limit: 9 }), [note('p')]);
  });

  it('are all written when the store is closed', async () => {
    await put(NOTES, note('a'));
    await documents.close();
    assert.deepEqual(await storedNotes(directory, ['a']), [note('a')]);
  });
});
