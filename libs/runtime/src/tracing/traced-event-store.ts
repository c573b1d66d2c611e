import type { Appended, EventStore, NewEvent, RecordedEvent, StreamRange } from '#event-store/event-store';
import { ForwardingEventStore } from '../forwarding-event-store.js';
import type { Tracing } from './tracing.js';

/** An event store whose appends and reads of streams show in traces. */
export class TracedEventStore extends ForwardingEventStore {
  constructor(
    store: EventStore,
    private readonly tracing: Tracing,
  ) {
    super(store);
  }

  override append(stream: string, expected: number, events: readonly NewEvent[]): Promise<Appended> {
    const attributes = { 'ledger.events': events.length };
    return this.tracing.child('append events', attributes, () => super.append(stream, expected, events));
  }

  override readStream(stream: string, range?: StreamRange): AsyncIterable<readonly RecordedEvent[]> {
    return this.tracing.childPages('read events', {}, super.readStream(stream, range));
  }
}
