import type { Documents } from '#storage/documents/documents';
import { HouseholdErased } from '../commands/command-call.js';
import type { LiveStreams } from '../versions/live-streams.js';
import { backoffMs } from '#concurrency/backoff';
import { isStoreDown, loggedOf } from '../households/store-failures.js';
import { type BackgroundLog, StandingTrouble } from './background-log.js';
import { workOnHouseholds } from './catch-up.js';
import { reasonOf, StoredFailures, type FailingHousehold, type StoredFailure } from './stored-failures.js';

/** Failing households that one process keeps in memory. */
const KEPT_MAX = 10_000;

/** Households that are tried again at the same time: each is read from its stream, beside all other work. */
const RETRIES_AT_ONCE = 4;

/** How long what failed waits before the next try, in milliseconds. */
export const RETRY_FIRST_MS = 500;
export const RETRY_MAX_MS = 30_000;

/** How often it is looked what is due. */
const LOOK_EVERY_MS = RETRY_FIRST_MS / 2;

/** When something is tried again. */
interface Retry {
  /** In a row, 1 after the first. */
  failures: number;
  /** By `performance.now`. */
  dueAt: number;
}

/** A household that is left to its next try. */
interface Kept extends Retry {
  failure: StoredFailure;
  /** The last revision that was left out, as the try is to apply it. */
  leftOut: number;
}

/** The failing households of this process that are stored and not in memory. */
interface Rest extends Retry {
  /** Whether one came to them since they were last gone through. */
  hasGrown: boolean;
}

/**
 * The households whose events cannot be applied. Each stops alone, is kept in the documents, and is tried again with
 * backoff until it goes.
 *
 * The checkpoint passes the events of a household that is kept here, so only the next try applies them. Therefore a
 * household is given back to the host in the same step in which it is certain that nothing left out is missing, and
 * what is stored goes afterwards, unless the household fails again meanwhile.
 *
 * What does not fit into memory is gone through where it is stored, a page at a time, with the same backoff. The host
 * tries such a household at each event of it besides, and stores its failure again.
 */
export class FailingHouseholds {
  private readonly kept = new Map<string, Kept>();
  /** Null where all of this process are kept. */
  private rest: Rest | null = null;
  private readonly stored: StoredFailures;
  private readonly trouble: StandingTrouble;
  private isOurs: (householdId: string) => boolean = () => false;
  private timer: NodeJS.Timeout | null = null;
  private isTrying = false;
  private stopped = false;

  /** @param name as that of the projections' checkpoints */
  constructor(
    documents: Documents,
    private readonly streams: Pick<LiveStreams, 'forget' | 'catchUp'>,
    private readonly log: BackgroundLog,
    name: string,
    private readonly keptMax: number = KEPT_MAX,
  ) {
    this.stored = new StoredFailures(documents, name);
    this.trouble = new StandingTrouble(log, 'cannot read the failing households');
  }

  /** Whether events of a household, up to a revision, are to be left out: then the next try applies them. */
  leavesOut(householdId: string, revision: number): boolean {
    const kept = this.kept.get(householdId);
    if (!kept) return false;
    kept.leftOut = Math.max(kept.leftOut, revision);
    return true;
  }

  /** Those in memory. */
  list(): FailingHousehold[] {
    return [...this.kept.values()].map(({ failure }) => failure);
  }

  /** Whether there may be more than those of the list. */
  hasMore(): boolean {
    return this.rest !== null;
  }

  /** Goes on with those that are this process's now, as they are stored. @throws DocumentsUnavailable */
  async resume(isOurs: (householdId: string) => boolean): Promise<void> {
    this.isOurs = isOurs;
    this.rest = null;
    for (const householdId of this.kept.keys()) if (!isOurs(householdId)) this.kept.delete(householdId);
    for await (const page of this.stored.pages()) {
      for (const failure of page) if (isOurs(failure.householdId)) this.keep(failure);
      if (this.hasMore()) return;
    }
  }

  /**
   * Stores why a household stops, and tells the log.
   * @param revision of the last event that could not be applied
   * @throws DocumentsUnavailable
   */
  async add(householdId: string, revision: number, error: unknown): Promise<void> {
    const failure = await this.stored.put(householdId, revision, error);
    this.logFailure(householdId, error);
    this.keep(failure);
  }

  /** Tries none any more. */
  stop(): void {
    this.stopped = true;
    if (this.timer) clearTimeout(this.timer);
  }

  private logFailure(household: string, error: unknown): void {
    this.log.error('cannot project a household; it is retried, and other households go on', {
      household,
      error: loggedOf(error),
    });
  }

  /** Keeps a household for its next try: in memory if there is room, else in the documents alone. */
  private keep(failure: StoredFailure, failures = 1): void {
    const { householdId, upTo } = failure;
    const kept = this.kept.get(householdId);
    if (kept) {
      kept.failure = failure;
      kept.leftOut = Math.max(kept.leftOut, upTo);
      waitFor(kept, failures);
    } else if (this.kept.size < this.keptMax) {
      this.kept.set(householdId, { failure, leftOut: upTo, ...waitFor({ failures, dueAt: 0 }, failures) });
    } else {
      this.rest ??= { hasGrown: true, ...waitFor({ failures, dueAt: 0 }, failures) };
      this.rest.hasGrown = true;
    }
    this.tryLater();
  }

  /** However many they are, one timer serves them all, and what is due waits for its turn. */
  private tryLater(): void {
    if (this.stopped || this.timer || this.isTrying) return;
    if (this.kept.size === 0 && !this.rest) return;
    this.timer = setTimeout(() => {
      this.timer = null;
      void this.tryAgain();
    }, LOOK_EVERY_MS);
    this.timer.unref();
  }

  private async tryAgain(): Promise<void> {
    this.isTrying = true;
    await this.tryKept();
    if (this.rest && isDue(this.rest)) await this.tryRest(this.rest);
    this.isTrying = false;
    this.tryLater();
  }

  private async tryKept(): Promise<void> {
    const due = new Map([...this.kept].filter(([, kept]) => isDue(kept)));
    await this.sideBySide(due, (_, kept) => this.tryOne(kept));
  }

  private async tryOne(kept: Kept): Promise<void> {
    const { failure, failures } = kept;
    const { householdId } = failure;
    // Meanwhile it may have become another process's.
    if (this.kept.get(householdId) !== kept) return;
    try {
      const revision = await this.apply(householdId);
      if (this.kept.get(householdId) !== kept) return;
      if (revision < kept.leftOut) return this.keep(failure, failures + 1);
      this.kept.delete(householdId);
      const later = await this.remove(failure);
      if (later && this.isOurs(householdId) && !this.kept.has(householdId)) this.keep(later);
    } catch (error) {
      if (error instanceof HouseholdErased) return this.forget(failure);
      if (!this.isOurs(householdId)) return;
      const latest = isStoreDown(error) ? failure.error : reasonOf(error);
      if (latest !== failure.error) this.logFailure(householdId, error);
      this.keep({ ...failure, error: latest }, failures + 1);
    }
  }

  /** Of a household that is erased, nothing fails. */
  private async forget(failure: StoredFailure): Promise<void> {
    this.kept.delete(failure.householdId);
    await this.stored.remove(failure).catch(() => undefined);
  }

  /** Goes through those that are only stored: none of them stays untried because others are in its way. */
  private async tryRest(rest: Rest): Promise<void> {
    rest.hasGrown = false;
    let failing = 0;
    try {
      for await (const page of this.stored.pages()) {
        const unkept = page.filter(
          ({ householdId }) => this.isOurs(householdId) && !this.kept.has(householdId),
        );
        const byHousehold = new Map(unkept.map(failure => [failure.householdId, failure]));
        await this.sideBySide(byHousehold, async (_, failure) => {
          if (!(await this.tryUnkept(failure))) failing += 1;
        });
        // However many they are, the others have their turns.
        await this.tryKept();
        if (this.stopped || this.rest !== rest) return;
      }
      this.trouble.over();
      if (failing === 0 && !rest.hasGrown) this.rest = null;
    } catch (error) {
      this.trouble.met(error);
    }
    waitFor(rest, rest.failures + 1);
  }

  /** @returns whether the household fails no more, or is kept from now on */
  private async tryUnkept(failure: StoredFailure): Promise<boolean> {
    if (this.kept.size < this.keptMax) {
      this.keep(failure);
      return true;
    }
    try {
      const revision = await this.apply(failure.householdId);
      return revision >= failure.upTo && (await this.remove(failure)) === null;
    } catch (error) {
      if (!(error instanceof HouseholdErased)) return false;
      await this.forget(failure);
      return true;
    }
  }

  /** Reads a household again and applies its events. @returns the last revision */
  private async apply(householdId: string): Promise<number> {
    this.streams.forget(householdId);
    return (await this.streams.catchUp(householdId)).revision;
  }

  /** Of a household that is applied. @returns the failure that came later, if any. @throws DocumentsUnavailable */
  private async remove(failure: StoredFailure): Promise<StoredFailure | null> {
    const later = await this.stored.remove(failure);
    if (!later) this.log.info('a household is projected again', { household: failure.householdId });
    return later;
  }

  private sideBySide<T>(
    byHousehold: ReadonlyMap<string, T>,
    work: (householdId: string, its: T) => Promise<void>,
  ): Promise<void> {
    return workOnHouseholds(byHousehold, RETRIES_AT_ONCE, () => this.stopped, work);
  }
}

function isDue({ dueAt }: Retry): boolean {
  return dueAt <= performance.now();
}

function waitFor<T extends Retry>(retry: T, failures: number): T {
  retry.failures = failures;
  retry.dueAt = performance.now() + backoffMs(failures, RETRY_FIRST_MS, RETRY_MAX_MS);
  return retry;
}
