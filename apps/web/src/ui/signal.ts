import { useSyncExternalStore } from 'react';

/** A value outside React which components follow. */
export interface Signal<Value> {
  get(): Value;
  set(value: Value): void;
  subscribe(listener: () => void): () => void;
}

export function signal<Value>(initial: Value): Signal<Value> {
  let value = initial;
  const listeners = new Set<() => void>();
  return {
    get: () => value,
    set: next => {
      if (Object.is(value, next)) return;
      value = next;
      for (const listener of listeners) listener();
    },
    subscribe: listener => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

export function useSignal<Value>(source: Signal<Value>): Value {
  return useSyncExternalStore(source.subscribe, source.get);
}
