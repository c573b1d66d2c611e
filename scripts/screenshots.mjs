// Takes pictures of the web app with the demo household, for a look at every page after a change and for the README:
//   node scripts/screenshots.mjs [--url http://127.0.0.1:3000] [--out dist/screenshots] [--screen] [part of a name …]
// Those of the README: --screen --out docs/images month-wide-light add-phone-light
// Needs a running demo (`npm run demo`) and Chromium, at CHROMIUM or /usr/bin/chromium.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { chromium } from 'playwright-core';

const { values, positionals: wanted } = parseArgs({
  allowPositionals: true,
  options: {
    url: { type: 'string', default: 'http://127.0.0.1:3000' },
    out: { type: 'string', default: 'dist/screenshots' },
    email: { type: 'string', default: 'anna@example.com' },
    password: { type: 'string', default: 'four-jars-on-a-shelf' },
    /** Only what a screen shows at once. */
    screen: { type: 'boolean', default: false },
  },
});

const SIZES = { wide: { width: 1280, height: 900 }, phone: { width: 390, height: 844 } };
const THEMES = ['light', 'dark'];

const month = new Date().toISOString().slice(0, 7);
const openPanel = name => page => page.getByRole('button', { name, exact: true }).click();

/** The pages, with what is done on them before the picture is taken. */
const PAGES = {
  'sign-in': { path: '/sign-in', isOutside: true },
  'sign-up': { path: '/sign-up', isOutside: true },
  month: { path: `/months/${month}` },
  'month-fund': { path: `/months/${month}`, act: openPanel('Emergency Fund') },
  'month-item': { path: `/months/${month}`, act: openPanel('Groceries') },
  'month-empty': { path: '/months/2031-04' },
  transactions: { path: '/transactions' },
  add: { path: '/add' },
  import: { path: '/import' },
  activity: { path: '/activity' },
  reports: { path: '/reports' },
  household: { path: '/household' },
  account: { path: '/account' },
};

mkdirSync(values.out, { recursive: true });
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox'],
});
try {
  for (const [size, viewport] of Object.entries(SIZES)) {
    for (const colorScheme of THEMES) await takePictures(size, viewport, colorScheme);
  }
} finally {
  await browser.close();
}

async function takePictures(size, viewport, colorScheme) {
  const context = await browser.newContext({ viewport, colorScheme, locale: 'en-US', baseURL: values.url });
  const page = await context.newPage();
  page.on('console', message => {
    if (message.type() === 'error') console.error(`${size}-${colorScheme}: ${message.text()}`);
  });
  page.on('pageerror', error => console.error(`${size}-${colorScheme}: ${error.message}`));
  const isWanted = name =>
    wanted.length === 0 || wanted.some(part => `${name}-${size}-${colorScheme}`.includes(part));
  for (const outside of [true, false]) {
    const names = Object.keys(PAGES).filter(
      name => Boolean(PAGES[name].isOutside) === outside && isWanted(name),
    );
    if (names.length > 0 && !outside) await signIn(page);
    for (const name of names) await takePicture(page, name, `${name}-${size}-${colorScheme}.png`);
  }
  await context.close();
}

async function signIn(page) {
  await page.goto('sign-in');
  await page.getByLabel('E-mail').fill(values.email);
  await page.getByLabel('Password').fill(values.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL('**/months/*');
}

async function takePicture(page, name, file) {
  const { path, act } = PAGES[name];
  await page.goto(path);
  await page.getByRole('heading', { level: 1 }).first().waitFor();
  await act?.(page);
  // Pictures are of what stays: after animations, with the data loaded.
  await page.waitForTimeout(600);
  await page.screenshot({ path: join(values.out, file), fullPage: act === undefined && !values.screen });
  console.log(file);
}
