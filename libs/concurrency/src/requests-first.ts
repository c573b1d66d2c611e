/**
 * To be awaited during long work on a file, which responds at once: without this, requests of the same process would wait
 * for all of it. They are read in the first turn of the event loop, and begin in the second one.
 */
export function requestsFirst(): Promise<void> {
  return new Promise(resolve => setImmediate(() => setImmediate(resolve)));
}

/** Of the event loop, of which a process has one. */
let last: Promise<void> = Promise.resolve();

/**
 * As `requestsFirst`, and resolves in a turn in which that of no other caller does: what many requests asked for on
 * embedded stores would otherwise run one after the other while all others wait.
 */
export function ownTurn(): Promise<void> {
  last = last.then(requestsFirst);
  return last;
}

/** Takes steps to their end, giving way to requests between them. */
export async function stepByStep<T>(steps: Generator<void, T>): Promise<T> {
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
    await requestsFirst();
  }
}
