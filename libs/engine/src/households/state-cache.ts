import type { Household } from '#ledger/household';
import type { KnownHousehold } from './snapshots.js';

/** What all cached households together may cost, by estimate. */
const STATE_CACHE_BYTES_MAX = 64 * 1024 * 1024;

const BYTES_PER_ITEM_IN_MONTH = 220;
const BYTES_PER_ADJUSTMENT = 200;
const BYTES_PER_MONTH = 400;
/** With what was made of it for the month that was written last: figures, document, view, and its text and the group's. */
const BYTES_PER_IDENTITY = 1_600;
/** Of a note: two bytes where it is not Latin, as it is and, of the month that was written last, in both texts. */
const BYTES_PER_LETTER = 6;

/** Notes and adjustments are looked through again after this many events. */
const LOOK_AGAIN_EVENTS = 256;
/** They are looked through again as well when all else has become larger or smaller by this part. */
const LOOK_AGAIN_PART = 1 / 8;

/** A household in memory, and what it costs. */
interface Entry {
  readonly known: KnownHousehold;
  readonly bytesOfParts: number;
  readonly look: Look;
}

/** What was found when notes and adjustments were last looked through: every item of every month, so not each time. */
interface Look {
  readonly revision: number;
  readonly bytesOfParts: number;
  readonly bytesOfTexts: number;
}

/** Households in memory, the least recently used given up when their estimated size passes a bound. */
export class StateCache {
  private readonly entries = new Map<string, Entry>();
  private bytes = 0;

  constructor(private readonly bytesMax: number = STATE_CACHE_BYTES_MAX) {}

  /** Counts as a use. */
  get(householdId: string): KnownHousehold | undefined {
    const entry = this.entries.get(householdId);
    if (!entry) return undefined;
    this.entries.delete(householdId);
    this.entries.set(householdId, entry);
    return entry.known;
  }

  /** Does not count as a use. */
  peek(householdId: string): KnownHousehold | undefined {
    return this.entries.get(householdId)?.known;
  }

  /** A household that is here already keeps its place among those that may be given up. */
  set(householdId: string, known: KnownHousehold): void {
    const { household } = known;
    const former = this.entries.get(householdId);
    const hasFormerParts = former !== undefined && hasSameParts(former.known.household, household);
    const parts = hasFormerParts ? former.bytesOfParts : bytesOfParts(household);
    const entry = { known, bytesOfParts: parts, look: lookAt(household, parts, former?.look) };
    this.entries.set(householdId, entry);
    this.bytes += bytesOf(entry) - (former ? bytesOf(former) : 0);
    for (const [oldest] of this.entries) {
      if (this.bytes <= this.bytesMax) break;
      if (oldest !== householdId) this.delete(oldest);
    }
  }

  /** Does nothing where the household is not here. */
  delete(householdId: string): void {
    const entry = this.entries.get(householdId);
    if (!entry) return;
    this.bytes -= bytesOf(entry);
    this.entries.delete(householdId);
  }

  /** How many are here, and what they take by estimate. */
  size(): { readonly households: number; readonly bytes: number } {
    return { households: this.entries.size, bytes: this.bytes };
  }

  /** By household, the least recently used first. Does not count as a use. */
  all(): IterableIterator<[string, { readonly known: KnownHousehold }]> {
    return this.entries.entries();
  }
}

function bytesOf({ bytesOfParts, look }: Entry): number {
  return bytesOfParts + look.bytesOfTexts;
}

/** The present look, or the former one while little has changed since. */
function lookAt(household: Household, parts: number, former: Look | undefined): Look {
  const { revision } = household;
  const isFormerGood =
    former !== undefined &&
    Math.abs(revision - former.revision) < LOOK_AGAIN_EVENTS &&
    Math.abs(parts - former.bytesOfParts) <= former.bytesOfParts * LOOK_AGAIN_PART;
  return isFormerGood ? former : { revision, bytesOfParts: parts, bytesOfTexts: bytesOfTexts(household) };
}

/** Whether as many parts are there: identities count in how many months they are laid out. */
function hasSameParts(a: Household, b: Household): boolean {
  return a.items === b.items && a.groups === b.groups && a.months.length === b.months.length;
}

/** A rough size in memory, notes and adjustments left out; it only has to grow with the real one. Looks at no item. */
function bytesOfParts({ groups, items, months }: Household): number {
  let bytes = (groups.size + items.size) * BYTES_PER_IDENTITY;
  for (const { budget } of months) {
    bytes += BYTES_PER_MONTH + (budget?.items.size ?? 0) * BYTES_PER_ITEM_IN_MONTH;
  }
  return bytes;
}

/** The same for notes and adjustments. */
function bytesOfTexts({ months }: Household): number {
  let bytes = 0;
  for (const { budget } of months) {
    for (const { adjustments, note } of budget?.items.values() ?? []) {
      bytes += adjustments.length * BYTES_PER_ADJUSTMENT + (note?.length ?? 0) * BYTES_PER_LETTER;
    }
  }
  return bytes;
}
