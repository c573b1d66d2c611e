import assert from 'node:assert/strict';
import { createServer, request as forward } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { after, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { ok, signUp, useService, type Household } from '../acceptance/household.scenario.js';
import { startService, type Service } from '../acceptance/service.scenario.js';
import { CHROMIUM, visit } from './browser.scenario.js';

const MONTH = '2026-11';
const JAVASCRIPT_BYTES_MAX = 180_000;
const CSS_BYTES_MAX = 30_000;

const SAYS_LOADING = `new MutationObserver(() => {
  if (document.querySelector('.loading')) console.log('The page says that it is loading.');
}).observe(document, { childList: true, subtree: true });`;

async function showsMonth(page: Page): Promise<void> {
  await page.goto(`months/${MONTH}`);
  await page.getByRole('heading', { name: 'November 2026' }).waitFor();
  await page.getByRole('region', { name: 'Left to budget' }).waitFor();
}

describe('the web app as it is served', { skip: CHROMIUM === null }, () => {
  const service = useService();
  let home: Household;

  before(async () => {
    home = await service.stranger();
    ok(await home.post(`/months/${MONTH}`), 201);
  });

  it('needs at most 180 kB of JavaScript and 30 kB of CSS before the month can be used', async () => {
    const bytes = { script: 0, stylesheet: 0 };
    await visit(
      home,
      async page => {
        const sizes: Promise<void>[] = [];
        page.on('response', response => {
          const type = response.request().resourceType() as keyof typeof bytes;
          if (!(type in bytes)) return;
          sizes.push(response.body().then(body => void (bytes[type] += gzipSync(body).length)));
        });
        await showsMonth(page);
        await Promise.all(sizes);
      },
      { serviceWorkers: 'block', expected: [/Service Worker registration blocked/] },
    );
    assert.ok(
      bytes.script > 0 && bytes.script <= JAVASCRIPT_BYTES_MAX,
      `${bytes.script} bytes of JavaScript`,
    );
    assert.ok(bytes.stylesheet > 0 && bytes.stylesheet <= CSS_BYTES_MAX, `${bytes.stylesheet} bytes of CSS`);
  });

  it('asks once for what the first month shows, and draws it without a word of loading', async () => {
    await visit(home, async page => {
      const asked: string[] = [];
      page.on('request', request => asked.push(new URL(request.url()).pathname));
      await page.addInitScript({ content: SAYS_LOADING });
      const isLoading: string[] = [];
      page.on('console', message => isLoading.push(message.text()));
      await showsMonth(page);
      const first = ['/v1/me', '/v1/settings', `/v1/months/${MONTH}`];
      // Once it hears of changes, the app looks whether there were any before.
      const hears = asked.indexOf('/v1/changes');
      const before = hears < 0 ? asked : asked.slice(0, hears);
      assert.deepEqual(before.filter(path => first.includes(path)).sort(), first.toSorted());
      assert.deepEqual(isLoading, []);
    });
  });
});

describe('the web app below a path', { skip: CHROMIUM === null }, () => {
  let service: Service;
  let home: Household;
  let proxies: readonly Proxy[];

  before(async () => {
    proxies = await Promise.all([startProxy({ takesPathOff: true }), startProxy({ takesPathOff: false })]);
    service = await startService({ APP_URL: proxies[0]!.url });
    for (const proxy of proxies) proxy.target = service.origin;
    home = await signUp(service, 'Ada Lovelace');
    ok(await home.post(`/months/${MONTH}`), 201);
  });

  after(async () => {
    await Promise.all(proxies.map(proxy => proxy.stop()));
    await service.stop();
  });

  for (const [at, what] of ['takes the path off', 'keeps it'].entries()) {
    it(`works with its API and the reference where a proxy ${what}`, async () => {
      const { url } = proxies[at]!;
      await visit(
        home,
        async page => {
          await showsMonth(page);
          await page.getByRole('link', { name: 'Transactions' }).click();
          await page.waitForURL(`${url}/transactions`);
          await page.goto('docs');
          await page.getByText('listTransactions').first().waitFor();
        },
        { origin: url },
      );
    });
  }
});

describe('WEB=off', () => {
  it('leaves the app out, and the API as it is', async () => {
    const service = await startService({ WEB: 'off' });
    try {
      const get = (path: string): Promise<Response> =>
        fetch(service.origin + path, { headers: { accept: 'text/html,*/*' } });
      assert.equal((await get('/')).status, 404);
      assert.equal((await get(`/months/${MONTH}`)).status, 404);
      assert.equal((await get('/v1/months')).status, 401);
      assert.equal((await get('/docs')).status, 200);
    } finally {
      await service.stop();
    }
  });
});

interface Proxy {
  /** Where people find the service. */
  readonly url: string;
  target: string;
  stop(): Promise<void>;
}

const PATH = '/ledger';

/** A proxy at a path of its own. */
async function startProxy({ takesPathOff }: { readonly takesPathOff: boolean }): Promise<Proxy> {
  const server = createServer((request, response) => {
    const { url = '', method, headers } = request;
    if (!url.startsWith(PATH)) return void response.writeHead(404).end();
    const path = takesPathOff ? url.slice(PATH.length) || '/' : url;
    const onward = forward(new URL(path, proxy.target), { method: method!, headers }, answer => {
      response.writeHead(answer.statusCode!, answer.headers);
      answer.pipe(response);
    });
    onward.on('error', () => response.destroy());
    response.on('close', () => onward.destroy());
    request.pipe(onward);
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const proxy: Proxy = {
    url: `http://127.0.0.1:${port}${PATH}`,
    target: '',
    stop: () =>
      new Promise(resolve => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return proxy;
}
