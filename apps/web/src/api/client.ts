import { createClient, type LedgerClient } from '#client/client';
import { authorized } from '../session/lost-session.js';

export type { Schemas } from '#client/client';

/** Where the app is served, with a slash at the end: the page's `<base href>`. */
export const APP_BASE = new URL('.', document.baseURI).pathname;

const clients = new Map<string, LedgerClient>();

/** Calls without a household: accounts, sessions, settings. */
export const api: LedgerClient = createClient({ url: APP_BASE, fetch: authorized });

/** Calls on one household. A page names the one that it shows, whatever became the default meanwhile. */
export function apiOf(household: string): LedgerClient {
  let client = clients.get(household);
  if (!client) {
    client = createClient({ url: APP_BASE, household, fetch: authorized });
    clients.set(household, client);
  }
  return client;
}
