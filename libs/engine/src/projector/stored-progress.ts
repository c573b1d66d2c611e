import { keysUnder } from '#storage/documents/declared';
import type { Documents } from '#storage/documents/documents';
import type { EventStore } from '#storage/event-store/event-store';
import { householdOf, STREAM_PREFIX, timeOf } from '../households/household-stream.js';
import { partitionOf, partitionOfKey, PARTITIONS, PROJECTION_NAME } from './partitions.js';
import { ProjectionHost } from './projection-host.js';
import { StoredFailures, type FailingHousehold } from './failing-households.js';

export const FAILING_LISTED_MAX = 1_000;

/** Waiting events are counted up to here. */
export const LAG_EVENTS_MAX = 100_000;

/** How far the projections of one generation have come, as they have stored it. */
export interface StoredProgress {
  /** Of the last event of any household, or null before the first. */
  readonly lastPosition: string | null;
  /** Every event up to here is applied or belongs to a failing household; null before the first. */
  readonly position: string | null;
  /** Recorded events that no stored checkpoint covers yet, counted up to `LAG_EVENTS_MAX`. */
  readonly lagEvents: number;
  /** How long ago the oldest of them with a known time was recorded; 0 if there are none, null if no time is known. */
  readonly lagSeconds: number | null;
  readonly failing: readonly FailingHousehold[];
  /** Whether more households fail than are listed. */
  readonly moreFail: boolean;
}

/**
 * How far projections have come, as another process stores it about once a second: the lag is not always 0.
 * @throws EventStoreUnavailable, DocumentsUnavailable
 */
export async function readStoredProgress(
  store: EventStore,
  documents: Documents,
  now: () => number = Date.now,
): Promise<StoredProgress> {
  const positions = await storedPositions(documents);
  const failing = await new StoredFailures(documents).first(FAILING_LISTED_MAX + 1);
  const lastPosition = await store.head(STREAM_PREFIX);
  const first = [...positions].sort()[0]!;
  let lagEvents = 0;
  let oldest: string | null = null;
  const unhandled = store.readAll({ prefix: STREAM_PREFIX, ...(first && { after: first }) });
  for await (const page of unhandled) {
    for (const event of page) {
      if (event.position <= positions[partitionOf(householdOf(event.stream))]!) continue;
      oldest ??= timeOf(event);
      lagEvents++;
    }
    if (lagEvents >= LAG_EVENTS_MAX) break;
  }
  const waitedMs = oldest === null ? null : now() - Date.parse(oldest);
  const lagSeconds = waitedMs === null ? null : Math.max(0, waitedMs / 1000);
  return {
    lastPosition,
    position: lagEvents === 0 ? lastPosition : first || null,
    lagEvents: Math.min(lagEvents, LAG_EVENTS_MAX),
    lagSeconds: lagEvents === 0 ? 0 : lagSeconds,
    failing: failing.slice(0, FAILING_LISTED_MAX),
    moreFail: failing.length > FAILING_LISTED_MAX,
  };
}

/**
 * Whether the projections had come further than the log goes: it was lost, or an older one was put in its place.
 * @param store the embedded one: those of servers have positions beyond the last event of a household
 * @throws EventStoreUnavailable, DocumentsUnavailable
 */
export async function areBeyondLog(store: EventStore, documents: Documents): Promise<boolean> {
  const furthest = (await storedPositions(documents)).sort().at(-1)!;
  return furthest > ((await store.head(STREAM_PREFIX)) ?? '');
}

/** Where the projections of each partition had come; empty where nothing is stored. @throws DocumentsUnavailable */
async function storedPositions(documents: Documents): Promise<string[]> {
  const range = { ...keysUnder(PROJECTION_NAME), limit: PARTITIONS };
  const checkpoints = await documents.range(ProjectionHost.checkpoints, range);
  const positions = Array.from({ length: PARTITIONS }, () => '');
  for (const { key, position } of checkpoints) positions[partitionOfKey(key)] = position;
  return positions;
}
