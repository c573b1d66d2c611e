import { availableParallelism } from 'node:os';
import { PerformanceObserver, constants, type PerformanceEntry } from 'node:perf_hooks';
import { getHeapStatistics, setFlagsFromString } from 'node:v8';

/** By how much the heap may grow beyond what is alive in it before it is collected, within the bounds below. */
const GARBAGE_BYTES = 48 * 1024 * 1024;
/** In percent of what is alive. */
const HEAP_GROWTH_PERCENT_MIN = 50;
const HEAP_GROWTH_PERCENT_MAX = 100;
/**
 * On at most this many cores the main thread and the one that writes read models leave none for threads that help to
 * collect.
 */
const CORES_WITHOUT_HELP = 2;

/**
 * Keeps this process's memory in proportion to what it holds, and its threads from taking turns on few cores.
 *
 * On a machine with much memory V8 lets garbage grow to several times what is alive; here that was 120 MiB more, and no
 * faster. A small heap that is marked after half as much garbage took a twentieth of all writes that two cores could
 * answer; a large one that grows to twice its size takes the most memory. And V8 collects young objects with four
 * threads however few cores there are; on two cores, where another thread of ours works, the main thread alone is
 * quicker. Both flags are read at every collection, so they may be set while the program runs; they count for threads
 * too.
 */
export function setUpGarbageCollection(): void {
  limitGarbage();
  new PerformanceObserver(list => {
    if (list.getEntries().some(isMajor)) limitGarbage();
  }).observe({ entryTypes: ['gc'] });
  if (availableParallelism() <= CORES_WITHOUT_HELP) setFlagsFromString('--no-parallel-scavenge');
}

/** By what the heap has now: to be called when it was collected. */
function limitGarbage(): void {
  setFlagsFromString(`--heap-growing-percent=${heapGrowthPercent(getHeapStatistics().used_heap_size)}`);
}

/** @param aliveBytes what is alive in the heap */
export function heapGrowthPercent(aliveBytes: number): number {
  const percent = Math.round((100 * GARBAGE_BYTES) / aliveBytes);
  return Math.min(HEAP_GROWTH_PERCENT_MAX, Math.max(HEAP_GROWTH_PERCENT_MIN, percent));
}

/** Entries of this kind have a `detail`, which their type does not know. */
function isMajor(entry: PerformanceEntry): boolean {
  const { kind } = (entry as PerformanceEntry & { readonly detail: { readonly kind: number } }).detail;
  return kind === constants.NODE_PERFORMANCE_GC_MAJOR;
}
