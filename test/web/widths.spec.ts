import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { useService, type Household } from '../acceptance/household.scenario.js';
import { CHROMIUM, lastingFaults, visit } from './browser.scenario.js';
import { fillPages, PAGES, REFUSED } from './pages.scenario.js';

const WIDTHS = [360, 390, 768, 1_280, 1_920];
const HEIGHT = 800;

/** Of the page, what these specs use. */
interface Window {
  readonly innerWidth: number;
  readonly document: {
    readonly documentElement: { readonly scrollWidth: number };
    elementFromPoint(x: number, y: number): Element | null;
    querySelectorAll(selector: string): Iterable<Element>;
  };
}

interface Element {
  readonly labels?: Iterable<Element> | null;
  readonly outerHTML: string;
  checkVisibility(options: object): boolean;
  contains(other: Element | null): boolean;
  getBoundingClientRect(): { left: number; right: number; top: number; width: number; height: number };
  focus(options: object): void;
  scrollIntoView(options: object): void;
}

/** What cannot be reached: it lies beside the window, or something lies above it wherever the page is scrolled to. */
function outOfReach(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const { document, innerWidth } = globalThis as unknown as Window;
    const isReached = (element: Element): boolean => {
      const { left, right, top, width, height } = element.getBoundingClientRect();
      const found = document.elementFromPoint((left + right) / 2, top + height / 2);
      const isHit = [element, ...(element.labels ?? [])].some(each => each.contains(found));
      return left >= 0 && right <= innerWidth && (isHit || width <= 1);
    };
    const wide =
      document.documentElement.scrollWidth > innerWidth
        ? [`${document.documentElement.scrollWidth} pixels wide`]
        : [];
    const controls = [
      ...document.querySelectorAll('a[href]:not(.skip-link), button, input, select, summary, textarea'),
    ];
    const lost = controls
      .filter(control => control.checkVisibility({ opacityProperty: true, visibilityProperty: true }))
      .filter(control => {
        control.focus({ preventScroll: true });
        control.scrollIntoView({ block: 'center', behavior: 'instant' });
        return !isReached(control);
      });
    return [...wide, ...lost.map(({ outerHTML }) => outerHTML.slice(0, 200))];
  });
}

describe('the web app on screens from 360 to 1,920 pixels', { skip: CHROMIUM === null }, () => {
  const service = useService();
  let home: Household;

  before(async () => {
    home = await service.stranger();
    await fillPages(home, {
      planned: 123_456_789,
      amount: 123_456_700,
      merchant: 'Bakery at the corner of Donaudampfschifffahrtsgesellschaftsstrasse',
      item: 'Groceries, household goods and Donaudampfschiffe',
    });
  });

  for (const [path, isSignedIn, heading] of PAGES) {
    it(`fits, with everything within reach: /${path}`, async () => {
      const who = isSignedIn ? home : { origin: home.service.origin };
      await visit(
        who,
        async page => {
          await page.goto(path);
          await page.getByRole('heading', { name: heading }).first().waitFor();
          await page.waitForLoadState('networkidle');
          for (const width of WIDTHS) {
            await page.setViewportSize({ width, height: HEIGHT });
            assert.deepEqual(await lastingFaults(() => outOfReach(page)), [], `at ${width} pixels`);
          }
        },
        { reducedMotion: 'reduce', expected: REFUSED },
      );
    });
  }
});
