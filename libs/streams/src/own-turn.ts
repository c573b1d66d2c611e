import { requestsFirst } from '#concurrency/requests-first';

/** Of the event loop, of which a process has one. */
let last: Promise<void> = Promise.resolve();

/**
 * Resolves in a turn of the event loop in which no other caller's does: to be waited for before work that takes long.
 * Embedded stores answer at once, so that what many requests asked for would otherwise run through, one after the other,
 * while everybody else waits for all of them.
 */
export function ownTurn(): Promise<void> {
  last = last.then(requestsFirst);
  return last;
}
