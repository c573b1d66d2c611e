import {
  EventStore,
  type AllRange,
  type Appended,
  type Delivery,
  type NewEvent,
  type RecordedEvent,
  type StreamRange,
  type SubscriptionOptions,
} from '#storage/event-store/event-store';

/** An event store that passes everything on to another one: a subclass adds what it has to say. */
export class ForwardingEventStore extends EventStore {
  constructor(protected readonly store: EventStore) {
    super();
  }

  append(stream: string, expected: number, events: readonly NewEvent[]): Promise<Appended> {
    return this.store.append(stream, expected, events);
  }

  deleteStream(stream: string, expected: number): Promise<void> {
    return this.store.deleteStream(stream, expected);
  }

  readStream(stream: string, range?: StreamRange): AsyncIterable<readonly RecordedEvent[]> {
    return this.store.readStream(stream, range);
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
