import { APP_BASE } from '../api/client.js';
import { queryClient } from '../api/query-client.js';
import { meQuery, monthQuery, settingsQuery, type Me } from '../api/queries.js';
import { isMonth, thisMonth } from '../format/dates.js';
import { shownHouseholdOf } from '../shell/household-context.js';

/**
 * Asks for what the first page shows before the app is drawn: on a slow phone the answers are there when it is.
 * @param path of the page's address
 */
export function askEarly(path: string): void {
  const [first = '', month = ''] = path.slice(APP_BASE.length).split('/');
  const shown = first === '' ? thisMonth() : first === 'months' && isMonth(month) ? month : null;
  if (shown === null && !PAGES.has(first)) return;
  void queryClient.prefetchQuery(settingsQuery);
  void askForMe(shown);
  if (shown !== null) void import('../month/month-page.js');
}

/** The account, and the month as soon as it is known of which household. */
async function askForMe(month: string | null): Promise<void> {
  await queryClient.prefetchQuery(meQuery);
  const me = queryClient.getQueryData<Me | null>(meQuery.queryKey);
  if (me && month !== null) await queryClient.prefetchQuery(monthQuery(shownHouseholdOf(me).id, month));
}

/** Those of somebody who is signed in, besides the months. */
const PAGES = new Set(['add', 'transactions', 'import', 'activity', 'reports', 'household', 'account']);
