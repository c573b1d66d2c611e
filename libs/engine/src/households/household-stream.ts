import type { EventStore, RecordedEvent, JsonObject } from '#storage/event-store/event-store';

export const STREAM_PREFIX = 'household-';

/** The stream of a household's budget. */
export function streamOf(householdId: string): string {
  return `${STREAM_PREFIX}${householdId}`;
}

/** The household of a stream whose name begins with `STREAM_PREFIX`; other names are not told apart. */
export function householdOf(stream: string): string {
  return stream.slice(STREAM_PREFIX.length);
}

/** Whether a household's stream has any event. @throws EventStoreUnavailable */
export async function hasEvents(store: EventStore, householdId: string): Promise<boolean> {
  for await (const page of store.readStream(streamOf(householdId), { limit: 1 })) return page.length > 0;
  return false;
}

/**
 * When an event was recorded, by the clock of the process that did it, but for what `dated` says; null where its text
 * is damaged, so that it tells nothing any more.
 */
export function timeOf({ metadata }: RecordedEvent): string | null {
  const { at } = metadata;
  return typeof at === 'string' ? at : null;
}

/** How many events `eventsInParts` reads at once, and about how much of them, in characters. */
const PART_EVENTS = 256;
export const PART_WEIGHT = 4 * 1024 * 1024;

/**
 * The events of a household from a revision on, in parts, each of which is read to its end before it is given away. So no
 * read is open while a client takes its time over what is told of them: EventStoreDB has room for a hundred of a process.
 * @param last the last revision that is wanted; the present end of the stream when absent
 * @throws EventStoreUnavailable
 */
export async function* eventsInParts(
  store: EventStore,
  householdId: string,
  from: number,
  last = Number.MAX_SAFE_INTEGER,
): AsyncGenerator<readonly RecordedEvent[]> {
  for (let next = from; next <= last;) {
    const limit = Math.min(PART_EVENTS, last - next + 1);
    const { events, isHeavy } = await readAtMost(store, householdId, next, limit, PART_WEIGHT);
    if (events.length > 0) yield events;
    if (!isHeavy && events.length < limit) return;
    next += events.length;
  }
}

/**
 * Events of a household from a revision on.
 * @param weightMax as `weightOf` weighs them: with so much, or a page more, it is enough
 * @returns whether it was enough for that reason, so that there may be more
 * @throws EventStoreUnavailable
 */
export async function readAtMost(
  store: EventStore,
  householdId: string,
  from: number,
  limit: number,
  weightMax: number,
): Promise<{ readonly events: readonly RecordedEvent[]; readonly isHeavy: boolean }> {
  const events: RecordedEvent[] = [];
  let weight = 0;
  for await (const page of store.readStream(streamOf(householdId), { from, limit })) {
    events.push(...page);
    for (const { data } of page) weight += weightOf(data);
    if (weight >= weightMax) break;
  }
  return { events, isHeavy: weight >= weightMax };
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

type Value = RecordedEvent['data'][string];

/** Of a value that holds no others, and of what an object or array is besides its values. */
const BASE_BYTES = 48;

/**
 * About how many bytes of memory an event's data take: by it, batches of large events are kept small. Elements of
 * an array are all taken to be as large as its first one, so that weighing costs little.
 */
export function weightOf(value: Value | RecordedEvent['data']): number {
  if (typeof value === 'string') return BASE_BYTES + value.length;
  if (typeof value !== 'object' || value === null) return BASE_BYTES;
  if (Array.isArray(value)) return BASE_BYTES + value.length * weightOf(value[0] ?? null);
  let weight = BASE_BYTES;
  // Every event is weighed: this makes no list of the values. Events have no inherited keys.
  const object = value as JsonObject;
  for (const key in object) weight += weightOf(object[key]!);
  return weight;
}
