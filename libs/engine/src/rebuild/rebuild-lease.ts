import type { Collection, Document, Documents } from '#storage/documents/documents';
import type { RebuildState } from '../versions/active-version.js';
import { HeldDocument, StandingDocuments, TAKEN_OVER_MS } from '../households/standing-documents.js';

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
 * That this process works on the rebuild, and how far it is, in one document. What decides is the active version, changed
 * by conditional updates, and documents guarded by revision.
 */
export class RebuildLease {
  private constructor(private readonly held: HeldDocument<RebuildProgress>) {}

  /**
   * Takes over from the process that worked before.
   * @param former the progress as it was read
   * @returns null when another process was faster
   * @throws DocumentsUnavailable
   */
  static async take(
    documents: Documents,
    former: RebuildProgress | null,
    { id, phase, version }: RebuildState,
    owner: string,
  ): Promise<RebuildLease | null> {
    const same = former?.id === id ? former : null;
    const now = (): string => new Date().toISOString();
    const progress: RebuildProgress = {
      key: PROGRESS_KEY,
      revision: (former?.revision ?? 0) + 1,
      id,
      owner,
      state: 'running',
      phase,
      version,
      events: same?.events ?? 0,
      fraction: same?.fraction ?? null,
      verified: same?.verified ?? 0,
      message: null,
      startedAt: same?.startedAt ?? now(),
      updatedAt: now(),
    };
    const stamp = () => ({ updatedAt: now() });
    const held = await HeldDocument.take(documents, REBUILD_PROGRESS, former, progress, stamp);
    return held && new RebuildLease(held);
  }

  get current(): RebuildProgress {
    return this.held.current;
  }

  /** @throws RebuildTakenOver */
  assertHeld(): void {
    if (!this.held.isHeld()) {
      throw new RebuildTakenOver('This process could not renew its lease on the rebuild.');
    }
  }

  /** Changes what the next renewal tells. */
  advance(change: ProgressChange): void {
    this.held.advance(change);
  }

  /** Tells the end and works no more. @throws DocumentsUnavailable, RebuildTakenOver */
  async end(state: 'done' | 'failed', message: string | null): Promise<void> {
    if (await this.held.end({ state, message })) return;
    throw new RebuildTakenOver('Another process is working on the rebuild.');
  }

  /** Stops without reporting an end: another process can resume. */
  stop(): Promise<void> {
    return this.held.stop();
  }
}
