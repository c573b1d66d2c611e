import { timingSafeEqual } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { Injectable } from '@nestjs/common';
import { hash, verify } from '@node-rs/argon2';
import { BoundedQueue } from '#concurrency/bounded-queue';
import { retryLater, validationFailed, ApiError } from '#http/api-error';
import { OutboxMessages } from '../mails/outbox-messages.js';
import { Randomness, SecretKey } from '../secrets.js';
import { Sessions } from '../sessions/sessions.js';
import { isFrequentPassword } from './frequent-passwords.js';
import { Accounts, afterChange } from './accounts.js';
import { NO_EMAIL_CHANGE, type Account } from './account-records.js';
import { foldEmail } from './email-address.js';
import { Throttle } from './throttle.js';

/**
 * argon2id with the first choice of the OWASP Password Storage Cheat Sheet: 19 MiB, two passes, one lane.
 * `algorithm` 2 is argon2id.
 */
const ARGON2ID = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1, outputLen: 32 } as const;
const SALT_BYTES = 16;

/**
 * How many passwords are hashed at once. One core is left to the requests, and two of libuv's four threads to files,
 * names and the sync of the embedded read models' log.
 */
const HASHES_AT_ONCE = Math.max(1, Math.min(2, availableParallelism() - 1));
/** How many wait for their turn: about ten seconds' work. Beyond that, the response is `503 unavailable`. */
const HASHES_WAITING_MAX = 256;
const RETRY_SECONDS = 5;

/** Hashes and compares passwords. Each method costs one run of argon2id, whatever the result. */
@Injectable()
export class Passwords {
  private readonly queue = new BoundedQueue(HASHES_AT_ONCE, HASHES_WAITING_MAX, () =>
    retryLater('unavailable', RETRY_SECONDS),
  );

  constructor(
    private readonly randomness: Randomness,
    private readonly secretKey: SecretKey,
  ) {}

  /** The hash of a new password, in PHC form with a salt of its own. @throws ApiError `unavailable` */
  async hash(password: string): Promise<string> {
    return this.hashWith(password, this.randomness.bytes(SALT_BYTES));
  }

  /**
   * The hash of a password sent with a sign-up. All sign-ups of an address share a salt, so that one run compares a
   * password with all of them. The salt cannot be guessed without `SECRET_KEY`.
   */
  async hashForSignUp(emailFolded: string, password: string): Promise<string> {
    return this.hashWith(password, this.secretKey.mac('sign-up salt', emailFolded).subarray(0, SALT_BYTES));
  }

  /**
   * Whether a password is the one of a sign-up.
   * @param given its hash by `hashForSignUp`. Sign-ups from before domains were compared in one form have another salt:
   *   then the password is hashed again
   * @throws ApiError `unavailable`
   */
  async matchesSignUp(passwordHash: string, given: string, password: string): Promise<boolean> {
    const isSaltShared = saltOf(passwordHash) === saltOf(given);
    return isSaltShared ? isSameHash(passwordHash, given) : this.matches(passwordHash, password);
  }

  /** Whether a password is the one of a hash. @throws ApiError `unavailable` */
  async matches(passwordHash: string, password: string): Promise<boolean> {
    return this.queue.run(() => verify(passwordHash, password));
  }

  private async hashWith(password: string, salt: Buffer): Promise<string> {
    return this.queue.run(() => hash(password, { ...ARGON2ID, salt }));
  }
}

/** A hash in PHC form is `$algorithm$version$parameters$salt$hash`. */
function saltOf(passwordHash: string): string | undefined {
  return passwordHash.split('$')[4];
}

/** Compares two hashes in constant time. */
function isSameHash(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}

/** @throws ApiError `validation_failed` for one of the commonest passwords. @param path the field's name */
export function refuseFrequentPassword(path: string, password: string): void {
  if (isFrequentPassword(password)) {
    throw validationFailed([{ path, message: 'is a very common password; choose another' }]);
  }
}

interface PasswordChange {
  readonly how: 'changed' | 'reset';
  /** The session that changes it; every other one ends. */
  readonly survivingSession: string | null;
  /** Whether the account, as it is when it is written, may still be changed. */
  readonly isAllowed: (account: Account) => boolean;
  readonly refusal: 'invalid_credentials' | 'invalid_link';
}

/** The password of a user: asked for again if a session is not enough, and replaced. */
@Injectable()
export class OwnPassword {
  constructor(
    private readonly throttle: Throttle,
    private readonly accounts: Accounts,
    private readonly passwords: Passwords,
    private readonly sessions: Sessions,
    private readonly outbox: OutboxMessages,
  ) {}

  /**
   * Throttled as signing in is: a stolen session must not be a way to guess the password.
   * @returns the account with the password that was compared; a change must check that its epoch is still the same
   * @throws ApiError `invalid_credentials`, `too_many_attempts`, `unauthenticated` if the account is gone
   */
  async require(userId: string, password: string, networkAddress: string): Promise<Account> {
    const owner = await this.accounts.require(userId);
    const isKnown = await this.throttle.judged(foldEmail(owner.email), networkAddress, () =>
      this.passwords.matches(owner.passwordHash, password),
    );
    if (!isKnown) {
      throw new ApiError('invalid_credentials', {}, { message: 'The current password is wrong.' });
    }
    return owner;
  }

  /**
   * Replaces a password. The same write ends sessions, links for a new password, and a request for another address.
   * @throws ApiError `refusal`
   */
  async replace(userId: string, password: string, change: PasswordChange): Promise<Account> {
    const { how, survivingSession, isAllowed, refusal } = change;
    const passwordHash = await this.passwords.hash(password);
    const account = await this.accounts.change(userId, current => {
      if (!isAllowed(current)) throw new ApiError(refusal);
      const sessionEpoch = current.sessionEpoch + 1;
      return { ...current, passwordHash, sessionEpoch, survivingSession, ...NO_EMAIL_CHANGE };
    });
    await afterChange('a password was changed', {
      'ended sessions were not removed': this.sessions.clearEnded(account),
      'no mail was sent to its owner': this.outbox.record({ kind: 'password-changed', userId, how }),
    });
    return account;
  }
}
