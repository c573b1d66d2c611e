import type { StoredEvent } from '#ledger/event-codec';
import { evolve, type RecordedLedgerEvent } from '#ledger/events';
import type { Household } from '#ledger/household';
import { endAt, type StreamEnd } from './event-chain.js';
import { SNAPSHOT_EVERY_EVENTS, type SnapshotParts, type Snapshots } from './snapshots.js';
import type { StateCache } from './state-cache.js';

/** A household after some of its events. */
export interface StateAlong {
  readonly household: Household;
  /** The last of these events. */
  readonly end: StreamEnd;
}

/**
 * Folds a run of events, one or more.
 * @param recorded the same events as they are stored
 * @returns the states along it as often as snapshots are due, and the one after all of it last
 */
export function statesAlong(
  stream: string,
  household: Household,
  events: readonly RecordedLedgerEvent[],
  recorded: readonly StoredEvent[],
): readonly StateAlong[] {
  const states: StateAlong[] = [];
  for (let from = 0; from < events.length; from += SNAPSHOT_EVERY_EVENTS) {
    const before = Math.min(from + SNAPSHOT_EVERY_EVENTS, events.length);
    const folded = evolve(states.at(-1)?.household ?? household, events.slice(from, before));
    states.push({ household: folded, end: endAt(stream, recorded[before - 1]!) });
  }
  return states;
}

/** Makes snapshots: no command waits for one, and a failure only makes the next load longer. */
export class DueSnapshots {
  private readonly underWay = new Map<string, Promise<void>>();

  constructor(
    private readonly snapshots: Snapshots,
    private readonly cache: StateCache,
    /** Called when one could not be made. */
    private readonly onFailure: (householdId: string, error: unknown) => void,
  ) {}

  /**
   * Begins one of each state by which `SNAPSHOT_EVERY_EVENTS` had come since the latest; of the last one alone if past
   * ones are not looked for.
   * @param householdId of one in the cache
   * @param states along the events that were applied last, in their order
   */
  makeWhenDue(householdId: string, states: readonly StateAlong[]): void {
    const { snapshot } = this.cache.peek(householdId)!;
    let latest = snapshot?.household.revision ?? -1;
    const due: StateAlong[] = [];
    for (const state of this.snapshots.areOfPast ? states : states.slice(-1)) {
      if (state.household.revision - latest < SNAPSHOT_EVERY_EVENTS) continue;
      due.push(state);
      latest = state.household.revision;
    }
    if (due.length === 0 || this.underWay.has(householdId)) return;
    const made = this.make(householdId, due, snapshot).finally(() => this.underWay.delete(householdId));
    this.underWay.set(householdId, made);
  }

  /** Waits for those of a household that are under way, be they made in the end or not. */
  async ended(householdId: string): Promise<void> {
    await this.underWay.get(householdId);
  }

  private async make(
    householdId: string,
    due: readonly StateAlong[],
    latest: SnapshotParts | null,
  ): Promise<void> {
    try {
      let snapshot = latest;
      for (const { household, end } of due) {
        snapshot = await this.snapshots.save(householdId, household, end, snapshot);
      }
      const present = this.cache.peek(householdId);
      if (present) this.cache.set(householdId, { ...present, snapshot });
    } catch (error) {
      this.onFailure(householdId, error);
    }
  }
}
