import type { Collection, Document, Documents } from '#documents/documents';
import type { LiveStreams } from '#streams/generations/live-streams';
import { isUnavailable, sentenceOf } from '#streams/store-failures';
import type { BackgroundLog } from './background-log.js';
import { longerWait, RETRY_FIRST_MS } from './retry-wait.js';

/** Failing households that one process keeps trying. */
const FAILING_HOUSEHOLDS_MAX = 10_000;

/** A household whose events cannot be applied. It is tried again, also after a restart. */
interface FailureDocument extends Document {
  readonly error: string;
  readonly since: string;
}

export interface FailingHousehold {
  readonly householdId: string;
  readonly error: string;
  readonly since: string;
}

/**
 * The households whose events cannot be applied. Each stops alone, is kept in the documents, and is tried again with
 * backoff until it goes.
 */
export class FailingHouseholds {
  static readonly collection: Collection<FailureDocument> = {
    name: 'projection_failures',
    durability: 'derived',
    indexes: [],
  };

  private readonly failing = new Map<
    string,
    { readonly failure: FailingHousehold; readonly retry: NodeJS.Timeout }
  >();
  private stopped = false;

  constructor(
    private readonly documents: Documents,
    private readonly streams: Pick<LiveStreams, 'forget' | 'catchUp'>,
    private readonly log: BackgroundLog,
    /** As that of the projections' checkpoints. */
    private readonly name: string,
  ) {}

  /** Of a household under the name of its projections' checkpoints. */
  static keyOf(name: string, householdId: string): string {
    return `${name}|${householdId}`;
  }

  /** Those that are kept under a name, at most so many. @throws DocumentsUnavailable */
  static async stored(documents: Documents, name: string, limit: number): Promise<FailingHousehold[]> {
    const range = { from: `${name}|`, before: `${name}}`, limit };
    const found = await documents.range(FailingHouseholds.collection, range);
    return found.map(({ key, error, since }) => ({ householdId: key.slice(name.length + 1), error, since }));
  }

  has(householdId: string): boolean {
    return this.failing.has(householdId);
  }

  list(): FailingHousehold[] {
    return [...this.failing.values()].map(({ failure }) => failure);
  }

  /** Goes on with those that are this process's now, as they are stored. @throws DocumentsUnavailable */
  async resume(isOurs: (householdId: string) => boolean): Promise<void> {
    for (const [householdId, { retry }] of this.failing) {
      if (isOurs(householdId)) continue;
      clearTimeout(retry);
      this.failing.delete(householdId);
    }
    for (const failure of await FailingHouseholds.stored(this.documents, this.name, FAILING_HOUSEHOLDS_MAX)) {
      if (isOurs(failure.householdId)) this.keepTrying(failure);
    }
  }

  /** Stores why a household stops, and tells the log. @throws DocumentsUnavailable */
  async add(householdId: string, error: unknown): Promise<void> {
    const failure = { error: sentenceOf(error), since: new Date().toISOString() };
    const key = FailingHouseholds.keyOf(this.name, householdId);
    await this.documents.put(FailingHouseholds.collection, [{ key, revision: Date.now(), ...failure }]);
    this.log.error('a household cannot be projected; it stops alone and is tried again', {
      household: householdId,
      error: failure.error,
    });
    this.keepTrying({ householdId, ...failure });
  }

  /** Tries none any more. */
  stop(): void {
    this.stopped = true;
    for (const { retry } of this.failing.values()) clearTimeout(retry);
  }

  private keepTrying(failure: FailingHousehold, wait: number = RETRY_FIRST_MS): void {
    const previous = this.failing.get(failure.householdId);
    if (previous) clearTimeout(previous.retry);
    const retry = setTimeout(() => void this.tryAgain(failure, wait), wait);
    retry.unref();
    this.failing.set(failure.householdId, { failure, retry });
  }

  private async tryAgain(failure: FailingHousehold, wait: number): Promise<void> {
    if (this.stopped) return;
    const { householdId } = failure;
    try {
      this.streams.forget(householdId);
      await this.streams.catchUp(householdId);
      await this.documents.remove(
        FailingHouseholds.collection,
        FailingHouseholds.keyOf(this.name, householdId),
      );
      this.failing.delete(householdId);
      this.log.info('a household is projected again', { household: householdId });
    } catch (error) {
      const latest = isUnavailable(error) ? failure.error : sentenceOf(error);
      this.keepTrying({ ...failure, error: latest }, longerWait(wait));
    }
  }
}
