import { callbackify } from 'node:util';
import type { IncomingHttpHeaders } from 'node:http';
import { Injectable, type BeforeApplicationShutdown } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import passport, { Strategy } from 'passport';
import { Strategy as BearerStrategy } from 'passport-http-bearer';
import { Clock } from '#concurrency/clock';
import { Documents, type Collection, type Document } from '#storage/documents/documents';
import { ApiError } from '#http/api-error';
import type { Scope } from '#http/access';
import { Accounts } from '../accounts/accounts.js';
import type { Account } from '../accounts/account-records.js';
import { SessionCookie } from '../sessions/session-cookie.js';
import {
  isHonoured,
  looksLikeSessionSecret,
  Sessions,
  SESSIONS,
  usedNow,
  LAST_USE_WRITTEN_EVERY_MS,
} from '../sessions/sessions.js';
import { looksLikeTokenSecret } from '../secrets.js';
import { TOKENS, Tokens } from '../tokens/tokens.js';
import type { Caller } from './caller.js';

type Middleware = (request: object, response: null, next: (error?: unknown) => void) => void;
type Verify<User> = (secret: string, done: (error: unknown, user?: User | null) => void) => void;

/** Passport strategy for the session cookie. The guard leaves nothing but the session's secret in the header. */
class CookieStrategy<User extends object> extends Strategy {
  constructor(private readonly verify: Verify<User>) {
    super();
    this.name = 'cookie';
  }

  override authenticate(request: { readonly headers: IncomingHttpHeaders }): void {
    const { cookie } = request.headers;
    if (cookie === undefined) {
      this.fail(401);
      return;
    }
    this.verify(cookie, (error, user) => {
      if (error) this.error(error);
      else if (user) this.success(user);
      else this.fail(401);
    });
  }
}

/** The most last uses that wait to be written; beyond that, a later request writes it. */
export const LAST_USES_WAITING_MAX = 10_000;
/** How many of them are written at once. */
const WRITES_AT_ONCE = 4;

/**
 * Records in the background when sessions and tokens were last used: no request waits for it, a record is written at
 * most once a minute, and a slow or unavailable store loses last uses, never requests.
 */
@Injectable()
export class LastUse implements BeforeApplicationShutdown {
  /** Writes that have not begun, by record. */
  private readonly waiting = new Map<string, () => Promise<unknown>>();
  /** Records that are being written. */
  private readonly writing = new Set<string>();
  private readonly writers = new Set<Promise<void>>();

  constructor(private readonly documents: Documents) {}

  /**
   * @param record as authentication read it
   * @param lastUsedAt when it was last used by what it says itself; null for never
   * @param used the record as this use leaves it
   */
  note<T extends Document>(
    collection: Collection<T>,
    record: T,
    lastUsedAt: number | null,
    now: number,
    used: (record: T) => T,
  ): void {
    // In either direction: a clock that was set back must not keep a future time.
    if (lastUsedAt !== null && Math.abs(now - lastUsedAt) < LAST_USE_WRITTEN_EVERY_MS) return;
    const key = `${collection.name}|${record.key}`;
    if (this.waiting.has(key) || this.writing.has(key) || this.waiting.size >= LAST_USES_WAITING_MAX) return;
    // At the revision that was read: a record that was removed or changed meanwhile stays as it is.
    this.waiting.set(key, () => this.documents.replace(collection, used(record), record.revision));
    if (this.writers.size < WRITES_AT_ONCE) this.startWriter();
  }

  /** Resolves when nothing waits. */
  async flush(): Promise<void> {
    while (this.writers.size > 0) await Promise.all(this.writers);
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.flush();
  }

  private startWriter(): void {
    const writer = this.writeAll().finally(() => this.writers.delete(writer));
    this.writers.add(writer);
  }

  private async writeAll(): Promise<void> {
    for (const [key, write] of this.waiting) {
      this.waiting.delete(key);
      this.writing.add(key);
      // Lost when the store is away; the next use writes a later time anyway.
      await write().catch(() => undefined);
      this.writing.delete(key);
    }
  }
}

/** Whether a request carries a personal access token, valid or not. */
export function showsAccessToken({
  authorization = '',
}: {
  readonly authorization?: string | undefined;
}): boolean {
  const [, secret = ''] = /^Bearer +(\S+)$/i.exec(authorization) ?? [];
  return looksLikeTokenSecret(secret);
}

/** A caller with their account. */
export interface Authenticated {
  readonly caller: Caller;
  readonly account: Account;
}

/**
 * Authenticates a caller by a bearer token (a session's or a personal access token) or by the session cookie. The cookie
 * does not count beside an `Authorization` header, nor on a cross-origin call.
 */
@Injectable()
export class Credentials {
  /** An instance of its own, without the strategies of others. */
  private readonly passport = new passport.Passport();

  constructor(
    private readonly accounts: Accounts,
    private readonly sessions: Sessions,
    private readonly tokens: Tokens,
    private readonly lastUse: LastUse,
    private readonly sessionCookie: SessionCookie,
    private readonly clock: Clock,
  ) {
    this.passport.use('bearer', new BearerStrategy(callbackify((secret: string) => this.verified(secret))));
    this.passport.use('cookie', new CookieStrategy(callbackify((secret: string) => this.sessionOf(secret))));
  }

  /** @throws ApiError `unauthenticated`, DocumentsUnavailable */
  async authenticate(request: FastifyRequest): Promise<Authenticated> {
    const { authorization } = request.headers;
    const cookie = authorization === undefined ? this.sessionCookie.secretIn(request) : undefined;
    const strategy = authorization === undefined ? 'cookie' : 'bearer';
    return new Promise((resolve, reject) => {
      const settle = (error: unknown, authenticated?: unknown): void => {
        if (error) reject(error instanceof Error ? error : new Error('authentication failed'));
        else if (authenticated) resolve(authenticated as Authenticated);
        else reject(new ApiError('unauthenticated'));
      };
      const authenticate = this.passport.authenticate(strategy, { session: false }, settle) as Middleware;
      // Nothing else of the request: a token in a query or a body does not count.
      authenticate({ headers: { authorization, cookie } }, null, settle);
    });
  }

  /** As `authenticate`, but null for an unknown caller. @throws DocumentsUnavailable */
  async recognise(request: FastifyRequest): Promise<Authenticated | null> {
    try {
      return await this.authenticate(request);
    } catch (error) {
      if (error instanceof ApiError && error.code === 'unauthenticated') return null;
      throw error;
    }
  }

  private async verified(secret: string): Promise<Authenticated | null> {
    return looksLikeTokenSecret(secret) ? this.tokenOf(secret) : this.sessionOf(secret);
  }

  private async sessionOf(secret: string): Promise<Authenticated | null> {
    if (!looksLikeSessionSecret(secret)) return null;
    const session = await this.sessions.find(secret);
    if (session === null) return null;
    const account = await this.accounts.find(session.userId);
    if (account === null || !isHonoured(session, account)) return null;
    const now = this.clock.now();
    this.lastUse.note(SESSIONS, session, session.lastUsedAt, now, used => usedNow(used, now));
    const credential = { kind: 'session', id: session.id } as const;
    return { caller: { userId: account.key, credential, scopes: 'all' }, account };
  }

  private async tokenOf(secret: string): Promise<Authenticated | null> {
    const token = await this.tokens.find(secret);
    if (token === null) return null;
    const account = await this.accounts.find(token.userId);
    if (account === null || account.disabled === true) return null;
    const now = this.clock.now();
    this.lastUse.note(TOKENS, token, token.lastUsedAt, now, used => ({
      ...used,
      revision: used.revision + 1,
      lastUsedAt: now,
    }));
    const scopes: ReadonlySet<Scope> = new Set(token.scopes);
    return {
      caller: { userId: token.userId, credential: { kind: 'token', id: token.id }, scopes },
      account,
    };
  }
}
