import { useEffect } from 'react';
import { APP_BASE } from './base.js';
import type { Schemas } from './client.js';
import { revisionOf, storeUntrackedCount } from './month-cache.js';
import { commandsUnderWay } from './commands.js';
import { queryClient } from './query-client.js';
import type { MonthData } from './types.js';

type Change = Schemas['Change'];

const RECONNECT_MS = 5_000;

const READ_AGAIN = ['transactions', 'merchants', 'activity', 'explain', 'fund-history', 'reports'];

/** Follows what anybody changes in a household, and reads again what changed. */
export function useChanges(household: string): void {
  useEffect(() => {
    let source: EventSource | undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const connect = (): void => {
      // Not the client's `changes()`: what waits until a page has read everything would wait for its request for ever.
      source = new EventSource(`${APP_BASE}v1/changes?household=${household}`);
      source.onmessage = message => {
        if (message.data)
          void apply(household, JSON.parse(message.data as string) as Change, message.lastEventId);
      };
      source.onerror = () => {
        // The browser reconnects by itself after a lost connection, but not after a refusal.
        if (source?.readyState !== EventSource.CLOSED) return;
        // Access may be lost: this shows another household, or asks for the password.
        void queryClient.invalidateQueries({ queryKey: ['me'] });
        timer = setTimeout(connect, RECONNECT_MS);
      };
      // The stream begins now: what was read before may have changed meanwhile.
      source.onopen = () => void queryClient.invalidateQueries({ queryKey: [household] });
    };
    connect();
    return () => {
      clearTimeout(timer);
      source?.close();
    };
  }, [household]);
}

async function apply(household: string, change: Change, id: string): Promise<void> {
  // A change of one's own may be heard of before its answer, which holds all that it changed.
  await commandsUnderWay();
  storeUntrackedCount(household, change.untracked_count);
  readMonthsAgain(household, change, Number(id));
  const months = queryClient.getQueryData<readonly { readonly month: string }[]>([household, 'months']);
  const isNew = change.months.some(month => !months?.some(other => other.month === month));
  // The list of months is read at once only where it misses one.
  const refetchType = isNew ? 'active' : 'none';
  void queryClient.invalidateQueries({ queryKey: [household, 'months'], refetchType });
  for (const name of READ_AGAIN) void queryClient.invalidateQueries({ queryKey: [household, name] });
}

/** Reads the months that changed. A message without months is about names, colours, orders or notes: of any month. */
function readMonthsAgain(household: string, change: Change, revision: number): void {
  const isOfFigures = change.months.length > 0 || change.transactions.length > 0;
  void queryClient.invalidateQueries({
    queryKey: [household, 'month'],
    predicate: ({ queryKey, state }) => {
      if (isOfFigures && !change.months.includes(String(queryKey[2]))) return false;
      const data = state.data as MonthData | null | undefined;
      return !data || revisionOf(data.etag) < revision;
    },
  });
}
