import type { RecordedEvent } from '#storage/event-store/event-store';
import { hashOf, householdOf } from '../households/household-stream.js';

/** The last event of a household's stream. Kept elsewhere, it reveals later whether the history before it was changed. */
export interface Head {
  readonly householdId: string;
  /** -1 where nothing happened yet. */
  readonly revision: number;
  /** SHA-256 in hexadecimal; null where nothing happened yet. */
  readonly hash: string | null;
}

/** Where a household's chain of hashes breaks first. */
export interface BrokenLink {
  readonly householdId: string;
  /** Of the event that does not follow the one before it. */
  readonly revision: number;
  readonly eventId: string;
  /** `hash`: it names another hash than the event before it has. `gap`: it is not the next one in the stream. */
  readonly kind: 'hash' | 'gap';
  /** The hash of the event before, or the revision that should have come. */
  readonly expected: string | number | null;
  readonly found: string | number | null;
}

/** A head that was noted earlier and is not in the history any more. */
export interface LostHead {
  readonly householdId: string;
  readonly revision: number;
  readonly expected: string | null;
  /** The hash of the event that is there now; null where the history ends before it. */
  readonly found: string | null;
}

interface Chain {
  revision: number;
  hash: string | null;
}

/** Follows the chains of hashes of any number of households. What it keeps is one head a household. */
export class ChainAudit {
  /** The first of each household. */
  readonly brokenLinks: BrokenLink[] = [];
  private readonly chains = new Map<string, Chain>();
  private readonly broken = new Set<string>();
  private readonly lost: LostHead[] = [];
  private readonly awaited: Map<string, Head>;
  /** How many events there were. */
  events = 0;

  /** @param expected heads that the histories must still contain, each at its revision */
  constructor(expected: readonly Head[] = []) {
    const known = expected.filter(({ hash }) => hash !== null);
    this.awaited = new Map(known.map(head => [head.householdId, head]));
  }

  add(events: readonly RecordedEvent[]): void {
    for (const event of events) this.follow(event);
    this.events += events.length;
  }

  /** By household. */
  heads(): Head[] {
    const heads = [...this.chains].map(([householdId, chain]) => ({ householdId, ...chain }));
    return heads.sort((a, b) => (a.householdId < b.householdId ? -1 : 1));
  }

  /** Expected heads that were not met; complete once every event was added. */
  lostHeads(): LostHead[] {
    const unmet = [...this.awaited.values()].map(({ householdId, revision, hash }) => {
      return { householdId, revision, expected: hash, found: null };
    });
    return [...this.lost, ...unmet];
  }

  private follow(event: RecordedEvent): void {
    const householdId = householdOf(event.stream);
    const chain = this.chains.get(householdId) ?? { revision: -1, hash: null };
    const { revision, id: eventId } = event;
    const previous = previousHashOf(event);
    const isGap = revision !== chain.revision + 1;
    if ((isGap || previous !== chain.hash) && !this.broken.has(householdId)) {
      this.broken.add(householdId);
      const kind = isGap ? 'gap' : 'hash';
      const [expected, found] = isGap ? [chain.revision + 1, revision] : [chain.hash, previous];
      this.brokenLinks.push({ householdId, revision, eventId, kind, expected, found });
    }
    chain.revision = revision;
    chain.hash = hashOf(event.stream, event);
    this.chains.set(householdId, chain);
    const awaited = this.awaited.get(householdId);
    if (awaited?.revision !== revision) return;
    this.awaited.delete(householdId);
    if (awaited.hash === chain.hash) return;
    this.lost.push({ householdId, revision, expected: awaited.hash, found: chain.hash });
  }
}

function previousHashOf({ metadata }: RecordedEvent): string | null {
  const previous = metadata['previousHash'];
  return typeof previous === 'string' ? previous : null;
}
