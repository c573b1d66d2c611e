import {
  EventStore,
  type AllRange,
  type Appended,
  type Delivery,
  type NewEvent,
  type RecordedEvent,
  type StreamRange,
  type SubscriptionOptions,
} from '#event-store/event-store';
import type { Tracing } from './tracing.js';

/** An event store whose appends and reads of streams show in traces; everything else passes through. */
export class TracedEventStore extends EventStore {
  constructor(
    private readonly store: EventStore,
    private readonly tracing: Tracing,
  ) {
    super();
  }

  append(stream: string, expected: number, events: readonly NewEvent[]): Promise<Appended> {
    const attributes = { 'ledger.events': events.length };
    return this.tracing.child('append events', attributes, () => this.store.append(stream, expected, events));
  }

  readStream(stream: string, range?: StreamRange): AsyncIterable<readonly RecordedEvent[]> {
    return this.tracing.childPages('read events', {}, this.store.readStream(stream, range));
  }

  readAll(range: AllRange): AsyncIterable<readonly RecordedEvent[]> {
    return this.store.readAll(range);
  }

  subscribe(options: SubscriptionOptions): AsyncIterable<Delivery> {
    return this.store.subscribe(options);
  }

  head(prefix: string): Promise<string | null> {
    return this.store.head(prefix);
  }

  ping(): Promise<void> {
    return this.store.ping();
  }

  close(): Promise<void> {
    return this.store.close();
  }
}
