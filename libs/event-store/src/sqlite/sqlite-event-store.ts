import { setTimeout as pause } from 'node:timers/promises';
import { LOCK_WAIT_MS_MAX } from '#sqlite/group-commit';
import type { Database } from '#sqlite/open-database';
import { requestsFirst } from '#concurrency/requests-first';
import { truncateLog } from '#sqlite/truncate-log';
import { describeUnavailable, isBusy, isUnavailable } from '#sqlite/unavailable';
import {
  EventStore,
  EventStoreUnavailable,
  NO_STREAM,
  READ_PAGE_EVENTS,
  checkedAppend,
  type AllRange,
  type Appended,
  type Delivery,
  type NewEvent,
  type RecordedEvent,
  type StreamRange,
  type SubscriptionOptions,
} from '../event-store.js';
import { AppendThread } from './append-thread.js';
import { batchAfter, type ToldAppend } from './appended-batch.js';
import { EventLog, type Committed } from './event-log.js';
import { positionNumber, positionText, type EventTable } from './event-table.js';
import { Tail } from './tail.js';

/** How often subscriptions look for the writes of other processes. */
const OTHERS_POLL_MS = 500;
/** How many positions one statement passes over, so that sparse prefixes do not hold up the event loop. */
const SCAN_POSITIONS_MAX = 10_000;
const LOCKED_RETRY_MS = 10;
const RECONNECT_MS_FIRST = 100;
const RECONNECT_MS_MAX = 5_000;

interface SqliteEventStoreOptions {
  readonly file: string;
  /** Reads beside the process that writes; appends are refused as unavailable. */
  readonly readOnly?: boolean;
  /** Appends in a thread of its own, so that nobody waits for the disk meanwhile; `connected` is then for reads alone. */
  readonly appendsInThread?: boolean;
  /** Gets each connection before its first use, for settings of SQLite beyond ours. */
  readonly connected?: (db: Database) => void;
}

/**
 * The event log in one SQLite file, for a single machine.
 *
 * Appends of one turn of the event loop share one durable commit. Live subscribers mostly get the appended objects
 * themselves, so callers must not change events that they have appended.
 */
export class SqliteEventStore extends EventStore {
  private readonly log: EventLog<ToldAppend>;
  /** Null where the connection for reads appends as well. */
  private readonly thread: AppendThread | null;
  private readonly tails = new Set<Tail>();
  /**
   * Every event up to this position was offered to the subscriptions that were live, or they read on from the file
   * since; null before any was live, and after the file was opened anew.
   */
  private told: number | null = null;
  /** Where the file ended when it was looked at last while appends were on their way. */
  private seen: number | null = null;
  private othersPoll: NodeJS.Timeout | undefined;
  private closing = false;
  private readonly file: string;

  /** @throws DatabaseRefused for a file that is not ours, newer, damaged or not accessible */
  static open(options: SqliteEventStoreOptions): SqliteEventStore {
    return new SqliteEventStore(options);
  }

  private constructor({
    file,
    readOnly = false,
    appendsInThread = false,
    connected,
  }: SqliteEventStoreOptions) {
    super();
    this.file = file;
    const tell = (committed: readonly Committed<ToldAppend>[]): void => this.tell(committed);
    this.log = new EventLog({
      file,
      readOnly,
      connected: db => {
        connected?.(db);
        this.reconnected();
      },
      committed: tell,
    });
    this.thread = appendsInThread ? new AppendThread(file, tell) : null;
  }

  /** Durable commits so far, of the present thread where there is one: many appends share one. */
  get commits(): number {
    return (this.thread ?? this.log).commits;
  }

  override async append(stream: string, expected: number, events: readonly NewEvent[]): Promise<Appended> {
    if (!Number.isSafeInteger(expected) || expected < NO_STREAM)
      throw new RangeError(`${expected} is no revision`);
    const texts = checkedAppend(events);
    const size = texts.reduce((sum, { data, metadata }) => sum + data.length + metadata.length, 0);
    try {
      const append = { stream, expected, events, texts, size };
      const { revision, position } = await (this.thread ?? this.log).append(append);
      return { revision, position };
    } catch (error) {
      throw mapped(error);
    }
  }

  override async deleteStream(stream: string, expected: number): Promise<void> {
    try {
      await (this.thread ?? this.log).append({ stream, expected, events: [], texts: [], size: 0 });
      truncateLog(this.file);
    } catch (error) {
      throw mapped(error);
    }
  }

  override async *readStream(
    stream: string,
    range: StreamRange = {},
  ): AsyncIterable<readonly RecordedEvent[]> {
    const { direction = 'forwards', limit = Number.MAX_SAFE_INTEGER } = range;
    let from = range.from ?? (direction === 'forwards' ? 0 : Number.MAX_SAFE_INTEGER);
    let left = limit;
    while (left > 0) {
      const count = Math.min(left, READ_PAGE_EVENTS);
      const { events, complete } = await this.read(table => table.streamPage(stream, direction, from, count));
      const last = events.at(-1);
      if (last !== undefined) yield events;
      if (last === undefined || complete) return;
      left -= events.length;
      from = direction === 'forwards' ? last.revision + 1 : last.revision - 1;
      await requestsFirst();
    }
  }

  override async *readAll({
    after,
    prefix,
    limit,
    isKnown,
  }: AllRange): AsyncIterable<readonly RecordedEvent[]> {
    const end = await this.read(table => table.lastPosition());
    let position = positionNumber(after);
    let left = limit ?? Number.MAX_SAFE_INTEGER;
    while (left > 0 && position < end) {
      const count = Math.min(left, READ_PAGE_EVENTS);
      const page = await this.read(table => scan(table, { after: position, end, prefix, isKnown }, count));
      if (page.events.length > 0) yield page.events;
      left -= page.events.length;
      position = page.covered;
      if (left > 0 && position < end) await requestsFirst();
    }
  }

  override async *subscribe({
    after,
    prefix,
    isKnown,
    signal,
  }: SubscriptionOptions): AsyncIterable<Delivery> {
    const tail = new Tail(prefix, after, isKnown);
    this.follow(tail);
    signal.addEventListener('abort', tail.wake);
    const ended = (): boolean => signal.aborted || this.closing;
    let reconnectMs = RECONNECT_MS_FIRST;
    try {
      while (!ended()) {
        const delivery = tail.take();
        if (delivery !== undefined) yield delivery;
        else if (!tail.behind) await tail.wait();
        else if (await this.readOn(tail)) reconnectMs = RECONNECT_MS_FIRST;
        else if (!ended()) {
          await tail.wait(reconnectMs);
          reconnectMs = Math.min(reconnectMs * 2, RECONNECT_MS_MAX);
        }
      }
    } finally {
      signal.removeEventListener('abort', tail.wake);
      this.unfollow(tail);
    }
  }

  override async head(prefix: string): Promise<string | null> {
    if (!(await this.read(table => table.hasStreamWithPrefix(prefix)))) return null;
    let upTo = await this.read(table => table.lastPosition());
    while (upTo > 0) {
      const after = Math.max(0, upTo - SCAN_POSITIONS_MAX);
      const last = upTo;
      const found = await this.read(table => table.lastPositionWithin(after, last, prefix));
      if (found !== undefined) return positionText(found);
      upTo = after;
      await requestsFirst();
    }
    return null;
  }

  override async ping(): Promise<void> {
    await this.read(table => {
      this.log.requireHealth();
      return table.lastPosition();
    });
    await this.thread?.health().catch((error: unknown) => {
      throw mapped(error);
    });
  }

  override async close(): Promise<void> {
    this.closing = true;
    for (const tail of this.tails) tail.wake();
    clearInterval(this.othersPoll);
    await this.thread?.close();
    await this.log.close();
  }

  /** A new connection, perhaps to another file. */
  private reconnected(): void {
    this.told = null;
    for (const tail of this.tails) tail.fallBehind();
  }

  /** @throws EventStoreUnavailable */
  private async read<T>(query: (table: EventTable) => T): Promise<T> {
    const deadline = performance.now() + LOCK_WAIT_MS_MAX;
    for (;;) {
      try {
        return this.log.read(query);
      } catch (error) {
        if (!isBusy(error) || performance.now() > deadline) throw mapped(error);
      }
      await pause(LOCKED_RETRY_MS);
    }
  }

  /** Reads the next page for a subscription that is behind. @returns false when the store cannot be read now */
  private async readOn(tail: Tail): Promise<boolean> {
    try {
      // The consumer may go on without ever leaving the queue of promises: let others have their turn.
      await requestsFirst();
      await this.read(table => {
        const end = table.lastPosition();
        const { events, covered } = scan(
          table,
          { after: tail.position, end, prefix: tail.prefix, isKnown: tail.isKnown },
          READ_PAGE_EVENTS,
        );
        // In the same turn as the read, so that no append can be told of between the page and the live events.
        tail.accept(events, covered, covered >= end);
        // The first one that is live: what comes now is offered.
        if (covered >= end) this.told ??= end;
      });
      return true;
    } catch (error) {
      if (!(error instanceof EventStoreUnavailable)) throw error;
      tail.disconnected();
      return false;
    }
  }

  private follow(tail: Tail): void {
    this.tails.add(tail);
    this.othersPoll ??= setInterval(() => this.pollOthers(), OTHERS_POLL_MS).unref();
  }

  private unfollow(tail: Tail): void {
    this.tails.delete(tail);
    if (this.tails.size > 0) return;
    clearInterval(this.othersPoll);
    this.othersPoll = undefined;
  }

  /** What is in the file and was told to nobody, another process has written. */
  private pollOthers(): void {
    try {
      this.log.requireFile();
      const last = this.log.read(table => table.lastPosition());
      if (this.told === null || last === this.told) return;
      if (this.thread?.isIdle === false) {
        const { seen } = this;
        this.seen = last;
        // What came lately may be about to be told. What came before the last look is not, any more.
        if (seen === null || seen <= this.told) return;
      } else this.told = last;
    } catch {
      // Whether the store can be read is for the subscriptions to find out and to wait for.
    }
    for (const tail of this.tails) tail.fallBehind();
  }

  /** Offers the subscriptions what was appended. Where that is not all that came, they read on from the file. */
  private tell(committed: readonly Committed<ToldAppend>[]): void {
    const batch = batchAfter(this.told, committed);
    if (batch === null) return;
    this.told = batch.last;
    for (const tail of this.tails) {
      if (batch.isWhole) tail.offer(batch);
      else tail.fallBehind();
    }
  }
}

interface Scan extends Pick<AllRange, 'isKnown'> {
  readonly after: number;
  readonly end: number;
  readonly prefix: string;
}

/** The next page of a prefix, and up to which position it holds everything; at most up to `end`. */
function scan(
  table: EventTable,
  { after, end, prefix, isKnown }: Scan,
  limit: number,
): { readonly events: readonly RecordedEvent[]; readonly covered: number } {
  const upTo = Math.min(end, after + SCAN_POSITIONS_MAX);
  const range = { after, upTo, prefix };
  const { events, complete } = isKnown
    ? table.unknownPage(range, limit, isKnown)
    : table.allPage(range, limit);
  return { events, covered: complete ? Math.max(after, upTo) : positionNumber(events.at(-1)?.position) };
}

function mapped(error: unknown): unknown {
  if (!isUnavailable(error)) return error;
  return new EventStoreUnavailable(`the event file: ${describeUnavailable(error)}`, { cause: error });
}
