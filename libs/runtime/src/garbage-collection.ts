import { availableParallelism } from 'node:os';
import { setFlagsFromString } from 'node:v8';

/** How much larger than what is alive in it the heap may grow before it is collected, in percent. */
const HEAP_GROWTH_PERCENT = 50;
/** The same while read models are built from the log: little is alive then, and much becomes garbage. */
const HEAP_GROWTH_CATCHING_UP_PERCENT = 150;
/**
 * On at most this many cores the main thread and the one that writes read models leave none for threads that help to
 * collect.
 */
const CORES_WITHOUT_HELP = 2;

/**
 * Keeps this process's memory in proportion to what it holds, and its threads from taking turns on few cores.
 *
 * On a machine with much memory V8 lets garbage grow to several times what is alive; here that was 120 MiB more, and no
 * faster. And it collects young objects with four threads however few cores there are; on two cores, where another
 * thread of ours works, the main thread alone is quicker. Both flags are read at every collection, so they may be set
 * while the program runs; they count for threads too.
 */
export function setUpGarbageCollection(): void {
  setHeapGrowth(HEAP_GROWTH_PERCENT);
  if (availableParallelism() <= CORES_WITHOUT_HELP) setFlagsFromString('--no-parallel-scavenge');
}

/** Collects less often while read models are built from the log, which gains a tenth. */
export async function collectSeldomWhile<R>(underWay: Promise<R>): Promise<R> {
  setHeapGrowth(HEAP_GROWTH_CATCHING_UP_PERCENT);
  try {
    return await underWay;
  } finally {
    setHeapGrowth(HEAP_GROWTH_PERCENT);
  }
}

function setHeapGrowth(percent: number): void {
  setFlagsFromString(`--heap-growing-percent=${percent}`);
}
