import type { Budget, Household } from '#ledger/household';
import type { StreamEnd } from './household-stream.js';
import { SNAPSHOT_EVERY_EVENTS, type SnapshotParts, type Snapshots, type StateAlong } from './snapshots.js';

/** A household as this process knows it. */
export interface KnownHousehold {
  /** Folded up to its revision; the documents reflect it. */
  readonly household: Household;
  /** The event at that revision; null before the first. */
  readonly end: StreamEnd | null;
  /** What the next snapshot compares with; null while there is none. */
  readonly snapshot: SnapshotParts | null;
  /** The revision that the stored head names. */
  readonly headRevision: number;
}

/** Of all cached households together, by estimate. */
const STATE_CACHE_BYTES_MAX = 64 * 1024 * 1024;

const BYTES_PER_ITEM_IN_MONTH = 220;
const BYTES_PER_ADJUSTMENT = 200;
const BYTES_PER_MONTH = 400;
/** With what was made of it for the month that was written last: figures, document, view, and its text and the group's. */
const BYTES_PER_IDENTITY = 1_600;
/** Of a note: two bytes where it is not Latin, as it is and, of the month that was written last, in both texts. */
const BYTES_PER_LETTER = 6;

interface Entry {
  readonly known: KnownHousehold;
  readonly bytes: number;
}

/** Households in memory, the least recently used given up when their estimated size passes a bound. */
export class StateCache {
  private readonly entries = new Map<string, Entry>();
  private bytes = 0;

  constructor(private readonly bytesMax: number = STATE_CACHE_BYTES_MAX) {}

  /** Counts as a use, as `peek` does not. */
  get(householdId: string): KnownHousehold | undefined {
    const entry = this.entries.get(householdId);
    if (!entry) return undefined;
    this.entries.delete(householdId);
    this.entries.set(householdId, entry);
    return entry.known;
  }

  peek(householdId: string): KnownHousehold | undefined {
    return this.entries.get(householdId)?.known;
  }

  /** A household that is here already keeps its place among those that may be given up. */
  set(householdId: string, known: KnownHousehold): void {
    const former = this.entries.get(householdId);
    const bytes = bytesOf(known.household);
    this.entries.set(householdId, { known, bytes });
    this.bytes += bytes - (former?.bytes ?? 0);
    for (const [oldest] of this.entries) {
      if (this.bytes <= this.bytesMax) break;
      if (oldest !== householdId) this.delete(oldest);
    }
  }

  delete(householdId: string): void {
    const entry = this.entries.get(householdId);
    if (!entry) return;
    this.bytes -= entry.bytes;
    this.entries.delete(householdId);
  }

  size(): { readonly households: number; readonly bytes: number } {
    return { households: this.entries.size, bytes: this.bytes };
  }

  /** By household, the least recently used first. */
  all(): IterableIterator<[string, { readonly known: KnownHousehold }]> {
    return this.entries.entries();
  }
}

/** A rough size in memory: it only has to grow with the real one. */
function bytesOf({ groups, items, months }: Household): number {
  let bytes = (groups.size + items.size) * BYTES_PER_IDENTITY;
  for (const { budget } of months) bytes += BYTES_PER_MONTH + (budget ? bytesOfBudget(budget) : 0);
  return bytes;
}

/** By budgets, most of which stay as they are when a household changes: their items are looked at once. */
const bytesOfBudgets = new WeakMap<Budget, number>();

function bytesOfBudget(budget: Budget): number {
  let bytes = bytesOfBudgets.get(budget);
  if (bytes !== undefined) return bytes;
  bytes = 0;
  for (const { adjustments, note } of budget.items.values()) {
    bytes += BYTES_PER_ITEM_IN_MONTH;
    bytes += adjustments.length * BYTES_PER_ADJUSTMENT + (note?.length ?? 0) * BYTES_PER_LETTER;
  }
  bytesOfBudgets.set(budget, bytes);
  return bytes;
}

/** Makes snapshots: no command waits for one, and a failure only makes the next load longer. */
export class DueSnapshots {
  private readonly underWay = new Map<string, Promise<void>>();

  constructor(
    private readonly snapshots: Snapshots,
    private readonly cache: StateCache,
    /** Called when one could not be made. */
    private readonly onFailure?: (householdId: string, error: unknown) => void,
  ) {}

  /**
   * Begins one of each state by which `SNAPSHOT_EVERY_EVENTS` had come since the latest.
   * @param states along the events that were applied last, in their order, of a household in the cache
   */
  makeWhenDue(householdId: string, states: readonly StateAlong[]): void {
    const { snapshot } = this.cache.peek(householdId)!;
    let latest = snapshot?.household.revision ?? -1;
    const due: StateAlong[] = [];
    for (const state of states) {
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
    snapshot: SnapshotParts | null,
  ): Promise<void> {
    try {
      for (const { household, end } of due) {
        snapshot = await this.snapshots.save(householdId, household, end, snapshot);
      }
      const present = this.cache.peek(householdId);
      if (present) this.cache.set(householdId, { ...present, snapshot });
    } catch (error) {
      this.onFailure?.(householdId, error);
    }
  }
}
