import { Injectable } from '@nestjs/common';
import { Clock, CLOCKS_APART_MS_MAX } from '#concurrency/clock';
import { Documents, type Collection, type Document } from '#storage/documents/documents';
import { ApiError, retryLater, UNAVAILABLE_RETRY_SECONDS } from '#http/api-error';
import { RecordChanges } from '../record-changes.js';
import { SecretKey } from '../secrets.js';
import { networkOf } from './network-of.js';

/** When something happened recently. The key is the limit's name and a MAC of its subject. */
interface ThrottleRecord extends Document {
  /** Milliseconds since the epoch, at most as many as the limit allows. */
  readonly times: readonly number[];
}

/** Derived: a few more attempts after a power cut do not matter, but a sync for each attempt would. */
export const THROTTLES: Collection<ThrottleRecord> = {
  name: 'throttles',
  durability: 'derived',
  indexes: [],
};

interface Limit {
  readonly name: string;
  /** At most this many within the window. */
  readonly most: number;
  readonly windowMs: number;
}

const QUARTER_HOUR_MS = 15 * 60_000;
const HOUR_MS = 3_600_000;

/** Against guessing: wrong passwords. Against flooding mailboxes: mails that strangers request, and invites. */
export const LIMITS = {
  signInPerEmail: { name: 'sign-in-email', most: 10, windowMs: QUARTER_HOUR_MS },
  signInPerNetwork: { name: 'sign-in-network', most: 100, windowMs: QUARTER_HOUR_MS },
  mailPerEmail: { name: 'mail-email', most: 5, windowMs: HOUR_MS },
  mailPerNetwork: { name: 'mail-network', most: 50, windowMs: HOUR_MS },
  invitePerEmail: { name: 'invite-email', most: 5, windowMs: HOUR_MS },
  invitePerUser: { name: 'invite-user', most: 50, windowMs: HOUR_MS },
} as const satisfies Record<string, Limit>;

/** One limit for one subject. */
type LimitedSubject = readonly [limit: Limit, subject: string];

/** An attempt: counted at that time under every limit, or under none. */
interface Attempt {
  readonly keys: readonly string[];
  readonly at: number;
  /** How long to wait for the next one, in milliseconds; 0 where it was counted. */
  readonly wait: number;
}

/**
 * Counts attempts in the store, so that limits hold across instances. An attempt counts before its password is compared,
 * since simultaneous attempts would all find room otherwise; one that should not count is taken back.
 */
@Injectable()
export class Throttle {
  constructor(
    private readonly documents: Documents,
    private readonly changes: RecordChanges,
    private readonly clock: Clock,
    private readonly secretKey: SecretKey,
  ) {}

  /**
   * Compares a password, unless too many were wrong recently, including those that are being compared.
   * @param judge returns false for a wrong password, which counts; an error does not count
   * @throws ApiError `too_many_attempts`
   */
  async judged<R>(
    emailFolded: string,
    networkAddress: string,
    judge: () => Promise<R | false>,
  ): Promise<R | false> {
    const attempt = await this.count([
      [LIMITS.signInPerEmail, emailFolded],
      [LIMITS.signInPerNetwork, networkOf(networkAddress)],
    ]);
    if (attempt.wait > 0) throw retryLater('too_many_attempts', attempt.wait / 1000);
    let judgement: R | false | undefined;
    try {
      return (judgement = await judge());
    } finally {
      if (judgement !== false) await this.takeBack(attempt);
    }
  }

  /** Removes the failures of an address whose owner has just proved who they are. */
  async forgetFailures(emailFolded: string): Promise<void> {
    await this.documents.remove(THROTTLES, this.keyOf(LIMITS.signInPerEmail, emailFolded));
  }

  /** Whether a network address may cause another mail; nothing is counted. */
  async networkMayMail(networkAddress: string): Promise<boolean> {
    const limit = LIMITS.mailPerNetwork;
    const record = await this.documents.get(THROTTLES, this.keyOf(limit, networkOf(networkAddress)));
    return lately(record, limit, this.clock.now()).length < limit.most;
  }

  /**
   * Records a mail that a stranger requested, if the limits allow it, and counts it.
   * @param record an error does not count
   * @throws ApiError `unavailable`, and whatever `record` throws
   */
  mail(emailFolded: string, networkAddress: string, record: () => Promise<void>): Promise<void> {
    const network = networkOf(networkAddress);
    return this.counted(record, [LIMITS.mailPerEmail, emailFolded], [LIMITS.mailPerNetwork, network]);
  }

  /** Likewise the mail of an invite. */
  inviteMail(emailFolded: string, inviterId: string, record: () => Promise<void>): Promise<void> {
    return this.counted(record, [LIMITS.invitePerEmail, emailFolded], [LIMITS.invitePerUser, inviterId]);
  }

  /** Does the work if the limits allow it. */
  private async counted(work: () => Promise<void>, ...subjects: LimitedSubject[]): Promise<void> {
    const attempt = await this.count(subjects);
    if (attempt.wait > 0) return;
    try {
      await work();
    } catch (error) {
      await this.takeBack(attempt);
      throw error;
    }
  }

  private async count(subjects: readonly LimitedSubject[]): Promise<Attempt> {
    const at = this.clock.now();
    const tries = await Promise.allSettled(subjects.map(subject => this.countOne(subject, at)));
    const done = tries.flatMap(each => (each.status === 'fulfilled' ? [each.value] : []));
    const keys = done.flatMap(({ key, wait }) => (wait === 0 ? [key] : []));
    const attempt = { keys, at, wait: Math.max(...done.map(({ wait }) => wait)) };
    if (keys.length < tries.length) await this.takeBack(attempt);
    const failed = tries.find(each => each.status === 'rejected');
    if (failed) throw failed.reason;
    return attempt;
  }

  private async countOne(
    [limit, subject]: LimitedSubject,
    at: number,
  ): Promise<{ key: string; wait: number }> {
    const key = this.keyOf(limit, subject);
    const change = this.changes.change<ThrottleRecord, number>(THROTTLES, key, current => {
      const times = lately(current, limit, at);
      if (times.length >= limit.most) {
        return { result: Math.max(1, Math.min(...times) + limit.windowMs - at) };
      }
      const next = { key, revision: 1, times: [...times, at], expiresAt: at + limit.windowMs };
      return { next, result: 0 };
    });
    return { key, wait: await change.catch(laterIfRaced) };
  }

  /** If the store fails, the attempt counts, which is on the safe side. */
  private async takeBack({ keys, at }: Attempt): Promise<void> {
    const changes = keys.map(key =>
      this.changes.change(THROTTLES, key, current => {
        const place = current?.times.lastIndexOf(at) ?? -1;
        if (current === null || place < 0) return { result: undefined };
        return { next: { ...current, times: current.times.toSpliced(place, 1) }, result: undefined };
      }),
    );
    await Promise.allSettled(changes);
  }

  private keyOf(limit: Limit, subject: string): string {
    return `${limit.name}|${this.secretKey.mac('throttle', subject).toString('base64url')}`;
  }
}

/** The times of a record that still count. A clock that was set back must not lock a user out. */
function lately(record: ThrottleRecord | null, { windowMs }: Limit, now: number): readonly number[] {
  return (record?.times ?? []).filter(at => at > now - windowMs && at <= now + CLOCKS_APART_MS_MAX);
}

/** A lost race between instances says nothing about the limit: the caller may try again. */
function laterIfRaced(error: unknown): never {
  if (error instanceof ApiError && error.code === 'conflict') {
    throw retryLater('unavailable', UNAVAILABLE_RETRY_SECONDS);
  }
  throw error;
}
