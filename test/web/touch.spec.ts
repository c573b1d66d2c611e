import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, it } from 'node:test';
import type { CDPSession, Locator, Page } from 'playwright-core';
import { useService, type Household } from '../acceptance/household.scenario.js';
import { until } from '../until.js';
import { CHROMIUM, visit } from './browser.scenario.js';

const MONTH = '2026-11';
/** Longer than the press that begins a drag. */
const PRESS_MS = 600;
const STEPS = 8;

interface Point {
  readonly x: number;
  readonly y: number;
}

/** A finger. Playwright's touchscreen only taps. */
class Finger {
  private constructor(private readonly session: CDPSession) {}

  static async of(page: Page): Promise<Finger> {
    return new Finger(await page.context().newCDPSession(page));
  }

  /** Puts the finger on a thing, waits, and moves it to another one. */
  async drag(from: Locator, to: Locator, pressMs: number): Promise<void> {
    const [start, end] = [await middleOf(from), await middleOf(to)];
    await this.touch('touchStart', start);
    await pause(pressMs);
    for (let step = 1; step <= STEPS; step++) {
      const at = (axis: 'x' | 'y'): number => start[axis] + ((end[axis] - start[axis]) * step) / STEPS;
      await this.touch('touchMove', { x: at('x'), y: at('y') });
    }
    await this.touch('touchEnd');
  }

  private async touch(type: 'touchStart' | 'touchMove' | 'touchEnd', point?: Point): Promise<void> {
    await this.session.send('Input.dispatchTouchEvent', { type, touchPoints: point ? [point] : [] });
  }
}

async function middleOf(locator: Locator): Promise<Point> {
  const { x, y, width, height } = (await locator.boundingBox())!;
  return { x: x + width / 2, y: y + height / 2 };
}

describe('the month under a finger', { skip: CHROMIUM === null }, () => {
  const service = useService();

  async function household(): Promise<Household> {
    const fresh = await service.stranger();
    await fresh.createMonth(MONTH);
    return fresh;
  }

  const item = (page: Page, name: string): Locator => page.getByRole('button', { name, exact: true });
  const head = (page: Page, group: string): Locator =>
    page.getByRole('region', { name: group, exact: true }).getByRole('button', { name: group, exact: true });

  /** The items of each group, as the service has them. */
  async function layoutOf(own: Household): Promise<Record<string, string[]>> {
    const { groups } = await own.month(MONTH);
    return Object.fromEntries(groups.map(({ name, items }) => [name, items.map(each => each.name)]));
  }

  const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

  it('moves items and groups after a long press', async () => {
    const own = await household();
    await visit(
      own,
      async page => {
        await page.goto(`months/${MONTH}`);
        const finger = await Finger.of(page);
        await item(page, 'Restaurants').scrollIntoViewIfNeeded();
        await finger.drag(item(page, 'Restaurants'), item(page, 'Groceries'), PRESS_MS);
        await until(async () => (await layoutOf(own))['Food']?.join() === 'Restaurants,Groceries');
        await finger.drag(item(page, 'Groceries'), head(page, 'Food'), PRESS_MS);
        await until(async () => (await layoutOf(own))['Food']?.join() === 'Groceries,Restaurants');
        const before = Object.keys(await layoutOf(own));
        const [former = ''] = before.slice(before.indexOf('Food') - 1);
        await head(page, 'Food').scrollIntoViewIfNeeded();
        await finger.drag(head(page, 'Food'), head(page, former), PRESS_MS);
        await until(async () => Object.keys(await layoutOf(own)).indexOf('Food') === before.indexOf(former));
        // What was dragged is not opened as well.
        assert.equal(await page.getByRole('dialog').count(), 0);
      },
      PHONE,
    );
  });

  it('scrolls, and moves nothing, where the finger does not wait', async () => {
    const own = await household();
    await visit(
      own,
      async page => {
        await page.goto(`months/${MONTH}`);
        const finger = await Finger.of(page);
        await item(page, 'Restaurants').scrollIntoViewIfNeeded();
        const [before, { y }] = [await layoutOf(own), await middleOf(item(page, 'Restaurants'))];
        await finger.drag(item(page, 'Restaurants'), page.getByRole('heading', { level: 2 }).nth(2), 0);
        await until(async () => Math.abs((await middleOf(item(page, 'Restaurants'))).y - y) > 20);
        assert.deepEqual(await layoutOf(own), before);
      },
      PHONE,
    );
  });
});
