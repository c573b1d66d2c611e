import { setMaxListeners } from 'node:events';
import {
  EventStore,
  EventStoreUnavailable,
  type AllRange,
  type Appended,
  type Delivery,
  type NewEvent,
  type RecordedEvent,
  type StreamRange,
  type SubscriptionOptions,
} from '../event-store/event-store.js';
import { Appends } from './appends.js';
import { EventStoreDbConnection } from './connection.js';
import { parseConnectionUrl } from './connection-url.js';
import { classify } from './failures.js';
import { Reads, closed } from './reads.js';
import { Availability, TIMINGS, type Timings } from './retry.js';
import { AllSubscription, type EventStoreDbLog } from './subscription.js';

export interface EventStoreDbOptions {
  /** `esdb://`, `esdb+discover://`, `kurrentdb://` or `kurrentdb+discover://`. */
  readonly url: string;
  /** Is told when a subscription is dropped and when it is back. */
  readonly log?: EventStoreDbLog;
  readonly timings?: Partial<Timings>;
}

const SILENT: EventStoreDbLog = { info: () => undefined, error: () => undefined };

/**
 * The event log in EventStoreDB or KurrentDB, from version 23.10 on. Everything asks the leader, because only the
 * leader is sure to have the last append.
 */
export class EventStoreDbEventStore extends EventStore {
  private readonly connection: EventStoreDbConnection;
  private readonly availability: Availability;
  private readonly appends: Appends;
  private readonly reads: Reads;
  private readonly log: EventStoreDbLog;
  private readonly closing = new AbortController();

  /** Connects with the first call: the server need not be there yet. @throws StoreUrlError */
  static open(options: EventStoreDbOptions): EventStoreDbEventStore {
    return new EventStoreDbEventStore(options);
  }

  private constructor({ url, log = SILENT, timings }: EventStoreDbOptions) {
    super();
    const connection = parseConnectionUrl(url);
    this.connection = new EventStoreDbConnection(connection);
    this.availability = new Availability(this.connection, connection.where, { ...TIMINGS, ...timings });
    this.appends = new Appends(this.connection, this.availability);
    this.reads = new Reads(this.connection, this.availability, this.closing.signal);
    this.log = log;
    // Every read that waits listens to it.
    setMaxListeners(0, this.closing.signal);
  }

  override async append(stream: string, expected: number, events: readonly NewEvent[]): Promise<Appended> {
    if (this.closing.signal.aborted) throw closed();
    return this.appends.append(stream, expected, events);
  }

  override async deleteStream(stream: string, expected: number): Promise<void> {
    if (this.closing.signal.aborted) throw closed();
    await this.appends.delete(stream, expected);
  }

  override readStream(stream: string, range: StreamRange = {}): AsyncIterable<readonly RecordedEvent[]> {
    return this.reads.stream(stream, range);
  }

  override readAll(range: AllRange): AsyncIterable<readonly RecordedEvent[]> {
    return this.reads.all(range);
  }

  override async *subscribe({ after, signal, prefix }: SubscriptionOptions): AsyncIterable<Delivery> {
    const { connection, availability, log } = this;
    const ended = AbortSignal.any([signal, this.closing.signal]);
    setMaxListeners(0, ended);
    const reads = new Reads(connection, availability, ended);
    const context = { connection, availability, reads, log };
    yield* new AllSubscription(context, after, prefix, ended).deliveries();
  }

  override async head(prefix: string): Promise<string | null> {
    return (await this.reads.last(prefix))?.position ?? null;
  }

  override async ping(): Promise<void> {
    try {
      await this.reads.ping();
    } catch (error) {
      if (error instanceof EventStoreUnavailable) throw error;
      if (classify(error).kind === 'unclear') this.availability.failed(error);
      throw this.availability.mapped(error);
    }
  }

  override async close(): Promise<void> {
    if (this.closing.signal.aborted) return;
    this.closing.abort();
    await this.appends.finished();
    await this.connection.end();
  }
}
