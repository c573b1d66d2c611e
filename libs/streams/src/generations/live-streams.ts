import type { Documents } from '#documents/documents';
import type { EventStore, RecordedEvent } from '#event-store/event-store';
import type { Household } from '#ledger/household';
import type { DecodedEvent } from '#ledger/event-codec';
import type { HouseholdWork } from '../command-handler.js';
import type { Advance, Advanced } from '../advance.js';
import { HouseholdStreams } from '../household-streams.js';
import { readModelsOf, type Generations, type ReadModels } from '../read-models.js';
import type { SnapshotCollections } from '../snapshots.js';
import { StateCache } from '../state-cache.js';
import type { GenerationPointer, WrittenBeside } from './generation-pointer.js';
import { noteBesideFailure } from './beside-failures.js';
import { snapshotsOf, type GenerationWatch } from './generation-watch.js';
import { isStoreDown } from '../store-failures.js';

/** What the households of the set that is written beside may cost in memory, by estimate. */
const BESIDE_CACHE_BYTES_MAX = 16 * 1024 * 1024;

/**
 * While a replay is under way, a command writes the new set too if that takes applying no more events than these;
 * otherwise the replay comes to the household by itself.
 */
export const CLOSE_EVENTS = 256;

type Events = readonly (RecordedEvent | DecodedEvent)[];

export interface LiveStreamsOptions {
  readonly onSnapshotFailure?: (householdId: string, error: unknown) => void;
  /** As of `HouseholdStreams`. */
  readonly onChange?: (householdId: string) => void;
  /** Told when the set that is being built could not be written for another reason than a store that is down. */
  readonly onBesideFailure?: (householdId: string, error: unknown) => void;
}

/**
 * Households' streams over whichever read models are live, for every use case. What a command changes is written
 * to the set that is built beside the live one as well, before the answer, each set from its own documents.
 *
 * Each set is worked on as if by a process of its own: what the two do to one household at the same time is kept
 * apart by the revisions of streams and documents. So a switch needs no pause: whoever began on one set brings the
 * household up to date on the other before it answers.
 */
export class LiveStreams {
  private opened = new Map<string, HouseholdStreams>();
  private actingBy: Acting | null = null;
  /** How much work is under way that began by each pointer, the oldest first. */
  private readonly underWay = new Map<number, number>();

  constructor(
    private readonly store: EventStore,
    private readonly documents: Documents,
    private readonly watch: GenerationWatch,
    private readonly options: LiveStreamsOptions = {},
  ) {}

  /** Begins to act by the pointer. @throws DocumentsUnavailable */
  start(): Promise<void> {
    return this.watch.start(() => this.underWay.keys().next().value ?? null);
  }

  /** Changes whenever other read models are live. @throws ReadModelsUnconfirmed */
  get pointer(): number {
    return this.watch.current().revision;
  }

  /** The read models that a household is read from. @throws ReadModelsUnconfirmed */
  modelsOf(householdId: string): ReadModels {
    return this.liveStreams(householdId).models;
  }

  /**
   * Begins work on a household, over the live set. Its end brings every other set that must be written as far as the live
   * one is known to have come, also when the work failed: it may have applied what others left.
   * @throws ReadModelsUnconfirmed
   */
  begin(householdId: string): HouseholdWork {
    const streams = this.liveStreams(householdId);
    const { revision } = this.acting().pointer;
    this.underWay.set(revision, (this.underWay.get(revision) ?? 0) + 1);
    return { streams, end: events => this.end(householdId, streams, revision, events) };
  }

  /** As `HouseholdStreams.load`. @throws ReadModelsUnconfirmed besides */
  load(householdId: string): Promise<Household> {
    return this.everywhere(householdId, streams => streams.load(householdId));
  }

  /** As `HouseholdStreams.catchUp`. @throws ReadModelsUnconfirmed besides */
  catchUp(householdId: string): Promise<Household> {
    return this.everywhere(householdId, streams => streams.catchUp(householdId));
  }

  /**
   * The household as the documents reflect it, at that revision or a later one: asks no store where this process
   * knows it already.
   * @param revision of an event that is surely recorded
   * @throws as `catchUp`
   */
  async reflected(householdId: string, revision: number): Promise<Household> {
    const known = this.reflects(householdId, revision)
      ? this.liveStreams(householdId).known(householdId)
      : null;
    return known ?? this.catchUp(householdId);
  }

  /** As `HouseholdStreams.observe`. @throws ReadModelsUnconfirmed besides */
  observe(householdId: string, events: readonly RecordedEvent[]): Promise<void> {
    return this.everywhere(householdId, streams => streams.observe(householdId, events), events);
  }

  /** As `HouseholdStreams.advance`. @throws ReadModelsUnconfirmed besides */
  advance(householdId: string, advance: Advance): Promise<Advanced> {
    return this.everywhere(householdId, streams => streams.advance(householdId, advance));
  }

  /** Whether this process knows that every set that must be written reflects the household up to a revision. */
  reflects(householdId: string, revision: number): boolean {
    const { pointer, beside } = this.acting();
    if (!this.liveStreams(householdId).reflects(householdId, revision)) return false;
    if (!beside || !pointer.beside!.complete || !concerns(pointer.beside!, householdId)) return true;
    return beside.reflects(householdId, revision);
  }

  /** Forgets what is in memory, so that it is read again. */
  forget(householdId: string): void {
    for (const streams of this.opened.values()) streams.forget(householdId);
  }

  /** As of `HouseholdStreams`, of all sets together: a household counts in each set that has it in memory. */
  cacheSize(): { readonly households: number; readonly bytes: number } {
    const size = { households: 0, bytes: 0 };
    for (const streams of this.opened.values()) {
      const { households, bytes } = streams.cacheSize();
      size.households += households;
      size.bytes += bytes;
    }
    return size;
  }

  /** Waits for running commands, writes the heads, and says that this process acts no more. */
  async stop(): Promise<void> {
    // Heads that cannot be written are found in the streams again.
    for (const streams of this.opened.values()) await streams.settle().catch(() => undefined);
    await this.watch.stop();
  }

  private async everywhere<T>(
    householdId: string,
    work: (streams: HouseholdStreams) => Promise<T>,
    events: Events = [],
  ): Promise<T> {
    const { streams, end } = this.begin(householdId);
    let done: Events | null = null;
    try {
      const result = await work(streams);
      done = events;
      return result;
    } finally {
      await end(done);
    }
  }

  private async end(
    householdId: string,
    done: HouseholdStreams,
    pointer: number,
    events: Events | null,
  ): Promise<void> {
    try {
      if (this.acting().beside === null && this.liveStreams(householdId) === done) return;
      await this.writeOthers(householdId, done, events ?? []);
    } catch (error) {
      // What fails now, too, is found again by whoever works on the household next: why the work failed is what counts.
      if (events !== null) throw error;
    } finally {
      const left = this.underWay.get(pointer)! - 1;
      if (left > 0) this.underWay.set(pointer, left);
      else this.underWay.delete(pointer);
    }
  }

  private async writeOthers(householdId: string, done: HouseholdStreams, events: Events): Promise<void> {
    const { pointer, beside } = this.acting();
    const live = this.liveStreams(householdId);
    const revision = done.knownRevision(householdId);
    if (revision < 0) return;
    // The pointer may have been changed meanwhile.
    if (live !== done) await live.reach(householdId, revision, events);
    if (!beside || beside === done || beside === live || !concerns(pointer.beside!, householdId)) return;
    if (pointer.beside!.complete) await this.writeBeside(beside, householdId, revision, events);
    else await this.writeWhereClose(beside, householdId, revision, events);
  }

  /** What only this set cannot take fails no command: it keeps the set from becoming live. */
  private async writeBeside(
    beside: HouseholdStreams,
    householdId: string,
    revision: number,
    events: Events,
  ): Promise<void> {
    try {
      await beside.reach(householdId, revision, events);
    } catch (error) {
      if (isStoreDown(error)) throw error;
      this.options.onBesideFailure?.(householdId, error);
      await noteBesideFailure(this.documents, householdId);
    }
  }

  /** The replay comes to what is left out here, and to what fails. */
  private async writeWhereClose(
    beside: HouseholdStreams,
    householdId: string,
    revision: number,
    events: Events,
  ): Promise<void> {
    try {
      const reflected = await beside.reflectedRevision(householdId);
      if (revision - reflected <= CLOSE_EVENTS) await beside.reach(householdId, revision, events);
    } catch (error) {
      if (!isStoreDown(error)) this.options.onBesideFailure?.(householdId, error);
    }
  }

  private liveStreams(householdId: string): HouseholdStreams {
    const { pointer, live, diverted } = this.acting();
    return diverted && pointer.diverted?.household === householdId ? diverted : live;
  }

  /** The streams over the sets that the pointer names, opened once for each change of it. */
  private acting(): Acting {
    const pointer = this.watch.current();
    if (this.actingBy?.pointer === pointer) return this.actingBy;
    const { live, beside, diverted } = pointer;
    const used = new Map<string, HouseholdStreams>();
    const open = (key: string, make: () => HouseholdStreams): HouseholdStreams => {
      const streams = used.get(key) ?? this.opened.get(key) ?? make();
      used.set(key, streams);
      return streams;
    };
    const openLive = (generations: Generations): HouseholdStreams =>
      open(keyOf(generations), () => this.streamsOver(readModelsOf(generations), new StateCache()));
    this.actingBy = {
      pointer,
      live: openLive(live),
      diverted: diverted && openLive(diverted.generations),
      beside:
        beside &&
        open(keyOf(beside.generations, beside), () => {
          const cache = new StateCache(BESIDE_CACHE_BYTES_MAX);
          const models = readModelsOf(beside.generations, beside.written);
          return this.streamsOver(models, cache, snapshotsOf(beside));
        }),
    };
    // What was known of sets that are used no more is given up.
    this.opened = used;
    return this.actingBy;
  }

  private streamsOver(
    models: ReadModels,
    cache: StateCache,
    snapshots?: SnapshotCollections,
  ): HouseholdStreams {
    const { onSnapshotFailure, onChange } = this.options;
    const options = { cache, snapshots, onSnapshotFailure, onChange };
    return new HouseholdStreams(this.store, this.documents, models, options);
  }
}

/** The streams over the sets of a pointer. */
interface Acting {
  readonly pointer: GenerationPointer;
  readonly live: HouseholdStreams;
  readonly diverted: HouseholdStreams | null;
  readonly beside: HouseholdStreams | null;
}

function keyOf(
  generations: Generations,
  { written, snapshots }: Pick<WrittenBeside, 'written' | 'snapshots'> = { written: null, snapshots: null },
): string {
  return JSON.stringify([generations, written, snapshots]);
}

function concerns({ household }: WrittenBeside, householdId: string): boolean {
  return household === null || household === householdId;
}
