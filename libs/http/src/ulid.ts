/** A ULID, as every id is one. */
export const ULID_PATTERN = '^[0-9A-HJKMNP-TV-Z]{26}$';

const ULID = new RegExp(ULID_PATTERN);

export function isUlid(value: unknown): value is string {
  return typeof value === 'string' && ULID.test(value);
}
