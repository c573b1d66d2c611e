import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import type { Documents } from '#storage/documents/documents';
import { LedgerDatabase } from '#storage/sqlite/ledger-database';
import type { NewEvent } from '#storage/event-store/event-store';
import type { LedgerEvent } from '#ledger/events';
import { contentOf } from '#ledger/transactions/transaction-record';
import { recordOf } from '#projections/transaction-document';
import { chained, hashOf, recordedEvents, lastEventOf } from '../households/household-stream.js';
import { HouseholdStreams } from '../households/household-streams.js';
import {
  createMonth,
  envelope,
  expense,
  freshId,
  HOUSEHOLD,
  MODELS,
  workplace,
  type Workplace,
  CommandStreams,
} from '../households/streams.scenario.js';
import { fieldDifferences, FIELDS_NAMED_MAX } from './household-comparison.js';
import {
  LedgerVerification,
  ReadModelsReplaced,
  type VerifyOptions,
  type Verification,
} from './verify-ledger.js';

/** Beyond what a server may lag, for the events that the scenario dates. */
const MUCH_LATER = (): number => Date.parse('2027-01-01T00:00:00Z');

describe('verifying a ledger', () => {
  let place: Workplace;
  let directory: string;
  let others: Documents;
  before(() => {
    directory = mkdtempSync(join(tmpdir(), 'verify-'));
  });
  after(() => rmSync(directory, { recursive: true, force: true }));
  beforeEach(async () => {
    place = await workplace();
    others = LedgerDatabase.open({ directory: mkdtempSync(join(directory, 'others-')) }).documents;
    await others.ensure(HouseholdStreams.collections(MODELS));
  });
  afterEach(async () => {
    await others.close();
    await place.close();
  });

  function verify(documents: Documents, options: VerifyOptions = {}): Promise<Verification> {
    const now = options.now ?? MUCH_LATER;
    return new LedgerVerification(place.store, documents, MODELS, { ...options, now }).run();
  }

  /** Records an event that no command made, well chained. */
  async function append(event: LedgerEvent): Promise<void> {
    const last = (await lastEventOf(place.store, HOUSEHOLD))!;
    const recorded = recordedEvents(HOUSEHOLD, last.revision, [event], envelope());
    const hash = hashOf(last.stream, last);
    const { events } = chained(HOUSEHOLD, recorded, hash, ['2026-01'], envelope());
    await place.store.append(last.stream, last.revision, JSON.parse(JSON.stringify(events)) as NewEvent[]);
  }

  async function record(transactions: number): Promise<string[]> {
    const streams = place.instance();
    await streams.execute(HOUSEHOLD, createMonth('2026-01'), envelope());
    const ids = Array.from({ length: transactions }, freshId);
    for (const id of ids) await streams.execute(HOUSEHOLD, expense(id), envelope());
    return ids;
  }

  it('finds what is served to be what the events say', async () => {
    await record(20);
    const found = await verify(place.documents);
    assert.deepEqual(
      { ...found, heads: found.heads.length },
      {
        heads: 1,
        events: 21,
        // A month, the identities, a count and the transactions.
        documents: 23,
        brokenLinks: [],
        lostHeads: [],
        erasedHeads: [],
        unfoldable: [],
        differences: [],
        differencesTotal: 0,
        wrongSums: [],
        wrongSumsTotal: 0,
      },
    );
  });

  it('waits for documents that come a moment later', async () => {
    await record(3);
    const late = new CommandStreams(place.store, others, MODELS);
    let coming: Promise<unknown> | undefined;
    // Documents that come when one of them was missed.
    const served = Object.create(others) as Documents;
    served.get = async (collection, key) => {
      const document = await others.get(collection, key);
      if (document === null) await (coming ??= late.catchUp(HOUSEHOLD));
      return document;
    };
    // The server's clock says that the last event has just been recorded.
    const found = await verify(served, { now: () => Date.parse(envelope().at) + 1_000 });
    assert.ok(coming);
    assert.equal(found.differencesTotal, 0);
    assert.equal(found.documents, 6);
  });

  it('does not wait for documents that are long overdue', async () => {
    const ids = await record(3);
    const found = await verify(others);
    assert.equal(found.differencesTotal, 6);
    assert.ok(found.differences.every(({ kind }) => kind === 'missing'));
    assert.ok(found.differences.some(({ key }) => key === `${HOUSEHOLD}|${ids[0]}`));
  });

  it('folds on to the revision of documents that are ahead', async () => {
    await record(1);
    const streams = place.instance();
    let recorded: unknown;
    // Documents of a server that records something after the household was folded.
    const served = Object.create(place.documents) as Documents;
    served.range = async (collection, range) => {
      recorded ??= await streams.execute(HOUSEHOLD, expense(freshId()), envelope());
      return place.documents.range(collection, range);
    };
    const found = await verify(served);
    assert.ok(recorded);
    assert.deepEqual(found.differences, []);
  });

  it('calls a document behind that shows an earlier revision for long', async () => {
    const [id] = await record(1);
    const late = new CommandStreams(place.store, others, MODELS);
    await late.catchUp(HOUSEHOLD);
    await place.instance().execute(HOUSEHOLD, { type: 'DeleteTransaction', id: id! }, envelope());
    const found = await verify(others);
    const transaction = found.differences.find(({ collection }) => collection === MODELS.transactions.name)!;
    assert.equal(transaction.kind, 'behind');
    assert.ok(transaction.fields.some(({ path }) => path === 'record.deletedAt'));
  });

  it(
    'calls nothing wrong in read models that were replaced, and waits for none of it',
    { timeout: 60_000 },
    async () => {
      await record(2);
      const areActive = async (): Promise<boolean> => false;
      // Waiting lasts until this has passed, which it never does.
      const soon = (): number => Date.parse(envelope().at) + 1_000;
      for (const now of [MUCH_LATER, soon]) {
        await assert.rejects(verify(others, { areActive, now }), ReadModelsReplaced);
      }
      await place.documents.put(MODELS.untrackedCounts, [
        { key: '01JSTRAY000000000000000000', revision: 1, count: 3 },
      ]);
      await assert.rejects(verify(place.documents, { areActive }), ReadModelsReplaced);
    },
  );

  it('takes no failure to read what was dropped for one of the events', async () => {
    await record(1);
    const { months, heads } = MODELS;
    for (const gone of [months, heads]) {
      let live = true;
      const served = Object.create(place.documents) as Documents;
      served.range = async (collection, range) => {
        if (collection.name !== gone.name) return place.documents.range(collection, range);
        live = false;
        throw new Error(`no such table: ${collection.name}`);
      };
      await assert.rejects(verify(served, { areActive: async () => live }), ReadModelsReplaced);
    }
  });

  it('does not mind that others are live where all that it reads is right', async () => {
    await record(1);
    const found = await verify(place.documents, { areActive: async () => false });
    assert.deepEqual(found.differences, []);
  });

  it('finds events that contradict each other, where every document is what they say', async () => {
    const [id] = await record(1);
    const streams = place.instance();
    const { items } = await streams.catchUp(HOUSEHOLD);
    const itemId = [...items.values()].find(({ kind }) => kind === 'expense')!.id;
    const before = recordOf((await place.documents.get(MODELS.transactions, `${HOUSEHOLD}|${id}`))!);
    const had = { ...contentOf(before), splits: [{ itemId, amount: before.amount }] };
    // It never had these splits.
    await append({ type: 'TransactionChanged', data: { id: id!, before: had, after: contentOf(before) } });
    await streams.catchUp(HOUSEHOLD);
    const found = await verify(place.documents);
    assert.deepEqual([found.brokenLinks, found.differences, found.wrongSumsTotal], [[], [], 2]);
    assert.deepEqual(found.wrongSums, [
      { householdId: HOUSEHOLD, month: '2026-01', itemId, expected: 0, found: -before.amount },
      { householdId: HOUSEHOLD, month: null, itemId: null, expected: 1, found: 2 },
    ]);
  });

  it('finds documents of households that never were, and heads beyond the events', async () => {
    await record(1);
    const stray = '01JSTRAY000000000000000000';
    await place.documents.put(MODELS.untrackedCounts, [{ key: stray, revision: 1, count: 3 }]);
    await place.documents.put(MODELS.heads, [{ key: HOUSEHOLD, revision: 99 }]);
    const found = await verify(place.documents);
    const seen = found.differences.map(({ householdId, collection, kind }) => [
      householdId,
      collection,
      kind,
    ]);
    assert.deepEqual(seen, [
      [HOUSEHOLD, MODELS.heads.name, 'differs'],
      [stray, MODELS.untrackedCounts.name, 'unexpected'],
    ]);
    const one = await verify(place.documents, { householdId: stray });
    assert.equal(one.differencesTotal, 1);
  });
});

describe('the differences of two documents', () => {
  it('are named by their place', () => {
    const expected = { a: 1, b: [{ c: 'x' }, { c: 'y' }], gone: null };
    const found = { a: 1, b: [{ c: 'x' }, { c: 'z', d: 2 }] };
    assert.deepEqual(fieldDifferences(expected, found), [
      { path: 'b.1.c', expected: 'y', found: 'z' },
      { path: 'b.1.d', expected: undefined, found: 2 },
      { path: 'gone', expected: null, found: undefined },
    ]);
  });

  it('are none for equal ones, and the order alone is one', () => {
    assert.deepEqual(fieldDifferences({ a: 1, b: 2 }, { a: 1, b: 2 }), []);
    const [order] = fieldDifferences({ a: 1, b: 2 }, { b: 2, a: 1 });
    assert.equal(order!.path, '');
  });

  it('are bounded', () => {
    const many = Array.from({ length: 100 }, (_, at) => at);
    assert.equal(fieldDifferences(many, []).length, FIELDS_NAMED_MAX);
  });
});
