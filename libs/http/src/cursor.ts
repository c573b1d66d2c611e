import { createHmac, timingSafeEqual } from 'node:crypto';
import { ApiError } from './api-error.js';

const CURSOR_MAX = 1_000;
const MAC_BYTES = 16;

/**
 * Opaque cursors that only the service can make, each bound to a scope: the household, the view and every filter
 * that counts. Used with another scope, a cursor is as wrong as a forged one.
 */
export class CursorCodec {
  private readonly key: Buffer;

  /** @param secretKey the service's secret, from which a key of its own is derived */
  constructor(secretKey: Uint8Array) {
    this.key = createHmac('sha256', secretKey).update('cursor').digest();
  }

  /** @param scope what must be the same when the cursor comes back @param position where the next page begins, small */
  encode(scope: readonly unknown[], position: readonly (string | number | null)[]): string {
    const payload = Buffer.from(JSON.stringify(position));
    return Buffer.concat([this.mac(scope, payload), payload]).toString('base64url');
  }

  /** @throws ApiError `invalid_cursor` for anything that `encode` did not make for this scope */
  decode(scope: readonly unknown[], cursor: string): readonly (string | number | null)[] {
    if (cursor.length > CURSOR_MAX) throw new ApiError('invalid_cursor');
    const bytes = Buffer.from(cursor, 'base64url');
    // Base64 has several spellings for some bytes; only the one that was given out is a cursor.
    if (bytes.length <= MAC_BYTES || bytes.toString('base64url') !== cursor)
      throw new ApiError('invalid_cursor');
    const payload = bytes.subarray(MAC_BYTES);
    if (!timingSafeEqual(bytes.subarray(0, MAC_BYTES), this.mac(scope, payload))) {
      throw new ApiError('invalid_cursor');
    }
    return JSON.parse(payload.toString('utf8')) as readonly (string | number | null)[];
  }

  private mac(scope: readonly unknown[], payload: Buffer): Buffer {
    const bound = JSON.stringify(scope);
    // The length keeps a scope's end from being taken for a payload's beginning.
    const hmac = createHmac('sha256', this.key)
      .update(`${Buffer.byteLength(bound)}:${bound}`)
      .update(payload);
    return hmac.digest().subarray(0, MAC_BYTES);
  }
}
