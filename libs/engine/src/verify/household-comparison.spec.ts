import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Document, Documents } from '#storage/documents/documents';
import { EventStoreUnavailable } from '#storage/event-store/event-store';
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
} from '../households/streams.scenario.js';
import { HouseholdComparison, type Difference } from './household-comparison.js';
import { DOCUMENT_NAMES } from '../households/read-models.js';

const MONTH = '2026-01';

interface Compared {
  readonly documents: number;
  readonly differences: readonly Difference[];
}

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

  async function compared(id: string, shareEvents?: number, store = place.store): Promise<Compared> {
    const options = shareEvents === undefined ? {} : { shareEvents };
    const comparison = new HouseholdComparison(store, place.documents, MODELS, id, options);
    const differences: Difference[] = [];
    for await (const difference of comparison.differences()) differences.push(difference);
    return { documents: comparison.documents, differences };
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
    assert.deepEqual(whole.differences, []);
    assert.ok(whole.documents > 60);
    for (const shareEvents of [1, 7, 20]) assert.deepEqual(await compared(id, shareEvents), whole);
  });

  it('finds what is wrong, missing or too many in every collection, in one piece or in many', async () => {
    for (const name of DOCUMENT_NAMES) {
      const id = await household();
      const document = await anyOf(id, name);
      const { key } = document;
      for (const shareEvents of [5, 1_000]) {
        const kinds: (string | undefined)[] = [];
        const look = async (): Promise<void> => {
          const { differences } = await compared(id, shareEvents);
          assert.equal(differences.length, 1, `${name} in shares of ${shareEvents}`);
          kinds.push(differences[0]!.kind);
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
        assert.deepEqual((await compared(id, shareEvents)).differences, []);
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
    const { documents, differences } = await compared(id, revision + 1, store);
    assert.deepEqual(differences, []);
    // 40 transactions, 480 changes of them, one merchant, and what there is of the state.
    assert.ok(documents > 521, String(documents));
    // One read finds the end. In one share they are too many, and in two; in four or eight they are not.
    assert.ok(reads.length >= 3 + 4 && reads.length <= 4 + 8, String(reads.length));
    assert.equal((await compared(id)).documents, documents);
  });

  it('compares what the very last event has made, too', async () => {
    const id = await household();
    const { household: made } = await streams.execute(id, createMonth('2026-02'), envelope());
    const key = `${id}|2026-02`;
    const month = (await place.documents.get<Document>(MODELS.months, key))!;
    assert.equal(month.revision, made.revision);
    await place.documents.remove(MODELS.months, key);
    await place.documents.put<Document>(MODELS.months, [{ ...month, wrong: true } as Document]);
    const { differences } = await compared(id);
    const fields = [{ path: 'wrong', expected: undefined, found: true }];
    const collection = MODELS.months.name;
    assert.deepEqual(differences, [{ householdId: id, collection, key, kind: 'differs', fields }]);
  });

  it('fails where the store does, whatever the size of the shares', async () => {
    const id = await household();
    const store = new Proxy(place.store, {
      get(target, name) {
        if (name === 'readStream') throw new EventStoreUnavailable('down');
        return Reflect.get(target, name, target) as unknown;
      },
    });
    await assert.rejects(compared(id, undefined, store), EventStoreUnavailable);
  });

  it('goes on to the revision of a document that is younger, and waits for those that lag behind it', async () => {
    const id = await household();
    const reflected = await endRevisionOf(place, id);
    const { items } = await streams.catchUp(id);
    const itemId = [...items.values()].find(({ kind }) => kind === 'expense')!.id;
    const splits = [{ itemId, amount: 1_250 }];
    await streams.execute(id, expense(freshId(), { merchant: 'Late', splits }), envelope());
    let looks = 0;
    // The merchant comes later than the transaction, as of a command that is under way.
    const late = Object.create(place.documents) as Documents;
    late.range = async (collection, range) => {
      const found = await place.documents.range(collection, range);
      return collection.name === MODELS.merchants.name
        ? found.filter(each => each.revision <= reflected)
        : found;
    };
    late.get = async (collection, key) => {
      const isLate = collection.name === MODELS.merchants.name && looks++ === 0;
      return isLate ? null : place.documents.get(collection, key);
    };
    const comparison = new HouseholdComparison(place.store, late, MODELS, id, { reflected });
    for await (const difference of comparison.differences()) assert.fail(JSON.stringify(difference));
    assert.equal(looks, 2);
  });
});
