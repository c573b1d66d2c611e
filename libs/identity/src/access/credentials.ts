import { callbackify } from 'node:util';
import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import passport from 'passport';
import { Strategy as BearerStrategy } from 'passport-http-bearer';
import { ApiError } from '#http/api-error';
import type { Scope } from '#http/access';
import { Accounts } from '../accounts/accounts.js';
import type { Account } from '../accounts/account-records.js';
import { SessionCookie } from '../sessions/session-cookie.js';
import { isHonoured, looksLikeSessionSecret, Sessions, SESSIONS, usedNow } from '../sessions/sessions.js';
import { Clock } from '#concurrency/clock';
import { looksLikeTokenSecret } from '../tokens/token-secret.js';
import { TOKENS, Tokens } from '../tokens/tokens.js';
import type { Caller } from './caller.js';
import { CookieStrategy } from './cookie-strategy.js';
import { LastUse } from './last-use.js';

/** What a request shows of who sends it. Nothing else is looked at: no token in a query or a body counts. */
interface ShownCredentials {
  /** The `Authorization` header. */
  readonly authorization: string | undefined;
  /** The session cookie, already withheld where the call is cross-origin. */
  readonly cookie: string | undefined;
}

/** Whether it is a personal access token, valid or not, that a request shows. */
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
 * Finds out who calls: a bearer token (a session's or a personal access token) or the session cookie. A request
 * with an `Authorization` header stands and falls with it, whatever cookie comes along.
 */
@Injectable()
export class Credentials {
  /** An instance of its own: nobody else's strategies are known to it. */
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

  /** What a request shows. A cookie beside an `Authorization` header, or on a cross-origin call, is no credential. */
  shownBy(request: FastifyRequest): ShownCredentials {
    const { authorization } = request.headers;
    const cookie = authorization === undefined ? this.sessionCookie.secretIn(request) : undefined;
    return { authorization, cookie };
  }

  /** @throws ApiError `unauthenticated`, DocumentsUnavailable */
  async authenticate(shown: ShownCredentials): Promise<Authenticated> {
    const strategy = shown.authorization === undefined ? 'cookie' : 'bearer';
    return new Promise((resolve, reject) => {
      const settle = (error: unknown, authenticated?: unknown): void => {
        if (error) reject(error instanceof Error ? error : new Error('authentication failed'));
        else if (authenticated) resolve(authenticated as Authenticated);
        else reject(new ApiError('unauthenticated'));
      };
      const authenticate = this.passport.authenticate(strategy, { session: false }, settle) as Middleware;
      authenticate({ headers: shown }, null, settle);
    });
  }

  /** As `authenticate`; null for whom nobody knows, where no credential is needed. @throws DocumentsUnavailable */
  async recognise(shown: ShownCredentials): Promise<Authenticated | null> {
    try {
      return await this.authenticate(shown);
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

type Middleware = (request: object, response: null, next: (error?: unknown) => void) => void;
