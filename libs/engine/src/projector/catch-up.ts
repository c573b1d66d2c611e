import { EventStoreUnavailable, type RecordedEvent } from '#storage/event-store/event-store';
import { householdOf } from '../households/household-stream.js';
import type { Advanced, HouseholdStreams } from '../households/household-streams.js';

/** This many events of one household are applied before those of another, or a few more. */
export const AHEAD_EVENTS = 16_384;

interface Pace {
  readonly householdsAtOnce: number;
  /** Events of a household that are in memory for one step; fewer that are large. */
  readonly stepEvents: number;
}

/** Households that are built in bulk at the same time have at most this many events together: they are in memory. */
export const BULK_EVENTS_MAX = 60_000;

/** Where a file is written: while the documents of one household are, the events of another are read. */
const PACE_ON_FILES: Pace = { householdsAtOnce: 2, stepEvents: 1_024 };
/** Where servers are waited for, which documents that are there already cost most: larger steps write each less often. */
const PACE_ON_SERVERS: Pace = { householdsAtOnce: 4, stepEvents: 4_096 };
/** Households of which it is remembered how far they have come. */
const AHEAD_MAX = 50_000;

/**
 * Catches up household by household (ADR 17): when an event of a household comes in the log, the next ones of that
 * household are applied with it, and skipped when the log comes to them. So a document that many events change is written
 * a few times. The reader's checkpoint stays in the log's order: everything before it is applied.
 */
export class CatchUp {
  readonly pace: Pace;
  private readonly revisions = new Map<string, number>();

  /**
   * @param isStopped asked between two steps, and during a bulk build; true ends the work there
   * @param shared whether other processes work on the same stores
   * @param bulkEventsMax as `BULK_EVENTS_MAX`
   */
  constructor(
    private readonly streams: Pick<HouseholdStreams, 'advance' | 'catchUp'>,
    private readonly isStopped: () => boolean,
    shared = false,
    private readonly bulkEventsMax = BULK_EVENTS_MAX,
  ) {
    this.pace = shared ? PACE_ON_SERVERS : PACE_ON_FILES;
  }

  /** Whether an event was applied already, ahead of the log. */
  includes(householdId: string, revision: number): boolean {
    return revision <= (this.revisions.get(householdId) ?? -1);
  }

  /**
   * Applies events of a household that the log has come to, and more that come after them in their stream.
   * @returns less than the events only where it was stopped
   * @throws as `HouseholdStreams.current`
   */
  async apply(householdId: string, events: readonly RecordedEvent[]): Promise<Omit<Advanced, 'isEnd'>> {
    const [from, to] = [events[0]!.revision, events.at(-1)!.revision];
    let applied = 0;
    for (;;) {
      const { events: count, revision, isEnd, digest } = await this.step(householdId, from);
      applied += count;
      this.remember(householdId, revision);
      if (digest !== undefined && revision >= to) return { revision, events: applied, digest };
      const isEnough = revision >= to && (isEnd || applied >= AHEAD_EVENTS);
      if (isEnough || this.isStopped()) return { revision, events: applied };
      if (isEnd) return { revision: await this.surely(householdId, to, events), events: applied };
    }
  }

  forget(): void {
    this.revisions.clear();
  }

  private step(householdId: string, from: number): Promise<Advanced> {
    const { householdsAtOnce, stepEvents: eventsMax } = this.pace;
    const bulkEventsMax = from === 0 ? this.bulkEventsMax / householdsAtOnce : 0;
    const { isStopped } = this;
    return this.streams.advance(householdId, { from, eventsMax, bulkEventsMax, isStopped });
  }

  /** A store may deliver an event before its stream can be read up to there. */
  private async surely(householdId: string, to: number, events: readonly RecordedEvent[]): Promise<number> {
    const { revision } = await this.streams.catchUp(householdId, to, events);
    if (revision < to) throw new EventStoreUnavailable('a stream cannot be read up to an event of the log');
    this.remember(householdId, revision);
    return revision;
  }

  private remember(householdId: string, revision: number): void {
    if (this.revisions.size >= AHEAD_MAX) this.revisions.clear();
    this.revisions.set(householdId, revision);
  }
}

/** Events by their household, each list in the order of the log. */
export function eventsByHousehold(
  events: readonly RecordedEvent[],
  isWanted: (householdId: string, event: RecordedEvent) => boolean = () => true,
): Map<string, RecordedEvent[]> {
  const byHousehold = new Map<string, RecordedEvent[]>();
  for (const event of events) {
    const householdId = householdOf(event.stream);
    if (!isWanted(householdId, event)) continue;
    const list = byHousehold.get(householdId);
    if (list) list.push(event);
    else byHousehold.set(householdId, [event]);
  }
  return byHousehold;
}

/**
 * Works on households side by side, a number of them at the same time, until all are done or it is stopped.
 * @param isStopped asked before each household
 * @throws what the first work threw that failed, when all that is under way has ended
 */
export async function workOnHouseholds<T>(
  byHousehold: ReadonlyMap<string, T>,
  atOnce: number,
  isStopped: () => boolean,
  work: (householdId: string, its: T) => Promise<void>,
): Promise<void> {
  const waiting = [...byHousehold];
  const worker = async (): Promise<void> => {
    for (let next = waiting.pop(); next && !isStopped(); next = waiting.pop()) await work(...next);
  };
  const workers = Array.from({ length: Math.min(atOnce, waiting.length) }, worker);
  const settled = await Promise.allSettled(workers);
  const rejected = settled.find(result => result.status === 'rejected');
  if (rejected) throw rejected.reason;
}
