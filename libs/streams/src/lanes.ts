/** Commands that may wait for one household; more are turned away, since they would wait too long. */
export const LANE_WAITING_MAX = 512;

/** A household has too many commands waiting. */
export class LaneFull extends Error {
  override readonly name = 'LaneFull';
  /** Read by the HTTP layer: this failure answers `503 unavailable`. */
  readonly unavailable = true;
}

/** Runs the work of one household one after the other, and that of different households side by side. */
export class Lanes {
  private readonly lanes = new Map<string, { tail: Promise<unknown>; waiting: number }>();

  /** @throws LaneFull, or whatever the work throws */
  async run<T>(name: string, work: () => Promise<T>): Promise<T> {
    const lane = this.lanes.get(name) ?? { tail: Promise.resolve(), waiting: 0 };
    if (lane.waiting >= LANE_WAITING_MAX)
      throw new LaneFull('too many commands are waiting for this household');
    this.lanes.set(name, lane);
    lane.waiting++;
    const turn = lane.tail.then(work);
    lane.tail = turn.catch(() => undefined);
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
