import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { DocumentsUnavailable, type Collection, type Document } from '#storage/documents/documents';
import type { EventStore, RecordedEvent } from '#storage/event-store/event-store';
import { TEMPLATE_IDS } from '#ledger/months/month-commands';
import { UnknownEvent } from '#ledger/event-codec';
import { digestOfHousehold, householdRange } from './bulk-build.js';
import { HouseholdStreams } from './household-streams.js';
import { IdempotencyKeys } from '#storage/documents/idempotency-keys';
import { DOCUMENT_NAMES, readModelsOf, type ReadModels } from './read-models.js';
import { SNAPSHOT_EVERY_EVENTS, snapshotCollections } from './snapshots.js';
import {
  createMonth,
  endRevisionOf,
  envelope,
  everyDocument,
  expense,
  freshId,
  MODELS,
  workplace,
  type Workplace,
  CommandStreams,
} from './streams.scenario.js';

const MONTH = '2026-01';
const AT_ONCE = { from: 0, eventsMax: 5, bulkEventsMax: 10_000 } as const;

describe('making the documents of a household at once', () => {
  let place: Workplace;
  let streams: CommandStreams;
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
    const expenses = [...made.items.values()].filter(({ kind }) => kind === 'expense');
    const [fund, other] = expenses.map(item => item.id) as [string, string];
    await streams.execute(
      id,
      { type: 'OpenFund', month: MONTH, itemId: fund, openingBalance: 500 },
      envelope(),
    );
    for (let i = 0; i < transactions; i++) {
      const transaction = freshId();
      const splits = [{ itemId: i % 3 === 0 ? other : fund, amount: 1_250 }];
      // By 16-bit units the former comes first, by bytes the latter.
      const merchant = `Sh\u00f6p ${i % 2 === 0 ? '\u{1f600}' : '\uffee'} ${i}`;
      await streams.execute(id, expense(transaction, { merchant, splits }), envelope());
      if (i % 2 > 0) continue;
      await streams.execute(id, { type: 'DeleteTransaction', id: transaction }, envelope());
    }
    await streams.execute(id, { type: 'RemoveItem', month: MONTH, itemId: other }, envelope());
    return { id, revision: await endRevisionOf(place, id) };
  }

  interface Anew {
    readonly models: ReadModels;
    readonly builder: CommandStreams;
    readonly snapshots: ReturnType<typeof snapshotCollections>;
  }

  /** A set of read models of its own, of which there is nothing yet. */
  async function anew(
    store = place.store,
    snapshots = snapshotCollections(`_making_${generation + 1}`),
  ): Promise<Anew> {
    generation++;
    const models = readModelsOf(generation);
    await place.documents.ensure([...HouseholdStreams.collections(models), ...Object.values(snapshots)]);
    const builder = new CommandStreams(store, place.documents, models, { snapshots });
    return { models, builder, snapshots };
  }

  async function documentsOf(models: ReadModels, id: string): Promise<ReadonlyMap<string, string>> {
    const all = await everyDocument(place.documents, models);
    return new Map([...all].filter(([key]) => key.includes(id)));
  }

  const digestOf = (models: ReadModels, id: string): Promise<string> =>
    digestOfHousehold(place.documents, models, id);

  it('makes byte for byte what the commands have written, in every collection', async () => {
    const { id, revision } = await household();
    const { models, builder } = await anew();
    const { digest, ...advanced } = await builder.advance(id, AT_ONCE);
    assert.deepEqual(advanced, { events: revision + 1, isEnd: true, revision });
    const made = await documentsOf(models, id);
    assert.deepEqual(made, await documentsOf(MODELS, id));
    for (const name of ['months', 'fund_balances', 'transactions', 'transaction_changes', 'merchant_items']) {
      assert.ok(
        [...made.keys()].some(key => key.startsWith(`${name}/`)),
        name,
      );
    }
    assert.equal(await digestOf(models, id), digest);
    assert.equal(await digestOf(MODELS, id), digest, 'whoever wrote them');
    assert.equal((await place.documents.get(models.heads, id))?.revision, revision);
    assert.equal(builder.knownRevision(id), revision);
  });

  it('gives another digest whatever the store holds otherwise, in every collection', async () => {
    const { id } = await household();
    const { models, builder } = await anew();
    const { digest } = await builder.advance(id, AT_ONCE);
    const { documents } = place;
    for (const name of DOCUMENT_NAMES) {
      const collection: Collection<Document> = models[name];
      const [document] = await documents.range(collection, { ...householdRange(id), limit: 1 });
      assert.ok(document, name);
      const spoil = async (...put: readonly Document[]): Promise<void> => {
        await documents.remove(collection, document.key);
        await documents.put(collection, put);
        assert.notEqual(await digestOf(models, id), digest, name);
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
      assert.equal(await digestOf(models, id), digest, `${name} is as it was`);
    }
  });

  it('goes on in steps where something is there, in memory or stored', async () => {
    const { id, revision } = await household();
    const { models, builder } = await anew();
    await builder.advance(id, { from: 0, eventsMax: 5 });
    const known = await builder.advance(id, AT_ONCE);
    assert.deepEqual(known, { events: 5, isEnd: false, revision: 9 });
    await builder.settle();
    builder.forget(id);
    assert.equal((await builder.advance(id, AT_ONCE)).digest, undefined);
    await builder.catchUp(id);
    assert.equal(builder.knownRevision(id), revision);
    assert.deepEqual(await documentsOf(models, id), await documentsOf(MODELS, id));
  });

  it('goes in steps where there are more events than may be held at once', async () => {
    const { id, revision } = await household();
    const enough = await anew();
    const made = await enough.builder.advance(id, { ...AT_ONCE, bulkEventsMax: revision + 1 });
    assert.equal(made.events, revision + 1);
    const tooFew = await anew();
    const stepped = await tooFew.builder.advance(id, { ...AT_ONCE, bulkEventsMax: revision });
    assert.deepEqual(stepped, { events: 5, isEnd: false, revision: 4 });
  });

  it('goes in steps where few events make more documents than may be held at once', async () => {
    const { id } = await household(30);
    for (let i = 0; i < 8; i++) {
      const newIds = Array.from({ length: TEMPLATE_IDS }, freshId);
      const reset = { type: 'ResetMonth', month: MONTH, mode: 'replace', newIds } as const;
      const { events } = await streams.execute(id, reset, envelope());
      await streams.execute(id, { type: 'UndoCommand', eventId: events[0]!.id }, envelope());
    }
    const revision = await endRevisionOf(place, id);
    const { models, builder } = await anew();
    const held = (await documentsOf(MODELS, id)).size;
    assert.ok(held > 2 * (revision + 1), `${held} documents of ${revision + 1} events`);
    const { digest } = await builder.advance(id, { ...AT_ONCE, bulkEventsMax: revision + 1 });
    assert.equal(digest, undefined);
    await builder.catchUp(id);
    assert.deepEqual(await documentsOf(models, id), await documentsOf(MODELS, id));
  });

  it('makes nothing of a stream that cannot be read yet up to an event of the log', async () => {
    const { id, revision } = await household();
    const { builder } = await anew();
    const { digest } = await builder.advance(id, { ...AT_ONCE, from: revision + 1 });
    assert.equal(digest, undefined);
  });

  it('makes nothing of a stream that ends before its last event', async () => {
    const { id, revision } = await household();
    const { models, builder } = await anew(
      withPages(place.store, async function* (pages) {
        for await (const page of pages) yield page.filter(event => event.revision < revision);
      }),
    );
    const { digest } = await builder.advance(id, AT_ONCE);
    assert.equal(digest, undefined);
    assert.equal(await place.documents.get(models.heads, id), null);
  });

  it('is stopped while it reads or writes, and goes in steps later', async () => {
    const { id, revision } = await household();
    for (const askedMax of [0, 1, 3]) {
      const { models, builder } = await anew();
      let asked = 0;
      const stopped = await builder.advance(id, { ...AT_ONCE, isStopped: () => asked++ >= askedMax });
      assert.deepEqual(stopped, { events: 5, isEnd: false, revision: 4 });
      assert.ok(asked > askedMax);
      await builder.catchUp(id);
      assert.equal(builder.knownRevision(id), revision);
      assert.deepEqual(await documentsOf(models, id), await documentsOf(MODELS, id));
    }
  });

  it('reads no more once it is stopped, but for the next step', async () => {
    const { id } = await household();
    const read: number[] = [];
    const { builder } = await anew(
      withPages(place.store, async function* (pages) {
        for await (const page of pages) {
          for (const event of page) {
            read.push(event.revision);
            yield [event];
          }
        }
      }),
    );
    await builder.advance(id, { ...AT_ONCE, isStopped: () => true });
    assert.deepEqual(read, [0, 0, 1, 2, 3, 4]);
  });

  it('is not made in steps because a store is away, but at once when it is back', async () => {
    const { id } = await household();
    const { models } = await anew();
    let puts = 0;
    const documents = new Proxy(place.documents, {
      get(target, name) {
        const value: unknown = Reflect.get(target, name, target);
        if (typeof value !== 'function') return value;
        return (...given: unknown[]): unknown => {
          if (name === 'putTexts' && ++puts === 2) return Promise.reject(new DocumentsUnavailable('away'));
          return Reflect.apply(value, target, given) as unknown;
        };
      },
    });
    const builder = new CommandStreams(place.store, documents, models);
    await assert.rejects(builder.advance(id, AT_ONCE), DocumentsUnavailable);
    assert.notEqual((await builder.advance(id, AT_ONCE)).digest, undefined);
    assert.deepEqual(await documentsOf(models, id), await documentsOf(MODELS, id));
  });

  it('goes in steps, as far as they lead, where an event cannot be folded', async () => {
    const { id, revision } = await household();
    const unknown = (event: RecordedEvent): RecordedEvent =>
      event.revision === revision ? { ...event, type: 'FromTheFuture' } : event;
    const { builder } = await anew(
      withPages(place.store, async function* (pages) {
        for await (const page of pages) yield page.map(unknown);
      }),
    );
    let advanced = await builder.advance(id, AT_ONCE);
    assert.deepEqual(advanced, { events: 5, isEnd: false, revision: 4 });
    while (advanced.revision + 5 < revision) advanced = await builder.advance(id, AT_ONCE);
    await assert.rejects(builder.advance(id, AT_ONCE), UnknownEvent);
  });

  it('remembers the keys of commands', async () => {
    const { id } = await household();
    const idempotency = { key: 'once', commandHash: 'hash' };
    const command = expense(freshId());
    const at = new Date().toISOString();
    const { events } = await streams.execute(id, command, envelope({ at, idempotency }));
    await place.documents.removePrefix(IdempotencyKeys.collection, id);
    const { builder } = await anew();
    assert.notEqual((await builder.advance(id, AT_ONCE)).digest, undefined);
    const { replayed, recorded } = await builder.execute(id, command, envelope({ idempotency }));
    const { revision } = events[0]!;
    assert.deepEqual([replayed, recorded], [true, { firstRevision: revision }]);
  });

  it('leaves snapshots along the events, and goes on from the latest', async () => {
    const { id, revision } = await household(1_500);
    const reads: number[] = [];
    const store = withReadStream(place.store, (stream, range) => {
      if (range?.direction !== 'backwards') reads.push(range?.from ?? 0);
      return place.store.readStream(stream, range);
    });
    const { models, builder, snapshots } = await anew(store);
    await builder.advance(id, AT_ONCE);
    const range = { ...householdRange(id), limit: 9 };
    const made = await place.documents.range<Document>(snapshots.manifests, range);
    const [first, second, another] = made.map(each => each.revision);
    assert.ok(first! >= SNAPSHOT_EVERY_EVENTS - 1 && second! >= first! + SNAPSHOT_EVERY_EVENTS);
    assert.ok(another === undefined && revision < second! + SNAPSHOT_EVERY_EVENTS);
    assert.deepEqual(reads, [0]);
    builder.forget(id);
    await streams.execute(id, expense(freshId()), envelope());
    assert.equal((await builder.catchUp(id)).revision, revision + 1);
    assert.deepEqual(
      reads.slice(1).filter(from => from <= second!),
      [],
    );
    assert.deepEqual(await documentsOf(models, id), await documentsOf(MODELS, id));
  });

  it('reads one household after the other', async () => {
    const [first, second] = [await household(), await household()];
    const reads: string[] = [];
    const store = withPages(place.store, async function* (pages) {
      reads.push('begin');
      for await (const page of pages) {
        await new Promise(resolve => setImmediate(resolve));
        yield page;
      }
      reads.push('end');
    });
    const { models, builder } = await anew(store);
    await Promise.all([builder.advance(first.id, AT_ONCE), builder.advance(second.id, AT_ONCE)]);
    assert.deepEqual(reads, ['begin', 'end', 'begin', 'end']);
    for (const { id } of [first, second]) {
      assert.deepEqual(await documentsOf(models, id), await documentsOf(MODELS, id));
    }
  });
});

type Pages = AsyncIterable<readonly RecordedEvent[]>;

/** A store that answers what is read forwards of a stream in another way. */
function withPages(store: EventStore, answered: (pages: Pages) => Pages): EventStore {
  return withReadStream(store, (stream, range) => {
    const pages = store.readStream(stream, range);
    return range?.direction === 'backwards' ? pages : answered(pages);
  });
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
