/**
 * The pause before another attempt, in milliseconds: twice as long after each failure, up to a bound.
 * @param failures in a row, 1 after the first
 */
export function backoffMs(failures: number, firstMs: number, maxMs: number): number {
  return Math.min(firstMs * 2 ** (failures - 1), maxMs);
}

/** From half to one and a half of a waiting time, so that many processes do not come back at once. */
export function jittered(milliseconds: number): number {
  return milliseconds * (0.5 + Math.random());
}
