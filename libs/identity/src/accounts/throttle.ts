import { isIPv6 } from 'node:net';
import { Injectable } from '@nestjs/common';
import { Documents } from '#documents/documents';
import type { Collection, Document } from '#documents/documents';
import { ApiError, retryLater } from '#http/api-error';
import { RecordChanges } from '../record-changes.js';
import { Clock, SecretKey } from '../surroundings.js';

/** When something happened lately. The key is the limit's name and a MAC of whom it counts for. */
export interface ThrottleRecord extends Document {
  /** Milliseconds since the epoch, in ascending order, at most as many as the limit allows. */
  readonly times: readonly number[];
}

/** After a power cut a few attempts more do not matter; a sync for each of them would. */
export const THROTTLES: Collection<ThrottleRecord> = {
  name: 'throttles',
  durability: 'derived',
  indexes: [],
};

interface Limit {
  readonly name: string;
  /** So many within the window. */
  readonly most: number;
  readonly windowMs: number;
}

const QUARTER_HOUR_MS = 15 * 60_000;
const HOUR_MS = 3_600_000;
const CROWDED_WAIT_MS = 1000;

/** Contract §5, "Throttle"; the limits of invites are ours. */
export const LIMITS = {
  signInPerEmail: { name: 'sign-in-email', most: 10, windowMs: QUARTER_HOUR_MS },
  signInPerNetwork: { name: 'sign-in-network', most: 100, windowMs: QUARTER_HOUR_MS },
  mailPerEmail: { name: 'mail-email', most: 5, windowMs: HOUR_MS },
  mailPerNetwork: { name: 'mail-network', most: 50, windowMs: HOUR_MS },
  invitePerEmail: { name: 'invite-email', most: 5, windowMs: HOUR_MS },
  invitePerUser: { name: 'invite-user', most: 50, windowMs: HOUR_MS },
} as const satisfies Record<string, Limit>;

/** A place that was taken, to be given back where it should not count. */
interface Taken {
  readonly key: string;
  readonly at: number;
}

/** One limit for one subject. */
type Counted = readonly [limit: Limit, subject: string];

/**
 * Counts attempts in the store, so that limits hold across instances. A place is taken before the attempt is
 * judged, since many at the same moment would all find room otherwise.
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
   * Before a password is looked at. The attempt counts as failed unless it is forgiven.
   * @throws ApiError `too_many_attempts`
   */
  async beginSignIn(emailFolded: string, networkAddress: string): Promise<{ forgive(): Promise<void> }> {
    const { taken, waitMs } = await this.take([
      [LIMITS.signInPerEmail, emailFolded],
      [LIMITS.signInPerNetwork, networkOf(networkAddress)],
    ]);
    if (waitMs > 0) throw retryLater('too_many_attempts', waitMs / 1000);
    return { forgive: () => this.giveBack(taken) };
  }

  /** Forgets the failures for an address whose owner has just proved who they are. */
  async forgetFailures(emailFolded: string): Promise<void> {
    await this.documents.remove(THROTTLES, this.keyOf(LIMITS.signInPerEmail, emailFolded));
  }

  /** Whether a network address may cause another mail; nothing is counted. */
  async networkMayMail(networkAddress: string): Promise<boolean> {
    const limit = LIMITS.mailPerNetwork;
    const record = await this.documents.get(THROTTLES, this.keyOf(limit, networkOf(networkAddress)));
    const oldest = this.clock.now() - limit.windowMs;
    return (record?.times ?? []).filter(at => at > oldest).length < limit.most;
  }

  /** Whether a mail that somebody unknown asked for may go to an address; if so, it is counted. */
  async allowsMail(emailFolded: string, networkAddress: string): Promise<boolean> {
    return this.allows([
      [LIMITS.mailPerEmail, emailFolded],
      [LIMITS.mailPerNetwork, networkOf(networkAddress)],
    ]);
  }

  /** Whether an invite's mail may go to an address; if so, it is counted. */
  async allowsInviteMail(emailFolded: string, inviterId: string): Promise<boolean> {
    return this.allows([
      [LIMITS.invitePerEmail, emailFolded],
      [LIMITS.invitePerUser, inviterId],
    ]);
  }

  private async allows(counted: readonly Counted[]): Promise<boolean> {
    return (await this.take(counted)).waitMs === 0;
  }

  /** Takes a place under every limit or under none. @returns how long to wait for one; 0 where they were taken */
  private async take(counted: readonly Counted[]): Promise<{ taken: readonly Taken[]; waitMs: number }> {
    const now = this.clock.now();
    const places = await Promise.all(counted.map(one => this.takeOne(one, now)));
    const waitMs = Math.max(...places.map(({ waitMs }) => waitMs));
    const taken = places.flatMap(({ key, waitMs }) => (waitMs === 0 ? [{ key, at: now }] : []));
    if (waitMs === 0) return { taken, waitMs };
    await this.giveBack(taken);
    return { taken: [], waitMs };
  }

  private async takeOne([limit, subject]: Counted, now: number): Promise<{ key: string; waitMs: number }> {
    const key = this.keyOf(limit, subject);
    const taking = this.changes.change(THROTTLES, key, current => {
      const times = (current?.times ?? []).filter(at => at > now - limit.windowMs);
      const [earliest] = times;
      if (earliest !== undefined && times.length >= limit.most) {
        return { result: Math.max(1, earliest + limit.windowMs - now) };
      }
      const next = { key, revision: 1, times: [...times, now], expiresAt: now + limit.windowMs };
      return { next, result: 0 };
    });
    return { key, waitMs: await taking.catch(waitIfCrowded) };
  }

  private async giveBack(taken: readonly Taken[]): Promise<void> {
    await Promise.all(
      taken.map(({ key, at }) =>
        this.changes.change(THROTTLES, key, current => {
          const place = current?.times.lastIndexOf(at) ?? -1;
          if (current === null || place < 0) return { result: undefined };
          const next = { ...current, times: current.times.filter((_, index) => index !== place) };
          return { next, result: undefined };
        }),
      ),
    );
  }

  private keyOf(limit: Limit, subject: string): string {
    return `${limit.name}|${this.secretKey.mac('throttle', subject).toString('base64url')}`;
  }
}

/** So many attempts at once on so many instances that none finds its turn are too many. */
function waitIfCrowded(error: unknown): number {
  if (error instanceof ApiError && error.code === 'conflict') return CROWDED_WAIT_MS;
  throw error;
}

/** Who has an IPv6 address mostly has the /64 around it, so that counts as one address. */
export function networkOf(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped !== undefined) return mapped;
  if (!isIPv6(address)) return address;
  const [head = '', tail] = (address.split('%')[0] ?? '').split('::');
  const front = head === '' ? [] : head.split(':');
  const back = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = Array<string>(Math.max(0, 8 - front.length - back.length)).fill('0');
  const groups = [...front, ...(tail === undefined ? [] : zeros), ...back];
  return `${groups
    .slice(0, 4)
    .map(group => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`;
}
