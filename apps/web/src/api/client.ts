import { createClient, type LedgerClient } from '#client/client';
import { authorized } from '../session/lost-session.js';
import { APP_BASE } from './base.js';

export type { Schemas } from '#client/client';

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
