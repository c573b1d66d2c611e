import type { Document, Documents } from '#storage/documents/documents';
import type { EventStore, RecordedEvent } from '#storage/event-store/event-store';
import { HouseholdErased } from '../commands/command-call.js';
import { STREAM_PREFIX } from '../households/household-stream.js';
import { requestsFirst } from '#concurrency/turns';
import type { HouseholdStreams } from '../households/household-streams.js';
import { eventsByHousehold, workOnHouseholds, CatchUp } from '../projector/catch-up.js';
import { isStoreDown } from '../households/store-failures.js';
import { digestOfHousehold } from '../households/bulk-build.js';
import { derived } from '../households/read-models.js';

/** How far a rebuild has come; removed at its end. */
interface RebuildCheckpoint extends Document {
  /** Every event up to here is applied; null for none. */
  readonly position: string | null;
  /** How many were applied, those ahead of the position included; after an interruption, at least this many. */
  readonly events: number;
  /** Every household up to this one is verified; null for none. */
  readonly verified: string | null;
  readonly verifiedCount: number;
}

export const REBUILD_CHECKPOINTS = derived<RebuildCheckpoint>('read_model_checkpoints');

/** Built households that are remembered; of others every document is compared. */
const BUILT_MAX = 50_000;

interface ReplayOptions {
  /** Names the checkpoint. */
  readonly id: string;
  /** Whether other processes work on the same stores. */
  readonly shared: boolean;
  /** Ends the work within a household; `advanced` is to throw then. */
  readonly signal: AbortSignal;
  /** As the parameter of `CatchUp`. */
  readonly bulkEventsMax: number | undefined;
  /** Called after each household and page, with all events so far and `WorkEstimate.fraction`. Throws to stop. */
  readonly advanced: (events: number, fraction: number | null) => Promise<void>;
  readonly onFailure: (householdId: string, error: unknown) => Promise<void>;
}

/**
 * Applies the log to a version that no query reads yet, page by page, each with a checkpoint: an interrupted replay
 * resumes after the last one. A household that cannot be applied is left out; the verification finds it.
 */
export class Replay {
  /** Built in bulk by this process: a verification need not fold it a second time if the store holds the same texts. */
  private readonly built = new Map<string, { readonly revision: number; readonly digest: string }>();
  private checkpoint: RebuildCheckpoint | null = null;
  private readonly catchUp: CatchUp;

  constructor(
    private readonly store: EventStore,
    private readonly documents: Documents,
    private readonly streams: HouseholdStreams,
    private readonly options: ReplayOptions,
  ) {
    const { signal, shared, bulkEventsMax } = options;
    this.catchUp = new CatchUp(streams, () => signal.aborted, shared, bulkEventsMax);
  }

  /** Applies every event up to a position, and some later ones. @returns how many. @throws EventStoreUnavailable, DocumentsUnavailable */
  async upTo(position: string | null): Promise<number> {
    if (position === null) return 0;
    const { events } = await this.stored();
    const after = this.checkpoint!.position ?? undefined;
    if (after !== undefined && after >= position) return 0;
    let estimate: WorkEstimate | null = null;
    for await (const page of this.store.readAll({ prefix: STREAM_PREFIX, after })) {
      const wanted = page.filter(event => event.position <= position);
      estimate ??= new WorkEstimate(page, events, position);
      if (wanted.length > 0) await this.apply(wanted, estimate);
      if (page.at(-1)!.position >= position) break;
    }
    return this.checkpoint!.events - events;
  }

  /** The checkpoint as it is now. @throws DocumentsUnavailable */
  async stored(): Promise<RebuildCheckpoint> {
    const { id } = this.options;
    this.checkpoint ??= (await this.documents.get(REBUILD_CHECKPOINTS, id)) ?? {
      key: id,
      revision: 0,
      position: null,
      events: 0,
      verified: null,
      verifiedCount: 0,
    };
    return this.checkpoint;
  }

  /** Changes the checkpoint. @throws DocumentsUnavailable */
  async advance(change: Partial<RebuildCheckpoint>): Promise<RebuildCheckpoint> {
    const former = await this.stored();
    const next = { ...former, ...change, revision: former.revision + 1 };
    await this.documents.put(REBUILD_CHECKPOINTS, [next]);
    this.checkpoint = next;
    return next;
  }

  /** Whether the store holds what this process built of a household, and nothing else. @throws DocumentsUnavailable */
  async isAsBuilt(householdId: string, revision: number): Promise<boolean> {
    const built = this.built.get(householdId);
    if (built?.revision !== revision) return false;
    try {
      return (await digestOfHousehold(this.documents, this.streams.models, householdId)) === built.digest;
    } catch (error) {
      if (isStoreDown(error)) throw error;
      // Then everything is compared, which finds what is wrong.
      return false;
    }
  }

  private async apply(page: readonly RecordedEvent[], estimate: WorkEstimate): Promise<void> {
    const { signal, advanced } = this.options;
    const { position: before, events: appliedBefore } = await this.stored();
    const { householdsAtOnce } = this.catchUp.pace;
    const isStopped = (): boolean => signal.aborted;
    let events = appliedBefore;
    await workOnHouseholds(
      eventsByHousehold(page),
      householdsAtOnce,
      isStopped,
      async (householdId, some) => {
        const applied = await this.applyOne(householdId, some);
        events += applied;
        if (applied > 0) await advanced(events, estimate.fraction(events, before));
      },
    );
    // Who was stopped did not apply all of the page.
    signal.throwIfAborted();
    const { position } = page.at(-1)!;
    await this.advance({ position, events });
    await advanced(events, estimate.fraction(events, position));
    // Requests of this process go first.
    await requestsFirst();
  }

  /** @returns how many events were applied */
  private async applyOne(householdId: string, events: readonly RecordedEvent[]): Promise<number> {
    if (this.catchUp.includes(householdId, events.at(-1)!.revision)) return 0;
    try {
      const { revision, events: applied, digest } = await this.catchUp.apply(householdId, events);
      if (digest !== undefined && this.built.size < BUILT_MAX)
        this.built.set(householdId, { revision, digest });
      // The verification lists households by their heads.
      await this.documents.put(this.streams.models.heads, [{ key: householdId, revision }]);
      return applied;
    } catch (error) {
      // A server goes on telling of its events.
      if (error instanceof HouseholdErased) return 0;
      if (isStoreDown(error)) throw error;
      await this.options.onFailure(householdId, error);
      return 0;
    }
  }
}

/** How much of the log is applied, as far as positions tell. */
export class WorkEstimate {
  private readonly end: number;
  /** Events that there will have been, if the rest of the log lies as close together as the page. */
  private readonly expected: number;

  /**
   * @param page the first events that are to be applied, next to each other in the log
   * @param applied events before them
   * @param end the position of the last event that is to be applied
   */
  constructor(page: readonly RecordedEvent[], applied: number, end: string) {
    const first = placeOf(page[0]!.position);
    const apart = (placeOf(page.at(-1)!.position) - first) / (page.length - 1);
    this.end = placeOf(end);
    this.expected = applied + 1 + (this.end - first) / apart;
  }

  /**
   * By events, most of which are applied ahead of the log, or by the position up to which all are applied, where not all
   * of them are wanted.
   * @returns from 0 to 1; null where nothing can be said
   */
  fraction(events: number, position: string | null): number | null {
    const byPosition = position === null ? NaN : placeOf(position) / this.end;
    const fractions = [events / this.expected, byPosition].filter(Number.isFinite);
    return fractions.length === 0 ? null : Math.min(1, Math.max(...fractions));
  }
}

/** Positions are digits of fixed width, or two of them, in every store that there is; NaN where they are not. */
function placeOf(position: string): number {
  return Number(position.length > 30 ? position.slice(0, position.length / 2) : position);
}
