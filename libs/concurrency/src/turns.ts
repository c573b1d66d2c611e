import { isUnavailable } from './unavailable.js';

/** Works one after the other, in the order in which they are asked for; one that fails keeps no other from its turn. */
export class Turns {
  private last: Promise<void> = Promise.resolve();

  /** Works as soon as all that was asked for before has ended. */
  take<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.last.then(work);
    // Its result may be large, and must not be held until the next turn.
    const ended = (): void => undefined;
    this.last = turn.then(ended, ended);
    return turn;
  }

  /** Resolves when all that was asked for until now has ended, however it ended. */
  async ended(): Promise<void> {
    await this.last;
  }
}

/** Too much work is waiting under one key. */
export class QueueFull extends Error {
  override readonly name = 'QueueFull';
  /** Read by the HTTP layer, which responds `503 unavailable`. */
  readonly unavailable = true;
}

interface Queue {
  tail: Promise<unknown>;
  waiting: number;
  /** The latest failure of a store in this queue. */
  outage: Error | null;
}

/**
 * Runs the work of one key one after the other, and that of different keys side by side. What waited behind work that
 * failed because a store is down fails with it: each waits for the store, so the last of many would end after minutes.
 */
export class KeyedQueue {
  private readonly queues = new Map<string, Queue>();

  /** @param isOutage whether an error is that of a store that is down */
  constructor(private readonly isOutage: (error: unknown) => error is Error = isUnavailable) {}

  /**
   * Resolves at the caller's turn.
   * @param waitingMax with so much waiting, this is turned away
   * @returns ends the turn; to be given what the work failed with
   * @throws QueueFull, or the unavailable store's error that work before it failed with
   */
  async enter(key: string, waitingMax = Infinity): Promise<(failure?: unknown) => void> {
    const queue = this.queues.get(key) ?? { tail: Promise.resolve(), waiting: 0, outage: null };
    if (queue.waiting >= waitingMax) throw new QueueFull('too many commands are waiting for this household');
    this.queues.set(key, queue);
    queue.waiting++;
    const { tail, outage } = queue;
    let end!: () => void;
    queue.tail = new Promise<void>(resolve => (end = resolve));
    const leave = (failure?: unknown): void => {
      if (failure !== undefined && this.isOutage(failure)) queue.outage = failure;
      queue.waiting--;
      if (queue.waiting === 0) this.queues.delete(key);
      end();
    };
    await tail;
    if (queue.outage === null || queue.outage === outage) return leave;
    leave();
    throw queue.outage;
  }

  /** Works at its turn. @throws as `enter`, or what the work throws */
  async run<T>(key: string, work: () => Promise<T>, waitingMax = Infinity): Promise<T> {
    const leave = await this.enter(key, waitingMax);
    let failure: unknown;
    try {
      return await work();
    } catch (error) {
      failure = error;
      throw error;
    } finally {
      leave(failure);
    }
  }

  /** Resolves when all work that was there at the call has ended. */
  async idle(): Promise<void> {
    await Promise.all([...this.queues.values()].map(queue => queue.tail));
  }
}

/**
 * To be awaited during long work on a file, or requests of the same process would wait for all of it. They are read in the
 * first turn of the event loop, and begin in the second one.
 */
export function requestsFirst(): Promise<void> {
  return new Promise(resolve => setImmediate(() => setImmediate(resolve)));
}

/** Of the event loop, of which a process has one. */
let last: Promise<void> = Promise.resolve();

/** As `requestsFirst`, in a turn of the caller alone: what many requests ask of embedded stores leaves room for others. */
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
