import type { EventStore, RecordedEvent } from '#event-store/event-store';

export const STREAM_PREFIX = 'household-';

/** The stream of a household's budget. */
export function streamOf(householdId: string): string {
  return `${STREAM_PREFIX}${householdId}`;
}

export function householdOf(stream: string): string {
  return stream.slice(STREAM_PREFIX.length);
}

/**
 * When an event was recorded, by the clock of the process that did it, but for what `notBefore` says; null where its text
 * is damaged, so that it tells nothing any more.
 */
export function timeOf({ metadata }: RecordedEvent): string | null {
  const { at } = metadata;
  return typeof at === 'string' ? at : null;
}

/** The last event of a household, or null before its first. @throws EventStoreUnavailable */
export async function lastEventOf(store: EventStore, householdId: string): Promise<RecordedEvent | null> {
  const range = { direction: 'backwards', limit: 1 } as const;
  for await (const [last] of store.readStream(streamOf(householdId), range)) return last ?? null;
  return null;
}

/** The event of a household at a revision, or null where its stream is shorter. @throws EventStoreUnavailable */
export async function eventAt(
  store: EventStore,
  householdId: string,
  revision: number,
): Promise<RecordedEvent | null> {
  const range = { from: revision, limit: 1 };
  for await (const [event] of store.readStream(streamOf(householdId), range)) return event ?? null;
  return null;
}
