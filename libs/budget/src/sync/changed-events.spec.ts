import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { EventStore, RecordedEvent } from '#storage/event-store/event-store';
import { NO_HOUSEHOLD } from '#ledger/household';
import { CommandLog } from '#engine/commands/command-log';
import { ChangedEvents, EVENTS_MAX, type StreamPlace } from './changed-events.js';

describe('the events that a page of changes reads', () => {
  it('are a limited number', async () => {
    const { changed, pages } = await readAll(2 * EVENTS_MAX + 5, () => noted('2026-01'));
    assert.deepEqual(
      pages.map(({ revision }) => revision),
      [EVENTS_MAX, 2 * EVENTS_MAX, 2 * EVENTS_MAX + 5],
    );
    assert.deepEqual([...changed.months], ['2026-01']);
  });

  it('end earlier where they are large', async () => {
    const { pages } = await readAll(40, () => noted('2026-01', 'x'.repeat(1024 * 1024)));
    assert.deepEqual(
      pages.map(({ revision }) => revision),
      [16, 32, 40],
    );
  });

  it('go on behind the transactions of a page, and without new ones to the end', async () => {
    // One event touches A, the next one B, and so on; after the fourth they touch A again.
    const { changed, pages, ids } = await readAll(9, at => deleted(at < 4 ? 'ABCD'[at]! : 'A'), 4);
    assert.deepEqual([pages.length, ids], [1, ['ABCD']]);
    assert.deepEqual(changed.next, { revision: 9, transactions: 0 });
    const smaller = await readAll(9, at => deleted(at < 4 ? 'ABCD'[at]! : 'A'), 2);
    assert.deepEqual(smaller.ids, ['AB', 'CD', 'A']);
  });
});

/** Reads page after page of a stream to its end. */
async function readAll(length: number, eventAt: (at: number) => Made, transactionsMax = 1_000) {
  const events = Array.from({ length }, (_, at) => recorded(at, eventAt(at)));
  const store = {
    async *readStream(_stream: string, { from, limit }: { from: number; limit: number }) {
      yield events.slice(from, from + limit);
    },
  } as unknown as EventStore;
  const changedEvents = new ChangedEvents(store, new CommandLog(store));
  const household = { ...NO_HOUSEHOLD, revision: length - 1 };
  const pages: StreamPlace[] = [];
  const ids: string[] = [];
  for (let place: StreamPlace = { revision: 0, transactions: 0 }; ;) {
    const changed = await changedEvents.from('H', household, place, transactionsMax);
    place = changed.next;
    pages.push(place);
    ids.push([...changed.transactionIds].join(''));
    if (place.revision === length) return { changed, pages, ids };
  }
}

interface Made {
  readonly type: string;
  readonly data: object;
}

function noted(month: string, text = ''): Made {
  return { type: 'ItemNoted', data: { month, itemId: 'I', before: null, after: text } };
}

function deleted(id: string): Made {
  return { type: 'TransactionDeleted', data: { id, type: 'expense', budgetMonth: '2026-01', splits: [] } };
}

function recorded(revision: number, { type, data }: Made): RecordedEvent {
  const metadata = { schemaVersion: 1, at: '', actor: { userId: 'U' }, commandId: String(revision) };
  const place = { stream: 'household-H', position: '', id: String(revision), revision };
  return { ...place, type, data, metadata } as unknown as RecordedEvent;
}
