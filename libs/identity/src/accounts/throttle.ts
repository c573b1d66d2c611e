import { Injectable } from '@nestjs/common';
import { Documents, type Collection, type Document } from '#documents/documents';
import { ApiError, retryLater, UNAVAILABLE_RETRY_SECONDS } from '#http/api-error';
import { RecordChanges } from '../record-changes.js';
import { Clock, CLOCKS_APART_MS_MAX, SecretKey } from '../surroundings.js';
import { networkOf } from './network-of.js';
import { WaitingLines } from './waiting-lines.js';

/** When something happened lately. The key is the limit's name and a MAC of whom it counts for. */
interface ThrottleRecord extends Document {
  /** Milliseconds since the epoch, in ascending order, at most as many as the limit allows. */
  readonly times: readonly number[];
  /** When attempts began of which it is not known yet whether they count; with `times` at most as many. */
  readonly underWay?: readonly number[];
}

/** After a power cut a few attempts more do not matter; a sync for each of them would. */
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
/** How long a sign-in that found no place among attempts under way is told to wait. */
const CROWDED_WAIT_MS = 1_000;
/** How long nothing may be heard of an attempt before it counts: its process is gone then. */
const UNDER_WAY_MS_MAX = 30_000;
/** How long a sign-in waits at most while others hold every place: dozens of hashes, on a busy machine too. */
const PLACE_AWAITED_MS_MAX = 7_000;
/** At most this many sign-ins of a process wait for places. */
const AWAITING_MAX = 100;

/**
 * Against guessing: wrong passwords, per address and per network. Against flooding mailboxes: mails that
 * strangers ask for, likewise, and mails of invites, per address and per user who invites.
 */
export const LIMITS = {
  signInPerEmail: { name: 'sign-in-email', most: 10, windowMs: QUARTER_HOUR_MS },
  signInPerNetwork: { name: 'sign-in-network', most: 100, windowMs: QUARTER_HOUR_MS },
  mailPerEmail: { name: 'mail-email', most: 5, windowMs: HOUR_MS },
  mailPerNetwork: { name: 'mail-network', most: 50, windowMs: HOUR_MS },
  invitePerEmail: { name: 'invite-email', most: 5, windowMs: HOUR_MS },
  invitePerUser: { name: 'invite-user', most: 50, windowMs: HOUR_MS },
} as const satisfies Record<string, Limit>;

/** A place that was taken. */
interface TakenPlace {
  readonly key: string;
  readonly kind: PlaceKind;
  readonly at: number;
}

/** One limit for one subject. */
type LimitedSubject = readonly [limit: Limit, subject: string];

/** Whether a place counts at once, or is that of an attempt under way, and counts where that fails. */
type PlaceKind = 'times' | 'underWay';

/** What becomes of a place. */
type Outcome = 'counts' | 'free';

/** How long to wait for a place, in milliseconds: 0 where it was taken, `crowded` until attempts under way have ended. */
type Wait = number | 'crowded';

/** What an attempt to take places came to: all of them with no wait, or none. */
interface Attempt {
  readonly taken: readonly TakenPlace[];
  readonly wait: Wait;
}

/**
 * Counts attempts in the store, so that limits hold across instances. A place is taken before the attempt is
 * judged, since many at the same moment would all find room otherwise.
 */
@Injectable()
export class Throttle {
  /** Those who wait until attempts under way have ended, a line for each address. */
  private readonly lines = new WaitingLines(AWAITING_MAX);

  constructor(
    private readonly documents: Documents,
    private readonly changes: RecordChanges,
    private readonly clock: Clock,
    private readonly secretKey: SecretKey,
  ) {}

  /**
   * Has a password judged, unless too many were wrong lately. Where those that are being judged may become too many,
   * it waits for them.
   * @param judge answers false for a wrong password, which counts; what it throws does not count
   * @throws ApiError `too_many_attempts`
   */
  async judged<R>(
    emailFolded: string,
    networkAddress: string,
    judge: () => Promise<R | false>,
  ): Promise<R | false> {
    const taken = await this.beginSignIn([
      [LIMITS.signInPerEmail, emailFolded],
      [LIMITS.signInPerNetwork, networkOf(networkAddress)],
    ]);
    let outcome: Outcome = 'free';
    try {
      const judgement = await judge();
      if (judgement === false) outcome = 'counts';
      return judgement;
    } finally {
      // A place that could not be settled counts after a while, which is on the safe side.
      await this.settle(taken, outcome).catch(() => undefined);
      for (const { key } of taken) this.lines.call(key);
    }
  }

  /** Forgets the failures for an address whose owner has just proved who they are. */
  async forgetFailures(emailFolded: string): Promise<void> {
    await this.documents.remove(THROTTLES, this.keyOf(LIMITS.signInPerEmail, emailFolded));
  }

  /** Whether a network address may cause another mail; nothing is counted. */
  async networkMayMail(networkAddress: string): Promise<boolean> {
    const limit = LIMITS.mailPerNetwork;
    const record = await this.documents.get(THROTTLES, this.keyOf(limit, networkOf(networkAddress)));
    return lately(record, limit, this.clock.now()).times.length < limit.most;
  }

  /**
   * Has a mail recorded that somebody unknown asked for, if one may go to the address; then it is counted.
   * @param record what it throws does not count
   * @throws ApiError `unavailable`, and whatever `record` throws
   */
  async mail(emailFolded: string, networkAddress: string, record: () => Promise<void>): Promise<void> {
    const network = networkOf(networkAddress);
    await this.counted(
      [
        [LIMITS.mailPerEmail, emailFolded],
        [LIMITS.mailPerNetwork, network],
      ],
      record,
    );
  }

  /** Likewise that of an invite. */
  async inviteMail(emailFolded: string, inviterId: string, record: () => Promise<void>): Promise<void> {
    await this.counted(
      [
        [LIMITS.invitePerEmail, emailFolded],
        [LIMITS.invitePerUser, inviterId],
      ],
      record,
    );
  }

  /** @throws ApiError `too_many_attempts` */
  private async beginSignIn(
    subjects: readonly [LimitedSubject, ...LimitedSubject[]],
  ): Promise<readonly TakenPlace[]> {
    const line = this.keyOf(...subjects[0]);
    const look = async (): Promise<Attempt | null> => {
      const attempt = await this.take(subjects, 'underWay');
      return attempt.wait === 'crowded' ? null : attempt;
    };
    // Who comes while others wait waits behind them.
    const atOnce = this.lines.has(line) ? null : await look();
    const attempt = atOnce ?? (await this.lines.found(line, look, PLACE_AWAITED_MS_MAX));
    if (attempt?.wait === 0) return attempt.taken;
    const waitMs = typeof attempt?.wait === 'number' ? attempt.wait : CROWDED_WAIT_MS;
    throw retryLater('too_many_attempts', waitMs / 1000);
  }

  /** Does what the limits allow. */
  private async counted(subjects: readonly LimitedSubject[], work: () => Promise<void>): Promise<void> {
    const { taken, wait } = await this.take(subjects, 'times');
    // Nothing is left out that is only beaten in a race.
    if (wait === 'crowded') throw retryLater('unavailable', UNAVAILABLE_RETRY_SECONDS);
    if (wait > 0) return;
    try {
      await work();
    } catch (error) {
      await this.settle(taken, 'free').catch(() => undefined);
      throw error;
    }
  }

  /** Takes a place under every limit or under none. */
  private async take(subjects: readonly LimitedSubject[], kind: PlaceKind): Promise<Attempt> {
    const now = this.clock.now();
    const tries = await Promise.allSettled(subjects.map(subject => this.takeOne(subject, kind, now)));
    const places = tries.flatMap(each => (each.status === 'fulfilled' ? [each.value] : []));
    const taken = places.flatMap(({ key, wait }) => (wait === 0 ? [{ key, kind, at: now }] : []));
    if (taken.length === tries.length) return { taken, wait: 0 };
    // A place that could not be given back counts, which is on the safe side, and refuses nobody by itself.
    await this.settle(taken, 'free').catch(() => undefined);
    const failed = tries.find(each => each.status === 'rejected');
    if (failed) throw failed.reason;
    const waits = places.map(({ wait }) => wait);
    const longest = Math.max(...waits.filter(wait => wait !== 'crowded'));
    return { taken: [], wait: longest > 0 ? longest : 'crowded' };
  }

  private async takeOne(
    [limit, subject]: LimitedSubject,
    kind: PlaceKind,
    now: number,
  ): Promise<{ key: string; wait: Wait }> {
    const key = this.keyOf(limit, subject);
    const change = this.changes.change<ThrottleRecord, Wait>(THROTTLES, key, current => {
      const { times, underWay } = lately(current, limit, now);
      const [earliest] = times;
      if (earliest !== undefined && times.length >= limit.most) {
        return { result: Math.max(1, earliest + limit.windowMs - now) };
      }
      if (times.length + underWay.length >= limit.most) return { result: 'crowded' };
      const next = { key, revision: 1, times, underWay, expiresAt: now + limit.windowMs };
      return { next: { ...next, [kind]: [...next[kind], now] }, result: 0 };
    });
    return { key, wait: await change.catch(waitIfCrowded) };
  }

  /** Ends what took places: it counts from now on, or leaves them free. */
  private async settle(taken: readonly TakenPlace[], outcome: Outcome): Promise<void> {
    await Promise.all(
      taken.map(({ key, kind, at }) =>
        this.changes.change(THROTTLES, key, current => {
          const places = current?.[kind] ?? [];
          const place = places.lastIndexOf(at);
          if (current === null || place < 0) return { result: undefined };
          const left = { ...current, [kind]: places.filter((_, index) => index !== place) };
          const next = outcome === 'free' ? left : { ...left, times: inOrder([...left.times, at]) };
          return { next, result: undefined };
        }),
      ),
    );
  }

  private keyOf(limit: Limit, subject: string): string {
    return `${limit.name}|${this.secretKey.mac('throttle', subject).toString('base64url')}`;
  }
}

/** What of a record matters still. */
function lately(
  record: ThrottleRecord | null,
  { windowMs }: Limit,
  now: number,
): Required<Pick<ThrottleRecord, 'times' | 'underWay'>> {
  const { times = [], underWay = [] } = record ?? {};
  const isLost = (at: number): boolean => at <= now - UNDER_WAY_MS_MAX;
  // A clock that was set back must not lock anybody out until it is there again.
  const isToCome = (at: number): boolean => at > now + CLOCKS_APART_MS_MAX;
  return {
    times: inOrder([...times, ...underWay.filter(isLost)].filter(at => at > now - windowMs && !isToCome(at))),
    underWay: underWay.filter(at => !isLost(at) && !isToCome(at)),
  };
}

function inOrder(times: readonly number[]): readonly number[] {
  return times.toSorted((a, b) => a - b);
}

/** Where attempts on several instances race each other until none finds its turn, they are too many for the moment. */
function waitIfCrowded(error: unknown): Wait {
  if (error instanceof ApiError && error.code === 'conflict') return 'crowded';
  throw error;
}
