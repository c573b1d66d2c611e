import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { MongoClient, type Db } from 'mongodb';
import { drawDatabase, urlOfDatabase } from '#test-servers/databases';
import { canStartMongod, startMongod, type MongodServer } from '#test-servers/mongod-server';
import type { Collection, Document, IndexQuery } from '../documents/documents.js';
import { MongoDocuments } from './mongo-documents.js';

/** What a transaction is found by: fields of its own, a sort value of its own, tags, and covered conditions. */
interface Entry extends Document {
  readonly household: string;
  readonly date: string;
  readonly place: string;
  readonly tags: readonly string[];
  readonly text: string;
  readonly amount: number;
  readonly code: string;
}

const ENTRIES: Collection<Entry> = {
  name: 'entries',
  durability: 'derived',
  indexes: [
    { name: 'by_date', equals: ['household'], sort: 'date', covers: ['text', 'amount'] },
    { name: 'by_place', equals: ['household'], sort: 'place', sortUnique: true, covers: ['text', 'amount'] },
    { name: 'by_tag', equals: ['household', 'tags'], list: 'tags', sort: 'date', covers: ['text', 'amount'] },
    { name: 'by_mark', equals: ['household', 'tags'], list: 'tags', sort: 'date' },
    { name: 'by_code', equals: ['code'], unique: true },
  ],
};
const HOUSEHOLDS = 3;
const PER_HOUSEHOLD = 400;
/** A walk looks at one entry behind its last. */
const BEHIND = 1;

/** What the server noted of one operation, with the statistics of `explain`. */
interface Profiled {
  readonly docsExamined?: number;
  readonly keysExamined?: number;
  readonly nreturned?: number;
  readonly hasSortStage?: boolean;
  readonly planSummary?: string;
  readonly command: Readonly<Record<string, unknown>>;
  readonly execStats?: unknown;
}

if (canStartMongod()) {
  describe('What MongoDB does for a query', () => {
    let server: MongodServer;
    let client: MongoClient;
    let db: Db;
    let documents: MongoDocuments;
    const household = 'h1';

    before(async () => {
      const started = await startMongod({ replicaSet: false });
      assert.ok(started);
      server = started;
      const url = urlOfDatabase(server.url, drawDatabase());
      documents = MongoDocuments.open({ url });
      await documents.ensure([ENTRIES]);
      await documents.put(ENTRIES, entries());
      client = new MongoClient(url);
      db = client.db();
    });
    after(async () => {
      await documents.close();
      await client.close();
      await server.stop();
    });

    /** The operations of the server during some work. */
    const profiled = async (work: () => Promise<unknown>): Promise<Profiled[]> => {
      await db.command({ profile: 0 });
      await db.dropCollection('system.profile');
      await db.command({ profile: 2 });
      await work();
      await db.command({ profile: 0 });
      return db
        .collection<Profiled>('system.profile')
        .find({ ns: `${db.databaseName}.${ENTRIES.name}` })
        .toArray();
    };
    const found = async (query: Omit<IndexQuery, 'limit'>, limit = 50): Promise<[Entry[], Profiled[]]> => {
      let answer: Entry[] = [];
      const operations = await profiled(async () => {
        answer = await documents.query(ENTRIES, { ...query, limit });
      });
      for (const operation of operations) assertIndexed(operation);
      return [answer, operations];
    };

    for (const [index, equals] of [
      ['by_date', { household }],
      ['by_place', { household }],
      ['by_tag', { household, tags: 'even' }],
    ] as const) {
      for (const order of ['ascending', 'descending'] as const) {
        it(`walks ${index} ${order} and fetches what it answers`, async () => {
          const [page] = await found({ index, equals, order });
          const last = page.at(-1)!;
          const sort = index === 'by_place' ? last.place : last.date;
          const [next, operations] = await found({ index, equals, order, after: { sort, key: last.key } });
          assert.equal(next.length, 50);
          assert.equal(operations.length, 1);
          assert.equal(operations[0]!.docsExamined, 50);
          assert.ok(operations[0]!.keysExamined! <= 50 + BEHIND, JSON.stringify(operations[0]!.keysExamined));
        });

        it(`searches ${index} ${order} on its entries, and fetches the hits`, async () => {
          const where = [
            { field: 'text', contains: 'number 7' },
            { field: 'amount', equals: -1 },
          ];
          const [hits, operations] = await found({ index, equals, order, where });
          assert.ok(hits.length > 0);
          assert.deepEqual(
            operations.map(({ docsExamined }) => docsExamined),
            [0, hits.length],
          );
          assertWithinHousehold(operations);
        });

        it(`looks at no document where a search of ${index} ${order} hits nothing`, async () => {
          const [hits, operations] = await found({
            index,
            equals,
            order,
            where: [{ field: 'text', contains: 'nowhere' }],
          });
          assert.equal(hits.length, 0);
          assert.deepEqual(
            operations.map(({ docsExamined }) => docsExamined),
            [0],
          );
          assertWithinHousehold(operations);
        });
      }
    }

    it('looks at the documents of one tag where another index covers it', async () => {
      const equals = { household, tags: 'even' };
      const where = [{ field: 'text', contains: 'nowhere' }];
      const [hits, operations] = await found({ index: 'by_mark', equals, where });
      assert.equal(hits.length, 0);
      assert.deepEqual(
        operations.map(({ docsExamined }) => docsExamined),
        [PER_HOUSEHOLD / 2],
      );
    });

    it('finds one document by a unique index', async () => {
      const [hits, operations] = await found({ index: 'by_code', equals: { code: 'h2-17' } });
      assert.equal(hits.length, 1);
      assert.equal(operations[0]!.docsExamined, 1);
    });

    it('finds documents by key on the index of keys', async () => {
      const keys = Array.from({ length: 20 }, (_, number) => keyOf(household, number));
      for (const [work, most] of [
        [() => documents.get(ENTRIES, keys[0]!), 1],
        [() => documents.getMany(ENTRIES, keys), keys.length],
        [() => documents.range(ENTRIES, { from: keys[0]!, before: keys[20 - 1]!, limit: 10 }), 10],
      ] as const) {
        const operations = await profiled(work);
        assert.equal(operations.length, 1);
        assertIndexed(operations[0]!);
        assert.ok(operations[0]!.docsExamined! <= most);
      }
    });

    it('reads a page of a thousand documents in one round trip', async () => {
      const operations = await profiled(() =>
        documents.range(ENTRIES, { from: '', before: '~', limit: HOUSEHOLDS * PER_HOUSEHOLD - 300 }),
      );
      assert.equal(operations.length, 1);
    });

    it('puts a few documents of several collections with one command for each', async () => {
      const collections = ['one', 'two', 'three', 'four'].map((name): Collection<Document> => ({
        name,
        durability: 'derived',
        indexes: [],
      }));
      await documents.ensure(collections);
      const updates = async (): Promise<number> => {
        const { metrics } = await server.command({ serverStatus: 1 });
        return Number(metrics.commands.update.total);
      };
      for (const revision of [1, 2, 2, 1]) {
        const before = await updates();
        await documents.putAll(
          collections.map((collection, number) => ({
            collection,
            documents:
              number === 0 ? [sample('a', revision), sample('b', revision)] : [sample('c', revision)],
          })),
        );
        assert.equal((await updates()) - before, collections.length);
      }
    });

    it('inserts the new ones of many documents at once, and replaces the others', async () => {
      const collection: Collection<Document> = { name: 'many', durability: 'derived', indexes: [] };
      await documents.ensure([collection]);
      const some = (from: number, revision: number): Document[] =>
        Array.from({ length: 400 }, (_, number) => sample(`k${from + number}`, revision));
      await documents.put(collection, some(0, 1));
      const counted = async (): Promise<number[]> => {
        const { metrics } = await server.command({ serverStatus: 1 });
        return [Number(metrics.commands.insert.total), Number(metrics.commands.update.total)];
      };
      const [insertsBefore = 0, updatesBefore = 0] = await counted();
      await documents.put(collection, some(200, 2));
      const [inserts = 0, updates = 0] = await counted();
      assert.deepEqual([inserts - insertsBefore, updates - updatesBefore], [1, 1]);
      const left = await documents.range(collection, { from: 'k', before: 'l', limit: 999 });
      assert.equal(left.length, 600);
      assert.equal(left.filter(({ revision }) => revision === 2).length, 400);
    });
  });
}

function entries(): Entry[] {
  return Array.from({ length: HOUSEHOLDS * PER_HOUSEHOLD }, (_, index) => {
    const household = `h${index % HOUSEHOLDS}`;
    const number = Math.floor(index / HOUSEHOLDS);
    const date = `2026-01-${String((number % 28) + 1).padStart(2, '0')}`;
    return {
      key: keyOf(household, number),
      revision: 1,
      household,
      date,
      place: `${date}|${number}`,
      tags: [number % 2 === 0 ? 'even' : 'odd', 'all'],
      text: `entry number ${number}`,
      amount: number,
      code: `${household}-${number}`,
    };
  });
}

function keyOf(household: string, number: number): string {
  return `${household}|${String(number).padStart(4, '0')}`;
}

function sample(key: string, revision: number): Document {
  return { key, revision };
}

/** No stage that walks the collection, and none that sorts. */
function assertIndexed({ planSummary, hasSortStage, execStats }: Profiled): void {
  const stages = JSON.stringify(execStats ?? {});
  assert.match(planSummary ?? '', /^(IXSCAN|IDHACK)/);
  assert.notEqual(hasSortStage, true);
  assert.doesNotMatch(stages, /"stage":"(COLLSCAN|SORT|SORT_MERGE)"/);
}

function assertWithinHousehold(operations: readonly Profiled[]): void {
  for (const { keysExamined } of operations) assert.ok((keysExamined ?? 0) <= PER_HOUSEHOLD + BEHIND);
}
