import { createClient, type LedgerClient } from '#client/client';
import { authorized } from '../session/lost-session.js';

export type { Schemas } from '#client/client';

/** Where the app is served, with a slash at the end: the page's `<base href>`. */
export const APP_BASE = new URL('.', document.baseURI).pathname;

/** So long a person waits for a busy service before a sentence says so. */
const RETRY_FOR_MS = 10_000;

const clients = new Map<string, LedgerClient>();

/** Calls without a household: accounts, sessions, settings. */
export const api: LedgerClient = createClient({ url: APP_BASE, retryForMs: RETRY_FOR_MS, fetch: authorized });

/** Calls on one household. A page names the one that it shows, whatever became the default meanwhile. */
export function apiOf(household: string): LedgerClient {
  let client = clients.get(household);
  if (!client) {
    client = createClient({ url: APP_BASE, household, retryForMs: RETRY_FOR_MS, fetch: authorized });
    clients.set(household, client);
  }
  return client;
}
