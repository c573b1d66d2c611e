import { availableParallelism } from 'node:os';
import { setFlagsFromString } from 'node:v8';

/** How much larger than what is alive in it the heap may grow before it is collected, in percent. */
const HEAP_GROWTH_PERCENT = 100;
/**
 * On at most this many cores the main thread and the one that writes read models leave none for threads that help to
 * collect.
 */
const CORES_WITHOUT_HELP = 2;

/**
 * Keeps this process's memory in proportion to what it holds, and its threads from taking turns on few cores.
 *
 * On a machine with much memory V8 lets garbage grow to several times what is alive; here that was 120 MiB more, and no
 * faster. To mark the heap after half as much garbage took a twentieth of all that two cores could answer of writes. And it collects young objects with four threads however few cores there are; on two cores, where another
 * thread of ours works, the main thread alone is quicker. Both flags are read at every collection, so they may be set
 * while the program runs; they count for threads too.
 */
export function setUpGarbageCollection(): void {
  setFlagsFromString(`--heap-growing-percent=${HEAP_GROWTH_PERCENT}`);
  if (availableParallelism() <= CORES_WITHOUT_HELP) setFlagsFromString('--no-parallel-scavenge');
}
