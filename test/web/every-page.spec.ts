import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { freshId, itemNamed, ok, useService, type Household } from '../acceptance/household.scenario.js';
import type { MonthView } from '#projections/month-view';
import { CHROMIUM, visit } from './browser.scenario.js';

const MONTH = '2026-11';

/** What WCAG 2.2 AA asks for. */
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

/** Of axe, what these specs use. */
interface Axe {
  run(options: object): Promise<{ readonly violations: readonly Violation[] }>;
}

interface Violation {
  readonly id: string;
  readonly help: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[];
}

async function violations(page: Page): Promise<string[]> {
  const found = await page.evaluate(async rules => {
    const { axe } = globalThis as unknown as { readonly axe: Axe };
    return (await axe.run({ runOnly: rules })).violations;
  }, RULES);
  return found.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary = '' }) => `${id}: ${html} ${failureSummary}`),
  );
}

/** Addresses, whether one has to be signed in, and what is there once the page is complete. */
const PAGES: readonly (readonly [path: string, isSignedIn: boolean, heading: RegExp])[] = [
  ['sign-in', false, /sign in/i],
  ['sign-up', false, /account|sign up/i],
  ['forgot', false, /password/i],
  ['reset?token=none', false, /password/i],
  ['verify?token=none', false, /./],
  ['confirm-email?token=none', false, /./],
  ['invites/none', false, /./],
  [`months/${MONTH}`, true, /^November 2026$/],
  [`months/${MONTH}?as_of=2026-11-02`, true, /./],
  ['months/2031-01', true, /^January 2031$/],
  ['transactions?view=all', true, /transactions/i],
  ['add', true, /new transaction/i],
  ['import', true, /import/i],
  ['activity', true, /activity/i],
  ['reports', true, /reports/i],
  ['household', true, /./],
  ['account', true, /./],
];

/** A refused link is told by the service, which the console repeats. */
const REFUSED = [/Failed to load resource: the server responded with a status of (?:401|404|410|422)/];

describe('every page of the web app', { skip: CHROMIUM === null }, () => {
  const service = useService();
  let home: Household;

  before(async () => {
    home = await service.stranger();
    const month = ok(await home.post<MonthView>(`/months/${MONTH}`), 201);
    const item = itemNamed(month, 'Groceries');
    ok(await home.patch(`/months/${MONTH}/items/${item.id}`, { planned: 40_000 }));
    for (const splits of [[], [{ item_id: item.id, amount: 1_250 }]]) {
      const body = {
        id: freshId(),
        type: 'expense',
        amount: 1_250,
        date: `${MONTH}-03`,
        merchant: 'Bakery',
        splits,
      };
      ok(await home.post('/transactions', body), 201);
    }
  });

  for (const [path, isSignedIn, heading] of PAGES) {
    it(`is free of faults and accessible in both themes: /${path}`, async () => {
      const who = isSignedIn ? home : { origin: home.service.origin };
      await visit(
        who,
        async page => {
          await page.addInitScript({ content: axe.source });
          await page.goto(path);
          await page.getByRole('heading', { name: heading }).first().waitFor();
          await page.waitForLoadState('networkidle');
          for (const colorScheme of ['light', 'dark'] as const) {
            await page.emulateMedia({ colorScheme });
            assert.deepEqual(await violations(page), [], colorScheme);
          }
        },
        { reducedMotion: 'reduce', expected: REFUSED },
      );
    });
  }
});
