import {
  AppendTooLarge,
  EventStoreUnavailable,
  WrongExpectedRevision,
  type Appended,
  type EventStore,
  type NewEvent,
} from '#storage/event-store/event-store';
import { UnitOfWork, type Commit } from '#storage/event-store/unit-of-work';
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
    return metered(this.metrics, events.length, () => super.append(stream, expected, events));
  }
}

/** Commits, each measured as the append that it is. */
export class MeteredUnitOfWork extends UnitOfWork {
  constructor(
    private readonly work: UnitOfWork,
    private readonly metrics: ServiceMetrics,
  ) {
    super();
  }

  override commit(commit: Commit): Promise<Appended> {
    return metered(this.metrics, commit.events.length, () => this.work.commit(commit));
  }
}

async function metered(
  metrics: ServiceMetrics,
  events: number,
  append: () => Promise<Appended>,
): Promise<Appended> {
  const started = performance.now();
  let outcome: AppendOutcome = 'appended';
  try {
    return await append();
  } catch (error) {
    outcome = outcomeOf(error);
    throw error;
  } finally {
    metrics.appended(outcome, (performance.now() - started) / 1000, events);
  }
}

function outcomeOf(error: unknown): AppendOutcome {
  if (error instanceof WrongExpectedRevision) return 'conflict';
  if (error instanceof EventStoreUnavailable) return 'unavailable';
  if (error instanceof AppendTooLarge) return 'refused';
  return 'failed';
}
