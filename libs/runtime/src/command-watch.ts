import { readProgress, type RebuildProgress } from '#engine/rebuild/rebuild';
import type { RebuildCommand } from '#engine/rebuild/rebuild-work';
import type { Documents } from '#storage/documents/documents';
import { readActiveVersion, type ActiveVersion } from '#engine/versions/active-version';

/**
 * No process works on a rebuild whose progress has not moved for this long. Longer than until another server would take
 * it over: a server that restarts after a crash resumes it, and could not start while this program does.
 */
const GONE_MS = 20_000;

export const PROGRESS_POLL_MS = 250;

export interface OperatorOutcome {
  readonly state: 'done' | 'failed';
  /** Why it failed, in one sentence. */
  readonly message: string | null;
  /** Null for a command without work of its own. */
  readonly progress: RebuildProgress | null;
}

const ENDED_UNREPORTED =
  'The process ended without reporting a result. `ledger projections status` shows the active version.';

/** Follows a recorded command: its progress, its end, and whether a process works on it. */
export class CommandWatch {
  private seen: { readonly revision: number; readonly at: number };

  constructor(
    private readonly documents: Documents,
    /** Under which the progress is reported. */
    private readonly id: string,
    private readonly command: RebuildCommand,
    private readonly now: () => number = () => performance.now(),
  ) {
    this.seen = { revision: -1, at: now() };
  }

  /** @returns null as long as it goes on. @throws DocumentsUnavailable */
  async look(advanced: (progress: RebuildProgress) => void): Promise<OperatorOutcome | null> {
    const progress = await readProgress(this.documents);
    const version = await readActiveVersion(this.documents);
    const revision = (progress?.revision ?? 0) + version.revision;
    if (revision !== this.seen.revision) this.seen = { revision, at: this.now() };
    const isIdle = version.rebuild === null && version.dropping.length === 0;
    const own = progress?.id === this.id ? progress : null;
    if (own) advanced(own);
    if (own && own.state !== 'running') return { state: own.state, message: own.message, progress: own };
    const isOthers = version.rebuild !== null && version.rebuild.id !== this.id;
    if (!own) return isIdle || isOthers ? this.unreported(version, null) : null;
    // Its very last step reports the end.
    return isIdle && this.standsStill() ? this.unreported(version, own) : null;
  }

  /** Whether no process seems to be at work any more. */
  standsStill(): boolean {
    return this.now() - this.seen.at > GONE_MS;
  }

  /** The end of a command that no progress reports. */
  private unreported({ ended }: ActiveVersion, progress: RebuildProgress | null): OperatorOutcome {
    if (ended?.id === this.id) {
      return { state: ended.failure === null ? 'done' : 'failed', message: ended.failure, progress };
    }
    if (this.command === 'rebuild') return { state: 'failed', message: ENDED_UNREPORTED, progress };
    return { state: 'done', message: null, progress };
  }
}
