import type { NewEvent, RecordedEvent } from '../event-store.js';
import type { Append } from './appends.js';
import type { Committed } from './event-log.js';
import { positionNumber, positionText } from './event-table.js';

/** An append of events that are told of once they are durable. */
export type ToldAppend = Append<NewEvent>;

/** Events that were appended, in the order of the store. */
export interface AppendedBatch {
  readonly events: readonly RecordedEvent[];
  /** Length of the events' texts. */
  readonly size: number;
  /** Position of the last event. */
  readonly last: number;
  /**
   * These are all events behind the ones before: positions follow each other, so that no other process wrote any between
   * them, and nothing that is new here is known by a repetition alone, of which only the ids are what is stored.
   */
  readonly isWhole: boolean;
}

/**
 * What appends have added behind a position, or shown to be there.
 * @param after of the last event that is known; null where it is not: then the batch is not whole
 * @returns null where there is nothing behind it
 */
export function batchAfter(
  after: number | null,
  committed: readonly Committed<ToldAppend>[],
): AppendedBatch | null {
  const events: RecordedEvent[] = [];
  let [size, isWhole] = [0, after !== null];
  let last = after ?? 0;
  for (const { append, written } of committed) {
    const end = positionNumber(written.position);
    // Of a deleted stream nothing is told; the positions have a gap then, and subscriptions read on from the file.
    if (end <= last || append.events.length === 0) continue;
    const begin = end - append.events.length + 1;
    if (written.isRepetition || begin !== last + 1) isWhole = false;
    addEvents(events, append, begin);
    size += append.size;
    last = end;
  }
  return events.length === 0 ? null : { events, size, last, isWhole };
}

function addEvents(to: RecordedEvent[], { stream, expected, events }: ToldAppend, begin: number): void {
  for (const [index, { id, type, data, metadata }] of events.entries()) {
    const revision = expected + 1 + index;
    to.push({ stream, revision, position: positionText(begin + index), id, type, data, metadata });
  }
}
