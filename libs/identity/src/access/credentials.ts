import { callbackify } from 'node:util';
import { Injectable, type BeforeApplicationShutdown } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import passport from 'passport';
import { Strategy as BearerStrategy } from 'passport-http-bearer';
import { Clock } from '#concurrency/clock';
import { Turns } from '#concurrency/turns';
import { Documents, type Collection, type Document } from '#storage/documents/documents';
import { ApiError } from '#http/api-error';
import { Accounts } from '../accounts/accounts.js';
import type { Account } from '../accounts/account-records.js';
import { SessionCookie } from '../sessions/session-cookie.js';
import {
  isHonoured,
  looksLikeSessionSecret,
  Sessions,
  SESSIONS,
  endAfterUse,
  LAST_USE_WRITTEN_EVERY_MS,
} from '../sessions/sessions.js';
import { looksLikeTokenSecret } from '../secrets.js';
import { TOKENS, Tokens } from '../tokens/tokens.js';
import type { Caller } from './caller.js';

/** A record that says when it was last used, in milliseconds since the epoch; null for never. */
type Used = Document & { readonly lastUsedAt: number | null };

type Middleware = (request: object, response: null, next: (error?: unknown) => void) => void;

/** The most last uses that wait to be written; beyond that, a later request writes it. */
export const LAST_USES_WAITING_MAX = 10_000;
/** How many of them are written at once: what is written together shares a commit. */
const WRITES_AT_ONCE = 4;

/** Records in the background when sessions and tokens were last used: a store that is away loses that, never requests. */
@Injectable()
export class LastUse implements BeforeApplicationShutdown {
  private readonly turns = Array.from({ length: WRITES_AT_ONCE }, () => new Turns());
  private noted = 0;
  /** The records whose writes wait or are under way. */
  private readonly waiting = new Set<string>();

  constructor(private readonly documents: Documents) {}

  /** @param record as authentication read it */
  note<T extends Used>(collection: Collection<T>, record: T, now: number, change: Partial<T> = {}): void {
    // In either direction: a clock that was set back must not keep a future time.
    const sinceMs = Math.abs(now - (record.lastUsedAt ?? -Infinity));
    if (sinceMs < LAST_USE_WRITTEN_EVERY_MS) return;
    const key = `${collection.name}|${record.key}`;
    if (this.waiting.has(key) || this.waiting.size >= LAST_USES_WAITING_MAX) return;
    this.waiting.add(key);
    const turns = this.turns[(this.noted += 1) % WRITES_AT_ONCE]!;
    void turns.take(async () => {
      const used = { ...record, revision: record.revision + 1, lastUsedAt: now, ...change };
      // At the revision that was read: a record that was removed or changed meanwhile stays as it is. Lost when the store
      // is away; the next use writes a later time anyway.
      await this.documents.replace(collection, used, record.revision).catch(() => undefined);
      this.waiting.delete(key);
    });
  }

  /** Resolves when nothing waits. */
  async flush(): Promise<void> {
    await Promise.all(this.turns.map(turns => turns.ended()));
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.flush();
  }
}

/** Whether a request carries a personal access token, valid or not. */
export function showsAccessToken({ headers: { authorization } }: Pick<FastifyRequest, 'headers'>): boolean {
  const [, secret = ''] = /^Bearer ([^ ]+)$/i.exec(authorization ?? '') ?? [];
  return looksLikeTokenSecret(secret);
}

/** A caller with their account. */
export interface Authenticated {
  readonly caller: Caller;
  readonly account: Account;
}

/**
 * Authenticates a caller by a bearer token (a session's or a personal access token) or by the session cookie. The cookie
 * does not count beside an `Authorization` header, nor on a cross-origin call; a token in a query or a body never does.
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
  }

  /** @throws ApiError `unauthenticated`, DocumentsUnavailable */
  async authenticate(request: FastifyRequest): Promise<Authenticated> {
    const known = await this.recognise(request);
    if (known === null) throw new ApiError('unauthenticated');
    return known;
  }

  /** As `authenticate`, but null for an unknown caller. @throws DocumentsUnavailable */
  async recognise(request: FastifyRequest): Promise<Authenticated | null> {
    const { authorization } = request.headers;
    if (authorization === undefined) return this.sessionOf(this.sessionCookie.secretIn(request) ?? '');
    return new Promise((resolve, reject) => {
      const settle = (error: unknown, known?: unknown): void => {
        if (error) reject(error instanceof Error ? error : new Error('authentication failed'));
        else resolve(known ? (known as Authenticated) : null);
      };
      const bearer = this.passport.authenticate('bearer', { session: false }, settle) as Middleware;
      bearer({ headers: { authorization } }, null, settle);
    });
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
    this.lastUse.note(SESSIONS, session, now, { expiresAt: endAfterUse(session, now) });
    const credential = { kind: 'session', id: session.id } as const;
    return { caller: { userId: account.key, credential, scopes: 'all' }, account };
  }

  private async tokenOf(secret: string): Promise<Authenticated | null> {
    const token = await this.tokens.find(secret);
    if (token === null) return null;
    const account = await this.accounts.find(token.userId);
    if (account === null || account.disabled === true) return null;
    this.lastUse.note(TOKENS, token, this.clock.now());
    const credential = { kind: 'token', id: token.id } as const;
    return { caller: { userId: token.userId, credential, scopes: new Set(token.scopes) }, account };
  }
}
