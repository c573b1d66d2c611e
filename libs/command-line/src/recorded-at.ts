import type { RecordedEvent } from '#event-store/event-store';

/** When an event was recorded, in UTC; null where its text is damaged, so that it tells nothing any more. */
export function recordedAt({ metadata }: RecordedEvent): string | null {
  const { at } = metadata;
  return typeof at === 'string' ? at : null;
}
