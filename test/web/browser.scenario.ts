import assert from 'node:assert/strict';
import { after } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core';
import type { Household } from '../acceptance/household.scenario.js';
import { chromiumPath } from './chromium.js';

/** Null without a browser: specs are skipped then. */
export const CHROMIUM = chromiumPath();

let browser: Promise<Browser> | null = null;

/** The specs of a process share one browser, as they share one service. */
function sharedBrowser(): Promise<Browser> {
  browser ??= chromium.launch({ executablePath: CHROMIUM!, args: ['--no-sandbox'] });
  return browser;
}

if (CHROMIUM !== null) after(async () => (await browser)?.close());

/** What a spec lets a visitor differ in. */
interface Visit extends BrowserContextOptions {
  /** Where the app is, if not where the household's service listens. Without a slash at its end. */
  readonly origin?: string;
  /** Faults that the spec provokes. */
  readonly expected?: readonly RegExp[];
}

/** The household's user, or somebody who is not signed in, with a browser of their own. Fails where a page had a fault. */
export async function visit(
  who: Household | { readonly origin: string },
  walk: (page: Page) => Promise<void>,
  { origin, expected = [], ...options }: Visit = {},
): Promise<void> {
  const url = origin ?? ('origin' in who ? who.origin : who.service.origin);
  const context = await (
    await sharedBrowser()
  ).newContext({ baseURL: `${url}/`, locale: 'en-GB', ...options });
  const { origin: site } = new URL(url);
  if ('user' in who) await context.addCookies([{ name: 'session', value: who.user.token, url: site }]);
  const faults: string[] = [];
  context.on('page', page => {
    page.setDefaultTimeout(STEP_MS_MAX);
    page.on('pageerror', error => faults.push(`thrown: ${error.message}`));
    page.on('console', message => {
      if (['error', 'warning'].includes(message.type())) faults.push(`console: ${message.text()}`);
    });
  });
  context.on('request', request => {
    const { origin, protocol } = new URL(request.url());
    if (origin !== site && /^(?:https?|wss?):$/.test(protocol)) {
      faults.push(`request to another host: ${request.url()}`);
    }
  });
  try {
    await walk(await context.newPage());
    const unexpected = faults.filter(fault => !expected.some(pattern => pattern.test(fault)));
    assert.deepEqual(unexpected, [], 'faults in the browser');
  } finally {
    await context.close();
  }
}

/** The machine may be busy. */
const STEP_MS_MAX = 20_000;

/** What is wrong with a page that has time to draw itself: looks until nothing is wrong, at most for `DRAWN_MS_MAX`. */
export async function lastingFaults(look: () => Promise<string[]>): Promise<string[]> {
  const deadline = performance.now() + DRAWN_MS_MAX;
  for (;;) {
    const faults = await look();
    if (faults.length === 0 || performance.now() > deadline) return faults;
    await pause(DRAWN_POLL_MS);
  }
}

/** A person hardly notices how a page looks for so long, and on a busy machine it may take it. */
const DRAWN_MS_MAX = 2_000;
const DRAWN_POLL_MS = 50;
