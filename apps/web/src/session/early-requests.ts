import { APP_BASE } from '../api/base.js';
import type { Me } from '../api/types.js';
import { isMonth, thisMonth } from '../format/dates.js';
import { shownHouseholdOf } from '../shell/shown-household.js';

/** An answer to a request of the household, or of the person without one. */
interface Early {
  readonly household: string | null;
  readonly response: Response;
}

/** By their addresses. */
const asked = new Map<string, Promise<Early | undefined>>();

/** Those of somebody who is signed in, besides the months. */
const PAGES = new Set(['add', 'transactions', 'import', 'activity', 'reports', 'household', 'account']);

/** What an address of the app shows first: a page of somebody who is signed in, and its month if it is the page of one. */
export function firstShown(path: string): { readonly isOfPerson: boolean; readonly month: string | null } {
  const [page = '', rest = ''] = path.slice(APP_BASE.length).split('/');
  const month = page === '' ? thisMonth() : page === 'months' && isMonth(rest) ? rest : null;
  return { isOfPerson: month !== null || PAGES.has(page), month };
}

/**
 * Asks for what the first page shows while the code that shows it is still loaded: on a slow phone the answers are there
 * before it is.
 */
export async function askEarly(path: string): Promise<void> {
  const { isOfPerson, month } = firstShown(path);
  if (!isOfPerson) return;
  const me = keep('me', answerOf('me', null));
  void keep('settings', answerOf('settings', null));
  if (month === null) return;
  const ofMonth = `months/${month}`;
  const household = me.then(householdOf);
  void keep(
    ofMonth,
    household.then(id => (id === undefined ? undefined : answerOf(ofMonth, id))),
  );
  await household;
}

/** The answer to a request that was asked early. Each is taken once. */
export async function takeEarly(request: Request): Promise<Response | undefined> {
  const early = request.method === 'GET' ? asked.get(request.url) : undefined;
  if (!early) return undefined;
  asked.delete(request.url);
  const answer = await early;
  return answer?.household === request.headers.get(HOUSEHOLD) ? answer.response : undefined;
}

const HOUSEHOLD = 'X-Service-Household';

/** One that could not be asked is asked again when it is needed. */
function keep(path: string, answer: Promise<Early | undefined>): Promise<Early | undefined> {
  const kept = answer.catch(() => undefined);
  asked.set(addressOf(path), kept);
  return kept;
}

async function answerOf(path: string, household: string | null): Promise<Early> {
  const headers = household === null ? {} : { [HOUSEHOLD]: household };
  return { household, response: await fetch(addressOf(path), { headers }) };
}

function addressOf(path: string): string {
  return new URL(`v1/${path}`, document.baseURI).href;
}

async function householdOf(me: Early | undefined): Promise<string | undefined> {
  if (!me?.response.ok) return undefined;
  return shownHouseholdOf((await me.response.clone().json()) as Me).id;
}
