import { SNAPSHOT_EVERY_EVENTS, type Snapshots } from './snapshots.js';
import type { KnownHousehold, StateCache } from './state-cache.js';

/** Makes snapshots beside commands: nobody waits for one, and a failure only makes the next load longer. */
export class DueSnapshots {
  private readonly underWay = new Set<string>();

  constructor(
    private readonly snapshots: Snapshots,
    private readonly cache: StateCache,
    /** Told when one could not be made. */
    private readonly onFailure: (householdId: string, error: unknown) => void,
  ) {}

  /** Begins one where `SNAPSHOT_EVERY_EVENTS` came since the latest. @param householdId of one in the cache */
  makeWhenDue(householdId: string): void {
    const known = this.cache.get(householdId)!;
    const lag = known.household.revision - (known.snapshot?.household.revision ?? -1);
    if (lag < SNAPSHOT_EVERY_EVENTS || this.underWay.has(householdId)) return;
    this.underWay.add(householdId);
    void this.make(householdId, known).finally(() => this.underWay.delete(householdId));
  }

  private async make(householdId: string, known: KnownHousehold): Promise<void> {
    try {
      const { household, end } = known;
      const snapshot = await this.snapshots.save(householdId, household, end, known.snapshot);
      const present = this.cache.get(householdId);
      if (present) this.cache.set(householdId, { ...present, snapshot });
    } catch (error) {
      this.onFailure(householdId, error);
    }
  }
}
