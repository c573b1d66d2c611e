import { MAX_ULID, ulidToUUID, uuidToULID } from 'ulid';

/** A ULID, as every id is one. */
export const ULID_PATTERN = '^[0-9A-HJKMNP-TV-Z]{26}$';

const ULID = new RegExp(ULID_PATTERN);

export function isUlid(value: unknown): value is string {
  return typeof value === 'string' && ULID.test(value);
}

/**
 * An event's id as the API shows it. Every id of the API is a ULID, every event id of an event store a UUID; both
 * stand for 128 bits, so that one is the other written differently (https://github.com/ulid/spec).
 * @param stored as the event store has it
 */
export function shownEventId(stored: string): string {
  return uuidToULID(stored);
}

/** The reverse of `shownEventId`; null for a text in the form of a ULID that stands for more than 128 bits. */
export function storedEventId(shown: string): string | null {
  return shown > MAX_ULID ? null : ulidToUUID(shown).toLowerCase();
}
