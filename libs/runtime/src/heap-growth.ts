import { setFlagsFromString } from 'node:v8';

/** How much larger than what is alive in it the heap may grow before it is collected, in percent. */
export const HEAP_GROWTH_PERCENT = 50;

/**
 * Keeps this process's memory in proportion to what it holds. On a machine with much memory V8 lets garbage grow to
 * several times what is alive; here that was 120 MiB more, and no faster. The flag is read at every collection, so it
 * may be set while the program runs; it counts for threads too.
 */
export function boundHeapGrowth(): void {
  setFlagsFromString(`--heap-growing-percent=${HEAP_GROWTH_PERCENT}`);
}
