import { MutationCache, onlineManager, QueryCache, QueryClient } from '@tanstack/react-query';
import { LedgerError } from '#client/client';
import { sayFailed } from '../ui/toasts.js';
import { hasCode, isNetworkError, sentenceOf } from './sentences.js';

const RETRIES = 3;
const FRESH_MS = 60_000;
/** Kept for a day, so that the app opens with what it last showed. */
const KEPT_MS = 24 * 60 * 60 * 1000;

// It hears of changes only.
onlineManager.setOnline(navigator.onLine);

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: FRESH_MS,
      gcTime: KEPT_MS,
      retry: (count, error) => count < RETRIES && isPassing(error),
      refetchOnReconnect: 'always',
    },
    // A change is sent at once or refused with a sentence, never held back silently.
    mutations: { networkMode: 'always' },
  },
  queryCache: new QueryCache({ onError: noteLostAccess }),
  mutationCache: new MutationCache({
    onError: (error, _variables, _context, mutation) => {
      noteLostAccess(error);
      // A form shows its errors beside its fields.
      if (mutation.meta?.['showsErrors'] !== true) sayFailed(sentenceOf(error));
    },
  }),
});

/** A person removed from a household sees another one. */
function noteLostAccess(error: Error): void {
  if (hasCode(error, 'not_a_member')) void queryClient.invalidateQueries({ queryKey: ['me'] });
}

function isPassing(error: unknown): boolean {
  return isNetworkError(error) || (error instanceof LedgerError && error.status >= 500);
}
