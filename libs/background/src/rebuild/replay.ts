import type { Collection, Document, Documents } from '#documents/documents';
import type { EventStore, RecordedEvent } from '#event-store/event-store';
import { householdOf, STREAM_PREFIX } from '#streams/event-chain';
import type { HouseholdStreams } from '#streams/household-streams';
import { weightOf } from '../event-weight.js';
import { isUnavailable } from '#streams/store-failures';

/** So many events are applied before the checkpoint is written, or fewer that are large. */
const BATCH_EVENTS_MAX = 1_024;
const BATCH_WEIGHT_MAX = 8 * 1024 * 1024;

/** So many households are applied at the same time. */
const HOUSEHOLDS_AT_ONCE = 16;

/** How far a rebuild has come; removed at its end. */
export interface RebuildCheckpoint extends Document {
  /** Every event up to here is applied; null for none. */
  readonly position: string | null;
  /** How many that were. */
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

export interface ReplayOptions {
  /** Names the checkpoint. */
  readonly id: string;
  /** Where the first replay begins (exclusive); null for the beginning. */
  readonly after: string | null;
  /** The last revision of a household that is applied; absent for all of it. */
  readonly revisionMax?: (householdId: string) => Promise<number>;
  /** Told after each batch, with all events so far. Throws to stop. */
  readonly advanced: (events: number, position: string) => Promise<void>;
  readonly onFailure: (householdId: string, error: unknown) => Promise<void>;
}

/**
 * Applies the log to a set of read models that nobody reads yet, in batches, each with a checkpoint: an
 * interrupted replay goes on behind the last one. What is held in memory is one batch and the streams' cache.
 * A household that cannot be applied is left out; the verification finds it.
 */
export class Replay {
  private checkpoint: RebuildCheckpoint | null = null;

  constructor(
    private readonly store: EventStore,
    private readonly documents: Documents,
    private readonly streams: HouseholdStreams,
    private readonly options: ReplayOptions,
  ) {}

  /** Applies every event that is not later than a position. @returns how many. @throws EventStoreUnavailable, DocumentsUnavailable */
  async upTo(position: string | null): Promise<number> {
    if (position === null) return 0;
    const checkpoint = await this.stored();
    if (checkpoint.position !== null && checkpoint.position >= position) return 0;
    let batch: RecordedEvent[] = [];
    let weight = 0;
    const pages = this.store.readAll({ prefix: STREAM_PREFIX, after: checkpoint.position ?? undefined });
    for await (const page of pages) {
      for (const event of page) {
        if (event.position > position) break;
        batch.push(event);
        weight += weightOf(event.data);
      }
      if (batch.length >= BATCH_EVENTS_MAX || weight >= BATCH_WEIGHT_MAX) {
        await this.apply(batch);
        batch = [];
        weight = 0;
      }
      if ((page.at(-1)?.position ?? '') >= position) break;
    }
    if (batch.length > 0) await this.apply(batch);
    return this.checkpoint!.events - checkpoint.events;
  }

  /** The checkpoint as it is now. @throws DocumentsUnavailable */
  async stored(): Promise<RebuildCheckpoint> {
    const { id, after } = this.options;
    this.checkpoint ??= (await this.documents.get(REBUILD_CHECKPOINTS, id)) ?? {
      key: id,
      revision: 0,
      position: after,
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

  private async apply(batch: readonly RecordedEvent[]): Promise<void> {
    const byHousehold = new Map<string, RecordedEvent[]>();
    for (const event of batch) {
      const householdId = householdOf(event.stream);
      const list = byHousehold.get(householdId);
      if (list) list.push(event);
      else byHousehold.set(householdId, [event]);
    }
    const heads: { key: string; revision: number }[] = [];
    const waiting = [...byHousehold];
    const worker = async (): Promise<void> => {
      for (let next = waiting.pop(); next; next = waiting.pop()) {
        const revision = await this.applyOne(...next);
        if (revision !== null) heads.push({ key: next[0], revision });
      }
    };
    const workers = Array.from({ length: Math.min(HOUSEHOLDS_AT_ONCE, waiting.length) }, worker);
    const settled = await Promise.allSettled(workers);
    const rejected = settled.find(result => result.status === 'rejected');
    if (rejected) throw rejected.reason;
    // So that every household of the log is listed, and what is verified is known for each.
    await this.documents.put(this.streams.models.heads, heads);
    const { position } = batch.at(-1)!;
    const { events } = await this.advance({ position, events: (await this.stored()).events + batch.length });
    await this.options.advanced(events, position);
    // Requests of this process go first.
    await new Promise<void>(resolve => setImmediate(resolve));
  }

  /** @returns the last revision that is surely reflected, or null for none */
  private async applyOne(householdId: string, events: readonly RecordedEvent[]): Promise<number | null> {
    try {
      const revisionMax = (await this.options.revisionMax?.(householdId)) ?? Infinity;
      const wanted = events.filter(({ revision }) => revision <= revisionMax);
      if (wanted.length === 0) return null;
      await this.streams.observe(householdId, wanted);
      return wanted.at(-1)!.revision;
    } catch (error) {
      if (isUnavailable(error)) throw error;
      await this.options.onFailure(householdId, error);
      return null;
    }
  }
}
