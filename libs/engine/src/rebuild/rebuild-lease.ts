import type { Collection, Document, Documents } from '#storage/documents/documents';
import { insertIfAbsent } from '#storage/documents/insert-if-absent';
import { Turns } from '#concurrency/turns';
import type { RebuildState } from '../versions/active-version.js';
import { repeatedly } from '#concurrency/repeatedly';
import { StandingDocuments } from '../households/standing-documents.js';

/** How often the process that rebuilds says that it does, and how far it is. */
export const RENEW_MS = 1_000;
/** A process that could not say so for this long stops, by its own clock. */
const HELD_MS = 3_000;
/** A rebuild whose progress stood still for this long is taken over, by the watcher's own clock. */
export const TAKEN_OVER_MS = 6_000;

/** How far a rebuild is; the latest one stays after its end. */
export interface RebuildProgress extends Document {
  /** Of the rebuild. */
  readonly id: string;
  /** The process that works on it. */
  readonly owner: string;
  readonly state: 'running' | 'done' | 'failed';
  readonly phase: RebuildState['phase'];
  /** The version that it builds. */
  readonly version: number;
  /** Events that were applied. */
  readonly events: number;
  /** How much of the work that is by estimate, from 0 to 1; null where nothing can be said. */
  readonly fraction: number | null;
  /** Households that were compared with their events. */
  readonly verified: number;
  /** One sentence: why it failed, or what it waits for. */
  readonly message: string | null;
  /** ISO timestamps, UTC. */
  readonly startedAt: string;
  readonly updatedAt: string;
}

/** What changes while a rebuild goes on. */
type ProgressChange = Partial<
  Pick<RebuildProgress, 'phase' | 'events' | 'fraction' | 'verified' | 'message' | 'state'>
>;

/** Another process took the rebuild over, or may have. */
export class RebuildTakenOver extends Error {
  override readonly name = 'RebuildTakenOver';
}

const PROGRESS_KEY = 'rebuild';

export const REBUILD_PROGRESS: Collection<RebuildProgress> = {
  name: 'read_model_progress',
  durability: 'derived',
  indexes: [],
};

/** @throws DocumentsUnavailable */
export function readProgress(documents: Documents): Promise<RebuildProgress | null> {
  return documents.get(REBUILD_PROGRESS, PROGRESS_KEY);
}

/** Finds out by its progress if the process that works on a rebuild still does. */
export class ProgressWatch {
  private readonly standing = new StandingDocuments(TAKEN_OVER_MS);

  constructor(private readonly now: () => number = () => performance.now()) {}

  /** Whether a process may be at work. */
  isHeld(progress: RebuildProgress | null): boolean {
    return progress?.state === 'running' && this.standing.stale([progress], this.now()).size === 0;
  }
}

/**
 * That this process works on the rebuild, and how far it is, in one document. Only says who works: what decides is
 * the active version, changed by conditional updates, and documents guarded by revision.
 */
export class RebuildLease {
  private readonly endRenewals: () => void;
  private readonly renewals = new Turns();
  private renewedAt: number;
  private lost = false;

  private constructor(
    private readonly documents: Documents,
    private progress: RebuildProgress,
    private readonly now: () => number,
  ) {
    this.renewedAt = now();
    this.endRenewals = repeatedly(() => this.renew(), RENEW_MS);
  }

  /**
   * Takes over from the process that worked before.
   * @param former the progress as it was read
   * @returns null when another process was faster
   * @throws DocumentsUnavailable
   */
  static async take(
    documents: Documents,
    former: RebuildProgress | null,
    rebuild: RebuildState,
    owner: string,
    now: () => number = () => performance.now(),
  ): Promise<RebuildLease | null> {
    const same = former?.id === rebuild.id ? former : null;
    const at = new Date().toISOString();
    const progress: RebuildProgress = {
      key: PROGRESS_KEY,
      revision: (former?.revision ?? 0) + 1,
      id: rebuild.id,
      owner,
      state: 'running',
      phase: rebuild.phase,
      version: rebuild.version,
      events: same?.events ?? 0,
      fraction: same?.fraction ?? null,
      verified: same?.verified ?? 0,
      message: null,
      startedAt: same?.startedAt ?? at,
      updatedAt: at,
    };
    const taken = former
      ? await documents.replace(REBUILD_PROGRESS, progress, former.revision)
      : await insertIfAbsent(documents, REBUILD_PROGRESS, progress);
    return taken ? new RebuildLease(documents, progress, now) : null;
  }

  get current(): RebuildProgress {
    return this.progress;
  }

  /** @throws RebuildTakenOver */
  assertHeld(): void {
    if (this.lost || this.now() - this.renewedAt > HELD_MS) {
      throw new RebuildTakenOver('This process could not renew its lease on the rebuild.');
    }
  }

  /** Changes what the next renewal tells. */
  advance(change: ProgressChange): void {
    this.progress = { ...this.progress, ...change };
  }

  /** Tells now. @throws DocumentsUnavailable, RebuildTakenOver */
  renew(): Promise<void> {
    return this.renewals.take(() => this.renewNow());
  }

  /** Tells the end and works no more. @throws DocumentsUnavailable, RebuildTakenOver */
  async end(state: 'done' | 'failed', message: string | null): Promise<void> {
    this.advance({ state, message });
    await this.stop();
    await this.renew();
  }

  /** Stops without reporting an end: another process can resume. */
  async stop(): Promise<void> {
    this.endRenewals();
    await this.renewals.ended();
  }

  private async renewNow(): Promise<void> {
    if (this.lost) throw new RebuildTakenOver('Another process is working on the rebuild.');
    const begun = this.now();
    const { revision } = this.progress;
    const next = { ...this.progress, revision: revision + 1, updatedAt: new Date().toISOString() };
    const renewed = await this.documents.replace(REBUILD_PROGRESS, next, revision);
    if (!renewed) {
      this.lost = true;
      throw new RebuildTakenOver('Another process is working on the rebuild.');
    }
    this.progress = { ...this.progress, revision: next.revision, updatedAt: next.updatedAt };
    this.renewedAt = begun;
  }
}
