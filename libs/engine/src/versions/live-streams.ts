import { repeatedly } from '#concurrency/repeatedly';
import { Turns } from '#concurrency/turns';
import type { Collection, Document, Documents } from '#storage/documents/documents';
import type { EventStore, RecordedEvent } from '#storage/event-store/event-store';
import type { Household } from '#ledger/household';
import {
  HouseholdStreams,
  type Advance,
  type Advanced,
  type HouseholdStreamsOptions,
} from '../households/household-streams.js';
import { collectionsOf, readModelsOf, type ReadModels } from '../households/read-models.js';
import { isStoreDown } from '../households/store-failures.js';
import { StandingTrouble, type BackgroundLog } from '../projector/background-log.js';
import {
  everyCollectionOf,
  HEARTBEATS,
  noteBesideFailure,
  ownSnapshotsOf,
  readActiveVersion,
  type ActiveVersion,
} from './active-version.js';

export interface LiveStreamsOptions extends Pick<
  HouseholdStreamsOptions,
  'unitOfWork' | 'onSnapshotFailure' | 'onChange'
> {
  /** Called when the version that is being built could not be written for another reason than a store that is down. */
  readonly onBesideFailure?: (householdId: string, error: unknown) => void;
  /** Whether other processes work on the same documents. */
  readonly shared?: boolean;
  /** As of `HouseholdStreams`: of other versions than the active one, and where other processes write, of all. */
  readonly onWritten?: (householdId: string) => void;
}

/**
 * Households' streams over the active version of the read models, for every use case. Once the version that is built
 * beside it is complete, a command writes that too, before the response, each version from its own documents and as if by
 * a process of its own: the revisions of streams and documents keep the two apart. So a switch needs no pause: work that
 * began on one version brings the household up to date on the other before it ends.
 */
export class LiveStreams {
  private opened = new Map<string, HouseholdStreams>();
  private actingBy: Acting | null = null;
  /** How much running work began by each revision of the active version, the oldest first. */
  private readonly underWay = new Map<number, number>();

  constructor(
    private readonly store: EventStore,
    private readonly documents: Documents,
    private readonly watch: VersionWatch,
    private readonly options: LiveStreamsOptions = {},
  ) {}

  /** Begins to act by the active version. @throws DocumentsUnavailable */
  start(): Promise<void> {
    return this.watch.start(() => this.underWay.keys().next().value ?? null);
  }

  /** The read models that queries read. @throws ReadModelsUnconfirmed */
  get models(): ReadModels {
    return this.acting().active.models;
  }

  /**
   * Begins work on a household, over the active version.
   * @returns also its end, to be told whether the work is done: brings the version beside it as far, also after a failure,
   *   before which what others left may have been applied
   * @throws ReadModelsUnconfirmed
   */
  begin(householdId: string): {
    readonly streams: HouseholdStreams;
    readonly end: (isDone: boolean) => Promise<void>;
  } {
    const { active: streams, version } = this.acting();
    const { revision } = version;
    this.underWay.set(revision, (this.underWay.get(revision) ?? 0) + 1);
    return { streams, end: isDone => this.end(householdId, streams, revision, isDone) };
  }

  /** Works between a beginning and its end. @throws ReadModelsUnconfirmed, or what the work throws */
  async work<T>(householdId: string, work: (streams: HouseholdStreams) => Promise<T>): Promise<T> {
    const { streams, end } = this.begin(householdId);
    let isDone = false;
    try {
      const result = await work(streams);
      isDone = true;
      return result;
    } finally {
      await end(isDone);
    }
  }

  /** As of `HouseholdStreams`, and so is `advance`. @throws ReadModelsUnconfirmed besides */
  catchUp(householdId: string, upTo?: number, events?: readonly RecordedEvent[]): Promise<Household> {
    return this.work(householdId, streams => streams.catchUp(householdId, upTo, events));
  }

  advance(householdId: string, advance: Advance): Promise<Advanced> {
    return this.work(householdId, streams => streams.advance(householdId, advance));
  }

  /** As of `HouseholdStreams`. */
  forget(householdId: string): void {
    for (const streams of this.opened.values()) streams.forget(householdId);
  }

  /** As of `HouseholdStreams`, of both versions together: a household counts in each that has it in memory. */
  cacheSize(): { readonly households: number; readonly bytes: number } {
    const sizes = [...this.opened.values()].map(streams => streams.cacheSize());
    const sumOf = (name: 'households' | 'bytes') => sizes.reduce((sum, size) => sum + size[name], 0);
    return { households: sumOf('households'), bytes: sumOf('bytes') };
  }

  /** Waits for running commands, and says that this process acts no more. */
  async stop(): Promise<void> {
    // Heads that cannot be written are found in the streams again.
    for (const streams of this.opened.values()) await streams.settle().catch(() => undefined);
    await this.watch.stop();
  }

  private async end(
    householdId: string,
    done: HouseholdStreams,
    begunBy: number,
    isDone: boolean,
  ): Promise<void> {
    try {
      const { active, beside } = this.acting();
      const upTo = done.knownRevision(householdId);
      // Another version may have become active meanwhile.
      if (upTo >= 0 && active !== done) await active.catchUp(householdId, upTo);
      if (upTo >= 0 && beside && beside !== done) await this.writeBeside(beside, householdId, upTo);
    } catch (error) {
      // The next work on the household finds what fails here; why this work failed is what counts.
      if (isDone) throw error;
    } finally {
      const left = this.underWay.get(begunBy)! - 1;
      if (left > 0) this.underWay.set(begunBy, left);
      else this.underWay.delete(begunBy);
    }
  }

  /** What only this version cannot take fails no command: it keeps the version from becoming active. */
  private async writeBeside(beside: HouseholdStreams, householdId: string, upTo: number): Promise<void> {
    try {
      await beside.catchUp(householdId, upTo);
    } catch (error) {
      if (isStoreDown(error)) throw error;
      this.options.onBesideFailure?.(householdId, error);
      await noteBesideFailure(this.documents, householdId);
    }
  }

  /** The streams over the active version and the one beside it, opened once for each change of it. */
  private acting(): Acting {
    const version = this.watch.current();
    if (this.actingBy?.version === version) return this.actingBy;
    const { active, beside } = version;
    const used = new Map<string, HouseholdStreams>();
    const open = (number: number): HouseholdStreams => {
      const isBuilt = number > active;
      const key = `${number}${isBuilt ? ' with own snapshots' : ''}`;
      const streams = this.opened.get(key) ?? this.streamsOver(number, number === active, isBuilt);
      used.set(key, streams);
      return streams;
    };
    // Before it is complete, only the replay writes it.
    this.actingBy = { version, active: open(active), beside: beside?.complete ? open(beside.version) : null };
    // What was known of versions that are no longer used is given up.
    this.opened = used;
    return this.actingBy;
  }

  private streamsOver(version: number, isActive: boolean, isBuilt: boolean): HouseholdStreams {
    const { unitOfWork, onSnapshotFailure, onChange, shared = false } = this.options;
    const snapshots = isBuilt ? ownSnapshotsOf(version) : undefined;
    const onWritten = shared || !isActive ? this.options.onWritten : undefined;
    const options = { unitOfWork, snapshots, onSnapshotFailure, onChange, onWritten };
    return new HouseholdStreams(this.store, this.documents, readModelsOf(version), options);
  }
}

interface Acting {
  readonly version: ActiveVersion;
  readonly active: HouseholdStreams;
  readonly beside: HouseholdStreams | null;
}

/** How often every process looks at the active version and renews its heartbeat. */
export const HEARTBEAT_MS = 1_000;

/**
 * A process that could not look for this long, by its own clock, serves no household until it has. Less than
 * `HEARTBEAT_LAPSES_MS`, so that it stops before others go on without it; enough for a busy machine or a slow store.
 */
export const UNCONFIRMED_MS = 10_000;

/** This process does not know for sure which version is active, so it must not respond from any. */
export class ReadModelsUnconfirmed extends Error {
  override readonly name = 'ReadModelsUnconfirmed';
  /** Read by the HTTP layer, which responds `503 unavailable`. */
  readonly unavailable = true;
}

interface WatchOptions {
  /** Unique to this process. */
  readonly owner: string;
  /** Whether other processes work on the same documents. If not, `look` is called after each change. */
  readonly shared: boolean;
  readonly log: BackgroundLog;
  readonly now?: () => number;
}

/** Knows the active version by which this process acts, and reports it in the process's heartbeat. */
export class VersionWatch {
  private version: ActiveVersion | null = null;
  private confirmedAt = -Infinity;
  private beats = 0;
  private endLooks: (() => void) | null = null;
  private readonly looks = new Turns();
  private readonly trouble: StandingTrouble;
  private readonly now: () => number;
  private oldestUsed: () => number | null = () => null;

  constructor(
    private readonly documents: Documents,
    private readonly options: WatchOptions,
  ) {
    this.now = options.now ?? (() => performance.now());
    this.trouble = new StandingTrouble(options.log, 'cannot determine which read models are active');
  }

  /**
   * Looks for the first time; from then on by itself.
   * @param oldestUsed the oldest revision that running work began by; null for none
   * @throws DocumentsUnavailable
   */
  async start(oldestUsed: () => number | null): Promise<void> {
    this.oldestUsed = oldestUsed;
    await this.look();
    if (this.options.shared) this.endLooks ??= repeatedly(() => this.lookAgain(), HEARTBEAT_MS);
  }

  /** Ends looking, and removes the heartbeat. */
  async stop(): Promise<void> {
    this.endLooks?.();
    this.endLooks = null;
    await this.looks.ended();
    if (this.options.shared) {
      await this.documents.remove(HEARTBEATS, this.options.owner).catch(() => undefined);
    }
  }

  /** What this process acts by. @throws ReadModelsUnconfirmed */
  current(): ActiveVersion {
    if (this.version === null || this.unconfirmedMs() > UNCONFIRMED_MS) {
      throw new ReadModelsUnconfirmed('This process does not know which read models are active.');
    }
    return this.version;
  }

  /** The oldest revision of the active version that this process still acts by; -1 before the first. */
  actedRevision(): number {
    const present = this.version?.revision ?? -1;
    return Math.min(present, this.oldestUsed() ?? present);
  }

  /** How long ago this process last confirmed the active version, in milliseconds. */
  unconfirmedMs(): number {
    if (this.version === null) return Infinity;
    return this.options.shared ? this.now() - this.confirmedAt : 0;
  }

  /** Checks that what was read under an earlier active version is still up to date. @throws ReadModelsUnconfirmed */
  confirm(earlier: ActiveVersion): void {
    const { active, beside } = this.current();
    if (earlier.active === active || (beside?.complete && earlier.active === beside.version)) return;
    throw new ReadModelsUnconfirmed('The read models were replaced during the request.');
  }

  /** Reads the active version now and acts by it. @throws DocumentsUnavailable */
  look(): Promise<void> {
    return this.looks.take(() => this.lookNow());
  }

  private async lookAgain(): Promise<void> {
    try {
      await this.look();
      this.trouble.over();
    } catch (error) {
      this.trouble.met(error);
    }
  }

  private async lookNow(): Promise<void> {
    const begun = this.now();
    const known = this.version?.revision ?? -1;
    // Before the look: a process that changes the version afterwards sees that this one is there.
    await this.beat();
    const found = await readActiveVersion(this.documents);
    if (found.revision !== known) {
      await this.documents.ensure(collectionsUsed(found));
      if (known >= 0) this.options.log.info({ version: found.active }, 'using other read models');
      this.version = found;
      await this.beat();
    }
    this.confirmedAt = begun;
  }

  private async beat(): Promise<void> {
    if (!this.options.shared) return;
    this.beats = Math.max(this.beats + 1, Date.now());
    const heartbeat = { key: this.options.owner, revision: this.beats, actsBy: this.actedRevision() };
    await this.documents.put(HEARTBEATS, [heartbeat]);
  }
}

function collectionsUsed({ active, beside }: ActiveVersion): readonly Collection<Document>[] {
  const collections = collectionsOf(readModelsOf(active));
  if (!beside) return collections;
  const isBuilt = beside.version > active;
  const others = isBuilt ? everyCollectionOf(beside.version) : collectionsOf(readModelsOf(beside.version));
  return [...collections, ...others];
}
