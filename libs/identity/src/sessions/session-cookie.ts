import { Injectable, Logger } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Clock } from '#concurrency/clock';
import { IdentityConfiguration } from '../surroundings.js';
import { SESSION_LIFETIME_MS, type Client } from './sessions.js';

type Addressed = Pick<FastifyRequest, 'protocol' | 'host' | 'headers'>;

/** Browsers accept it only over https, from this very host, for `Path=/`, so that no neighbouring host can plant one. */
const SECURE = '__Host-session';
/** Plain http (a developer's machine) cannot have `Secure`. */
const PLAIN = 'session';

/** How often the log says why browsers get no cookie, or one that is not `Secure`. */
const WARNED_EVERY_MS = 3_600_000;
/** The longest origin of a page that is logged. */
const ORIGIN_LOGGED_MAX = 300;

const log = new Logger('web sign-in');

/** The cookie of the web app's sessions. */
@Injectable()
export class SessionCookie {
  private warnedAt = -Infinity;

  constructor(
    private readonly configuration: IdentityConfiguration,
    private readonly clock: Clock,
  ) {}

  /** The secret that the cookie carries; undefined without one, and on a cross-origin call. */
  secretIn(request: Addressed): string | undefined {
    if (request.headers.cookie === undefined || this.isCrossOrigin(request)) return undefined;
    return this.sent(request)[0]?.value;
  }

  /**
   * Signs a browser in; the log says once an hour why that is not possible, or not safe. A page of another origin can use
   * a token but must not plant a cookie. The server decides how long it counts; the browser keeps it as long as it may.
   */
  signIn(request: Addressed, reply: FastifyReply, client: Client, secret: string): void {
    if (client !== 'web') return;
    this.warn(request);
    if (this.isCrossOrigin(request)) return;
    const name = this.isOverHttps(request) ? SECURE : PLAIN;
    void reply.header('Set-Cookie', written(name, secret, Math.floor(SESSION_LIFETIME_MS / 1000)));
  }

  /** Signs a browser out: takes away what it has sent. */
  signOut(request: Addressed, reply: FastifyReply): void {
    const ended = this.sent(request).map(({ name }) => written(name, '', 0));
    if (ended.length > 0) void reply.header('Set-Cookie', ended);
  }

  /**
   * Whether a call comes from a page of another origin, for which the cookie does not count. Programs that send neither
   * header are not browsers and carry no cookie that a page could misuse.
   */
  isCrossOrigin(request: Addressed): boolean {
    const { origin } = request.headers;
    if (origin !== undefined && origin !== ownOrigin(request) && origin !== this.appOrigin()) return true;
    const site = request.headers['sec-fetch-site'];
    return site !== undefined && site !== 'same-origin' && site !== 'none';
  }

  /** Where a proxy ends TLS that is not trusted, the page's origin still says that the browser speaks https. */
  private isOverHttps(request: Addressed): boolean {
    const { origin } = request.headers;
    return request.protocol === 'https' || (origin === this.appOrigin() && this.isAppOverHttps());
  }

  /** Our cookies of a request, the safer one first. */
  private sent({ protocol, headers }: Addressed): { readonly name: string; readonly value: string }[] {
    const names = protocol === 'https' ? [SECURE] : this.isAppOverHttps() ? [SECURE, PLAIN] : [PLAIN];
    const pairs = headers.cookie?.split(';').map(withoutBlanks) ?? [];
    return names.flatMap(name => {
      const found = pairs.find(pair => pair.startsWith(`${name}=`));
      return found === undefined ? [] : [{ name, value: found.slice(name.length + 1) }];
    });
  }

  private isAppOverHttps(): boolean {
    return this.appOrigin()?.startsWith('https:') === true;
  }

  private appOrigin(): string | null {
    return originOf(this.configuration.appUrl());
  }

  private warn(request: Addressed): void {
    const reason = this.trouble(request);
    const now = this.clock.now();
    if (reason === null || now - this.warnedAt < WARNED_EVERY_MS) return;
    this.warnedAt = now;
    log.warn(
      `${reason} Set APP_URL to the address that people use, and TRUST_PROXY if a proxy ends TLS in front of this server.`,
    );
  }

  private trouble(request: Addressed): string | null {
    const appOrigin = this.appOrigin();
    if (this.isCrossOrigin(request)) {
      const origin = request.headers.origin?.slice(0, ORIGIN_LOGGED_MAX) ?? 'absent';
      const site = request.headers['sec-fetch-site'] ?? 'absent';
      return `A web sign-in got no cookie: it came from another origin (Origin ${origin}, Sec-Fetch-Site ${site}) than this server, ${ownOrigin(request)}, or APP_URL, ${appOrigin}.`;
    }
    if (request.protocol === 'https' || !this.isAppOverHttps()) return null;
    return `A web sign-in came over http, but APP_URL is at ${appOrigin}.`;
  }
}

function written(name: string, value: string, maxAgeSeconds: number): string {
  const secure = name === SECURE ? '; Secure' : '';
  return `${name}=${value}; Path=/; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Lax${secure}`;
}

/** Without space and tab around it. Other white space is for browsers part of a name, and one that any host may set. */
function withoutBlanks(pair: string): string {
  const isBlank = (at: number): boolean => pair[at] === ' ' || pair[at] === '\t';
  let [from, to] = [0, pair.length];
  while (from < to && isBlank(from)) from += 1;
  while (from < to && isBlank(to - 1)) to -= 1;
  return pair.slice(from, to);
}

/** The origin of the request's own address; null for an invalid `Host`. */
function ownOrigin({ protocol, host }: Addressed): string | null {
  return originOf(`${protocol}://${host}`);
}

/** As browsers write it, without the scheme's default port. Null for an invalid address. */
function originOf(address: string): string | null {
  return URL.canParse(address) ? new URL(address).origin : null;
}
