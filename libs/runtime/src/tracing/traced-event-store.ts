import type {
  Appended,
  EventStore,
  NewEvent,
  RecordedEvent,
  StreamRange,
} from '#storage/event-store/event-store';
import { UnitOfWork, type Commit } from '#storage/event-store/unit-of-work';
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

/** Commits that show in traces. */
export class TracedUnitOfWork extends UnitOfWork {
  constructor(
    private readonly work: UnitOfWork,
    private readonly tracing: Tracing,
  ) {
    super();
  }

  override commit(commit: Commit): Promise<Appended> {
    const { events, writes } = commit;
    const documents = writes.reduce((sum, each) => sum + each.documents.length, 0);
    const attributes = { 'ledger.events': events.length, 'ledger.documents': documents };
    return this.tracing.child('commit events', attributes, () => this.work.commit(commit));
  }
}
