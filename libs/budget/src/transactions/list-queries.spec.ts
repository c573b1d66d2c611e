import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { MongoClient, type Db } from 'mongodb';
import { MongoDocuments } from '#storage/mongodb/mongo-documents';
import { CursorCodec } from '#http/cursor';
import type { UserNames } from '#identity/accounts/accounts';
import { transactionDocument } from '#projections/transaction-document';
import { readModelsOf } from '#engine/households/read-models';
import { drawDatabase, urlOfDatabase } from '#test-servers/databases';
import { canStartMongod, startMongod, type MongodServer } from '#test-servers/mongod-server';
import type { HouseholdReads } from '../household-reads.js';
import { KeptPages } from './kept-pages.js';
import {
  ListTransactions,
  ListTransactionsHandler,
  type ListTransactionsQuery,
  type TransactionListResponse,
} from './list-transactions.js';

const MODELS = readModelsOf(1);
const HOUSEHOLDS = ['H0', 'H1'];
const PER_HOUSEHOLD = 600;
const LIMIT = 20;
/** A page asks for one more, and a walk looks at one entry behind its last. */
const PAGE_MAX = LIMIT + 2;

/** What the server noted of one operation. */
interface Profiled {
  readonly docsExamined?: number;
  readonly keysExamined?: number;
  readonly hasSortStage?: boolean;
  readonly planSummary?: string;
  readonly execStats?: unknown;
}

if (canStartMongod()) {
  describe('What MongoDB does for a page of transactions', () => {
    let server: MongodServer;
    let client: MongoClient;
    let db: Db;
    let documents: MongoDocuments;
    let handler: ListTransactionsHandler;

    before(async () => {
      server = (await startMongod({ replicaSet: false }))!;
      const url = urlOfDatabase(server.url, drawDatabase());
      documents = MongoDocuments.open({ url });
      await documents.ensure([MODELS.transactions]);
      await documents.put(MODELS.transactions, HOUSEHOLDS.flatMap(transactionsOf));
      client = new MongoClient(url);
      db = client.db();
      const reads = {
        models: MODELS,
        identities: async () => ({ items: [{ id: 'ITEM', name: 'Item' }] }),
        untrackedCount: async () => 0,
        joined: (_householdId: string, read: () => Promise<unknown>) => read(),
      } as unknown as HouseholdReads;
      const userNames = { namesOf: async () => new Map() } as unknown as UserNames;
      const cursors = new CursorCodec(Buffer.alloc(32));
      handler = new ListTransactionsHandler(documents, reads, userNames, cursors, new KeptPages(0));
    });
    after(async () => {
      await documents.close();
      await client.close();
      await server.stop();
    });

    const list = async (
      query: Partial<ListTransactionsQuery> & Pick<ListTransactionsQuery, 'view'>,
    ): Promise<{ readonly page: TransactionListResponse; readonly operations: readonly Profiled[] }> => {
      const noted = db.collection<Profiled>('system.profile');
      await noted.drop().catch(() => undefined);
      await db.command({ profile: 2 });
      const household = { householdId: 'H1', currency: 'EUR' };
      const text = await handler.execute(new ListTransactions(household, { limit: LIMIT, ...query }));
      await db.command({ profile: 0 });
      const ns = `${db.databaseName}.${MODELS.transactions.name}`;
      return {
        page: JSON.parse(text) as TransactionListResponse,
        operations: await noted.find({ ns }).toArray(),
      };
    };

    const [from, to] = ['2026-03-01', '2026-03-20'];
    const ids = Array.from({ length: 40 }, (_, number) => idOf(number));
    for (const view of ['tracked', 'untracked', 'deleted', 'all'] as const) {
      for (const query of [
        { view },
        { view, to },
        { view, from, to },
        { view, month: '2026-03', item_id: 'ITEM', from, to },
      ]) {
        it(`is a walk of an index that fetches a page: ${JSON.stringify(query)}`, async () => {
          const first = await list(query);
          assert.equal(first.page.transactions.length, LIMIT);
          const next = await list({ ...query, cursor: first.page.next_cursor! });
          assert.ok(next.page.transactions.length > 0);
          for (const { operations } of [first, next]) {
            assert.equal(operations.length, 1);
            assertIndexed(operations[0]!);
            assert.ok(operations[0]!.docsExamined! <= PAGE_MAX, JSON.stringify(operations[0]));
          }
        });
      }

      it(`is found by key for some ids of ${view}`, async () => {
        const { page, operations } = await list({ view, ids, from, to });
        assert.ok(page.transactions.length > 0);
        assert.equal(operations.length, 1);
        assertIndexed(operations[0]!);
        assert.ok(operations[0]!.docsExamined! <= ids.length);
      });

      it(`looks at no document for a search of ${view} without a match`, async () => {
        const { operations } = await list({ view, from, to, q: 'nowhere' });
        for (const operation of operations) assertIndexed(operation);
        assert.deepEqual(
          operations.map(({ docsExamined }) => docsExamined),
          [0],
        );
        assert.ok(operations[0]!.keysExamined! <= PER_HOUSEHOLD);
      });
    }
  });
}

/** No stage that walks the collection, and none that sorts. */
function assertIndexed({ planSummary, hasSortStage, execStats }: Profiled): void {
  assert.match(planSummary ?? '', /^(IXSCAN|IDHACK)/);
  assert.notEqual(hasSortStage, true);
  assert.doesNotMatch(JSON.stringify(execStats ?? {}), /"stage":"(COLLSCAN|SORT|SORT_MERGE)"/);
}

function idOf(number: number): string {
  return String(number).padStart(26, '0');
}

/** A third of each view, in every household. */
function transactionsOf(household: string) {
  const at = '2026-01-01T00:00:00.000Z';
  return Array.from({ length: PER_HOUSEHOLD }, (_, number) =>
    transactionDocument(household, {
      id: idOf(number),
      type: 'expense',
      amount: 5,
      date: `2026-03-${String((number % 28) + 1).padStart(2, '0')}`,
      merchant: `Shop ${number}`,
      note: null,
      budgetMonth: '2026-03',
      splits: number % 3 === 0 ? [{ itemId: 'ITEM', amount: 5 }] : [],
      location: null,
      revision: number,
      createdRevision: number,
      createdAt: at,
      createdBy: 'USER',
      updatedAt: at,
      updatedBy: null,
      deletedAt: number % 3 === 2 ? at : null,
      taken: null,
    }),
  );
}
