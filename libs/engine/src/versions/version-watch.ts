import { repeatedly } from '#concurrency/repeatedly';
import { Turns } from '#concurrency/turns';
import { EVERY_KEY } from '#storage/documents/declared';
import type { Collection, Document, Documents } from '#storage/documents/documents';
import { collectionsOf, readModelsOf } from '../households/read-models.js';
import type { StandingDocuments } from '../households/standing-documents.js';
import { StandingTrouble, type BackgroundLog } from '../projector/background-log.js';
import { everyCollectionOf, readActiveVersion, type ActiveVersion } from './active-version.js';

/** Shows that a process is alive. Renewed each time it looks at the active version. */
export interface Heartbeat extends Document {
  /** Unique to the process. */
  readonly key: string;
  /** The revision of the `ActiveVersion` that it acts by; -1 before it was read. */
  readonly actsBy: number;
}

/** How often every process looks at the active version and renews its heartbeat. */
export const HEARTBEAT_MS = 1_000;

/**
 * A process that could not look for this long, by its own clock, serves no household until it has looked again. Less
 * than `HEARTBEAT_LAPSES_MS`, so that it stops before others go on without it; long enough for a busy machine or a slow
 * store.
 */
export const UNCONFIRMED_MS = 10_000;

/** A process whose heartbeat stood still for this long, by the watcher's own clock, is no longer waited for. */
export const HEARTBEAT_LAPSES_MS = 15_000;

/** The most processes that act on one set of stores. */
const PROCESSES_MAX = 10_000;

export const HEARTBEATS: Collection<Heartbeat> = {
  name: 'read_model_presences',
  durability: 'derived',
  indexes: [],
};

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

/**
 * Knows the active version by which this process acts, and reports it in the process's heartbeat. A process that could
 * not look for `UNCONFIRMED_MS` serves nothing until it has: by then the others may have gone on without it.
 */
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
   * @param oldestUsed the oldest revision of the active version that running work began by; null for none
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

  /**
   * Checks that what was read under an earlier active version is still up to date: that version is active or written.
   * @throws ReadModelsUnconfirmed
   */
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
      if (known >= 0) this.options.log.info('using other read models', { version: found.active });
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

/**
 * The living processes that act by an older revision. Which are alive shows in whether their heartbeats move: no clock of
 * another machine is read. Heartbeats that lapsed are removed.
 * @param standing of `HEARTBEAT_LAPSES_MS`, the same one at each call
 * @throws DocumentsUnavailable
 */
export async function processesBehind(
  documents: Documents,
  revision: number,
  standing: StandingDocuments,
): Promise<readonly string[]> {
  const found = await documents.range(HEARTBEATS, { ...EVERY_KEY, limit: PROCESSES_MAX });
  const older = found.filter(heartbeat => heartbeat.actsBy < revision);
  const stale = standing.stale(older);
  for (const { key, revision: beat } of stale) await documents.remove(HEARTBEATS, key, beat);
  return older.filter(heartbeat => !stale.has(heartbeat)).map(({ key }) => key);
}
