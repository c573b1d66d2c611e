import type { Collection, Document, Documents } from '#storage/documents/documents';
import type { EventStore, RecordedEvent } from '#storage/event-store/event-store';
import { HouseholdErased } from '../commands/command-call.js';
import { STREAM_PREFIX } from '../households/household-stream.js';
import { requestsFirst } from '#concurrency/requests-first';
import type { HouseholdStreams } from '../households/household-streams.js';
import { eventsByHousehold, workOnHouseholds, CatchUp } from '../projector/catch-up.js';
import { BuiltHouseholds } from './built-households.js';
import { WorkEstimate } from './work-estimate.js';
import { isStoreDown } from '../households/store-failures.js';

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

export const REBUILD_CHECKPOINTS: Collection<RebuildCheckpoint> = {
  name: 'read_model_checkpoints',
  durability: 'derived',
  indexes: [],
};

interface ReplayOptions {
  /** Names the checkpoint. */
  readonly id: string;
  /** Whether other processes work on the same stores. */
  readonly shared: boolean;
  /** Ends the work within a household; `advanced` is to throw then. */
  readonly signal: AbortSignal;
  /** As the parameter of `CatchUp`. */
  readonly bulkEventsMax: number | undefined;
  /**
   * Called after each household and page, with all events so far and the estimated fraction of the work, at most 1; null
   * while there is no estimate. Throws to stop.
   */
  readonly advanced: (events: number, fraction: number | null) => Promise<void>;
  readonly onFailure: (householdId: string, error: unknown) => Promise<void>;
}

/**
 * Applies the log to a version that no query reads yet, page by page, each with a checkpoint: an interrupted replay
 * resumes after the last one. What is held in memory is a page, a household that is made at once or a
 * step of one that is applied ahead of the page, how far up to 50,000 households are, and the streams' cache.
 * A household that cannot be applied is left out; the verification finds it.
 */
export class Replay {
  readonly made: BuiltHouseholds;
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
    this.made = new BuiltHouseholds(documents, streams.models);
  }

  /** Applies every event that is not later than a position, and some that are. @returns how many. @throws EventStoreUnavailable, DocumentsUnavailable */
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

  private async apply(page: readonly RecordedEvent[], estimate: WorkEstimate): Promise<void> {
    const { signal, advanced } = this.options;
    const { position: before, events: appliedBefore } = await this.stored();
    let events = appliedBefore;
    await workOnHouseholds(
      eventsByHousehold(page),
      this.catchUp.pace.householdsAtOnce,
      () => signal.aborted,
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
      if (digest !== undefined) this.made.remember(householdId, revision, digest);
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
