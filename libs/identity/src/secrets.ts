import { createHmac, hash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { monotonicFactory } from 'ulid';
import { randomFraction } from '#http/request-log';

/** How any secret is stored: its SHA-256 in base64url. A secret has 256 random bits, so one round is enough. */
export function hashOfSecret(secret: string): string {
  return hash('sha256', secret, 'base64url');
}

/** The random bytes of every secret: 256 bits. */
export const SECRET_BYTES = 32;

/** What a mailed link carries: a secret in base64url. */
const LINK_SECRET = /^[A-Za-z0-9_-]{43}$/;

/** Whether a text can be a link's secret at all. What cannot is neither hashed nor looked for in the store. */
export function looksLikeLinkSecret(text: string): boolean {
  return LINK_SECRET.test(text);
}

/** What every personal access token begins with, so that people and scanners know one when they see it. */
const TOKEN_PREFIX = 'hbp_';

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** Base-62 digits that hold 32 bytes. */
const RANDOM_DIGITS = 43;
const CHECKSUM_DIGITS = 6;
const SHAPE = new RegExp(`^${TOKEN_PREFIX}[0-9A-Za-z]{${RANDOM_DIGITS + CHECKSUM_DIGITS}}$`);

/** The secret of a personal access token: prefix, random part, and a checksum of both. */
export function tokenSecret(random: Uint8Array): string {
  const body = TOKEN_PREFIX + base62(BigInt(`0x${Buffer.from(random).toString('hex')}`), RANDOM_DIGITS);
  return body + checksum(body);
}

/** Whether a text can be a token at all: mistyped and cut-off ones are refused without asking the store. */
export function looksLikeTokenSecret(secret: string): boolean {
  if (!SHAPE.test(secret)) return false;
  const body = secret.slice(0, -CHECKSUM_DIGITS);
  return secret.slice(-CHECKSUM_DIGITS) === checksum(body);
}

function checksum(body: string): string {
  return base62(BigInt(crc32(body)), CHECKSUM_DIGITS);
}

function base62(value: bigint, digits: number): string {
  let rest = value;
  let text = '';
  for (let place = 0; place < digits; place += 1) {
    text = DIGITS.charAt(Number(rest % 62n)) + text;
    rest /= 62n;
  }
  return text;
}

/** Where secrets and ids come from. */
export class Randomness {
  private readonly nextUlid = monotonicFactory(randomFraction);

  /** Unpredictable bytes. */
  bytes(count: number): Buffer {
    return randomBytes(count);
  }

  /** A new ULID of that time, greater than every other one that this process has made of it. */
  ulid(at: number): string {
    return this.nextUlid(at);
  }
}

/** The fewest bytes of `SECRET_KEY`. */
export const SECRET_KEY_BYTES_MIN = 32;

/** `SECRET_KEY`: the same on every instance. It signs cursors, and secrets that need not be stored derive from it. */
export class SecretKey {
  readonly #bytes: Buffer;

  /** @throws RangeError for a key that is too short */
  constructor(bytes: Uint8Array) {
    if (bytes.length < SECRET_KEY_BYTES_MIN) {
      throw new RangeError(`SECRET_KEY needs at least ${SECRET_KEY_BYTES_MIN} bytes`);
    }
    this.#bytes = Buffer.from(bytes);
  }

  /**
   * HMAC-SHA-256 of the parts, 32 bytes.
   * @param purpose keeps the uses of the key apart; no purpose holds a line break
   */
  mac(purpose: string, ...parts: readonly string[]): Buffer {
    const hmac = createHmac('sha256', this.#bytes).update(purpose);
    for (const part of parts) hmac.update('\n').update(part);
    return hmac.digest();
  }
}
