import { setTimeout as pause } from 'node:timers/promises';

/**
 * Does something at intervals, once at a time: where it takes longer than an interval, as while a store answers slowly,
 * turns are left out and do not queue up. Keeps no process alive.
 * @param work what it throws is its own to tell
 * @returns ends it; what is under way goes on
 */
export function repeatedly(work: () => Promise<unknown>, everyMs: number): () => void {
  let isUnderWay = false;
  const ended = (): void => void (isUnderWay = false);
  const timer = setInterval(() => {
    if (isUnderWay) return;
    isUnderWay = true;
    work().then(ended, ended);
  }, everyMs);
  timer.unref();
  return () => clearInterval(timer);
}

/**
 * Does something, and again some time after it has ended, until the signal. Keeps no process alive.
 * @param work what it throws ends this as well
 */
export async function untilStopped(
  signal: AbortSignal,
  pauseMs: number,
  work: () => Promise<void>,
): Promise<void> {
  while (!signal.aborted) {
    await work();
    await pause(pauseMs, undefined, { signal, ref: false }).catch(() => undefined);
  }
}
