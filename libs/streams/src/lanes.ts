import { isStoreDown } from './store-failures.js';

/** Commands that may wait for one household; more are turned away, since they would wait too long. */
export const LANE_WAITING_MAX = 512;

/** A household has too many commands waiting. */
export class LaneFull extends Error {
  override readonly name = 'LaneFull';
  /** Read by the HTTP layer: this failure answers `503 unavailable`. */
  readonly unavailable = true;
}

interface Lane {
  tail: Promise<unknown>;
  waiting: number;
  /** The latest failure of a store in this lane. */
  outage: Error | null;
}

/**
 * Runs the work of one household one after the other, and that of different households side by side. Where a store is
 * away, each piece of work waits for it as long as it may: what has waited behind one that it failed for fails with it,
 * or the last of many would be answered after minutes.
 */
export class Lanes {
  private readonly lanes = new Map<string, Lane>();

  /**
   * @param waitingMax with so much waiting, this is turned away; `Infinity` for work of which there is little
   * @throws LaneFull, the unavailable store's error that work before it failed with, or whatever the work throws
   */
  async run<T>(name: string, work: () => Promise<T>, waitingMax = LANE_WAITING_MAX): Promise<T> {
    const lane = this.lanes.get(name) ?? { tail: Promise.resolve(), waiting: 0, outage: null };
    if (lane.waiting >= waitingMax) throw new LaneFull('too many commands are waiting for this household');
    this.lanes.set(name, lane);
    lane.waiting++;
    const { outage } = lane;
    const turn = lane.tail.then(() => {
      if (lane.outage !== null && lane.outage !== outage) throw lane.outage;
      return work();
    });
    lane.tail = turn.catch((error: unknown) => {
      if (isStoreDown(error)) lane.outage = error;
    });
    try {
      return await turn;
    } finally {
      lane.waiting--;
      if (lane.waiting === 0) this.lanes.delete(name);
    }
  }

  /** Resolves when all work that was there at the call is done. */
  async idle(): Promise<void> {
    await Promise.all([...this.lanes.values()].map(lane => lane.tail));
  }
}
