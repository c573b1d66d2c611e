import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { keysUnder } from '#storage/documents/declared';
import type { Documents, KeyRange } from '#storage/documents/documents';
import { CursorCodec } from '#http/cursor';
import type { UserNames } from '#identity/accounts/accounts';
import { NO_HOUSEHOLD } from '#ledger/household';
import type { TransactionDocument } from '#projections/transaction-document';
import type { LiveStreams } from '#engine/versions/live-streams';
import type { HouseholdReads } from '../household-reads.js';
import { EVENTS_MAX, type Changed, type ChangedEvents, type StreamPlace } from './changed-events.js';
import { GetSyncPage, GetSyncPageHandler, type SyncPageResponse } from './get-sync-page.js';

describe('pages of everything', () => {
  it('are read from the documents, and no event of a long history', async () => {
    const home = household({ events: 1_000_000, transactions: 5 });
    const pages = await home.pages(2);
    assert.deepEqual(
      pages.map(({ transactions }) => transactions.length),
      [2, 2, 1, 0],
    );
    assert.deepEqual(home.eventsReadFrom, [{ revision: 1_000_000, transactions: 0 }]);
    assert.deepEqual(pages.at(-1)!.revision, 999_999);
  });

  it('pass no more events than others do', async () => {
    const complete = async (events: number) =>
      (await household({ events, transactions: 5 }).pages(500)).map(page => page.complete);
    assert.deepEqual(await complete(EVENTS_MAX), [true]);
    assert.deepEqual(await complete(EVENTS_MAX + 1), [false, true]);
  });

  it('go on with the events that were recorded since the first one', async () => {
    const home = household({ events: 10, transactions: 3 });
    const [first] = await home.pages(2, () => home.record(4));
    assert.equal(first!.complete, false);
    assert.deepEqual(home.eventsReadFrom, [{ revision: 10, transactions: 0 }]);
  });
});

/** A household of which only its events' number and its transactions are known. */
function household(size: { events: number; transactions: number }) {
  let { events } = size;
  const eventsReadFrom: StreamPlace[] = [];
  const stored = Array.from({ length: size.transactions }, (_, at) => transaction(`T${at}`));
  const documents = {
    range: async (_: unknown, { from, limit }: KeyRange) =>
      stored.filter(({ key }) => key >= from && key < keysUnder('H').before).slice(0, limit),
    getMany: async () => [],
  } as unknown as Documents;
  const streams = {
    catchUp: async () => ({ ...NO_HOUSEHOLD, revision: events - 1 }),
  } as unknown as LiveStreams;
  const changed = {
    async from(_household: string, { revision }: { revision: number }, place: StreamPlace) {
      eventsReadFrom.push(place);
      const next = { revision: revision + 1, transactions: 0 };
      return { months: new Set(), transactionIds: new Set(), next } satisfies Changed;
    },
  } as unknown as ChangedEvents;
  const reads = {
    joined: (_household: string, read: () => Promise<unknown>) => read(),
    models: {},
    identities: async () => ({ items: [], groups: [], favorites: [] }),
    untrackedCount: async () => 0,
    async *pages() {
      yield [];
    },
  } as unknown as HouseholdReads;
  const userNames = { namesOf: async () => new Map() } as unknown as UserNames;
  const cursors = new CursorCodec(Buffer.alloc(32));
  const handler = new GetSyncPageHandler(documents, streams, changed, reads, userNames, cursors);
  return {
    eventsReadFrom,
    record: (count: number) => (events += count),
    /** All pages of a size. @param afterFirst is called once the first page was read */
    async pages(limit: number, afterFirst: () => void = () => undefined): Promise<SyncPageResponse[]> {
      const pages: SyncPageResponse[] = [];
      for (let cursor: string | null = null; ;) {
        const query = { limit, ...(cursor !== null && { cursor }) };
        const page = JSON.parse(await handler.execute(new GetSyncPage('H', query))) as SyncPageResponse;
        pages.push(page);
        if (page.cursor === null) return pages;
        ({ cursor } = page);
        if (pages.length === 1) afterFirst();
      }
    },
  };
}

function transaction(id: string): TransactionDocument {
  const record = {
    type: 'expense',
    amount: 5,
    date: '2026-01-01',
    merchant: 'Shop',
    splits: [],
    createdAt: '2026-01-01T00:00:00.000Z',
    createdBy: 'U',
  } as const;
  return { key: `H|${id}`, revision: 1, record };
}
