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
export function askEarly(path: string): void {
  const { isOfPerson, month } = firstShown(path);
  if (!isOfPerson) return;
  const me = ask('me');
  void ask('settings');
  if (month !== null) void ask(`months/${month}`, me.then(householdOf));
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

/** @param of the household that it is asked of; undefined where it cannot be known, then nothing is asked */
function ask(path: string, of: Promise<string | null | undefined> = Promise.resolve(null)) {
  const url = new URL(`v1/${path}`, document.baseURI).href;
  const answered = answerOf(url, of).catch(() => undefined);
  asked.set(url, answered);
  return answered;
}

async function answerOf(url: string, of: Promise<string | null | undefined>): Promise<Early | undefined> {
  const household = await of;
  if (household === undefined) return undefined;
  const headers = household === null ? {} : { [HOUSEHOLD]: household };
  return { household, response: await fetch(url, { headers }) };
}

async function householdOf(me: Early | undefined): Promise<string | undefined> {
  if (!me?.response.ok) return undefined;
  return shownHouseholdOf((await me.response.clone().json()) as Me).id;
}
