import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import {
  freshId,
  itemNamed,
  ok,
  useService,
  type Household,
  type TransactionList,
} from '../acceptance/household.scenario.js';
import { until } from '../until.js';
import { CHROMIUM, visit } from './browser.scenario.js';

const button = (page: Page | Locator, name: string): Locator =>
  page.getByRole('button', { name, exact: true });
const field = (page: Page | Locator, name: string): Locator => page.getByLabel(name, { exact: true });
const dialog = (page: Page, name: string): Locator => page.getByRole('dialog', { name, exact: true });

/** Waits until the service worker has the files of the app. */
async function controlled(page: Page): Promise<void> {
  await until(() =>
    page.evaluate(() => {
      const { serviceWorker } = (globalThis as unknown as Browser).navigator;
      return serviceWorker.controller !== null;
    }),
  );
}

/** What a spec needs to know of a window. */
interface Browser {
  readonly navigator: { readonly serviceWorker: { readonly controller: unknown } };
}

/** This month in the time zone of the browser, which is that of this process. */
function thisMonth(): string {
  const now = new Date();
  return `${now.getFullYear()}-${String(now.getMonth() + 1).padStart(2, '0')}`;
}

describe('transactions in the web app', { skip: CHROMIUM === null }, () => {
  const service = useService();
  const month = thisMonth();
  let home: Household;

  before(async () => {
    home = await household();
  });

  async function household(): Promise<Household> {
    const fresh = await service.stranger();
    await fresh.createMonth(month);
    return fresh;
  }

  /** Enters an expense as a person does. */
  async function addKiosk(page: Page): Promise<void> {
    await page.goto('add');
    await field(page, 'Amount').fill('2.40');
    await field(page, 'Merchant').fill('Kiosk');
    await button(page, 'Save').click();
    await page.getByText('Saved Kiosk.').waitFor();
  }

  async function listed(of: Household, view = 'all'): Promise<TransactionList['transactions']> {
    return (await of.get<TransactionList>(`/transactions?view=${view}`)).body.transactions;
  }

  /** Records a transaction without a budget item past the page. */
  async function record(of: Household, merchant: string, amount: number): Promise<string> {
    const id = freshId();
    const body = { id, type: 'expense', amount, date: `${month}-02`, merchant, splits: [] };
    assert.equal((await of.post('/transactions', body)).status, 201);
    return id;
  }

  it('are entered on /add by amount, merchant and item, and the merchant suggests its item next time', async () => {
    await visit(home, async page => {
      await page.goto('add');
      await field(page, 'Amount').and(page.locator(':focus')).waitFor();
      await page.keyboard.type('12.50');
      await field(page, 'Merchant').fill('Bakery');
      await field(page, 'Budget item').selectOption({ label: 'Groceries' });
      await button(page, 'Save').click();
      await page.getByText('Saved Bakery.').waitFor();
      await field(page, 'Amount').fill('3,20');
      await field(page, 'Merchant').fill('bakery');
      await page.locator('option:checked').filter({ hasText: 'Groceries' }).waitFor({ state: 'attached' });
      await button(page, 'Save').click();
      await until(async () => (await listed(home)).length === 2);
    });
    const saved = await listed(home, 'tracked');
    assert.deepEqual(saved.map(({ amount }) => amount).sort(), [1_250, 320]);
    assert.deepEqual(new Set(saved.map(({ splits }) => splits[0]?.item_name)), new Set(['Groceries']));
  });

  for (const isAllowed of [true, false]) {
    const what = isAllowed
      ? 'say where they were made'
      : 'are saved all the same where the browser says no place';
    it(`${what}, if that is set`, async () => {
      const own = await household();
      ok(await own.patch('/settings', { location_opt_in: true }));
      const place = { latitude: 52.52, longitude: 13.405, accuracy: 12.3 };
      await visit(
        own,
        async page => {
          await addKiosk(page);
          const [kiosk] = await listed(own);
          const expected = isAllowed ? { lat: 52.52, lng: 13.405, accuracy_m: 13 } : null;
          assert.deepEqual(kiosk?.location, expected);
        },
        { geolocation: place, permissions: isAllowed ? ['geolocation'] : [] },
      );
    });
  }

  it('do not say where they were made unless that is set', async () => {
    const own = await household();
    const place = { latitude: 52.52, longitude: 13.405 };
    await visit(
      own,
      async page => {
        await addKiosk(page);
        assert.equal((await listed(own))[0]?.location, null);
      },
      { geolocation: place, permissions: ['geolocation'] },
    );
  });

  it('are split, with the rest filled in by one key', async () => {
    const own = await household();
    await visit(own, async page => {
      await page.goto('transactions');
      await button(page, 'Add transaction').click();
      const form = dialog(page, 'New transaction');
      await field(form, 'Amount').fill('50');
      await field(form, 'Merchant').fill('Market');
      await button(form, 'Split').click();
      await field(form, 'Budget item 1').selectOption({ label: 'Groceries' });
      await field(form, 'Amount 1').fill('30');
      await form.getByText(/20\.00 left/).waitFor();
      await field(form, 'Budget item 2').selectOption({ label: 'Restaurants' });
      await field(form, 'Amount 2').press('r');
      assert.equal(await field(form, 'Amount 2').inputValue(), '20.00');
      await button(form, 'Save').click();
      await form.waitFor({ state: 'detached' });
    });
    const [saved] = await listed(own);
    assert.deepEqual(
      saved?.splits.map(({ item_name, amount }) => [item_name, amount]),
      [
        ['Groceries', 3_000],
        ['Restaurants', 2_000],
      ],
    );
  });

  it('say what is wrong beside the field, and keep what was typed', async () => {
    await visit(home, async page => {
      await page.goto('add');
      await field(page, 'Merchant').fill('Kiosk');
      await button(page, 'Save').click();
      await page.getByText('Type an amount, such as 12.50.').waitFor();
      assert.equal(await field(page, 'Merchant').inputValue(), 'Kiosk');
    });
  });

  it('are tracked several at once, which one press undoes', async () => {
    const own = await household();
    await record(own, 'First kiosk', 100);
    await record(own, 'Second kiosk', 200);
    await visit(own, async page => {
      await page.goto('transactions');
      for (const name of ['First kiosk', 'Second kiosk']) {
        await page.getByRole('checkbox', { name: new RegExp(`^Select ${name}`) }).check();
      }
      const bar = page.getByRole('toolbar', { name: 'Selected transactions' });
      await field(bar, 'Budget item').selectOption({ label: 'Groceries' });
      await button(bar, 'Track').click();
      await page.getByText('Tracked 2 transactions on Groceries.').waitFor();
      assert.equal((await listed(own, 'tracked')).length, 2);
      assert.equal(itemNamed(await own.month(month), 'Groceries').spent, 300);
      await button(page, 'Undo').click();
      await page.getByText('Undone.').waitFor();
      await page.getByText('First kiosk').waitFor();
    });
    assert.equal((await listed(own, 'untracked')).length, 2);
  });

  it('are tracked by dragging one onto an item', async () => {
    const own = await household();
    await record(own, 'Dragged kiosk', 100);
    const viewport = { width: 1_280, height: 1_100 };
    await visit(
      own,
      async page => {
        await page.goto('transactions');
        const target = page.getByRole('complementary', { name: 'Budget items' }).getByText('Groceries');
        await page.getByRole('listitem').filter({ hasText: 'Dragged kiosk' }).dragTo(target);
        await page.getByText('Tracked Dragged kiosk on Groceries.').waitFor();
      },
      { viewport },
    );
    assert.equal((await listed(own, 'tracked')).length, 1);
  });

  it('are found, changed, deleted and restored', async () => {
    const own = await household();
    await record(own, 'Corner shop', 450);
    await record(own, 'Station', 900);
    await visit(own, async page => {
      await page.goto('transactions?view=all');
      await field(page, 'Search transactions').fill('corner');
      await page.getByText('Station').waitFor({ state: 'detached' });
      await page.getByRole('button', { name: /^Corner shop/ }).click();
      const form = dialog(page, 'Edit transaction');
      await field(form, 'Note').fill('Milk');
      await button(form, 'Save').click();
      await page.getByText('Changed Corner shop.').waitFor();
      await page.getByRole('button', { name: /^Corner shop/ }).click();
      await button(form, 'Delete').click();
      await page.getByText('Deleted Corner shop.').waitFor();
      await page.getByText('Nothing here matches.').waitFor();
      await page.goto('transactions?view=deleted');
      await page.getByRole('button', { name: /^Corner shop/ }).click();
      await button(form, 'Restore').click();
      await page.getByText('Restored Corner shop.').waitFor();
    });
    const found = (await listed(own)).find(({ merchant }) => merchant === 'Corner shop');
    assert.deepEqual([found?.note, found?.status], ['Milk', 'untracked']);
  });

  it('show both versions where somebody else was faster, and let one choose', async () => {
    const own = await household();
    const id = await record(own, 'Shared shop', 450);
    await visit(
      own,
      async page => {
        await page.goto('transactions?view=all');
        await page.getByRole('button', { name: /^Shared shop/ }).click();
        const form = dialog(page, 'Edit transaction');
        await field(form, 'Amount').fill('5.00');
        assert.equal((await own.patch(`/transactions/${id}`, { amount: 700 })).status, 200);
        await button(form, 'Save').click();
        await form.getByText(/changed this while you were typing/).waitFor();
        await form.getByText(/7\.00/).first().waitFor();
        await button(form, 'Save mine').click();
        await form.waitFor({ state: 'detached' });
      },
      { expected: [/412/] },
    );
    assert.equal((await listed(own))[0]?.amount, 500);
  });

  it('wait in the browser while there is no network, and are sent once', async () => {
    const own = await household();
    await visit(
      own,
      async page => {
        await page.goto('add');
        await field(page, 'Amount').fill('8');
        await controlled(page);
        await page.context().setOffline(true);
        await field(page, 'Merchant').fill('Mountain hut');
        await button(page, 'Save').click();
        await page.getByText('Saved on this device.').waitFor();
        await page.getByRole('link', { name: 'Transactions', exact: true }).click();
        await page.getByRole('region', { name: 'Waiting to be sent' }).getByText('Mountain hut').waitFor();
        await page.context().setOffline(false);
        await page.getByRole('region', { name: 'Waiting to be sent' }).waitFor({ state: 'detached' });
        await page.getByText('Saved Mountain hut.').waitFor();
      },
      { expected: [/ERR_INTERNET_DISCONNECTED|ERR_NETWORK_CHANGED|Failed to load resource/] },
    );
    assert.deepEqual(
      (await listed(own)).map(({ merchant }) => merchant),
      ['Mountain hut'],
    );
  });

  it('open without a network, with what was shown last', async () => {
    const own = await household();
    await record(own, 'Remembered shop', 450);
    await visit(
      own,
      async page => {
        await page.goto('transactions?view=all');
        await page.getByText('Remembered shop').waitFor();
        await controlled(page);
        // What is shown is kept a moment later.
        await page.waitForTimeout(1_500);
        await page.context().setOffline(true);
        await page.reload();
        await page.getByText('Remembered shop').waitFor();
        await page.goto('add');
        await field(page, 'Amount').waitFor();
        for (const [path, shown] of [
          ['activity', 'Remembered shop'],
          ['months/2019-01', 'January 2019'],
        ] as const) {
          await page.context().setOffline(true);
          await page.goto(path);
          await page.getByText('You are offline.').waitFor();
          await page.context().setOffline(false);
          await page.getByText(shown).first().waitFor();
        }
      },
      { expected: [/ERR_INTERNET_DISCONNECTED|ERR_NETWORK_CHANGED|Failed to load resource/] },
    );
  });

  it('come from a file after a preview, known ones once, and are undone together', async () => {
    const own = await household();
    const csv = [
      'Date;Payee;Amount',
      `13.01.2026;Volksbank;-12,50`,
      `14.01.2026;Bäckerei;-3,20`,
      `15.01.2026;Arbeitgeber;2.400,00`,
    ].join('\n');
    const file = { name: 'statement.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) };
    await visit(own, async page => {
      await page.goto('import');
      await field(page, 'File').setInputFiles(file);
      await page.getByText('3 new').waitFor();
      await button(page, 'Import').click();
      await page.getByRole('heading', { name: 'Imported 3 transactions' }).waitFor();
      assert.equal((await listed(own)).length, 3);
      await page.goto('import');
      await field(page, 'File').setInputFiles(file);
      await page.getByText('0 new').waitFor();
      await page.getByText('3 known already').waitFor();
    });
    assert.deepEqual((await listed(own)).map(({ amount }) => amount).sort(), [1_250, 240_000, 320]);
  });

  it('come from a file without a row that the service refuses, which is named', async () => {
    const own = await household();
    const csv = 'Date;Payee;Amount\n13.01.2026;Volksbank;-12,50\n14.01.2026;Bakery;-3,20';
    const refusal = {
      code: 'month_full',
      message: 'There is no room.',
      details: { index: 0 },
      request_id: 'r',
    };
    await visit(
      own,
      async page => {
        await page.route('**/v1/transactions/batch', route => route.fulfill({ status: 422, json: refusal }), {
          times: 1,
        });
        await page.goto('import');
        await field(page, 'File').setInputFiles({
          name: 'statement.csv',
          mimeType: 'text/csv',
          buffer: Buffer.from(csv),
        });
        await page.getByText('2 new').waitFor();
        await button(page, 'Import').click();
        await page.getByRole('heading', { name: 'Imported 1 transaction', exact: true }).waitFor();
        await page.getByRole('alert').getByText('There is no room.').waitFor();
        assert.equal((await listed(own)).length, 1);
      },
      { expected: [/status of 422/] },
    );
  });

  it('stand in the activity with who did it, where each change is undone', async () => {
    const own = await household();
    await record(own, 'Undone shop', 450);
    await visit(own, async page => {
      await page.goto('activity');
      await page
        .getByRole('listitem')
        .filter({ hasText: 'Undone shop' })
        .getByRole('button', { name: 'Undo', exact: true })
        .click();
      await page.getByText('Undone.').waitFor();
      await page.getByText(/undid/).first().waitFor();
    });
    assert.deepEqual(await listed(own), []);
  });

  it('are drawn by month and by item, with the figures beside', async () => {
    await visit(home, async page => {
      await page.goto('reports');
      await page.getByRole('img', { name: /^Income and spending by month/ }).waitFor();
      await field(page, 'Item or fund').selectOption({ label: 'Groceries' });
      await page.getByRole('img', { name: /^Groceries by month/ }).waitFor();
      await page.getByText('Show the figures').last().click();
      await page.getByRole('cell', { name: '15.70' }).waitFor();
    });
  });
});
