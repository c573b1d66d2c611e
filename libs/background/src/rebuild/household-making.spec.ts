import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Collection, Document } from '#documents/documents';
import type { EventStore, RecordedEvent } from '#event-store/event-store';
import { lastEventOf } from '#streams/event-chain';
import { HouseholdStreams } from '#streams/household-streams';
import { readModelsOf, type ReadModelName, type ReadModels } from '#streams/read-models';
import { snapshotCollections } from '#streams/snapshots';
import { StateCache } from '#streams/state-cache';
import {
  createMonth,
  envelope,
  everyDocument,
  expense,
  freshId,
  MODELS,
  workplace,
  type Workplace,
} from '#streams/streams.scenario';
import { householdRange } from '../household-pages.js';
import { compareWithFold } from './fold-comparison.js';
import { FOLDED_NAMES } from './household-fold.js';
import { HouseholdMaking } from './household-making.js';

const MONTH = '2026-01';

describe('making the documents of a household at once', () => {
  let place: Workplace;
  let streams: HouseholdStreams;
  let generation = 1;
  before(async () => {
    place = await workplace();
    streams = place.instance();
  });
  after(() => place.close());

  /** A household that has documents in every collection. @returns its id and its last revision */
  async function household(transactions = 9): Promise<{ readonly id: string; readonly revision: number }> {
    const id = freshId();
    const { household: made } = await streams.execute(id, createMonth(MONTH), envelope());
    const [itemId, other] = [...made.items.values()]
      .filter(({ kind }) => kind === 'expense')
      .map(item => item.id);
    await streams.execute(
      id,
      { type: 'OpenFund', month: MONTH, itemId: itemId!, openingBalance: 500 },
      envelope(),
    );
    for (let i = 0; i < transactions; i++) {
      const transaction = freshId();
      const splits = [{ itemId: i % 3 === 0 ? other! : itemId!, amount: 1_250 }];
      await streams.execute(
        id,
        expense(transaction, { merchant: `Shöp ${i}|\u{1f600}\uffee`, splits }),
        envelope(),
      );
      if (i % 2 === 0) await streams.execute(id, { type: 'DeleteTransaction', id: transaction }, envelope());
    }
    await streams.execute(id, { type: 'RemoveItem', month: MONTH, itemId: other! }, envelope());
    return { id, revision: (await lastEventOf(place.store, id))!.revision };
  }

  interface Made {
    readonly models: ReadModels;
    readonly builder: HouseholdStreams;
    readonly making: HouseholdMaking;
  }

  /** A set of read models of its own, of which there is nothing yet. */
  async function anew(
    options: {
      readonly store?: EventStore;
      readonly written?: readonly ReadModelName[];
      readonly eventsMax?: number;
      readonly signal?: AbortSignal;
    } = {},
  ): Promise<Made> {
    const { store = place.store, written = null, eventsMax = 1_000 } = options;
    generation++;
    const models = readModelsOf(generation, written);
    const snapshots = snapshotCollections(`_making_${generation}`);
    await place.documents.ensure([...HouseholdStreams.collections(models), ...Object.values(snapshots)]);
    const builder = new HouseholdStreams(
      store,
      place.documents,
      models,
      new StateCache(),
      undefined,
      snapshots,
    );
    const { signal = new AbortController().signal } = options;
    const making = new HouseholdMaking(store, place.documents, builder, {
      snapshots,
      eventsMax,
      signal,
    });
    return { models, builder, making };
  }

  async function documentsOf(models: ReadModels, id: string): Promise<ReadonlyMap<string, string>> {
    const all = await everyDocument(place.documents, models);
    return new Map([...all].filter(([key]) => key.includes(id)));
  }

  it('makes byte for byte what the commands have written, in every collection', async () => {
    const { id, revision } = await household();
    const { models, making } = await anew();
    assert.deepEqual(await making.make(id, 0, Infinity), { revision, events: revision + 1 });
    const made = await documentsOf(models, id);
    assert.deepEqual(made, await documentsOf(MODELS, id));
    for (const name of ['months', 'fund_balances', 'transactions', 'transaction_changes', 'merchants']) {
      assert.ok(
        [...made.keys()].some(key => key.startsWith(`${name}/`)),
        name,
      );
    }
    assert.ok(await making.isAsMade(id, revision));
  });

  it('makes it up to a revision', async () => {
    const { id } = await household();
    const { models, making } = await anew();
    assert.deepEqual(await making.make(id, 0, 7), { revision: 7, events: 8 });
    const { mismatched } = await compareWithFold(place.store, place.documents, models, id, { revision: 7 });
    assert.equal(mismatched, 0);
    assert.ok(await making.isAsMade(id, 7));
  });

  it('writes only the collections that the set writes', async () => {
    const { id, revision } = await household();
    const { models, making } = await anew({ written: ['heads', 'transactions', 'transactionChanges'] });
    assert.ok(await making.make(id, 0, Infinity));
    const { months, transactions } = models;
    const range = { ...householdRange(id), limit: 1 };
    assert.equal((await place.documents.range<Document>(transactions, range)).length, 1);
    assert.deepEqual(await place.documents.range<Document>(months, range), []);
    assert.ok(await making.isAsMade(id, revision));
  });

  it('sees whatever the store holds otherwise than it was made, in every collection', async () => {
    const { id, revision } = await household();
    const { models, making } = await anew();
    await making.make(id, 0, Infinity);
    const { documents } = place;
    for (const name of FOLDED_NAMES) {
      const collection: Collection<Document> = models[name];
      const [document] = await documents.range(collection, { ...householdRange(id), limit: 1 });
      assert.ok(document, name);
      const spoil = async (...put: readonly Document[]): Promise<void> => {
        await documents.remove(collection, document.key);
        await documents.put(collection, put);
        assert.equal(await making.isAsMade(id, revision), false, name);
      };
      await spoil();
      await spoil({ ...document, wrong: true } as Document);
      await spoil({ ...document, revision: document.revision + 1 });
      const extra = {
        ...document,
        key: document.key.includes('|') ? `${document.key}~` : `${document.key}|~`,
      };
      await spoil(document, extra);
      await documents.remove(collection, extra.key);
      assert.ok(await making.isAsMade(id, revision), `${name} is as it was`);
    }
  });

  it('vouches for no other revision, and for nothing that it did not make', async () => {
    const { id, revision } = await household();
    const { making } = await anew();
    assert.equal(await making.isAsMade(id, revision), false);
    await making.make(id, 0, Infinity);
    assert.equal(await making.isAsMade(id, revision - 1), false);
    assert.equal(await making.isAsMade(id, revision + 1), false);
  });

  it('leaves a household alone of which something is there', async () => {
    const { id, revision } = await household();
    const { builder, making } = await anew();
    await builder.advance(id, { from: 0, eventsMax: 5 });
    assert.equal(await making.make(id, 0, Infinity), null);
    assert.equal(await making.isAsMade(id, revision), false);
  });

  it('leaves a household alone that has more events than may be held at once', async () => {
    const { id, revision } = await household();
    const enough = await anew({ eventsMax: revision + 1 });
    assert.ok(await enough.making.make(id, 0, Infinity));
    const tooFew = await anew({ eventsMax: revision });
    assert.equal(await tooFew.making.make(id, 0, Infinity), null);
    assert.deepEqual(await documentsOf(tooFew.models, id), new Map());
  });

  it('leaves a household alone whose stream cannot be read yet up to an event of the log', async () => {
    const { id, revision } = await household();
    const { models, making } = await anew();
    assert.equal(await making.make(id, revision + 1, Infinity), null);
    assert.deepEqual(await documentsOf(models, id), new Map());
  });

  it('goes on from its snapshot: nothing that came before is read again', async () => {
    const { id, revision } = await household();
    const reads: number[] = [];
    const store = noting(place.store, reads);
    const { models, builder, making } = await anew({ store });
    await making.make(id, 0, Infinity);
    await place.documents.put(models.heads, [{ key: id, revision }]);
    assert.deepEqual(reads, [0]);
    await streams.execute(id, expense(freshId(), { budgetMonth: MONTH }), envelope());
    assert.equal((await builder.catchUp(id)).revision, revision + 1);
    assert.ok(
      reads.slice(1).every(from => from > revision),
      reads.join(),
    );
    assert.deepEqual(await documentsOf(models, id), await documentsOf(MODELS, id));
  });

  it('reads one household after the other', async () => {
    const [first, second] = [await household(), await household()];
    const reads: string[] = [];
    const store = watched(place.store, reads);
    const { models, making } = await anew({ store });
    await Promise.all([making.make(first.id, 0, Infinity), making.make(second.id, 0, Infinity)]);
    assert.deepEqual(reads, ['begin', 'end', 'begin', 'end']);
    for (const { id } of [first, second]) {
      assert.deepEqual(await documentsOf(models, id), await documentsOf(MODELS, id));
    }
  });

  it('ends with the signal', async () => {
    const { id } = await household();
    const controller = new AbortController();
    const { models, making } = await anew({ signal: controller.signal });
    controller.abort(new Error('it is to stop'));
    await assert.rejects(making.make(id, 0, Infinity), /it is to stop/);
    assert.deepEqual(await documentsOf(models, id), new Map());
  });
});

/** Notes from where streams are read forwards. */
function noting(store: EventStore, reads: number[]): EventStore {
  return withReadStream(store, (stream, range) => {
    if (range?.direction !== 'backwards') reads.push(range?.from ?? 0);
    return store.readStream(stream, range);
  });
}

/** Notes when the reading of a stream from its beginning begins and ends. */
function watched(store: EventStore, reads: string[]): EventStore {
  return withReadStream(store, (stream, range) => {
    const pages = store.readStream(stream, range);
    return range?.direction === 'backwards' ? pages : noted(pages);
  });
  async function* noted(
    pages: AsyncIterable<readonly RecordedEvent[]>,
  ): AsyncGenerator<readonly RecordedEvent[]> {
    reads.push('begin');
    for await (const page of pages) {
      await new Promise(resolve => setImmediate(resolve));
      yield page;
    }
    reads.push('end');
  }
}

function withReadStream(store: EventStore, readStream: EventStore['readStream']): EventStore {
  return new Proxy(store, {
    get(target, name) {
      if (name === 'readStream') return readStream;
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}
