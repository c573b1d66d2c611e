import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import type { MonthView } from '#projections/month-document';
import { itemNamed, ok, useService, type Household } from '../acceptance/household.scenario.js';
import { until } from '../until.js';
import { CHROMIUM, visit } from './browser.scenario.js';

const MONTH = '2026-11';
const PASSWORD = 'four-jars-on-a-shelf';

const group = (page: Page, name: string): Locator => page.getByRole('region', { name, exact: true });
const planned = (page: Page, item: string): Locator =>
  page.getByLabel(`Planned for ${item}`, { exact: true });
const button = (page: Page | Locator, name: string): Locator =>
  page.getByRole('button', { name, exact: true });
const dialog = (page: Page, name: string): Locator => page.getByRole('dialog', { name, exact: true });
const left = (page: Page): Locator => page.getByRole('region', { name: 'Left to budget', exact: true });

/** What a spec needs to know of an element. */
interface Element {
  readonly textContent: string;
  querySelector(selector: string): Element;
  querySelectorAll(selector: string): Iterable<Element>;
}

/** The items by their groups, as the page shows them. */
async function layout(page: Page): Promise<Record<string, string[]>> {
  const groups = await page.locator('[data-group]').evaluateAll(cards =>
    (cards as unknown as Element[]).map(card => ({
      name: card.querySelector('h2').textContent,
      items: [...card.querySelectorAll('[data-item] .name-button')].map(item => item.textContent),
    })),
  );
  return Object.fromEntries(groups.map(({ name, items }) => [name, items]));
}

describe('the month in the web app', { skip: CHROMIUM === null }, () => {
  const service = useService();
  let home: Household;

  before(async () => {
    home = await service.stranger();
  });

  /** A household with a month in which something is planned. */
  async function household(): Promise<Household> {
    const fresh = await service.stranger();
    await fresh.createMonth(MONTH);
    await fresh.plan(MONTH, { Paycheck: 300_000, Groceries: 40_000 });
    return fresh;
  }

  async function plannedFor(of: Household, item: string): Promise<number> {
    return itemNamed(await of.month(MONTH), item).planned;
  }

  it('is created by a button if missing, and leads to its neighbours', async () => {
    await visit(
      home,
      async page => {
        await page.goto(`months/${MONTH}`);
        await button(page, 'Create this month').click();
        await group(page, 'Food').waitFor();
        await button(page, 'Next month').click();
        await page.getByRole('heading', { name: 'December 2026' }).waitFor();
        await page.getByText('a copy of November 2026').waitFor();
        await button(page, 'Previous month').click();
        await page.getByRole('heading', { name: 'November 2026' }).waitFor();
        // The button keeps the focus: one goes on by the keyboard.
        await page.keyboard.press('Enter');
        await page.getByRole('heading', { name: 'October 2026' }).waitFor();
        await button(page, 'Next month').click();
        await group(page, 'Food').waitFor();
        assert.match(await group(page, 'Food').innerText(), /Groceries/);
      },
      { expected: [/404/] },
    );
  });

  it('takes plans by the keyboard alone, and needs no second request for the figures', async () => {
    const own = await household();
    await visit(own, async page => {
      await page.goto(`months/${MONTH}`);
      // Once it hears of changes, the app reads the month again.
      await page.waitForLoadState('networkidle');
      await planned(page, 'Groceries').focus();
      const reads: string[] = [];
      page.on('request', request => {
        if (request.method() === 'GET' && request.url().endsWith(`/v1/months/${MONTH}`))
          reads.push(request.url());
      });
      await page.keyboard.type('450+50.50');
      await page.keyboard.press('Enter');
      // The next field has the focus, and is ready to be typed over.
      await page.keyboard.type('80');
      await page.keyboard.press('Escape');
      await page.keyboard.type('90,5');
      await page.keyboard.press('Enter');
      await left(page).getByText('$2,409.00').waitFor();
      assert.equal(await planned(page, 'Groceries').inputValue(), '500.50');
      assert.equal(await planned(page, 'Restaurants').inputValue(), '90.50');
      await until(async () => (await plannedFor(own, 'Restaurants')) === 9_050);
      assert.equal(await plannedFor(own, 'Groceries'), 50_050);
      await page.waitForTimeout(300);
      assert.deepEqual(reads, []);
    });
  });

  it('leaves a plan as it is where what was typed is no amount', async () => {
    const own = await household();
    await visit(own, async page => {
      await page.goto(`months/${MONTH}`);
      await planned(page, 'Groceries').fill('a lot');
      await planned(page, 'Groceries').press('Enter');
      assert.equal(
        await planned(page, 'Groceries').evaluate(field => field === field.ownerDocument.activeElement),
        true,
      );
      await planned(page, 'Groceries').blur();
      await page.getByText('Groceries keeps its plan').waitFor();
      assert.equal(await planned(page, 'Groceries').inputValue(), '400.00');
    });
  });

  it('takes a change back, with a sentence, where the service refuses it', async () => {
    const own = await household();
    await visit(
      own,
      async page => {
        await page.goto(`months/${MONTH}`);
        await page.route('**/v1/months/*/items/*', route =>
          route.fulfill({
            status: 409,
            json: { code: 'conflict', message: 'Lost the race.', details: {}, request_id: 'x' },
          }),
        );
        await planned(page, 'Groceries').fill('1');
        await planned(page, 'Groceries').press('Enter');
        await page.getByRole('alert').getByText('Groceries keeps its plan').waitFor();
        assert.equal(await planned(page, 'Groceries').inputValue(), '400.00');
        await left(page).getByText('$2,600.00').waitFor();
      },
      { expected: [/409/] },
    );
  });

  it('says that there is no connection, and keeps showing what was', async () => {
    const own = await household();
    await visit(
      own,
      async page => {
        await page.goto(`months/${MONTH}`);
        await page.route('**/v1/months/*/items/*', route => route.abort());
        await planned(page, 'Groceries').fill('1');
        await planned(page, 'Groceries').press('Enter');
        await page.getByRole('alert').getByText('no connection').waitFor();
        assert.equal(await planned(page, 'Groceries').inputValue(), '400.00');
      },
      { expected: [/ERR_FAILED/] },
    );
  });

  it('shows what others change by itself', async () => {
    const own = await household();
    await visit(own, async page => {
      await page.goto(`months/${MONTH}`);
      await planned(page, 'Groceries').waitFor();
      await own.plan(MONTH, { Groceries: 12_300 });
      await until(async () => (await planned(page, 'Groceries').inputValue()) === '123.00');
      const { id } = itemNamed(await own.month(MONTH), 'Groceries');
      await own.patch(`/items/${id}`, { name: 'Market' });
      await planned(page, 'Market').waitFor();
    });
  });

  it('shows what others changed between its first answer and its hearing of changes', async () => {
    const own = await household();
    await visit(own, async page => {
      await page.route('**/v1/changes**', async route => {
        await own.plan(MONTH, { Groceries: 12_300 });
        await route.continue();
      });
      await page.goto(`months/${MONTH}`);
      await until(async () => (await planned(page, 'Groceries').inputValue()) === '123.00');
    });
  });

  for (const [choice, expected] of [
    ['Keep mine', 70_000],
    ['Keep theirs', 65_000],
  ] as const) {
    it(`shows both plans where somebody else was faster: ${choice.toLowerCase()}`, async () => {
      const own = await household();
      await visit(
        own,
        async page => {
          await page.goto(`months/${MONTH}`);
          await planned(page, 'Groceries').fill('700');
          await own.plan(MONTH, { Groceries: 65_000 });
          await planned(page, 'Groceries').press('Enter');
          const question = page.getByRole('alertdialog');
          await question.getByText('700.00').waitFor();
          await question.getByText('650.00').waitFor();
          await button(question, choice).click();
          await question.waitFor({ state: 'detached' });
          await until(async () => (await plannedFor(own, 'Groceries')) === expected);
          await until(async () => (await planned(page, 'Groceries').inputValue()) === `${expected / 100}.00`);
        },
        { expected: [/412/] },
      );
    });
  }

  it('asks for the password where the session ended, and saves what was typed', async () => {
    const own = await household();
    await visit(
      own,
      async page => {
        await page.goto(`months/${MONTH}`);
        await planned(page, 'Groceries').fill('123');
        await page.context().clearCookies();
        await planned(page, 'Groceries').press('Enter');
        const again = page.getByRole('alertdialog', { name: 'Sign in again' });
        await again.getByLabel('Password').fill(PASSWORD);
        await button(again, 'Sign in').click();
        await again.waitFor({ state: 'detached' });
        await until(async () => (await plannedFor(own, 'Groceries')) === 12_300);
        assert.equal(await planned(page, 'Groceries').inputValue(), '123.00');
        assert.match(page.url(), new RegExp(`/months/${MONTH}$`));
      },
      { expected: [/401/] },
    );
  });

  it('adds a group and an item, renames them, and gives a colour', async () => {
    const own = await household();
    await visit(own, async page => {
      await page.goto(`months/${MONTH}`);
      await button(page, 'Add group').click();
      const added = dialog(page, 'Add group');
      await added.getByLabel('Name').fill('Hobbies');
      await button(added, 'Save').click();
      await button(group(page, 'Hobbies'), 'Add item').click();
      await group(page, 'Hobbies').getByLabel('Name').fill('Chess');
      await page.keyboard.press('Enter');
      await planned(page, 'Chess').waitFor();
      await button(group(page, 'Hobbies'), 'Hobbies').click();
      const changed = dialog(page, 'Hobbies');
      await changed.getByLabel('Name').fill('Games');
      await changed.getByRole('radio', { name: 'Teal' }).check({ force: true });
      await button(changed, 'Save').click();
      await group(page, 'Games').waitFor();
      await button(page, 'Chess').click();
      const panel = dialog(page, 'Chess');
      await panel.getByLabel('Name').fill('Go');
      await panel.getByLabel('Note').fill('Every Friday');
      await button(panel, 'Save').click();
      await dialog(page, 'Go').waitFor();
      await until(async () =>
        (await own.month(MONTH)).groups.some(({ items }) =>
          items.some(item => item.name === 'Go' && item.note === 'Every Friday'),
        ),
      );
      const games = (await own.month(MONTH)).groups.at(-1);
      assert.deepEqual([games?.name, games?.color], ['Games', '#00796b']);
    });
  });

  it('moves items and groups by the keyboard', async () => {
    const own = await household();
    await visit(own, async page => {
      await page.goto(`months/${MONTH}`);
      await planned(page, 'Groceries').waitFor();
      const first = await layout(page);
      await button(page, 'Groceries').focus();
      await page.keyboard.press('Alt+ArrowDown');
      await until(async () => (await layout(page))['Food']?.[0] === 'Restaurants');
      await button(page, 'Groceries').focus();
      await page.keyboard.press('Alt+ArrowDown');
      await until(async () => (await layout(page))['Personal']?.[0] === 'Groceries');
      await button(group(page, 'Food'), 'Food').focus();
      await page.keyboard.press('Alt+ArrowUp');
      await until(
        async () =>
          Object.keys(await layout(page)).indexOf('Food') === Object.keys(first).indexOf('Food') - 1,
      );
      await until(async () => {
        const { groups } = await own.month(MONTH);
        const names = (name: string): string[] =>
          groups.find(one => one.name === name)!.items.map(item => item.name);
        return names('Personal')[0] === 'Groceries' && names('Food').join() === 'Restaurants';
      });
    });
  });

  it('moves items into another group, and groups, by dragging', async () => {
    const own = await household();
    await visit(own, async page => {
      await page.setViewportSize({ width: 1280, height: 1800 });
      await page.goto(`months/${MONTH}`);
      await button(page, 'Groceries').dragTo(button(page, 'Fuel'));
      await until(async () => (await layout(page))['Transportation']?.includes('Groceries') === true);
      await button(group(page, 'Food'), 'Food').dragTo(button(group(page, 'Giving'), 'Giving'));
      await until(async () => Object.keys(await layout(page))[1] === 'Food');
      await until(async () => (await own.month(MONTH)).groups[1]?.name === 'Food');
      assert.deepEqual(await layout(page), layoutOf(await own.month(MONTH)));
      // What was dragged is not opened as well.
      assert.equal(await page.getByRole('dialog').count(), 0);
    });
  });

  it('says what a deletion untracks before it deletes, and takes it back', async () => {
    const own = await household();
    const { id } = itemNamed(await own.month(MONTH), 'Groceries');
    await own.spend({ amount: 1_250, date: `${MONTH}-03`, splits: [{ item_id: id, amount: 1_250 }] });
    await visit(own, async page => {
      await page.goto(`months/${MONTH}`);
      await button(page, 'Groceries').click();
      await button(dialog(page, 'Groceries'), 'Delete').click();
      const removal = dialog(page, 'Delete Groceries');
      await removal.getByText('1 transaction will be untracked').waitFor();
      await removal.getByText('$3,000.00').waitFor();
      assert.equal(await plannedFor(own, 'Groceries'), 40_000);
      await button(removal, 'Delete').click();
      await planned(page, 'Groceries').waitFor({ state: 'detached' });
      await page.getByRole('link', { name: '1 transaction waits to be tracked' }).waitFor();
      await button(page, 'Undo').click();
      await planned(page, 'Groceries').waitFor();
      await button(group(page, 'Food'), 'Food').click();
      await button(dialog(page, 'Food'), 'Delete').click();
      await button(dialog(page, 'Delete Food'), 'Delete').click();
      await group(page, 'Food').waitFor({ state: 'detached' });
    });
  });

  it('puts back an item and a group that another month still has', async () => {
    const own = await household();
    await own.createMonth('2026-12');
    const { groups } = await own.month(MONTH);
    const idOf = (name: string): string => groups.find(each => each.name === name)!.id;
    const { id } = itemNamed(await own.month(MONTH), 'Groceries');
    ok(await own.delete(`/months/${MONTH}/items/${id}`));
    ok(await own.delete(`/months/${MONTH}/groups/${idOf('Giving')}`));
    await visit(own, async page => {
      await page.goto(`months/${MONTH}`);
      await button(group(page, 'Food'), 'Add item').click();
      await button(group(page, 'Food'), 'Put Groceries back').click();
      await until(async () => (await planned(page, 'Groceries').inputValue()) === '400.00');
      assert.equal(itemNamed(await own.month(MONTH), 'Groceries').id, id);
      await button(page, 'Add group').click();
      await button(dialog(page, 'Add group'), 'Put Giving back').click();
      await group(page, 'Giving').waitFor();
      assert.equal((await own.month(MONTH)).groups.at(-1)?.id, idOf('Giving'));
      await button(group(page, 'Giving'), 'Add item').click();
      await button(group(page, 'Giving'), 'Put Charity back').click();
      await planned(page, 'Charity').waitFor();
    });
  });

  it('shows what a reset changes before it resets', async () => {
    const own = await household();
    await visit(own, async page => {
      await page.goto(`months/${MONTH}`);
      await button(page, 'Reset month').click();
      const reset = dialog(page, 'Reset month');
      await reset.getByRole('row', { name: 'Groceries 400.00 0.00' }).waitFor();
      assert.equal(await plannedFor(own, 'Groceries'), 40_000);
      await button(reset, 'Reset month').click();
      await reset.waitFor({ state: 'detached' });
      await until(async () => (await planned(page, 'Groceries').inputValue()) === '0.00');
    });
  });

  it('harvests an item, and takes that back', async () => {
    const own = await household();
    await visit(own, async page => {
      await page.goto(`months/${MONTH}`);
      await button(page, 'Groceries').click();
      await button(dialog(page, 'Groceries'), 'Harvest').click();
      await until(async () => (await plannedFor(own, 'Groceries')) === 0);
      await page.getByText('Harvested 400.00 from Groceries.').waitFor();
      // Also while the panel is open.
      await button(page, 'Undo').click();
      await page.getByText('Undone.').waitFor();
      await button(dialog(page, 'Groceries'), 'Harvest').waitFor();
      await page.keyboard.press('Escape');
      await dialog(page, 'Groceries').waitFor({ state: 'detached' });
      assert.equal(await plannedFor(own, 'Groceries'), 40_000);
      await until(async () => (await planned(page, 'Groceries').inputValue()) === '400.00');
    });
  });

  it('makes an item a fund, updates its balance, and shows its history', async () => {
    const own = await household();
    await visit(own, async page => {
      await page.goto(`months/${MONTH}`);
      await button(page, 'Emergency Fund').click();
      const panel = dialog(page, 'Emergency Fund');
      await button(panel, 'Make this a fund').click();
      await panel.getByLabel('Current balance').fill('1000');
      await button(panel, 'Save').click();
      await button(panel, 'Update balance').click();
      await panel.getByLabel('Current balance').fill('1200');
      await button(panel, 'Save').click();
      await panel.getByRole('img', { name: /Balance from/ }).waitFor();
      await until(async () => itemNamed(await own.month(MONTH), 'Emergency Fund').fund?.ending === 120_000);
      await panel.getByLabel('Target').fill('5000');
      await button(panel, 'Save').click();
      await panel.getByText('$3,800.00 until the target').waitFor();
    });
  });

  it('explains why a figure is what it is', async () => {
    const own = await household();
    const { id } = itemNamed(await own.month(MONTH), 'Groceries');
    await own.spend({
      amount: 1_250,
      date: `${MONTH}-03`,
      merchant: 'Bakery',
      splits: [{ item_id: id, amount: 1_250 }],
    });
    await visit(own, async page => {
      await page.goto(`months/${MONTH}`);
      await button(page, 'Groceries').click();
      const panel = dialog(page, 'Groceries');
      await panel.getByText('Spent', { exact: true }).click();
      await panel.locator('details[open]').getByText('Bakery').waitFor();
      await panel.getByRole('region', { name: 'Transactions' }).getByText('Bakery').waitFor();
    });
  });

  it('keeps favourites, and shows the column that the settings name', async () => {
    const own = await household();
    await visit(own, async page => {
      await page.goto(`months/${MONTH}`);
      await button(page, 'Groceries').click();
      await dialog(page, 'Groceries').getByLabel('Favourite').click();
      await until(async () => (await own.month(MONTH)).favorites.length === 1);
      await page.keyboard.press('Escape');
      await page.getByRole('region', { name: 'Favourites' }).getByText('Groceries').waitFor();
      await button(page, 'Spent').click();
      await group(page, 'Income').getByText('Received').waitFor();
      await until(async () => {
        const { body } = await own.get<{ column_view: string }>('/settings');
        return body.column_view === 'spent';
      });
    });
  });

  it('shows a month as it stood, without anything to change', async () => {
    const own = await household();
    await visit(own, async page => {
      await page.goto(`months/${MONTH}?as_of=2200-01-01`);
      await page.getByText('As it stood on').waitFor();
      await group(page, 'Food').getByText('Groceries').waitFor();
      assert.equal(await planned(page, 'Groceries').count(), 0);
      await button(page, 'Back to now').click();
      await planned(page, 'Groceries').waitFor();
    });
  });
});

function layoutOf(month: MonthView): Record<string, string[]> {
  return Object.fromEntries(month.groups.map(({ name, items }) => [name, items.map(item => item.name)]));
}
