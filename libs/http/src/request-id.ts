import { randomFillSync } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { monotonicFactory } from 'ulid';

/** The longest request id of a caller's own that is kept, in characters. */
export const REQUEST_ID_MAX = 64;

const VISIBLE_ASCII = /^[\x21-\x7e]+$/;

/** Random bytes are drawn many at once: one draw a character was a twentieth of a small request's time. */
const random = new Uint8Array(4096);
let used = random.length;

/** A source of randomness for `monotonicFactory` of `ulid`: a multiple of 1/256, from 0 to below 1, unpredictable. */
export function randomFraction(): number {
  if (used === random.length) {
    randomFillSync(random);
    used = 0;
  }
  const byte = random[used] ?? 0;
  used += 1;
  return byte / 256;
}

const ulid = monotonicFactory(randomFraction);

/** The caller's own `X-Request-Id` where it is at most 64 visible ASCII characters, else a new ULID. */
export function requestIdOf(request: Pick<IncomingMessage, 'headers'>): string {
  const own = request.headers['x-request-id'];
  if (typeof own === 'string' && own.length <= REQUEST_ID_MAX && VISIBLE_ASCII.test(own)) return own;
  return newRequestId();
}

/** For a request that could not be read. */
export function newRequestId(): string {
  return ulid();
}
