import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Document } from '#documents/documents';
import { EventStoreUnavailable } from '#event-store/event-store';
import {
  createMonth,
  endRevisionOf,
  envelope,
  expense,
  freshId,
  MODELS,
  workplace,
  type Workplace,
  type CommandStreams,
} from '#streams/streams.scenario';
import { compareWithFold, type Comparison } from './fold-comparison.js';
import { DOCUMENT_NAMES } from '#streams/read-models';

const MONTH = '2026-01';

describe('comparing documents with a fold of the events', () => {
  let place: Workplace;
  let streams: CommandStreams;
  before(async () => {
    place = await workplace();
    streams = place.instance();
  });
  after(() => place.close());

  /** A household that has documents in every collection. */
  async function household(): Promise<string> {
    const id = freshId();
    const { household: made } = await streams.execute(id, createMonth(MONTH), envelope());
    const itemId = [...made.items.values()].find(({ kind }) => kind === 'expense')!.id;
    await streams.execute(id, { type: 'OpenFund', month: MONTH, itemId, openingBalance: 500 }, envelope());
    await streams.execute(id, expense(freshId()), envelope());
    for (let i = 0; i < 25; i++) {
      const transaction = freshId();
      const splits = [{ itemId, amount: 1_250 }];
      await streams.execute(id, expense(transaction, { merchant: `Shop ${i}|0`, splits }), envelope());
      if (i % 2 === 0) {
        const changes = { note: `note ${i}` };
        await streams.execute(id, { type: 'ChangeTransaction', id: transaction, changes }, envelope());
      }
    }
    return id;
  }

  async function compared(id: string, sliceEvents?: number): Promise<Comparison> {
    const revision = await endRevisionOf(place, id);
    const options = { revision, ...(sliceEvents !== undefined && { sliceEvents }) };
    return compareWithFold(place.store, place.documents, MODELS, id, options);
  }

  async function anyOf(id: string, name: (typeof DOCUMENT_NAMES)[number]): Promise<Document> {
    const own = await place.documents.get<Document>(MODELS[name], id);
    const range = { from: `${id}|`, before: `${id}}`, limit: 1 };
    const document = own ?? (await place.documents.range<Document>(MODELS[name], range))[0];
    assert.ok(document, `${name} has a document`);
    return document;
  }

  it('finds none that differs where all is well, in one piece or in many', async () => {
    const id = await household();
    const whole = await compared(id);
    assert.equal(whole.mismatched, 0);
    assert.ok(whole.documents > 60);
    for (const sliceEvents of [1, 7, 20]) assert.deepEqual(await compared(id, sliceEvents), whole);
  });

  it('finds what is wrong, missing or too many in every collection, in one piece or in many', async () => {
    for (const name of DOCUMENT_NAMES) {
      const id = await household();
      const document = await anyOf(id, name);
      const { key } = document;
      for (const sliceEvents of [5, 1_000]) {
        const kinds: (string | undefined)[] = [];
        const look = async (): Promise<void> => {
          const { mismatched, mismatches } = await compared(id, sliceEvents);
          assert.equal(mismatched, 1, `${name} in slices of ${sliceEvents}`);
          kinds.push(mismatches[0]!.kind);
        };
        await place.documents.remove(MODELS[name], key);
        await look();
        await place.documents.put<Document>(MODELS[name], [{ ...document, wrong: true } as Document]);
        await look();
        await place.documents.remove(MODELS[name], key);
        await place.documents.put<Document>(MODELS[name], [document]);
        const extra = { ...document, key: key.includes('|') ? `${key.slice(0, -1)}~` : `${key}|~` };
        await place.documents.put<Document>(MODELS[name], [extra]);
        await look();
        await place.documents.remove(MODELS[name], extra.key);
        assert.deepEqual(kinds, ['missing', 'differs', 'unexpected']);
        assert.equal((await compared(id, sliceEvents)).mismatched, 0);
      }
    }
  });

  it('halves its shares where few events make many documents', async () => {
    const id = freshId();
    const { household: made } = await streams.execute(id, createMonth(MONTH), envelope());
    const itemId = [...made.items.values()].find(({ kind }) => kind === 'expense')!.id;
    for (let i = 0; i < 40; i++) {
      await streams.execute(id, expense(freshId(), { splits: [{ itemId, amount: 1_250 }] }), envelope());
    }
    // Each of these touches every transaction.
    for (let i = 0; i < 6; i++) {
      const { events } = await streams.execute(id, { type: 'RemoveItem', month: MONTH, itemId }, envelope());
      const command = { type: 'UndoCommand', eventId: events[0]!.id } as const;
      await streams.execute(id, command, envelope());
    }
    const reads: string[] = [];
    const store = new Proxy(place.store, {
      get(target, name) {
        const value: unknown = Reflect.get(target, name, target);
        if (typeof value !== 'function') return value;
        return (...parameters: unknown[]): unknown => {
          if (name === 'readStream') reads.push(String(parameters[0]));
          return Reflect.apply(value, target, parameters) as unknown;
        };
      },
    });
    const revision = await endRevisionOf(place, id);
    const options = { revision, sliceEvents: revision + 1 };
    const { documents, mismatched } = await compareWithFold(store, place.documents, MODELS, id, options);
    assert.equal(mismatched, 0);
    // 40 transactions, 480 changes of them, one merchant, and what there is of the state.
    assert.ok(documents > 521, String(documents));
    // In one share they are too many, and in two; in four or eight they are not.
    assert.ok(reads.length >= 2 + 4 && reads.length <= 3 + 8, String(reads.length));
    assert.equal(
      (await compareWithFold(place.store, place.documents, MODELS, id, { revision })).documents,
      documents,
    );
  });

  it('compares what the very last event has made, too', async () => {
    const id = await household();
    const { household: made } = await streams.execute(id, createMonth('2026-02'), envelope());
    const key = `${id}|2026-02`;
    const month = (await place.documents.get<Document>(MODELS.months, key))!;
    assert.equal(month.revision, made.revision);
    await place.documents.remove(MODELS.months, key);
    await place.documents.put<Document>(MODELS.months, [{ ...month, wrong: true } as Document]);
    const { mismatches } = await compared(id);
    assert.deepEqual(mismatches, [{ collection: MODELS.months.name, key, kind: 'differs' }]);
  });

  it('counts every mismatch, and tells of the first ones', async () => {
    const id = await household();
    const range = { from: `${id}|`, before: `${id}}`, limit: 22 };
    for (const { key } of await place.documents.range(MODELS.transactions, range)) {
      await place.documents.remove(MODELS.transactions, key);
    }
    const { mismatched, mismatches } = await compared(id);
    assert.deepEqual([mismatched, mismatches.length], [22, 20]);
    const revision = await endRevisionOf(place, id);
    const options = { revision, mismatchesMax: 3 };
    const fewer = await compareWithFold(place.store, place.documents, MODELS, id, options);
    assert.deepEqual([fewer.mismatched, fewer.mismatches], [22, mismatches.slice(0, 3)]);
  });

  it('fails where the store does, whatever the size of the shares', async () => {
    const id = await household();
    const store = new Proxy(place.store, {
      get(target, name) {
        if (name === 'readStream') throw new EventStoreUnavailable('down');
        return Reflect.get(target, name, target) as unknown;
      },
    });
    const revision = await endRevisionOf(place, id);
    await assert.rejects(
      compareWithFold(store, place.documents, MODELS, id, { revision }),
      EventStoreUnavailable,
    );
  });

  it('leaves alone what is younger than the revision that it is asked for', async () => {
    const id = await household();
    const revision = await endRevisionOf(place, id);
    await streams.execute(id, expense(freshId()), envelope());
    const earlier = await compareWithFold(place.store, place.documents, MODELS, id, { revision });
    assert.equal(earlier.mismatched, 0);
  });
});
