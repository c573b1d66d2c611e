import {
  AppendTooLarge,
  EventStore,
  EventStoreUnavailable,
  WrongExpectedRevision,
  type AllRange,
  type Appended,
  type Delivery,
  type NewEvent,
  type RecordedEvent,
  type StreamRange,
  type SubscriptionOptions,
} from '#event-store/event-store';
import type { AppendOutcome, ServiceMetrics } from './service-metrics.js';

/** An event store whose appends are measured; everything else passes through. */
export class MeteredEventStore extends EventStore {
  constructor(
    private readonly store: EventStore,
    private readonly metrics: ServiceMetrics,
  ) {
    super();
  }

  async append(stream: string, expected: number, events: readonly NewEvent[]): Promise<Appended> {
    const started = performance.now();
    let outcome: AppendOutcome = 'appended';
    try {
      return await this.store.append(stream, expected, events);
    } catch (error) {
      outcome = outcomeOf(error);
      throw error;
    } finally {
      this.metrics.appended(outcome, (performance.now() - started) / 1000, events.length);
    }
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

function outcomeOf(error: unknown): AppendOutcome {
  if (error instanceof WrongExpectedRevision) return 'conflict';
  if (error instanceof EventStoreUnavailable) return 'unavailable';
  if (error instanceof AppendTooLarge) return 'refused';
  return 'unavailable';
}
