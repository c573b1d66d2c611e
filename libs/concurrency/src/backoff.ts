/**
 * The pause before another attempt, in milliseconds: twice as long after each failure, up to a bound.
 * @param failures in a row, 1 after the first
 */
export function backoffMs(failures: number, firstMs: number, maxMs: number): number {
  return Math.min(firstMs * 2 ** (failures - 1), maxMs);
}

/** From the upper half of a waiting time, so that what failed together does not return together. */
export function jittered(milliseconds: number): number {
  return (milliseconds * (1 + Math.random())) / 2;
}
