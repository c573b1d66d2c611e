import {
  AppendTooLarge,
  EventStoreUnavailable,
  WrongExpectedRevision,
  type Appended,
  type EventStore,
  type NewEvent,
} from '#event-store/event-store';
import { ForwardingEventStore } from '../forwarding-event-store.js';
import type { AppendOutcome, ServiceMetrics } from './service-metrics.js';

/** An event store whose appends are measured. */
export class MeteredEventStore extends ForwardingEventStore {
  constructor(
    store: EventStore,
    private readonly metrics: ServiceMetrics,
  ) {
    super(store);
  }

  override async append(stream: string, expected: number, events: readonly NewEvent[]): Promise<Appended> {
    const started = performance.now();
    let outcome: AppendOutcome = 'appended';
    try {
      return await super.append(stream, expected, events);
    } catch (error) {
      outcome = outcomeOf(error);
      throw error;
    } finally {
      this.metrics.appended(outcome, (performance.now() - started) / 1000, events.length);
    }
  }
}

function outcomeOf(error: unknown): AppendOutcome {
  if (error instanceof WrongExpectedRevision) return 'conflict';
  if (error instanceof EventStoreUnavailable) return 'unavailable';
  if (error instanceof AppendTooLarge) return 'refused';
  return 'failed';
}
