import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { Collection, Document, Documents } from '#storage/documents/documents';
import { LedgerDatabase } from '#storage/sqlite/ledger-database';
import { ApiError } from '#http/api-error';
import { CHANGE_ATTEMPTS_MAX, RecordChanges } from './record-changes.js';

interface Counter extends Document {
  readonly count: number;
}

const COUNTERS: Collection<Counter> = { name: 'counters', durability: 'durable', indexes: [] };

describe(RecordChanges.name, () => {
  let directory: string;
  let documents: Documents;

  before(async () => {
    directory = await mkdtemp(join(tmpdir(), 'ledger-changes-'));
    documents = LedgerDatabase.open({ directory }).documents;
    await documents.ensure([COUNTERS]);
  });
  after(async () => {
    await documents.close();
    await rm(directory, { recursive: true, force: true });
  });

  const increment = (changes: RecordChanges, key: string): Promise<number> =>
    changes.change(COUNTERS, key, current => {
      const count = (current?.count ?? 0) + 1;
      return { next: { key, revision: 0, count }, result: count };
    });

  it('loses no change among fifty at the same moment', async () => {
    const changes = new RecordChanges(documents);
    const results = await Promise.all(Array.from({ length: 50 }, () => increment(changes, 'busy')));
    assert.deepEqual(
      results.sort((a, b) => a - b),
      Array.from({ length: 50 }, (_, index) => index + 1),
    );
    assert.equal((await documents.get(COUNTERS, 'busy'))?.revision, 50);
  });

  it('decides anew when another instance was faster', async () => {
    const [one, other] = [new RecordChanges(documents), new RecordChanges(documents)];
    await Promise.all(
      Array.from({ length: 10 }, (_, index) => increment(index % 2 === 0 ? one : other, 'shared')),
    );
    assert.equal((await documents.get(COUNTERS, 'shared'))?.count, 10);
  });

  it('gives up after a bounded number of lost races', async () => {
    const changes = new RecordChanges(documents);
    const rival = new RecordChanges(documents);
    let decisions = 0;
    const losing = changes.change(COUNTERS, 'lost', async current => {
      decisions += 1;
      await increment(rival, 'lost');
      return { next: { key: 'lost', revision: 0, count: -1 }, result: current?.count };
    });
    await assert.rejects(losing, error => error instanceof ApiError && error.code === 'conflict');
    assert.equal(decisions, CHANGE_ATTEMPTS_MAX);
    assert.equal((await documents.get(COUNTERS, 'lost'))?.count, CHANGE_ATTEMPTS_MAX);
  });

  it('writes nothing where nothing changes, and nothing that was refused', async () => {
    const changes = new RecordChanges(documents);
    await increment(changes, 'quiet');
    assert.equal(await changes.change(COUNTERS, 'quiet', current => ({ result: current?.count })), 1);
    const refusing = changes.change(COUNTERS, 'quiet', () => {
      throw new ApiError('last_owner');
    });
    await assert.rejects(refusing, ApiError);
    assert.equal((await documents.get(COUNTERS, 'quiet'))?.revision, 1);
    assert.equal(await increment(changes, 'quiet'), 2, 'what was refused is not in the way');
  });

  it('keeps no later change from being made by an earlier one that fails', async () => {
    const changes = new RecordChanges(documents);
    const failing = changes.change(COUNTERS, 'unlucky', () => Promise.reject(new ApiError('last_owner')));
    const later = increment(changes, 'unlucky');
    await assert.rejects(failing, ApiError);
    assert.equal(await later, 1);
  });

  it('does one thing after the other in a lane, also what comes when the first is done', async () => {
    const changes = new RecordChanges(documents);
    const done: string[] = [];
    let end = (): void => undefined;
    const first = changes.inTurn('lane', async () => void done.push('first'));
    const second = changes.inTurn('lane', async () => {
      await new Promise<void>(resolve => (end = resolve));
      done.push('second');
    });
    await first;
    const third = changes.inTurn('lane', async () => void done.push('third'));
    await changes.inTurn('another lane', async () => void done.push('elsewhere'));
    end();
    await Promise.all([second, third]);
    assert.deepEqual(done, ['first', 'elsewhere', 'second', 'third']);
  });

  it('keeps nothing of queues in which all is done', async () => {
    const changes = new RecordChanges(documents);
    await Promise.all(Array.from({ length: 5 }, () => increment(changes, 'kept')));
    await assert.rejects(changes.inTurn('failing', () => Promise.reject(new Error('lost'))));
    const queue: object = Reflect.get(changes, 'queue');
    assert.equal((Reflect.get(queue, 'queues') as Map<string, unknown>).size, 0);
  });
});
