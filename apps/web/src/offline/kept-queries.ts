import { dehydrate, hydrate, type DehydratedState, type Query } from '@tanstack/react-query';
import { del, get, set } from 'idb-keyval';
import { queryClient } from '../api/query-client.js';

const STORE_KEY = 'shown-last';
const WRITE_AFTER_MS = 1_000;
/** Of a list only the beginning is kept: the rest is read when somebody scrolls there. */
const PAGES_KEPT = 1;

/** Shows at once what was shown last, also without a network. */
export async function restoreKeptQueries(): Promise<void> {
  try {
    const kept = await get<DehydratedState>(STORE_KEY);
    if (!kept) return;
    hydrate(queryClient, kept);
    // However young it is: what others changed since is not in it.
    await queryClient.invalidateQueries({ refetchType: 'none' });
  } catch {
    // A browser that keeps nothing, as in a private window, still shows everything from the network.
  }
}

/** Keeps what is shown from now on. */
export function keepQueries(): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  queryClient.getQueryCache().subscribe(({ type }) => {
    if (type !== 'updated' && type !== 'removed') return;
    timer ??= setTimeout(() => {
      timer = undefined;
      void set(STORE_KEY, dehydrate(queryClient, { shouldDehydrateQuery: isKept })).catch(() => undefined);
    }, WRITE_AFTER_MS);
  });
}

/** Leaves nothing of a person in the browser who signs out. */
export async function forgetKeptQueries(): Promise<void> {
  await del(STORE_KEY).catch(() => undefined);
}

/** What a session or a secret is named in is not kept. */
const NOT_KEPT = new Set(['sessions', 'tokens', 'own-invites', 'transaction', 'invite']);

function isKept({ queryKey, state }: Query): boolean {
  // That there is nothing, as before one signs in, is soon wrong.
  if (state.status !== 'success' || state.data === null) return false;
  if (queryKey.some(part => NOT_KEPT.has(String(part)))) return false;
  const pages = (state.data as { readonly pages?: readonly unknown[] }).pages;
  return pages === undefined || pages.length <= PAGES_KEPT;
}
