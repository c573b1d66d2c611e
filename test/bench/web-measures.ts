import { mkdirSync } from 'node:fs';
import { chromium, type Browser, type Page } from 'playwright-core';
import { makeDemoHousehold, type DemoHousehold } from '#runtime/demo/demo-household';
import { outboxIn } from '#runtime/data-files';
import { chromiumPath } from '../web/chromium.js';
import { bounded, median, type Figure } from './figures.js';
import { LedgerServer } from './ledger-server.js';

/** About what a phone of the middle class has of this machine's. */
const CPU_SLOWDOWN = 4;
const MONTH_MS_MAX = 1_000;
const SAVED_MS_MAX = 3_000;

const USABLE = 'The month can be used';
/**
 * Says when a frame with the field has been drawn. Playwright would look only every half a second, with a large script
 * that the slow processor has to compile first.
 */
const SAYS_USABLE = `new MutationObserver((_, observer) => {
  if (!document.querySelector('input[aria-label="Planned for Groceries"]')) return;
  observer.disconnect();
  requestAnimationFrame(() => scheduler.postTask(() => console.debug('${USABLE}'), { priority: 'user-blocking' }));
}).observe(document, { childList: true, subtree: true });`;

/** What a person waits for in the web app, each time in a browser that has nothing of it yet. */
export async function waitsInBrowser(
  directory: string,
  rounds: number,
  progress: (text: string) => void,
): Promise<Figure[]> {
  const executablePath = chromiumPath();
  if (executablePath === null) return [];
  mkdirSync(directory, { recursive: true });
  const server = await LedgerServer.start(directory);
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
  try {
    const today = new Date().toISOString().slice(0, 10);
    const home = await makeDemoHousehold({ serverUrl: server.url, outbox: outboxIn(directory), today });
    const timed = async (walk: (page: Page) => Promise<void>): Promise<number> => {
      const times: number[] = [];
      // The first one warms the server up.
      for (let round = 0; round <= rounds; round++) times.push(await timeOf(walk, browser, server.url, home));
      progress(`in the browser: ${times.map(time => time.toFixed(0)).join(' ')} ms`);
      return median(times.slice(1));
    };
    const month = await timed(page => showMonth(page, home.month));
    const saved = await timed(saveTransaction);
    return [
      bounded(
        'First month in a browser 4 times as slow, until it can be used, ms',
        month,
        MONTH_MS_MAX,
        'ms',
      ),
      bounded('/add in a browser 4 times as slow, from nothing to saved, ms', saved, SAVED_MS_MAX, 'ms'),
    ];
  } finally {
    await browser.close();
    await server.stop();
  }
}

async function timeOf(
  walk: (page: Page) => Promise<void>,
  browser: Browser,
  url: string,
  { email, password }: DemoHousehold,
): Promise<number> {
  const context = await browser.newContext({ baseURL: url, locale: 'en-US', serviceWorkers: 'block' });
  try {
    const data = { email, password, client: 'web' };
    const answer = await context.request.post('/v1/auth/password/sign-in', { data });
    if (!answer.ok()) throw new Error(`signing in answered ${answer.status()}`);
    const page = await context.newPage();
    const session = await context.newCDPSession(page);
    await session.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN });
    const begun = performance.now();
    await walk(page);
    return performance.now() - begun;
  } finally {
    await context.close();
  }
}

async function showMonth(page: Page, month: string): Promise<void> {
  await page.addInitScript({ content: SAYS_USABLE });
  const isUsable = page.waitForEvent('console', message => message.text() === USABLE);
  await page.goto(`/months/${month}`, { waitUntil: 'commit' });
  await isUsable;
}

async function saveTransaction(page: Page): Promise<void> {
  await page.goto('/add', { waitUntil: 'commit' });
  await page.getByLabel('Amount').fill('12.50');
  await page.getByLabel('Merchant').fill('Bakery');
  const isSaved = page.waitForResponse(
    response => response.request().method() === 'POST' && response.url().endsWith('/v1/transactions'),
  );
  await page.getByRole('button', { name: 'Save' }).click();
  if ((await isSaved).status() !== 201) throw new Error('the transaction was not saved');
}
