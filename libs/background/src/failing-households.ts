import type { Documents } from '#documents/documents';
import type { LiveStreams } from '#streams/generations/live-streams';
import { isUnavailable } from '#streams/store-failures';
import type { BackgroundLog } from './background-log.js';
import { longerWait, RETRY_FIRST_MS } from './retry-wait.js';
import { reasonOf, StoredFailures, type FailingHousehold, type StoredFailure } from './stored-failures.js';

/** Failing households that one process keeps trying. */
const FAILING_HOUSEHOLDS_MAX = 10_000;

/** A household that is left to its next try. */
interface Kept {
  failure: StoredFailure;
  /** The last revision that was left out, as the try is to apply it. */
  leftOut: number;
  retry: NodeJS.Timeout;
}

/**
 * The households whose events cannot be applied. Each stops alone, is kept in the documents, and is tried again with
 * backoff until it goes.
 *
 * The checkpoint passes the events of a household that is kept here, so only the next try applies them. Therefore a
 * household is given back to the host in the same step in which it is certain that nothing left out is missing, and
 * what is stored goes afterwards, unless the household fails anew meanwhile.
 */
export class FailingHouseholds {
  private readonly kept = new Map<string, Kept>();
  private readonly stored: StoredFailures;
  private stopped = false;

  /** @param name as that of the projections' checkpoints */
  constructor(
    documents: Documents,
    private readonly streams: Pick<LiveStreams, 'forget' | 'catchUp'>,
    private readonly log: BackgroundLog,
    name: string,
  ) {
    this.stored = new StoredFailures(documents, name);
  }

  /** Whether events of a household, up to a revision, are to be left out: then the next try applies them. */
  leavesOut(householdId: string, revision: number): boolean {
    const kept = this.kept.get(householdId);
    if (!kept) return false;
    kept.leftOut = Math.max(kept.leftOut, revision);
    return true;
  }

  list(): FailingHousehold[] {
    return [...this.kept.values()].map(({ failure }) => failure);
  }

  /** Goes on with those that are this process's now, as they are stored. @throws DocumentsUnavailable */
  async resume(isOurs: (householdId: string) => boolean): Promise<void> {
    for (const [householdId, { retry }] of this.kept) {
      if (isOurs(householdId)) continue;
      clearTimeout(retry);
      this.kept.delete(householdId);
    }
    for (const failure of await this.stored.first(FAILING_HOUSEHOLDS_MAX)) {
      if (isOurs(failure.householdId)) this.keepTrying(failure);
    }
  }

  /**
   * Stores why a household stops, and tells the log.
   * @param revision of the last event that could not be applied
   * @throws DocumentsUnavailable
   */
  async add(householdId: string, revision: number, error: unknown): Promise<void> {
    const failure = await this.stored.put(householdId, revision, error);
    this.log.error('a household cannot be projected; it stops alone and is tried again', {
      household: householdId,
      error: failure.error,
    });
    this.keepTrying(failure);
  }

  /** Tries none any more. */
  stop(): void {
    this.stopped = true;
    for (const { retry } of this.kept.values()) clearTimeout(retry);
  }

  private keepTrying(failure: StoredFailure, wait: number = RETRY_FIRST_MS): void {
    if (this.stopped) return;
    const { householdId, upTo } = failure;
    const previous = this.kept.get(householdId);
    if (previous) clearTimeout(previous.retry);
    const leftOut = Math.max(upTo, previous?.leftOut ?? -1);
    const retry = setTimeout(() => void this.tryAgain(kept, wait), wait);
    retry.unref();
    const kept: Kept = { failure, leftOut, retry };
    this.kept.set(householdId, kept);
  }

  private async tryAgain(kept: Kept, wait: number): Promise<void> {
    if (this.stopped) return;
    const { failure } = kept;
    const { householdId } = failure;
    try {
      this.streams.forget(householdId);
      const { revision } = await this.streams.catchUp(householdId);
      // Meanwhile it may have become another process's, or be kept anew.
      if (this.kept.get(householdId) !== kept) return;
      if (revision < kept.leftOut) return this.keepTrying(failure, longerWait(wait));
      this.kept.delete(householdId);
      const later = await this.stored.remove(failure);
      if (!later) this.log.info('a household is projected again', { household: householdId });
      else if (!this.kept.has(householdId)) this.keepTrying(later);
    } catch (error) {
      const latest = isUnavailable(error) ? failure.error : reasonOf(error);
      this.keepTrying({ ...failure, error: latest }, longerWait(wait));
    }
  }
}
