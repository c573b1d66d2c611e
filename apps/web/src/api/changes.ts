import { useEffect } from 'react';
import { APP_BASE, type Schemas } from './client.js';
import { cachedMonth, revisionOf, storeUntrackedCount } from './month-cache.js';
import { commandsUnderWay } from './commands.js';
import { queryClient } from './query-client.js';
import { monthKey } from './queries.js';

type Change = Schemas['Change'];

const RECONNECT_MS = 5_000;

/** Follows what anybody changes in a household, and reads again what changed. */
export function useChanges(household: string): void {
  useEffect(() => {
    let source: EventSource | undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const connect = (isAgain: boolean): void => {
      source = new EventSource(`${APP_BASE}v1/changes?household=${household}`);
      source.onmessage = message => {
        if (message.data)
          void apply(household, JSON.parse(message.data as string) as Change, message.lastEventId);
      };
      source.onerror = () => {
        // The browser reconnects by itself after a lost connection, but not after a refusal.
        if (source?.readyState !== EventSource.CLOSED) return;
        timer = setTimeout(() => connect(true), RECONNECT_MS);
      };
      // A new stream begins now: what happened before it has to be read.
      if (isAgain) source.onopen = () => void queryClient.invalidateQueries({ queryKey: [household] });
    };
    connect(false);
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
  const revision = Number(id);
  for (const month of change.months) {
    const data = cachedMonth(household, month);
    if (data && revisionOf(data.etag) >= revision) continue;
    void queryClient.invalidateQueries({ queryKey: monthKey(household, month) });
  }
  for (const name of [
    'months',
    'transactions',
    'merchants',
    'activity',
    'explain',
    'fund-history',
    'reports',
  ]) {
    void queryClient.invalidateQueries({ queryKey: [household, name] });
  }
}
