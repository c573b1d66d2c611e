import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import {
  READ_PAGE_EVENTS,
  WrongExpectedRevision,
  type EventStore,
  type NewEvent,
  type RecordedEvent,
} from '../event-store.js';
import { propertyRuns } from '../../../../../test/property-runs.js';

/** One store under test. */
export interface EventStoreHarness {
  readonly store: EventStore;
  /** Ends the connection and opens another to the same events, for adapters that can. `store` is void afterwards. */
  readonly reopen?: () => Promise<EventStore>;
  /** Ends the connection that is open last, and removes what the harness made. */
  close(): Promise<void>;
}

/** Runs of each property. */
export const PROPERTY_RUNS = propertyRuns(40);

/** An event that differs from every other one. */
export function newEvent(changes: Partial<NewEvent> = {}): NewEvent {
  return { id: randomUUID(), type: 'tested', data: { amount: 1250 }, metadata: { schema: 1 }, ...changes };
}

export function newEvents(count: number): NewEvent[] {
  return Array.from({ length: count }, (_, index) => newEvent({ data: { index } }));
}

/** Every event of a read. */
export async function readEvents(pages: AsyncIterable<readonly RecordedEvent[]>): Promise<RecordedEvent[]> {
  const events: RecordedEvent[] = [];
  for await (const page of pages) {
    assert.ok(page.length > 0 && page.length <= READ_PAGE_EVENTS, `a page of ${page.length} events`);
    events.push(...page);
  }
  return events;
}

/** Names of streams that no other test uses, also not on a server that many runs share. */
export class Names {
  private readonly run = `contract${randomUUID().slice(0, 8)}`;
  private count = 0;

  /** A prefix under which there is no stream yet. */
  prefix(): string {
    this.count += 1;
    return `${this.run}x${this.count}-`;
  }

  stream(): string {
    return `${this.prefix()}stream`;
  }
}

export interface Context {
  readonly names: Names;
  store(): EventStore;
  harness(): EventStoreHarness;
}

export function idsOf(events: readonly { readonly id: string }[]): string[] {
  return events.map(({ id }) => id);
}

export function assertGrowing(events: readonly RecordedEvent[]): void {
  for (const [index, event] of events.entries()) {
    const earlier = events[index - 1];
    assert.ok(earlier === undefined || earlier.position < event.position, `position of event ${index}`);
  }
}

/** For `assert.rejects`. */
export function wrongRevision(stream: string, expected: number, actual: number): (error: unknown) => boolean {
  return error => {
    assert.ok(error instanceof WrongExpectedRevision, String(error));
    assert.deepEqual([error.stream, error.expected, error.actual], [stream, expected, actual]);
    return true;
  };
}
