import { setTimeout as pause } from 'node:timers/promises';
import { requestsFirst } from '#concurrency/requests-first';
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
import { LOCK_WAIT_MS_MAX } from './batch-writer.js';
import type { Connection } from './connection.js';
import {
  lastOf,
  lastPosition,
  logPage,
  positionNumber,
  positionText,
  streamPage,
  type Page,
} from './event-table.js';
import type { OpenLedger } from './open-ledger.js';
import type { Append } from './storage-jobs.js';
import { describeUnavailable, isBusy, isUnavailable } from './unavailable.js';

/** How often a subscription looks for what other processes have written. */
const OTHERS_POLL_MS = 500;
/** A subscription that has caught up reads at most so often: one read of many events costs little more than of one. */
const FOLLOW_MS = 100;
/** A subscriber to whom nothing was delivered for this many positions is told how far the store is. */
const CHECKPOINT_POSITIONS = 1_000;
const RECONNECT_MS_FIRST = 100;
const RECONNECT_MS_MAX = 5_000;
const LOCKED_RETRY_MS = 10;

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

  override async *readAll({ after, prefix, limit }: AllRange): AsyncIterable<readonly RecordedEvent[]> {
    const upTo = await this.read(lastPosition);
    yield* this.pages(limit, (c, last, count) =>
      logPage(c, { after: positionNumber(last?.position ?? after), upTo, prefix }, count),
    );
  }

  override async *subscribe({ after, prefix, signal }: SubscriptionOptions): AsyncIterable<Delivery> {
    const ended = (): boolean => signal.aborted || this.closing;
    /** Everything up to here was delivered or is not for this subscription; the subscriber knows so up to `told`. */
    let position = positionNumber(after);
    let told = position;
    let isCaughtUp = false;
    let reconnectMs = RECONNECT_MS_FIRST;
    const checkpoint = (): Delivery => {
      told = position;
      return { kind: 'checkpoint', position: positionText(position) };
    };
    while (!ended()) {
      // The consumer may go on without ever leaving the queue of promises: let others have their turn.
      await requestsFirst();
      const { appends } = this;
      const readAt = performance.now();
      const page = await this.nextPage(position, prefix);
      if (ended()) return;
      if (page === null) {
        isCaughtUp = false;
        await this.wait(signal, reconnectMs, false);
        reconnectMs = Math.min(reconnectMs * 2, RECONNECT_MS_MAX);
        continue;
      }
      reconnectMs = RECONNECT_MS_FIRST;
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
    const position = await this.read(c => lastOf(c, prefix));
    return position === undefined ? null : positionText(position);
  }

  override async ping(): Promise<void> {
    try {
      this.database.requireHealth();
    } catch (error) {
      throw mapped(error);
    }
    await this.read(lastPosition);
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
  private async read<T>(query: (c: Connection) => T): Promise<T> {
    const deadline = performance.now() + LOCK_WAIT_MS_MAX;
    for (;;) {
      try {
        return this.database.reader.use(query);
      } catch (error) {
        if (!isBusy(error) || performance.now() > deadline) throw mapped(error);
      }
      await pause(LOCKED_RETRY_MS);
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
      const { events, complete } = await this.read(c => read(c, before, count));
      if (events.length > 0) yield events;
      if (complete) return;
      last = events.at(-1);
      left -= events.length;
      await requestsFirst();
    }
  }

  /** Null when the store cannot be read now. */
  private async nextPage(after: number, prefix: string): Promise<SubscriptionPage | null> {
    try {
      return await this.read(c => {
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
