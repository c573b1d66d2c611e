import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Collection, Document, Documents } from '../documents/documents.js';
import { newEvents, readEvents, idsOf, wrongRevision } from './contract/streams.fixture.js';
import { NO_STREAM, type EventStore } from './event-store.js';
import type { UnitOfWork } from './unit-of-work.js';

interface UnitOfWorkHarness {
  readonly work: UnitOfWork;
  readonly eventStore: EventStore;
  readonly documents: Documents;
  close(): Promise<void>;
}

const NOTES: Collection<Document & { readonly text: string }> = {
  name: 'notes_of_work',
  durability: 'derived',
  indexes: [{ name: 'by_text', equals: ['text'] }],
};

/** What every unit of work keeps. */
export function unitOfWorkContract(name: string, open: () => Promise<UnitOfWorkHarness>): void {
  describe(`${name}: units of work`, () => {
    let harness: UnitOfWorkHarness;
    before(async () => {
      harness = await open();
      await harness.documents.ensure([NOTES]);
    });
    after(() => harness.close());

    const note = (key: string, revision: number) => ({ key, revision, text: `at ${revision}` });
    const commit = (stream: string, expected: number, count: number, revision: number) => {
      const events = newEvents(count);
      const writes = [{ collection: NOTES, documents: [note(stream, revision)] }];
      return { events, committed: harness.work.commit({ stream, expected, events, writes }) };
    };

    it('record events and the documents that they change', async () => {
      const { events, committed } = commit('one', NO_STREAM, 2, 1);
      const { revision, position } = await committed;
      assert.equal(revision, 1);
      const stored = await readEvents(harness.eventStore.readStream('one'));
      assert.deepEqual(idsOf(stored), idsOf(events));
      assert.equal(stored.at(-1)?.position, position);
      assert.deepEqual(await harness.documents.get(NOTES, 'one'), note('one', 1));
      const query = { index: 'by_text', equals: { text: 'at 1' }, limit: 9 };
      assert.ok((await harness.documents.query(NOTES, query)).some(({ key }) => key === 'one'));
    });

    it('write nothing where the stream is elsewhere', async () => {
      await commit('elsewhere', NO_STREAM, 1, 0).committed;
      await assert.rejects(commit('elsewhere', NO_STREAM, 1, 9).committed, wrongRevision('elsewhere', -1, 0));
      assert.deepEqual(await harness.documents.get(NOTES, 'elsewhere'), note('elsewhere', 0));
    });

    it('are recognised when they are repeated', async () => {
      const events = newEvents(2);
      const writes = [{ collection: NOTES, documents: [note('twice', 1)] }];
      const unit = { stream: 'twice', expected: NO_STREAM, events, writes };
      assert.deepEqual(await harness.work.commit(unit), await harness.work.commit(unit));
      assert.equal((await readEvents(harness.eventStore.readStream('twice'))).length, 2);
    });

    it('leave documents as they are that are newer', async () => {
      await harness.documents.put(NOTES, [note('late', 7)]);
      await commit('late', NO_STREAM, 1, 0).committed;
      assert.equal((await harness.documents.get(NOTES, 'late'))?.revision, 7);
    });

    it('change no document where there is none to change', async () => {
      const unit = { stream: 'bare', expected: NO_STREAM, events: newEvents(1), writes: [] };
      assert.equal((await harness.work.commit(unit)).revision, 0);
    });

    it('of many streams at once are each recorded whole', async () => {
      const streams = Array.from({ length: 50 }, (_, at) => `many-${at}`);
      await Promise.all(streams.map(stream => commit(stream, NO_STREAM, 3, 2).committed));
      for (const stream of streams) {
        assert.equal((await readEvents(harness.eventStore.readStream(stream))).length, 3);
        assert.deepEqual(await harness.documents.get(NOTES, stream), note(stream, 2));
      }
    });
  });
}
