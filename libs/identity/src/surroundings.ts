import { createHmac, randomBytes } from 'node:crypto';
import { monotonicFactory } from 'ulid';
import { randomFraction } from '#http/request-log';

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

/** What the operator decides about accounts and households. */
export abstract class IdentityConfiguration {
  /** `ALLOWED_EMAILS`: addresses, `*@domain`, or `*` for everybody. */
  abstract readonly allowedEmails: readonly string[];
  /** `DEFAULT_CURRENCY`, for households that are created without a currency. */
  abstract readonly defaultCurrency: string;
  /** `APP_URL`, where links in mails lead. Read when a mail is composed, since the server's own address is known late. */
  abstract appUrl(): string;
}

/** What identity needs of the budgets of households. */
export abstract class BudgetHistories {
  /** Whether anything was ever recorded in a household's budget. @throws EventStoreUnavailable */
  abstract hasEvents(householdId: string): Promise<boolean>;

  /** Deletes the budget of a household whose erasure is recorded, for good. May be repeated. */
  abstract erase(householdId: string): Promise<void>;
}
