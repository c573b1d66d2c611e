import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Document } from '#documents/documents';
import { lastEventOf } from '#streams/event-chain';
import type { HouseholdStreams } from '#streams/household-streams';
import {
  createMonth,
  envelope,
  expense,
  freshId,
  MODELS,
  workplace,
  type Workplace,
} from '#streams/streams.scenario';
import { compareWithFold, type Comparison } from './fold-comparison.js';
import { FOLDED_NAMES } from './household-fold.js';

const MONTH = '2026-01';

describe('comparing documents with a fold of the events', () => {
  let place: Workplace;
  let streams: HouseholdStreams;
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
    const { revision } = (await lastEventOf(place.store, id))!;
    const options = { revision, ...(sliceEvents !== undefined && { sliceEvents }) };
    return compareWithFold(place.store, place.documents, MODELS, id, options);
  }

  async function anyOf(id: string, name: (typeof FOLDED_NAMES)[number]): Promise<Document> {
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
    for (const name of FOLDED_NAMES) {
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
        assert.deepEqual(kinds, ['missing', 'differs', 'extra']);
        assert.equal((await compared(id, sliceEvents)).mismatched, 0);
      }
    }
  });

  it('leaves alone what is younger than the revision that it is asked for', async () => {
    const id = await household();
    const { revision } = (await lastEventOf(place.store, id))!;
    await streams.execute(id, expense(freshId()), envelope());
    const earlier = await compareWithFold(place.store, place.documents, MODELS, id, { revision });
    assert.equal(earlier.mismatched, 0);
  });
});
