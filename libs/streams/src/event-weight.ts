import type { JsonObject, RecordedEvent } from '#event-store/event-store';

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
