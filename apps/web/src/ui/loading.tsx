import { onlineManager } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';

/** Stands where something is still to come. Without a network, it says what that waits for. */
export function Loading() {
  const isOnline = useSyncExternalStore(onlineManager.subscribe, () => onlineManager.isOnline());
  return (
    <p className="loading" role="status">
      {isOnline ? 'Loading …' : 'You are offline. This will show as soon as there is a connection.'}
    </p>
  );
}
