import { freshId, itemNamed, ok, type Household } from '../acceptance/household.scenario.js';
import type { MonthView } from '#projections/month-document';

/** The month that the pages show. */
export const MONTH = '2026-11';

/** Addresses, whether one has to be signed in, and what is there once the page is complete. */
export const PAGES: readonly (readonly [path: string, isSignedIn: boolean, heading: RegExp])[] = [
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
export const REFUSED = [/Failed to load resource: the server responded with a status of (?:401|404|410|422)/];

/** Fills a household so that every page has something to show: a plan, an untracked and a tracked expense. */
export async function fillPages(
  home: Household,
  { planned, amount, merchant, item = 'Groceries' }: Readonly<Filling>,
): Promise<void> {
  const month = ok(await home.post<MonthView>(`/months/${MONTH}`), 201);
  const { id } = itemNamed(month, 'Groceries');
  if (item !== 'Groceries') ok(await home.patch(`/items/${id}`, { name: item }));
  ok(await home.patch(`/months/${MONTH}/items/${id}`, { planned }));
  for (const splits of [[], [{ item_id: id, amount }]]) {
    const body = { id: freshId(), type: 'expense', amount, date: `${MONTH}-03`, merchant, splits };
    ok(await home.post('/transactions', body), 201);
  }
}

interface Filling {
  /** Minor units. */
  planned: number;
  amount: number;
  merchant: string;
  /** The name that the item gets. */
  item?: string;
}
