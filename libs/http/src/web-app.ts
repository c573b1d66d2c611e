import { hash as digest } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join, relative } from 'node:path';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { encodingFor, namesTag, weightsOf } from './representation.js';

/** Everything comes from the service itself, and no script or style stands in the page. */
const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "font-src 'self'",
  "connect-src 'self'",
  "manifest-src 'self'",
  "worker-src 'self'",
  "base-uri 'self'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ');

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.webmanifest': 'application/manifest+json',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
};

/** Files here have a hash of their content in their name. */
const HASHED = 'assets/';
const PAGE = 'index.html';
/** The page names the hashed files of one build: with an old page and a new build, the app would not start. */
const PAGE_CACHING = 'no-cache, no-store';

/** The addresses that the app shows something at. */
const ADDRESS =
  /^\/(?:$|(?:sign-in|sign-up|forgot|verify|reset|confirm-email|transactions|add|import|activity|reports|household|account)$|(?:invites|months)\/[^/]+$)/;

/** Endings of the files that the build compressed, by their encoding. */
const ENCODED = { br: '.br', gzip: '.gz' } as const;

interface WebFile {
  readonly headers: Readonly<Record<string, string>>;
  readonly tag: string;
  readonly content: Buffer;
  readonly encoded: Readonly<Partial<Record<keyof typeof ENCODED, Buffer>>>;
}

/** The built web app, kept in memory: a megabyte or two. */
export class WebApp {
  private constructor(
    private readonly page: WebFile,
    /** By their path below the base. */
    private readonly files: ReadonlyMap<string, WebFile>,
  ) {}

  /**
   * @param folder what Vite built
   * @param base the path below which people find the service, with a slash at its end
   * @returns undefined where nothing was built
   */
  static read(folder: string, base: string): WebApp | undefined {
    if (!existsSync(join(folder, PAGE))) return undefined;
    const files = new Map<string, WebFile>();
    for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
      const file = join(entry.parentPath, entry.name);
      const name = relative(folder, file).replaceAll('\\', '/');
      if (entry.isFile() && TYPES[extname(name)] !== undefined) files.set(`/${name}`, read(file, name));
    }
    const page = pageBelow(base, files.get(`/${PAGE}`)!);
    return new WebApp(page, files.set(`/${PAGE}`, page));
  }

  /**
   * Answers a request that no route of the API takes, if it is for the app: for one of its files, or for one of its
   * addresses. What does not accept HTML hears from the API that there is no such route.
   * @returns whether it did
   */
  answer(request: FastifyRequest, reply: FastifyReply): boolean {
    if (request.method !== 'GET' && request.method !== 'HEAD') return false;
    const path = request.url.replace(/[?#].*$/s, '');
    const isAddress = ADDRESS.test(path);
    if (isAddress) void reply.header('Vary', 'Accept, Accept-Encoding');
    const file = isAddress && acceptsHtml(request) ? this.page : this.files.get(path);
    if (file === undefined) return false;
    send(file, request, reply);
    return true;
  }
}

function send(
  { headers, tag, content, encoded }: WebFile,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  void reply.headers(headers);
  if (namesTag(request.headers['if-none-match'], tag)) {
    void reply.code(304).removeHeader('Content-Type').send();
    return;
  }
  const encoding = encodingFor(request.headers['accept-encoding'] ?? '');
  const body = encoding === null ? undefined : encoded[encoding];
  if (encoding !== null && body !== undefined) void reply.header('Content-Encoding', encoding);
  void reply.send(body ?? content);
}

/** By the range that is closest to it: programs that do not care send a star. */
function acceptsHtml({ headers }: FastifyRequest): boolean {
  const weights = weightsOf(headers.accept ?? '*/*');
  return (weights.get('text/html') ?? weights.get('text/*') ?? weights.get('*/*') ?? 0) > 0;
}

function read(file: string, name: string): WebFile {
  const content = readFileSync(file);
  const encoded = Object.entries(ENCODED).flatMap(([encoding, ending]) =>
    existsSync(file + ending) ? [[encoding, readFileSync(file + ending)] as const] : [],
  );
  const caching = name.startsWith(HASHED) ? 'public, max-age=31536000, immutable' : 'no-cache';
  return webFile(name, caching, content, Object.fromEntries(encoded));
}

function webFile(name: string, caching: string, content: Buffer, encoded: WebFile['encoded']): WebFile {
  const tag = `"${digest('sha256', content).slice(0, 16)}"`;
  const headers = {
    'Content-Type': TYPES[extname(name)]!,
    // Of the page, and of a worker, which has none of its page's.
    'Content-Security-Policy': PAGE_POLICY,
    'Cache-Control': caching,
    ETag: tag,
  };
  return { headers, tag, content, encoded };
}

/** The page, from which the app learns below which path it is. */
function pageBelow(base: string, { content }: WebFile): WebFile {
  const element = `<base href="${base.replaceAll('&', '&amp;').replaceAll('"', '&quot;')}" />`;
  const html = content
    .toString('utf8')
    .replace(/<base\b[^>]*>\s*/i, '')
    .replace(/<head\b[^>]*>/i, head => `${head}\n    ${element}`);
  return webFile(PAGE, PAGE_CACHING, Buffer.from(html), {});
}

/**
 * The address of a request as the routes know it: a proxy may or may not take off the path below which people find the
 * service.
 * @param base with a slash at its end
 */
export function belowBase(url: string, base: string): string {
  const prefix = base.slice(0, -1);
  if (prefix === '' || !url.startsWith(prefix)) return url;
  const rest = url.slice(prefix.length);
  // A base may be called as an address of the app, `/household`: taken off already, that is still meant.
  if (!/^(?:[/?#]|$)/.test(rest) || ADDRESS.test(url.replace(/[?#].*$/s, ''))) return url;
  return rest.startsWith('/') ? rest : `/${rest}`;
}
