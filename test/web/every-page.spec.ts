import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { useService, type Household } from '../acceptance/household.scenario.js';
import { CHROMIUM, lastingFaults, visit } from './browser.scenario.js';
import { fillPages, PAGES, REFUSED } from './pages.scenario.js';

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

describe('every page of the web app', { skip: CHROMIUM === null }, () => {
  const service = useService();
  let home: Household;

  before(async () => {
    home = await service.stranger();
    await fillPages(home, { planned: 40_000, amount: 1_250, merchant: 'Bakery' });
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
            assert.deepEqual(await lastingFaults(() => violations(page)), [], colorScheme);
          }
        },
        { reducedMotion: 'reduce', expected: REFUSED },
      );
    });
  }
});
