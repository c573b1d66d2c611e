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
