import { isUnavailable } from './unavailable.js';

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
 * Runs the work of one key one after the other, and that of different keys side by side. While a store is down, each
 * piece of work waits for it as long as it may: what waited behind one that failed for it fails with it, or the last of
 * many would end after minutes.
 */
export class KeyedQueue {
  private readonly queues = new Map<string, Queue>();

  /** @param isOutage whether an error is that of a store that is down */
  constructor(private readonly isOutage: (error: unknown) => error is Error = isUnavailable) {}

  /**
   * @param waitingMax with so much waiting, this is turned away
   * @throws QueueFull, the unavailable store's error that work before it failed with, or what the work throws
   */
  async run<T>(key: string, work: () => Promise<T>, waitingMax = Infinity): Promise<T> {
    const queue = this.queues.get(key) ?? { tail: Promise.resolve(), waiting: 0, outage: null };
    if (queue.waiting >= waitingMax) throw new QueueFull('too many commands are waiting for this household');
    this.queues.set(key, queue);
    queue.waiting++;
    const { outage } = queue;
    const turn = queue.tail.then(() => {
      if (queue.outage !== null && queue.outage !== outage) throw queue.outage;
      return work();
    });
    queue.tail = turn.catch((error: unknown) => {
      if (this.isOutage(error)) queue.outage = error;
    });
    try {
      return await turn;
    } finally {
      queue.waiting--;
      if (queue.waiting === 0) this.queues.delete(key);
    }
  }

  /** Resolves when all work that was there at the call has ended. */
  async idle(): Promise<void> {
    await Promise.all([...this.queues.values()].map(queue => queue.tail));
  }
}
