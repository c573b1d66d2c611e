/**
 * To be waited for in the midst of long work on a file, which answers at once: without this, requests of the same process
 * would wait for the whole. They are read in the first turn of the event loop, and begin in the second one.
 */
export function requestsFirst(): Promise<void> {
  return new Promise(resolve => setImmediate(() => setImmediate(resolve)));
}
