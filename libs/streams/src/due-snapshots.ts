import { evolve } from '#ledger/evolve';
import type { RecordedLedgerEvent } from '#ledger/events';
import type { Household } from '#ledger/household';
import type { StreamEnd } from './event-chain.js';
import { SNAPSHOT_EVERY_EVENTS, type SnapshotParts, type Snapshots } from './snapshots.js';
import type { StateCache } from './state-cache.js';

/** A state of a household within a run of events, of which a snapshot may be due. */
export interface PassedState {
  readonly household: Household;
  /** The event at the state's revision. */
  readonly end: StreamEnd | null;
}

/**
 * `evolve` for a run of any length.
 * @param passed told of the states between the first and the last, as often as snapshots are due, and by which of the
 *   events each was reached
 */
export function evolvedInSteps(
  household: Household,
  events: readonly RecordedLedgerEvent[],
  passed: (at: number, state: Household) => void,
): Household {
  let state = household;
  for (let from = 0; from < events.length; from += SNAPSHOT_EVERY_EVENTS) {
    const before = Math.min(from + SNAPSHOT_EVERY_EVENTS, events.length);
    state = evolve(state, events.slice(from, before));
    if (before < events.length) passed(before - 1, state);
  }
  return state;
}

/** Makes snapshots beside commands: nobody waits for one, and a failure only makes the next load longer. */
export class DueSnapshots {
  private readonly underWay = new Map<string, Promise<void>>();

  constructor(
    private readonly snapshots: Snapshots,
    private readonly cache: StateCache,
    /** Told when one could not be made. */
    private readonly onFailure: (householdId: string, error: unknown) => void,
  ) {}

  /**
   * Begins one of each state by which `SNAPSHOT_EVERY_EVENTS` had come since the latest.
   * @param householdId of one in the cache
   * @param passed on the way to that, in their order
   */
  makeWhenDue(householdId: string, passed: readonly PassedState[]): void {
    const known = this.cache.get(householdId)!;
    let latest = known.snapshot?.household.revision ?? -1;
    const due: PassedState[] = [];
    for (const state of [...passed, known]) {
      if (state.household.revision - latest < SNAPSHOT_EVERY_EVENTS) continue;
      due.push(state);
      latest = state.household.revision;
    }
    if (due.length === 0 || this.underWay.has(householdId)) return;
    const made = this.make(householdId, due, known.snapshot).finally(() => this.underWay.delete(householdId));
    this.underWay.set(householdId, made);
  }

  /** Waits for those of a household that are under way, be they made in the end or not. */
  async ended(householdId: string): Promise<void> {
    await this.underWay.get(householdId);
  }

  private async make(
    householdId: string,
    due: readonly PassedState[],
    latest: SnapshotParts | null,
  ): Promise<void> {
    try {
      let snapshot = latest;
      for (const { household, end } of due) {
        snapshot = await this.snapshots.save(householdId, household, end, snapshot);
      }
      const present = this.cache.get(householdId);
      if (present) this.cache.set(householdId, { ...present, snapshot });
    } catch (error) {
      this.onFailure(householdId, error);
    }
  }
}
