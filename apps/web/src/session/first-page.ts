import { queryClient } from '../api/query-client.js';
import { meQuery, monthQuery, settingsQuery, type Me } from '../api/queries.js';
import { loadPage } from '../pages.js';
import { shownHouseholdOf } from '../shell/shown-household.js';
import { firstShown } from './early-requests.js';

/** After so long the app is drawn without what is still missing. */
const WAIT_MS = 1_000;

/**
 * Resolves when the first page has all that it shows, so that it is drawn once. What the browser kept is shown as it is,
 * and read again then.
 */
export async function readFirst(path: string): Promise<void> {
  const { isOfPerson, month } = firstShown(path);
  const reading = Promise.allSettled([
    loadPage(path),
    ...(isOfPerson ? [queryClient.ensureQueryData(settingsQuery), readMonth(month)] : []),
  ]);
  await Promise.race([reading, new Promise(resolve => setTimeout(resolve, WAIT_MS))]);
}

async function readMonth(month: string | null): Promise<void> {
  const me: Me | null = await queryClient.ensureQueryData(meQuery);
  if (me && month !== null) await queryClient.ensureQueryData(monthQuery(shownHouseholdOf(me).id, month));
}
