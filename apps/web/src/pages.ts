import type { ComponentType } from 'react';
import { APP_BASE } from './api/base.js';

/** The code of each page by the first part of its address. It is loaded when the page is shown. */
export const PAGES = {
  months: () => import('./month/month-page.js'),
  transactions: () => import('./transactions/transactions-page.js'),
  add: () => import('./add/add-page.js'),
  import: () => import('./import/import-page.js'),
  activity: () => import('./activity/activity-page.js'),
  reports: () => import('./reports/reports-page.js'),
  household: () => import('./household/household-page.js'),
  account: () => import('./account/account-page.js'),
  'sign-in': () => import('./accounts/sign-in-page.js'),
  'sign-up': () => import('./accounts/sign-up-page.js'),
  forgot: () => import('./accounts/forgot-page.js'),
  reset: () => import('./accounts/reset-page.js'),
  verify: () => import('./accounts/verify-page.js'),
  'confirm-email': () => import('./accounts/confirm-email-page.js'),
  invites: () => import('./accounts/invite-page.js'),
};

export type PageName = keyof typeof PAGES;

const loaded = new Map<PageName, ComponentType>();

/** Loads the code of the page at an address. */
export async function loadPage(path: string): Promise<void> {
  const [first = ''] = path.slice(APP_BASE.length).split('/');
  const name = first === '' ? 'months' : first;
  if (isPage(name)) loaded.set(name, (await PAGES[name]()).default);
}

/** A page whose code is there already. */
export function loadedPage(name: PageName): ComponentType | undefined {
  return loaded.get(name);
}

function isPage(name: string): name is PageName {
  return Object.hasOwn(PAGES, name);
}
