import { backoffMs } from '#concurrency/backoff';
import { requestsFirst } from '#concurrency/turns';
import {
  EventStore,
  EventStoreUnavailable,
  READ_PAGE_EVENTS,
  checkedAppend,
  type AllRange,
  type Appended,
  type Delivery,
  type NewEvent,
  type RecordedEvent,
  type StreamRange,
  type SubscriptionOptions,
} from '../event-store/event-store.js';
import { DELETED_REVISION, uuid } from './appends.js';
import type { Connection, Row as StoredRow } from './ledger-file.js';
import type { Append, OpenLedger } from './storage-thread.js';
import { describeUnavailable, isUnavailable } from './unavailable.js';

/** How often a subscription looks for what other processes have written. */
const OTHERS_POLL_MS = 500;
/** A subscription that has caught up reads at most so often: one read of many events costs little more than of one. */
const FOLLOW_MS = 100;
/** Before a subscription reads again from a file that failed it. */
const RETRY_MS_FIRST = 100;
const RETRY_MS_MAX = 5_000;
/** A subscriber to whom nothing was delivered for this many positions is told how far the store is. */
const CHECKPOINT_POSITIONS = 1_000;

const NOT_DELETED = `e.revision < ${DELETED_REVISION}`;

/** Texts up to this size come with the page; larger ones are fetched one by one until the page is full. */
const SIZE_INLINE_MAX = 16_384;
/** A page ends with the event that takes it beyond this size. */
export const PAGE_SIZE_MAX = 4_000_000;

const inline = (text: string): string => `CASE WHEN e.size > ${SIZE_INLINE_MAX} THEN NULL ELSE ${text} END`;
const COLUMNS = `e.position, e.revision, lower(hex(e.id)), e.type, e.size, ${inline('e.data')}, ${inline('e.metadata')}`;
const BY_STREAM = `SELECT ${COLUMNS} FROM streams s CROSS JOIN events e ON e.stream = s.id
  WHERE s.name = ? AND ${NOT_DELETED}`;
const STREAM = {
  forwards: `${BY_STREAM} AND e.revision >= ? ORDER BY e.revision LIMIT ?`,
  backwards: `${BY_STREAM} AND e.revision <= ? ORDER BY e.revision DESC LIMIT ?`,
};
const BY_POSITION = 'FROM events e CROSS JOIN streams s ON s.id = e.stream WHERE';
/** Name comparison is by bytes, so that the names with a prefix are one range. Parameters: the prefix twice. */
const WITH_PREFIX = 's.name >= ? AND s.name < ? || char(1114111)';
const LOG = `SELECT ${COLUMNS}, s.name ${BY_POSITION} e.position > ? AND e.position <= ? AND ${WITH_PREFIX}
  AND ${NOT_DELETED} ORDER BY e.position LIMIT ?`;
const LAST = `SELECT e.position ${BY_POSITION} ${WITH_PREFIX} ORDER BY e.position DESC LIMIT 1`;

/** An event without its stream's name. */
type Row = readonly [
  position: number,
  revision: number,
  id: string,
  type: string,
  size: number,
  data: string | null,
  metadata: string | null,
];
type NamedRow = readonly [...Row, stream: string];

/** A part of the log: positions after one and up to another, in the streams with the prefix. */
interface LogRange {
  readonly after: number;
  readonly upTo: number;
  readonly prefix: string;
}

interface Page {
  readonly events: readonly RecordedEvent[];
  /** No event of the range that was asked for is left after these. */
  readonly complete: boolean;
}

/** The events in a ledger's file. */
export class SqliteEventStore extends EventStore {
  private appends = 0;
  /** Of subscriptions that wait for events. */
  private readonly waiting = new Set<() => void>();
  private closing = false;

  constructor(private readonly database: OpenLedger) {
    super();
  }

  override async append(stream: string, expected: number, events: readonly NewEvent[]): Promise<Appended> {
    const append = appendOf(stream, expected, events);
    try {
      const { position } = await this.database.write({ append, runs: [] });
      return appended(append, position);
    } catch (error) {
      throw mapped(error);
    }
  }

  override async deleteStream(stream: string, expected: number): Promise<void> {
    try {
      const append = { stream, expected, events: [], texts: [] };
      await this.database.write({ append, runs: [], truncates: true });
    } catch (error) {
      throw mapped(error);
    }
  }

  override readStream(stream: string, range: StreamRange = {}): AsyncIterable<readonly RecordedEvent[]> {
    const { direction = 'forwards', limit } = range;
    const first = range.from ?? (direction === 'forwards' ? 0 : Number.MAX_SAFE_INTEGER);
    const step = direction === 'forwards' ? 1 : -1;
    return this.pages(limit, (c, last, count) =>
      streamPage(c, stream, direction, last ? last.revision + step : first, count),
    );
  }

  override async *readAll({ after, prefix }: AllRange): AsyncIterable<readonly RecordedEvent[]> {
    const upTo = this.read(lastPosition);
    yield* this.pages(undefined, (c, last, count) =>
      logPage(c, { after: positionNumber(last?.position ?? after), upTo, prefix }, count),
    );
  }

  override async *subscribe({ after, prefix, signal }: SubscriptionOptions): AsyncIterable<Delivery> {
    const ended = (): boolean => signal.aborted || this.closing;
    /** Everything up to here was delivered or is not for this subscription; the subscriber knows so up to `told`. */
    let position = positionNumber(after);
    let told = position;
    let isCaughtUp = false;
    let failures = 0;
    const checkpoint = (): Delivery => {
      told = position;
      return { kind: 'checkpoint', position: positionText(position) };
    };
    while (!ended()) {
      // The consumer may go on without ever leaving the queue of promises: let others have their turn.
      await requestsFirst();
      const { appends } = this;
      const readAt = performance.now();
      const page = this.nextPage(position, prefix);
      if (ended()) return;
      if (page === null) {
        isCaughtUp = false;
        await this.wait(signal, backoffMs(++failures, RETRY_MS_FIRST, RETRY_MS_MAX), false);
        continue;
      }
      failures = 0;
      position = page.covered;
      if (page.events.length > 0) {
        told = positionNumber(page.events.at(-1)!.position);
        yield { kind: 'events', events: page.events };
      }
      if (position < page.end) continue;
      // Positions that were passed over are told, so that the next start need not pass over them again.
      if (position - told >= (isCaughtUp ? CHECKPOINT_POSITIONS : 1)) yield checkpoint();
      if (!isCaughtUp) {
        isCaughtUp = true;
        yield { kind: 'caught-up' };
      } else {
        if (appends === this.appends) await this.wait(signal, OTHERS_POLL_MS, true);
        const early = readAt + FOLLOW_MS - performance.now();
        if (early > 0) await this.wait(signal, early, false);
      }
    }
  }

  override async head(prefix: string): Promise<string | null> {
    const position = this.read(c => lastOf(c, prefix));
    return position === undefined ? null : positionText(position);
  }

  override async ping(): Promise<void> {
    try {
      this.database.requireHealth();
    } catch (error) {
      throw mapped(error);
    }
    this.read(lastPosition);
  }

  override close(): Promise<void> {
    return this.database.close();
  }

  /** Wakes subscriptions: events were appended. */
  appended(): void {
    this.appends += 1;
    for (const wake of this.waiting) wake();
  }

  /** Ends subscriptions. */
  ended(): void {
    this.closing = true;
    this.appended();
  }

  /** @throws EventStoreUnavailable */
  private read<T>(query: (c: Connection) => T): T {
    try {
      return this.database.reader.use(query);
    } catch (error) {
      throw mapped(error);
    }
  }

  /** Pages one behind the other, giving way to other work in between. @throws EventStoreUnavailable */
  private async *pages(
    limit: number | undefined,
    read: (c: Connection, last: RecordedEvent | undefined, count: number) => Page,
  ): AsyncGenerator<readonly RecordedEvent[]> {
    let left = limit ?? Number.MAX_SAFE_INTEGER;
    let last: RecordedEvent | undefined;
    while (left > 0) {
      const count = Math.min(left, READ_PAGE_EVENTS);
      const before = last;
      const { events, complete } = this.read(c => read(c, before, count));
      if (events.length > 0) yield events;
      if (complete) return;
      last = events.at(-1);
      left -= events.length;
      await requestsFirst();
    }
  }

  /** Null when the store cannot be read now. */
  private nextPage(after: number, prefix: string): SubscriptionPage | null {
    try {
      return this.read(c => {
        const end = lastPosition(c);
        const { events, complete } = logPage(c, { after, upTo: end, prefix }, READ_PAGE_EVENTS);
        const covered = complete ? Math.max(after, end) : positionNumber(events.at(-1)?.position);
        return { events, covered, end };
      });
    } catch (error) {
      if (error instanceof EventStoreUnavailable) return null;
      throw error;
    }
  }

  /** Until the time is over, the subscription ends or, with `forEvents`, something was appended. */
  private wait(signal: AbortSignal, ms: number, forEvents: boolean): Promise<void> {
    return new Promise(resolve => {
      const end = (): void => {
        clearTimeout(timer);
        this.waiting.delete(wake);
        signal.removeEventListener('abort', end);
        resolve();
      };
      const wake = (): void => {
        if (forEvents || this.closing) end();
      };
      const timer = setTimeout(end, ms);
      // A subscription that waits for events must not keep the process alive.
      if (forEvents) timer.unref();
      this.waiting.add(wake);
      signal.addEventListener('abort', end);
    });
  }
}

interface SubscriptionPage {
  readonly events: readonly RecordedEvent[];
  /** Everything up to this position is in the page, or not asked for. */
  readonly covered: number;
  /** Of the store. */
  readonly end: number;
}

/** @throws RangeError, AppendTooLarge */
export function appendOf(stream: string, expected: number, events: readonly NewEvent[]): Append {
  const texts = checkedAppend(expected, events);
  // What crosses to the thread is copied.
  const headings = events.map(({ id, type }) => ({ id, type }));
  return { stream, expected, events: headings, texts };
}

/** @param position of its last event */
export function appended({ expected, events }: Append, position: number): Appended {
  return { revision: expected + events.length, position: positionText(position) };
}

export function mapped(error: unknown): unknown {
  if (!isUnavailable(error)) return error;
  return new EventStoreUnavailable(`the ledger's file: ${describeUnavailable(error)}`, { cause: error });
}

/** @param from a revision, inclusive @throws SQLite's errors */
function streamPage(
  c: Connection,
  stream: string,
  direction: 'forwards' | 'backwards',
  from: number,
  limit: number,
): Page {
  return pageOf(c, c.statement(STREAM[direction]).all(stream, from, limit), limit, stream);
}

/** @throws SQLite's errors */
function logPage(c: Connection, { after, upTo, prefix }: LogRange, limit: number): Page {
  return pageOf(c, c.statement(LOG).all(after, upTo, prefix, prefix, limit), limit);
}

/** The last position of the streams with the prefix; undefined where they have none. @throws SQLite's errors */
function lastOf(c: Connection, prefix: string): number | undefined {
  const row = c.row({ sql: LAST, values: [prefix, prefix] });
  return row && Number(row[0]);
}

/** 0 for an empty store. @throws SQLite's errors */
function lastPosition(c: Connection): number {
  return Number(c.row({ sql: 'SELECT max(position) FROM events', values: [] })?.[0] ?? 0);
}

/** @param stream of all rows; each names its own where none is given */
function pageOf(c: Connection, rows: readonly (Row | NamedRow)[], limit: number, stream?: string): Page {
  const events: RecordedEvent[] = [];
  let size = 0;
  for (const row of rows) {
    events.push(recordedEvent(c, row, row[7] ?? stream!));
    size += row[4];
    if (size > PAGE_SIZE_MAX) break;
  }
  return { events, complete: events.length === rows.length && rows.length < limit };
}

function recordedEvent(c: Connection, row: Row | NamedRow, stream: string): RecordedEvent {
  const [position, revision, id, type, , inlineData, inlineMetadata] = row;
  const [data, metadata] = inlineData === null ? textsAt(c, position) : [inlineData, inlineMetadata];
  let read: Pick<RecordedEvent, 'data' | 'metadata'> | undefined;
  const contents = () => (read ??= parsed(String(data), String(metadata)));
  return {
    stream,
    revision,
    position: positionText(position),
    id: uuid(id),
    type,
    // Parsed on demand: a projector skips most of what this process has written.
    get data() {
      return contents().data;
    },
    get metadata() {
      return contents().metadata;
    },
  };
}

function textsAt(c: Connection, position: number): StoredRow {
  return c.row({ sql: 'SELECT data, metadata FROM events WHERE position = ?', values: [position] }) ?? [];
}

/**
 * What is not JSON any more was damaged. Such an event is passed on empty rather than refused, so that its household
 * stops alone when it is folded.
 */
function parsed(data: string, metadata: string): Pick<RecordedEvent, 'data' | 'metadata'> {
  try {
    return {
      data: JSON.parse(data) as RecordedEvent['data'],
      metadata: JSON.parse(metadata) as RecordedEvent['metadata'],
    };
  } catch {
    return { data: {}, metadata: {} };
  }
}

const POSITION_DIGITS = 20;
const POSITION = /^\d{20}$/;

function positionText(position: number): string {
  return String(position).padStart(POSITION_DIGITS, '0');
}

/** 0, before every event, for none. @throws RangeError */
function positionNumber(position: string | undefined): number {
  if (position === undefined) return 0;
  if (!POSITION.test(position)) throw new RangeError(`${position} is no position of this store`);
  return Number(position);
}
