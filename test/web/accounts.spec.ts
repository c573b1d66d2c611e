import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { freshId, ok, useService, type Household } from '../acceptance/household.scenario.js';
import { until } from '../until.js';
import { CHROMIUM, visit } from './browser.scenario.js';

const PASSWORD = 'four-jars-on-a-shelf';

const button = (page: Page | Locator, name: string): Locator =>
  page.getByRole('button', { name, exact: true });
const heading = (page: Page, name: string | RegExp): Locator => page.getByRole('heading', { name, level: 1 });

async function signIn(page: Page, email: string, password = PASSWORD): Promise<void> {
  await page.getByLabel('E-mail').fill(email);
  await page.getByLabel('Password').fill(password);
  await button(page, 'Sign in').click();
}

/** The service refuses what has no session, and the console says so. */
const UNAUTHENTICATED = { expected: [/401/] };

describe('accounts in the web app', { skip: CHROMIUM === null }, () => {
  const service = useService();
  let home: Household;

  before(async () => {
    home = await service.stranger('Ada Lovelace');
  });

  it('lead from signing up by the mailed link to the month', async () => {
    const email = `${freshId().toLowerCase()}@example.org`;
    await visit(
      { origin: home.service.origin },
      async page => {
        await page.goto('sign-up');
        await page.getByLabel('Name').fill('Mary');
        await page.getByLabel('E-mail').fill(email);
        await page.getByLabel('Password').fill(PASSWORD);
        await button(page, 'Create account').click();
        await heading(page, 'Check your e-mail').waitFor();
        await page.goto(`verify?token=${await home.service.mailedToken(email, 'verify')}`);
        await button(page, 'Create this month').waitFor();
        assert.match(page.url(), /\/months\/\d{4}-\d{2}$/);
      },
      { expected: [/404/] },
    );
  });

  it('lead back to the page that one wanted to see', async () => {
    await visit(
      { origin: home.service.origin },
      async page => {
        await page.goto('household');
        await signIn(page, home.user.email, 'not the password');
        await page.getByRole('alert').getByText('do not match').waitFor();
        await signIn(page, home.user.email);
        await page.getByRole('region', { name: 'Members' }).getByText('Ada Lovelace').waitFor();
        assert.match(page.url(), /\/household$/);
        await page.goto('account');
        await button(page, 'Sign out').click();
        await heading(page, 'Sign in').waitFor();
      },
      UNAUTHENTICATED,
    );
  });

  it('take a new password by the mailed link', async () => {
    const { user } = await service.stranger();
    await visit(
      { origin: home.service.origin },
      async page => {
        await page.goto('forgot');
        await page.getByLabel('E-mail').fill(user.email);
        await button(page, 'Send link').click();
        await heading(page, 'Check your e-mail').waitFor();
        await page.goto(`reset?token=${await home.service.mailedToken(user.email, 'reset')}`);
        await page.getByLabel('Password').fill('five-jars-on-a-shelf');
        await button(page, 'Save').click();
        await heading(page, 'Sign in').waitFor();
        await signIn(page, user.email, 'five-jars-on-a-shelf');
        await page.waitForURL('**/months/*');
      },
      { expected: [/40[14]/] },
    );
  });

  it('join a household by the link of its invite, and show its budget', async () => {
    const shared = await service.stranger('Grace');
    await shared.createMonth('2026-11');
    ok(await shared.patch(`/households/${shared.id}`, { name: 'Maple Street' }));
    const guest = await service.stranger('Bea');
    const invite = ok(
      await shared.post<{ path: string }>(`/households/${shared.id}/invites`, { email: guest.user.email }),
      201,
    );
    await visit(
      { origin: home.service.origin },
      async page => {
        await page.goto(invite.path.slice(1));
        await heading(page, 'Join Maple Street').waitFor();
        await page.getByRole('link', { name: 'Sign in' }).click();
        await signIn(page, guest.user.email);
        await button(page, 'Accept invite').click();
        await page.getByText('Welcome to Maple Street.').waitFor();
        await page.goto('months/2026-11');
        await page.getByLabel('Planned for Groceries').waitFor();
      },
      { expected: [/40[14]/] },
    );
  });

  it('change their name and settings, and make a token whose secret is shown once', async () => {
    const own = await service.stranger();
    await visit(own, async page => {
      await page.goto('account');
      await page.getByLabel('Name').fill('Ada King');
      await button(page, 'Save').click();
      await until(async () => ok(await own.get<{ user: { name: string } }>('/me')).user.name === 'Ada King');
      await page.getByLabel('Theme').selectOption('dark');
      await page.locator('html[data-theme="dark"]').waitFor();
      await button(page, 'New token').click();
      const dialog = page.getByRole('dialog', { name: 'New token' });
      await dialog.getByLabel('Name').fill('Script');
      await button(dialog, 'Save').click();
      const secret = await page.getByRole('dialog').getByLabel('Token').inputValue();
      assert.match(secret, /^hbp_/);
      await button(page, 'Done').click();
      await page
        .getByRole('region', { name: 'Access tokens' })
        .getByText('Script', { exact: true })
        .waitFor();
      assert.doesNotMatch(await page.content(), new RegExp(secret));
    });
  });

  it('invite, remove and rename in their household, and begin another one', async () => {
    const own = await service.stranger('Ada');
    await service.member(own, 'Bob');
    await visit(own, async page => {
      await page.goto('household');
      const members = page.getByRole('region', { name: 'Members' });
      await button(members, 'Remove').click();
      await button(page.getByRole('dialog', { name: 'Remove Bob' }), 'Remove').click();
      await page.getByText('Bob was removed.').waitFor();
      await page.getByLabel('E-mail').fill('carol@example.org');
      await button(page, 'Invite').click();
      await page.getByText('Invited carol@example.org.').waitFor();
      await page.getByLabel('Name').fill('Elm Street');
      await page.getByLabel('Currency').selectOption('CHF');
      await button(page, 'Save').click();
      await heading(page, 'Elm Street').waitFor();
      await button(page, 'New household').click();
      const dialog = page.getByRole('dialog', { name: 'New household' });
      await dialog.getByLabel('Name').fill('Club');
      await button(dialog, 'Save').click();
      await heading(page, 'Club').waitFor();
      await page.getByLabel('Household', { exact: true }).selectOption({ label: 'Elm Street' });
      await heading(page, 'Elm Street').waitFor();
    });
  });

  it('delete a household by its name, and then themselves', async () => {
    const own = await service.stranger('Ada');
    ok(await own.post('/households', { name: 'Club' }), 201);
    await visit(
      own,
      async page => {
        await page.goto('household');
        await page
          .getByRole('region', { name: 'Other households' })
          .getByRole('button', { name: 'Show' })
          .click();
        await heading(page, 'Club').waitFor();
        await button(page, 'Delete household').click();
        const household = page.getByRole('dialog', { name: 'Delete household' });
        await household.getByLabel('Name').fill('club');
        await button(household, 'Delete').click();
        await household.getByRole('alert').waitFor();
        await household.getByLabel('Name').fill('Club');
        await button(household, 'Delete').click();
        await page.getByText('Club was deleted.').waitFor();
        await page.goto('account');
        await button(page, 'Delete account').click();
        const account = page.getByRole('dialog', { name: 'Delete account' });
        await account.getByLabel('Password').fill('not the password');
        await button(account, 'Delete').click();
        await account.getByRole('alert').waitFor();
        await account.getByLabel('Password').fill(PASSWORD);
        await button(account, 'Delete').click();
        await heading(page, 'Sign in').waitFor();
        await signIn(page, own.user.email);
        await page.getByRole('alert').getByText('do not match').waitFor();
      },
      { expected: [/401|403|422/] },
    );
  });
});
