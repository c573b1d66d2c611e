import { backoffMs } from '#concurrency/backoff';
import { repeatedly } from '#concurrency/repeatedly';
import { keysUnder } from '#storage/documents/declared';
import type { Document, Documents } from '#storage/documents/documents';
import { pagesOf } from '#storage/documents/pages';
import { HouseholdErased } from '../commands/command-call.js';
import { isStoreDown, loggedOf, toldOf } from '../households/store-failures.js';
import type { LiveStreams } from '../versions/live-streams.js';
import type { BackgroundLog } from './background-log.js';
import { workOnHouseholds } from './catch-up.js';
import { PROJECTION_NAME } from './partitions.js';
import { derived } from '../households/read-models.js';

/** How long a reason may be, in characters: many of them are kept in memory. */
const REASON_LENGTH_MAX = 500;

/** Failures that are read at once. */
const PAGE_FAILURES = 1_000;

interface FailureDocument extends Document {
  readonly error: string;
  readonly since: string;
  /** As of `StoredFailure`. */
  readonly upTo?: number;
}

export interface FailingHousehold {
  readonly householdId: string;
  readonly error: string;
  readonly since: string;
}

interface StoredFailure extends FailingHousehold {
  /** Tells it from one that came later: that has a greater one. */
  readonly revision: number;
  /** The last revision of its stream that is known not to be applied. */
  readonly upTo: number;
}

/** The households whose events cannot be applied, in the documents. */
export class StoredFailures {
  static readonly collection = derived<FailureDocument>('projection_failures');

  constructor(private readonly documents: Documents) {}

  static keyOf(householdId: string): string {
    return `${PROJECTION_NAME}|${householdId}`;
  }

  /** The first of them, by household. @throws DocumentsUnavailable */
  async first(limit: number): Promise<StoredFailure[]> {
    const range = { ...keysUnder(PROJECTION_NAME), limit };
    return (await this.documents.range(StoredFailures.collection, range)).map(failureOf);
  }

  /** All of them, by household, a page at a time, so that none is in memory for long. @throws DocumentsUnavailable */
  async *pages(): AsyncGenerator<StoredFailure[]> {
    const range = keysUnder(PROJECTION_NAME);
    const pages = pagesOf(this.documents, StoredFailures.collection, range, PAGE_FAILURES);
    for await (const page of pages) yield page.map(failureOf);
  }

  /**
   * Stores why a household fails, in the place of what was stored of it.
   * @param upTo the last revision that could not be applied
   * @throws DocumentsUnavailable
   */
  async put(householdId: string, upTo: number, error: unknown): Promise<StoredFailure> {
    const key = StoredFailures.keyOf(householdId);
    const before = await this.documents.get(StoredFailures.collection, key);
    const failure = {
      error: reasonOf(error),
      since: before?.since ?? new Date().toISOString(),
      upTo: Math.max(upTo, before?.upTo ?? -1),
      // Clocks differ, and go back: what comes later has the greater revision all the same.
      revision: Math.max(Date.now(), (before?.revision ?? 0) + 1),
    };
    await this.documents.put(StoredFailures.collection, [{ key, ...failure }]);
    return { householdId, ...failure };
  }

  /**
   * Removes a failure, but none that came later.
   * @returns the later one, or null where the household fails no more
   * @throws DocumentsUnavailable
   */
  async remove({ householdId, revision }: StoredFailure): Promise<StoredFailure | null> {
    const key = StoredFailures.keyOf(householdId);
    if (await this.documents.remove(StoredFailures.collection, key, revision)) return null;
    const later = await this.documents.get(StoredFailures.collection, key);
    return later && failureOf(later);
  }
}

function failureOf({ key, revision, error, since, upTo = -1 }: FailureDocument): StoredFailure {
  return { householdId: key.slice(StoredFailures.keyOf('').length), error, since, revision, upTo };
}

/** Why a household fails, in a short sentence that quotes no user. */
function reasonOf(error: unknown): string {
  const sentence = toldOf(error);
  return sentence.length > REASON_LENGTH_MAX ? `${sentence.slice(0, REASON_LENGTH_MAX)}…` : sentence;
}

/** Households that are tried again at the same time: each is read from its stream, beside all other work. */
const RETRIES_AT_ONCE = 4;

/** How long what failed waits before the next try, in milliseconds. */
export const RETRY_FIRST_MS = 500;
export const RETRY_MAX_MS = 30_000;

/** How often it is looked what is due. */
const LOOK_EVERY_MS = RETRY_FIRST_MS / 2;

/** A household that is left to its next try. */
interface Kept {
  failure: StoredFailure;
  /** In a row, 1 after the first. */
  failures: number;
  /** When it is tried again, by `performance.now`. */
  dueAt: number;
  /** The last revision that was left out, as the try is to apply it. */
  leftOut: number;
}

/**
 * Tries households whose events cannot be applied again, with backoff, until it goes. The checkpoint passes their events,
 * so only the next try applies them: a household is given back to the host in the same step in which it is certain that
 * nothing left out is missing, and what is stored goes afterwards, unless the household fails again meanwhile.
 */
export class FailingHouseholds {
  private readonly kept = new Map<string, Kept>();
  private readonly stored: StoredFailures;
  private isOurs: (householdId: string) => boolean = () => false;
  private stopped = false;
  private readonly endTries = repeatedly(() => this.tryDue(), LOOK_EVERY_MS);

  constructor(
    documents: Documents,
    private readonly streams: Pick<LiveStreams, 'forget' | 'catchUp'>,
    private readonly log: BackgroundLog,
  ) {
    this.stored = new StoredFailures(documents);
  }

  /** Whether events of a household, up to a revision, are to be left out: then the next try applies them. */
  leavesOut(householdId: string, revision: number): boolean {
    const kept = this.kept.get(householdId);
    if (!kept) return false;
    kept.leftOut = Math.max(kept.leftOut, revision);
    return true;
  }

  /** Those of this process. */
  list(): FailingHousehold[] {
    return [...this.kept.values()].map(({ failure }) => failure);
  }

  /** Goes on with those that are this process's now, as they are stored. @throws DocumentsUnavailable */
  async resume(isOurs: (householdId: string) => boolean): Promise<void> {
    this.isOurs = isOurs;
    for (const householdId of this.kept.keys()) if (!isOurs(householdId)) this.kept.delete(householdId);
    for await (const page of this.stored.pages()) {
      for (const failure of page) if (isOurs(failure.householdId)) this.keep(failure);
    }
  }

  /** Stores why a household stops. @param revision of the last event that could not be applied. @throws DocumentsUnavailable */
  async add(householdId: string, revision: number, error: unknown): Promise<void> {
    const failure = await this.stored.put(householdId, revision, error);
    this.logFailure(householdId, error);
    this.keep(failure);
  }

  stop(): void {
    this.stopped = true;
    this.endTries();
  }

  private logFailure(household: string, error: unknown): void {
    const fields = { household, error: loggedOf(error) };
    this.log.error(fields, 'cannot project a household; it is retried, and other households go on');
  }

  private keep(failure: StoredFailure, failures = 1): void {
    const { householdId, upTo } = failure;
    const leftOut = Math.max(upTo, this.kept.get(householdId)?.leftOut ?? upTo);
    const dueAt = performance.now() + backoffMs(failures, RETRY_FIRST_MS, RETRY_MAX_MS);
    this.kept.set(householdId, { failure, failures, dueAt, leftOut });
  }

  /** However many are due, few are tried at once. */
  private async tryDue(): Promise<void> {
    const now = performance.now();
    const due = new Map([...this.kept].filter(([, { dueAt }]) => dueAt <= now));
    const isStopped = (): boolean => this.stopped;
    await workOnHouseholds(due, RETRIES_AT_ONCE, isStopped, (_, kept) => this.tryOne(kept));
  }

  private async tryOne(kept: Kept): Promise<void> {
    const { failure, failures } = kept;
    const { householdId } = failure;
    // Meanwhile it may have become another process's.
    if (this.kept.get(householdId) !== kept) return;
    try {
      this.streams.forget(householdId);
      const { revision } = await this.streams.catchUp(householdId);
      if (this.kept.get(householdId) !== kept) return;
      if (revision < kept.leftOut) return this.keep(failure, failures + 1);
      this.kept.delete(householdId);
      const later = await this.stored.remove(failure);
      if (!later) this.log.info({ household: householdId }, 'a household is projected again');
      else if (this.isOurs(householdId) && !this.kept.has(householdId)) this.keep(later);
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
}
