import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { startTestApplication, type TestApplication } from './test-application.fixture.js';
import { belowBase, WebApp } from './web-app.js';

const PAGE = '<!doctype html><html><head><base href="/" /><title>App</title></head></html>';
const SCRIPT = 'console.log(1);';
const ADDRESSES = `
  / /sign-in /sign-up /forgot /verify?token=x /reset?token=x /confirm-email?token=x /invites/x
  /months/2026-11 /months/2026-11?as_of=2026-11-02 /transactions?q=a /add /import /activity /reports /household /account
`
  .trim()
  .split(/\s+/);
/** What a browser sends when it goes to an address. */
const NAVIGATION = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' };

describe('the web app', () => {
  let folder: string;
  const applications: TestApplication[] = [];

  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'ledger-web-'));
    mkdirSync(join(folder, 'assets'));
    writeFileSync(join(folder, 'index.html'), PAGE);
    writeFileSync(join(folder, 'sw.js'), SCRIPT);
    writeFileSync(join(folder, 'notes.md'), 'no file of the app');
    writeFileSync(join(folder, 'assets/main-1a2b.js'), SCRIPT);
    writeFileSync(join(folder, 'assets/main-1a2b.js.br'), brotliCompressSync(SCRIPT));
    writeFileSync(join(folder, 'assets/main-1a2b.js.gz'), gzipSync(SCRIPT));
  });

  after(async () => {
    await Promise.all(applications.map(({ app }) => app.close()));
    rmSync(folder, { recursive: true, force: true });
  });

  async function served(
    basePath = '/',
  ): Promise<(path: string, headers?: Record<string, string>) => Promise<Response>> {
    const application = await startTestApplication({ basePath, web: WebApp.read(folder, basePath)! });
    applications.push(application);
    return (path, headers = {}) => fetch(application.origin + path, { headers });
  }

  it('is shown at each of its addresses to a browser that goes there, and never cached', async () => {
    const get = await served();
    for (const path of ADDRESSES) {
      const response = await get(path, NAVIGATION);
      assert.equal(response.status, 200, path);
      assert.match(response.headers.get('content-type') ?? '', /^text\/html/);
      assert.match(response.headers.get('cache-control') ?? '', /no-store/);
      assert.match(response.headers.get('vary') ?? '', /\bAccept,/);
      assert.equal(await response.text(), PAGE.replace('<head>', '<head>\n    '));
    }
  });

  it('is shown to programs that accept anything', async () => {
    const get = await served();
    for (const accept of ['*/*', 'text/*', 'application/json;q=0.5, */*;q=0.1']) {
      const response = await get('/months/2026-01', { accept });
      assert.equal(response.status, 200, accept);
      assert.match(response.headers.get('content-type') ?? '', /^text\/html/);
    }
  });

  it('leaves its addresses to the API for whatever does not ask for HTML', async () => {
    const get = await served();
    for (const path of ADDRESSES) {
      for (const accept of ['application/json', 'application/json, text/html;q=0', 'text/html;q=0, */*']) {
        const response = await get(path, { accept });
        assert.equal(response.status, 404, path);
        assert.match(response.headers.get('vary') ?? '', /\bAccept,/);
        assert.equal(((await response.json()) as { code: string }).code, 'not_found');
      }
    }
  });

  it('has no other addresses, and takes nothing from the API', async () => {
    const get = await served();
    for (const path of [
      '/nothing',
      '/months',
      '/months/2026-11/items',
      '/notes.md',
      '/assets/',
      '/%2e%2e/x',
    ]) {
      const response = await get(path, NAVIGATION);
      assert.equal(response.status, 404, path);
      assert.match(response.headers.get('content-type') ?? '', /^application\/json/);
    }
    const api = await get('/v1/things', NAVIGATION);
    assert.match(api.headers.get('content-type') ?? '', /^application\/json/);
    assert.equal(api.headers.get('content-security-policy'), "default-src 'none'; frame-ancestors 'none'");
    assert.match(await (await get('/docs', NAVIGATION)).text(), /API reference/);
  });

  it('lets browsers keep a hashed file for good, and ask again for any other', async () => {
    const get = await served();
    const hashed = await get('/assets/main-1a2b.js');
    assert.equal(hashed.headers.get('cache-control'), 'public, max-age=31536000, immutable');
    const worker = await get('/sw.js');
    assert.equal(worker.headers.get('cache-control'), 'no-cache');
    const known = await get('/sw.js', { 'if-none-match': worker.headers.get('etag')! });
    assert.deepEqual([known.status, await known.text()], [304, '']);
  });

  it('is sent as the build has compressed it', async () => {
    const get = await served();
    for (const [accepted, encoding] of [
      ['gzip, br', 'br'],
      ['gzip', 'gzip'],
      ['identity', null],
    ] as const) {
      const response = await get('/assets/main-1a2b.js', { 'accept-encoding': accepted });
      assert.equal(response.headers.get('content-encoding'), encoding);
      assert.equal(await response.text(), SCRIPT);
    }
  });

  it('runs no script or style of another host, and none that stands in the page', async () => {
    const get = await served();
    for (const path of ['/', '/sw.js']) {
      const policy = (await get(path, NAVIGATION)).headers.get('content-security-policy') ?? '';
      for (const part of [
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "connect-src 'self'",
      ]) {
        assert.ok(policy.split('; ').includes(part), part);
      }
      assert.doesNotMatch(policy, /unsafe|https?:|\*/);
    }
  });

  it('works below a path, whether the proxy takes it off or not, with the API and its reference', async () => {
    const get = await served('/ledger/');
    for (const prefix of ['', '/ledger']) {
      const page = await (await get(`${prefix}/months/2026-11`, NAVIGATION)).text();
      assert.match(page, /<head>\s*<base href="\/ledger\/" \/>/);
      for (const path of ['/assets/main-1a2b.js', '/docs', '/docs/page.js', '/openapi.json']) {
        assert.equal((await get(prefix + path)).status, 200, prefix + path);
      }
      assert.equal((await get(`${prefix}/v1/things?limit=1`)).status, 401);
    }
    const { servers } = (await (await get('/openapi.json')).json()) as {
      readonly servers: readonly object[];
    };
    assert.deepEqual(servers, [{ url: '/ledger/v1' }]);
    assert.equal((await get('/ledger', NAVIGATION)).status, 200);
    assert.equal((await get('/ledgers', NAVIGATION)).status, 404);
  });
});

describe('the path below which people find the service', () => {
  it('is taken off where it is there, and once', () => {
    for (const [url, base, below] of [
      ['/months/2026-11', '/', '/months/2026-11'],
      ['/ledger', '/ledger/', '/'],
      ['/ledger?a=b', '/ledger/', '/?a=b'],
      ['/ledger/v1/months?limit=1', '/ledger/', '/v1/months?limit=1'],
      ['/a/b/docs', '/a/b/', '/docs'],
      ['/a/docs', '/a/b/', '/a/docs'],
      ['/household', '/household/', '/household'],
      ['/household/household', '/household/', '/household'],
    ] as const) {
      assert.equal(belowBase(url, base), below, url);
    }
  });
});
