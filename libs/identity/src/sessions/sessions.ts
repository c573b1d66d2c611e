import { Injectable } from '@nestjs/common';
import { Clock } from '#concurrency/clock';
import { Documents, type Collection, type Document } from '#storage/documents/documents';
import type { Account } from '../accounts/account-records.js';
import { hashOfSecret, SECRET_BYTES, Randomness } from '../secrets.js';

export const CLIENTS = ['web', 'mobile'] as const;
export type Client = (typeof CLIENTS)[number];

/** A signed-in session. The key is the SHA-256 of its secret, which is kept nowhere. */
export interface Session extends Document {
  /** A ULID, by which its user names it. */
  readonly id: string;
  readonly userId: string;
  readonly client: Client;
  readonly userAgent: string | null;
  readonly createdAt: number;
  /** Exact to `LAST_USE_WRITTEN_EVERY_MS`. */
  readonly lastUsedAt: number;
  /** The account's epoch when it was made. */
  readonly epoch: number;
  readonly expiresAt: number;
}

export const SESSIONS: Collection<Session> = {
  name: 'sessions',
  durability: 'durable',
  indexes: [{ name: 'user', equals: ['userId'], sort: 'id' }],
};

const DAY_MS = 24 * 3_600_000;
/** How long a session lasts after its last use. */
export const SESSION_IDLE_MS = 30 * DAY_MS;
/** How long a session lasts at most. */
export const SESSION_LIFETIME_MS = 180 * DAY_MS;
/** The most sessions of one user; signing in again ends the least recently used one. */
export const SESSIONS_PER_USER_MAX = 100;
/** How often the last use of a session or token is written down at most. */
export const LAST_USE_WRITTEN_EVERY_MS = 60_000;
/** The longest kept name of a program, in characters. */
const USER_AGENT_MAX = 255;

const SESSION_SECRET = /^hbs_[A-Za-z0-9_-]{43}$/;

/** Whether a bearer token can be a session's at all. */
export function looksLikeSessionSecret(secret: string): boolean {
  return SESSION_SECRET.test(secret);
}

/** The sessions of users, found by the hash of their secret. */
@Injectable()
export class Sessions {
  constructor(
    private readonly documents: Documents,
    private readonly clock: Clock,
    private readonly randomness: Randomness,
  ) {}

  /** Starts a session. @returns the secret, which is returned only once */
  async start(account: Account, client: Client, userAgent: string | undefined): Promise<string> {
    const secret = `hbs_${this.randomness.bytes(SECRET_BYTES).toString('base64url')}`;
    const now = this.clock.now();
    const session: Session = {
      key: hashOfSecret(secret),
      revision: 1,
      id: this.randomness.ulid(now),
      userId: account.key,
      client,
      userAgent: userAgent?.slice(0, USER_AGENT_MAX) || null,
      createdAt: now,
      lastUsedAt: now,
      epoch: account.sessionEpoch,
      expiresAt: now + SESSION_IDLE_MS,
    };
    await this.documents.insert(SESSIONS, session);
    await this.endSurplus(account.key);
    return secret;
  }

  /** The session of a secret, whether or not its account still honours it. */
  async find(secret: string): Promise<Session | null> {
    const session = await this.documents.get(SESSIONS, hashOfSecret(secret));
    return session !== null && session.expiresAt > this.clock.now() ? session : null;
  }

  /** A user's present sessions, the newest first. */
  async ofAccount(account: Account): Promise<readonly Session[]> {
    const sessions = await this.all(account.key);
    const now = this.clock.now();
    return sessions.filter(session => session.expiresAt > now && isHonoured(session, account));
  }

  /** Ends one session of a user. @returns whether there was one */
  async end(userId: string, sessionId: string): Promise<boolean> {
    const session = (await this.all(userId)).find(({ id }) => id === sessionId);
    return session !== undefined && this.documents.remove(SESSIONS, session.key);
  }

  /** Removes the sessions that a change of the account's epoch has ended. */
  async clearEnded(account: Account): Promise<void> {
    const ended = (await this.all(account.key)).filter(session => !isHonoured(session, account));
    await Promise.all(ended.map(session => this.documents.remove(SESSIONS, session.key)));
  }

  private async endSurplus(userId: string): Promise<void> {
    const sessions = await this.all(userId);
    const byLastUse = sessions.toSorted((one, other) => other.lastUsedAt - one.lastUsedAt);
    const surplus = byLastUse.slice(SESSIONS_PER_USER_MAX);
    await Promise.all(surplus.map(session => this.documents.remove(SESSIONS, session.key)));
  }

  private async all(userId: string): Promise<Session[]> {
    return this.documents.query(SESSIONS, {
      index: 'user',
      equals: { userId },
      order: 'descending',
      // Twice the bound: sign-ins at the same moment may go beyond it for that moment.
      limit: SESSIONS_PER_USER_MAX * 2,
    });
  }
}

/** Whether the account, which must not be disabled, is in the session's epoch, or the session survived its change. */
export function isHonoured(session: Session, account: Account): boolean {
  if (account.disabled === true) return false;
  return session.epoch === account.sessionEpoch || session.id === account.survivingSession;
}

/** When a session ends after its use now. */
export function endAfterUse({ createdAt }: Session, now: number): number {
  return Math.min(now + SESSION_IDLE_MS, createdAt + SESSION_LIFETIME_MS);
}
