import { patched, type MonthPatch } from '../month/month-patches.js';
import type { MonthData } from './types.js';

/** What the service answered last for a month, and the changes shown on top of it until they are confirmed. */
interface Unconfirmed {
  base: MonthData;
  patches: readonly MonthPatch[];
}

const unconfirmed = new Map<string, Unconfirmed>();
const keyOf = (household: string, month: string): string => `${household} ${month}`;

/** The changes of a month that wait; undefined where there are none. */
export function waitingChanges(household: string, month: string): Unconfirmed | undefined {
  return unconfirmed.get(keyOf(household, month));
}

/** Adds a change to what is shown. @returns how to take it away again, once it is confirmed or refused */
export function addUnconfirmed(
  household: string,
  month: string,
  base: MonthData,
  patch: MonthPatch,
): () => MonthData {
  const key = keyOf(household, month);
  const waiting = unconfirmed.get(key) ?? { base, patches: [] };
  unconfirmed.set(key, waiting);
  waiting.patches = [...waiting.patches, patch];
  return () => {
    waiting.patches = waiting.patches.filter(other => other !== patch);
    if (waiting.patches.length === 0) unconfirmed.delete(key);
    return waiting.base;
  };
}

/** What the service answered, with what is not confirmed yet. */
export function withUnconfirmed(household: string, month: string, data: MonthData | null): MonthData | null {
  const waiting = unconfirmed.get(keyOf(household, month));
  if (!waiting || !data) return data;
  waiting.base = data;
  return { ...data, month: waiting.patches.reduce(patched, data.month) };
}
