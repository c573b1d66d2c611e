import type { FastifyRequest } from 'fastify';
import { SESSION_LIFETIME_MS } from './sessions.js';

/**
 * The cookie of the web app's sessions.
 *
 * Over https it is `__Host-session`: browsers then take it only from this very host, `Secure`, for `Path=/` and
 * without a `Domain`, so no neighbouring host can plant one. Plain http (a developer's machine) cannot have
 * `Secure`, hence the other name there.
 */

type Addressed = Pick<FastifyRequest, 'protocol' | 'host' | 'headers'>;

function cookieName(request: Addressed): string {
  return request.protocol === 'https' ? '__Host-session' : 'session';
}

/** The secret that the cookie carries; undefined without one, and on a cross-origin call. */
export function sessionCookieOf(request: Addressed): string | undefined {
  const { cookie } = request.headers;
  if (cookie === undefined || isCrossOrigin(request)) return undefined;
  const name = `${cookieName(request)}=`;
  const found = cookie
    .split(';')
    .map(withoutBlanks)
    .find(pair => pair.startsWith(name));
  return found?.slice(name.length);
}

/**
 * Without space and tab around it. Other white space, as U+00A0, is for browsers part of a name, and one that any host
 * may set.
 */
function withoutBlanks(pair: string): string {
  const isBlank = (at: number): boolean => pair[at] === ' ' || pair[at] === '\t';
  let [from, to] = [0, pair.length];
  while (from < to && isBlank(from)) from += 1;
  while (from < to && isBlank(to - 1)) to -= 1;
  return pair.slice(from, to);
}

/** The `Set-Cookie` value that signs a browser in. The server decides how long it counts; the browser keeps it as long as it may. */
export function signedInCookie(request: Addressed, secret: string): string {
  return cookie(request, secret, Math.floor(SESSION_LIFETIME_MS / 1000));
}

/** The `Set-Cookie` value that signs a browser out. */
export function signedOutCookie(request: Addressed): string {
  return cookie(request, '', 0);
}

function cookie(request: Addressed, value: string, maxAgeSeconds: number): string {
  const secure = request.protocol === 'https' ? '; Secure' : '';
  return `${cookieName(request)}=${value}; Path=/; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Lax${secure}`;
}

/**
 * Whether a call comes from a page of somebody else's, where the cookie counts for nothing: by an `Origin`
 * that is not the API's own, or a `Sec-Fetch-Site` other than `same-origin` and `none`. Programs that send
 * neither are no browsers and carry no cookie that somebody else could use.
 */
export function isCrossOrigin(request: Addressed): boolean {
  const { origin } = request.headers;
  if (origin !== undefined && origin !== ownOrigin(request)) return true;
  const site = request.headers['sec-fetch-site'];
  return site !== undefined && site !== 'same-origin' && site !== 'none';
}

/** As browsers write it: the scheme's own port left out. Null for a `Host` that is none. */
function ownOrigin(request: Addressed): string | null {
  const address = `${request.protocol}://${request.host}`;
  return URL.canParse(address) ? new URL(address).origin : null;
}
