import { setTimeout as pause } from 'node:timers/promises';

const FIRST_WAIT_MS_MIN = 20;
const WAIT_MS_MAX = 500;

/**
 * A random while before a command that lost a race looks again: up to as long as it took to lose, doubled with each
 * race. Without, a process that has commands without end would win every race of a household: it goes on while the
 * other still reads what it did.
 * @param lost the races that this command has lost before this one
 * @param tookMs from the look at the household to the lost race
 */
export async function waitAfterRace(lost: number, tookMs: number): Promise<void> {
  const longest = Math.max(FIRST_WAIT_MS_MIN, tookMs) * 2 ** lost;
  await pause(Math.random() * Math.min(longest, WAIT_MS_MAX));
}
