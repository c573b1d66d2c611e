import { monotonicFactory } from 'ulid';
import type { EventStore, NewEvent } from '#storage/event-store/event-store';
import type { DecodedEvent } from '#ledger/event-codec';
import type { LedgerEvent } from '#ledger/events';
import type { TransactionContent } from '#ledger/transactions/transaction-record';
import { type Envelope, chained, recordedEvents, streamOf } from '#engine/households/household-stream';

/** A household whose history is made up for a measurement: months, items, and what was made so far. */
interface Author {
  readonly householdId: string;
  readonly userId: string;
  readonly months: readonly string[];
  /** Expense items, in every month. */
  readonly items: readonly string[];
  readonly live: { id: string; content: TransactionContent }[];
  readonly deleted: { id: string; content: TransactionContent }[];
  readonly inOnePlace: boolean;
  planned: number;
  revision: number;
  lastHash: string | null;
  count: number;
}

const ulid = monotonicFactory();
const ITEMS = 24;
const MERCHANTS = 120;
const EVENTS_PER_APPEND = 250;
/** When the first event of a made-up history was recorded, … */
export const HISTORY_BEGAN = Date.UTC(2026, 0, 15);
/** … and how long after the one before each other one was, on average. */
export const EVENT_EVERY_MS = 1_000;
/** Well below what a month may hold. */
export const TRANSACTIONS_PER_MONTH = 4_000;

interface HistoryOptions {
  readonly householdIds: readonly string[];
  readonly userId: string;
  /** How many events of the mix follow each household's months. */
  readonly eventsPerHousehold: number;
  /** `mixed`: 85 % creations, 10 % changes, deletions and restores, 5 % edits. `created`: creations alone. */
  readonly mix: 'mixed' | 'created';
  /** Months that the transactions are spread over. */
  readonly months: number;
  /** All transactions are in the first month and on its first item. */
  readonly inOnePlace?: boolean;
}

/** Appends made-up histories to a store, several households in turn. @returns how many events */
export async function appendHistory(store: EventStore, options: HistoryOptions): Promise<number> {
  const random = lcg(42);
  const authors = options.householdIds.map(householdId => newAuthor(householdId, options));
  for (const author of authors) await append(store, author, opening(author));
  for (let done = 0; done < options.eventsPerHousehold; done += EVENTS_PER_APPEND) {
    const count = Math.min(EVENTS_PER_APPEND, options.eventsPerHousehold - done);
    await Promise.all(
      authors.map(async author => {
        const events = Array.from({ length: count }, () => nextEvent(author, options.mix, random));
        await append(store, author, events);
      }),
    );
  }
  return authors.reduce((sum, { revision }) => sum + revision + 1, 0);
}

async function append(store: EventStore, author: Author, events: readonly LedgerEvent[]): Promise<void> {
  const expected = author.revision;
  const envelope: Envelope = {
    actor: { userId: author.userId, credential: { kind: 'session', id: author.userId } },
    at: new Date(HISTORY_BEGAN + (expected + 1) * EVENT_EVERY_MS).toISOString(),
    commandId: ulid(),
    requestId: 'bench',
  };
  const recorded = recordedEvents(author.householdId, expected, events, envelope);
  const complete = chained(author.householdId, recorded, author.lastHash, [], envelope);
  author.lastHash = complete.end.hash;
  author.revision += events.length;
  await store.append(streamOf(author.householdId), expected, complete.events.map(newEvent));
}

function newEvent({ id, type, data, metadata }: DecodedEvent): NewEvent {
  return {
    id,
    type,
    data: data as object as NewEvent['data'],
    metadata: metadata as object as NewEvent['metadata'],
  };
}

function newAuthor(householdId: string, options: HistoryOptions): Author {
  const items = Array.from({ length: ITEMS }, () => ulid());
  const months = Array.from(
    { length: options.months },
    (_, i) => `${2000 + Math.trunc(i / 12)}-${String((i % 12) + 1).padStart(2, '0')}`,
  );
  const { userId, inOnePlace = false } = options;
  return {
    householdId,
    userId,
    months,
    items,
    live: [],
    deleted: [],
    inOnePlace,
    planned: 0,
    revision: -1,
    lastHash: null,
    count: 0,
  };
}

/** The months with one income group and six groups of four expense items. */
function opening({ months, items }: Author): LedgerEvent[] {
  const groupIds = Array.from({ length: 7 }, () => ulid());
  const pay = ulid();
  const layout = groupIds.map((groupId, g) => ({
    groupId,
    items:
      g === 0
        ? [{ itemId: pay, planned: 500_000 }]
        : items.slice((g - 1) * 4, g * 4).map(itemId => ({ itemId, planned: 20_000 })),
  }));
  return months.map((month, index) => ({
    type: 'MonthCreated',
    data: {
      month,
      copiedFrom: months[index - 1] ?? null,
      newGroups:
        index > 0
          ? []
          : groupIds.map((id, g) => ({ id, name: `Group ${g}`, color: '#336699', isIncome: g === 0 })),
      newItems:
        index > 0
          ? []
          : [
              { id: pay, name: 'Pay', kind: 'income' as const },
              ...items.map((id, i) => ({ id, name: `Item ${i}`, kind: 'expense' as const })),
            ],
      layout,
    },
  }));
}

function nextEvent(author: Author, mix: HistoryOptions['mix'], random: () => number): LedgerEvent {
  const die = mix === 'created' ? 0 : random();
  if (die < 0.85 || author.live.length < 10) return created(author, random);
  if (die < 0.9) return changed(author, random);
  if (die < 0.93) return deleted(author, random);
  if (die < 0.95 && author.deleted.length > 0) return restored(author);
  return planned(author, random);
}

function created(author: Author, random: () => number): LedgerEvent {
  const at = author.inOnePlace ? 0 : Math.trunc(author.count / TRANSACTIONS_PER_MONTH);
  const month = author.months[at % author.months.length]!;
  author.count++;
  const first = 100 + Math.trunc(random() * 20_000);
  const second = random() < 0.4 ? 100 + Math.trunc(random() * 5_000) : 0;
  const item = author.inOnePlace ? 0 : Math.trunc(random() * ITEMS);
  const splits = [{ itemId: author.items[item]!, amount: first }];
  if (second > 0) splits.push({ itemId: author.items[(item + 1) % ITEMS]!, amount: second });
  const content: TransactionContent = {
    type: 'expense',
    amount: first + second,
    date: `${month}-${String(1 + Math.trunc(random() * 28)).padStart(2, '0')}`,
    merchant: `Merchant ${Math.trunc(random() * MERCHANTS)} of Main Street`,
    note: random() < 0.2 ? 'A note of the usual length' : null,
    budgetMonth: month,
    splits,
    location: null,
  };
  const id = ulid();
  author.live.push({ id, content });
  if (author.live.length > 2_000) author.live.shift();
  return { type: 'TransactionCreated', data: { id, content } };
}

function changed(author: Author, random: () => number): LedgerEvent {
  const transaction = author.live[Math.trunc(random() * author.live.length)]!;
  const before = transaction.content;
  const note = `Changed ${Math.trunc(random() * 1e6)}`;
  const amount = before.amount + 1;
  const splits = before.splits.map((split, i) => (i === 0 ? { ...split, amount: split.amount + 1 } : split));
  transaction.content = { ...before, note, amount, splits };
  return { type: 'TransactionChanged', data: { id: transaction.id, before, after: transaction.content } };
}

function deleted(author: Author, random: () => number): LedgerEvent {
  const [transaction] = author.live.splice(Math.trunc(random() * author.live.length), 1);
  author.deleted.push(transaction!);
  const { type, budgetMonth, splits } = transaction!.content;
  return { type: 'TransactionDeleted', data: { id: transaction!.id, type, budgetMonth, splits } };
}

function restored(author: Author): LedgerEvent {
  const transaction = author.deleted.shift()!;
  author.live.push(transaction);
  const { type, budgetMonth, splits } = transaction.content;
  return {
    type: 'TransactionRestored',
    data: { id: transaction.id, type, budgetMonth, splits, dropped: [] },
  };
}

function planned(author: Author, random: () => number): LedgerEvent {
  const month = author.months[Math.trunc(random() * author.months.length)]!;
  const itemId = author.items[Math.trunc(random() * ITEMS)]!;
  author.planned++;
  return { type: 'ItemPlanned', data: { month, itemId, before: 20_000, after: 20_000 + author.planned } };
}

/** A small generator with a seed: measurements of different days see the same history. */
function lcg(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 4_294_967_296;
  };
}
