import { setTimeout as pause } from 'node:timers/promises';

/** Longer than anything takes on a busy machine; waiting ends with the condition. */
const WAIT_MS_MAX = 120_000;
const LOOK_EVERY_MS = 5;

/**
 * Waits for a condition of which no event tells.
 * @param what what is waited for, as in `until the answer is there`
 * @throws Error when it does not hold in time; what the condition throws
 */
export async function until(
  condition: () => boolean | Promise<boolean>,
  what: string = String(condition),
): Promise<void> {
  const deadline = performance.now() + WAIT_MS_MAX;
  while (!(await condition())) {
    if (performance.now() > deadline) throw new Error(`waited ${WAIT_MS_MAX} ms in vain until ${what}`);
    await pause(LOOK_EVERY_MS);
  }
}
