import { readProgress, type RebuildProgress } from '#background/rebuild/rebuild-lease';
import type { RebuildCommand } from '#background/rebuild/rebuild-work';
import type { Documents } from '#documents/documents';
import { readPointer, type GenerationPointer } from '#streams/generations/generation-pointer';

/**
 * A rebuild whose progress has not moved for this long has nobody at it. Longer than until another server would take it
 * over: one that is started anew after a crash goes on by itself, and could not start while this program is at it.
 */
export const GONE_MS = 20_000;

/** How often the progress is read. */
export const PROGRESS_POLL_MS = 250;

/** How an operator's command ended. */
export interface OperatorOutcome {
  readonly state: 'done' | 'failed';
  /** Why it failed, in one sentence. */
  readonly message: string | null;
  /** Null for a command without work of its own. */
  readonly progress: RebuildProgress | null;
  /** Collections that it made as of a moment, where that was asked for. */
  readonly inspected: readonly string[];
}

const ENDED_UNTOLD =
  'The process ended without reporting a result. `ledger projections status` shows what is live.';

/** Follows a command that was written down: how far it is, how it ends, and whether anybody is at it. */
export class CommandWatch {
  private seen: { readonly revision: number; readonly at: number };

  constructor(
    private readonly documents: Documents,
    /** Under which the progress is told. */
    private readonly id: string,
    private readonly command: RebuildCommand,
    private readonly now: () => number = () => performance.now(),
  ) {
    this.seen = { revision: -1, at: now() };
  }

  /** @returns null as long as it goes on. @throws DocumentsUnavailable */
  async look(advanced: (progress: RebuildProgress) => void): Promise<OperatorOutcome | null> {
    const progress = await readProgress(this.documents);
    const pointer = await readPointer(this.documents);
    const revision = (progress?.revision ?? 0) + pointer.revision;
    if (revision !== this.seen.revision) this.seen = { revision, at: this.now() };
    const isIdle = pointer.rebuild === null && pointer.dropping.length === 0;
    const own = progress?.id === this.id ? progress : null;
    if (own) advanced(own);
    if (own && own.state !== 'running') return this.outcome(pointer, own, own.state, own.message);
    const isOthers = pointer.rebuild !== null && pointer.rebuild.id !== this.id;
    if (!own) return isIdle || isOthers ? this.untold(pointer, null) : null;
    // Its very last step is to tell the end.
    return isIdle && this.now() - this.seen.at > GONE_MS ? this.untold(pointer, own) : null;
  }

  /** The end of a command of which no progress tells it. */
  private untold(pointer: GenerationPointer, progress: RebuildProgress | null): OperatorOutcome {
    const { ended } = pointer;
    if (ended?.id === this.id) {
      return this.outcome(pointer, progress, ended.failure === null ? 'done' : 'failed', ended.failure);
    }
    const hasWorkOfItsOwn = ['rebuild', 'roll-back'].includes(this.command.command);
    if (hasWorkOfItsOwn) return this.outcome(pointer, progress, 'failed', ENDED_UNTOLD);
    return this.outcome(pointer, progress, 'done', null);
  }

  private outcome(
    { inspected }: GenerationPointer,
    progress: RebuildProgress | null,
    state: 'done' | 'failed',
    message: string | null,
  ): OperatorOutcome {
    const { command } = this;
    const made = state === 'done' && command.command === 'rebuild' && command.to !== null ? inspected : null;
    const names = made ? [...new Set(Object.values(made.generations))].map(n => `*_g${n}`) : [];
    return { state, message, progress, inspected: names };
  }
}
