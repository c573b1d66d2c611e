import type { Collection, Document, Documents } from '#documents/documents';
import type { LiveStreams } from '#streams/generations/live-streams';
import { isUnavailable, sentenceOf } from '#streams/store-failures';

/** Failing households that one process keeps trying. */
const FAILING_HOUSEHOLDS_MAX = 10_000;

const RETRY_FIRST_MS = 500;
const RETRY_MAX_MS = 30_000;

/** Where projections tell operators what they do. */
export interface ProjectionLog {
  info(message: string, fields: object): void;
  error(message: string, fields: object): void;
}

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

  private readonly failing = new Map<string, FailingHousehold & { retry: NodeJS.Timeout; wait: number }>();
  private stopped = false;

  constructor(
    private readonly documents: Documents,
    private readonly streams: Pick<LiveStreams, 'forget' | 'catchUp'>,
    private readonly log: ProjectionLog,
    /** As that of the projections' checkpoints. */
    private readonly name: string,
  ) {}

  has(householdId: string): boolean {
    return this.failing.has(householdId);
  }

  list(): FailingHousehold[] {
    return [...this.failing.values()].map(({ householdId, error, since }) => ({ householdId, error, since }));
  }

  /** Goes on with those that are this process's now, as they are stored. @throws DocumentsUnavailable */
  async resume(isOurs: (householdId: string) => boolean): Promise<void> {
    for (const [householdId, { retry }] of this.failing) {
      if (isOurs(householdId)) continue;
      clearTimeout(retry);
      this.failing.delete(householdId);
    }
    const range = { from: `${this.name}|`, before: `${this.name}}`, limit: FAILING_HOUSEHOLDS_MAX };
    for (const { key, error, since } of await this.documents.range(FailingHouseholds.collection, range)) {
      const householdId = key.slice(this.name.length + 1);
      if (isOurs(householdId)) this.keepTrying({ householdId, error, since });
    }
  }

  /** Stores why a household stops, and tells the log. @throws DocumentsUnavailable */
  async add(householdId: string, error: unknown): Promise<void> {
    const failure = { householdId, error: sentenceOf(error), since: new Date().toISOString() };
    await this.documents.put(FailingHouseholds.collection, [
      { key: this.keyOf(householdId), revision: Date.now(), error: failure.error, since: failure.since },
    ]);
    this.log.error('a household cannot be projected; it stops alone and is tried again', {
      household: householdId,
      error: failure.error,
    });
    this.keepTrying(failure);
  }

  /** Tries none any more. */
  stop(): void {
    this.stopped = true;
    for (const { retry } of this.failing.values()) clearTimeout(retry);
  }

  private keyOf(householdId: string): string {
    return `${this.name}|${householdId}`;
  }

  private keepTrying(failure: FailingHousehold, wait: number = RETRY_FIRST_MS): void {
    const previous = this.failing.get(failure.householdId);
    if (previous) clearTimeout(previous.retry);
    const retry = setTimeout(() => void this.tryAgain(failure, wait), wait);
    retry.unref();
    this.failing.set(failure.householdId, { ...failure, retry, wait });
  }

  private async tryAgain(failure: FailingHousehold, wait: number): Promise<void> {
    if (this.stopped) return;
    const { householdId } = failure;
    try {
      this.streams.forget(householdId);
      await this.streams.catchUp(householdId);
      await this.documents.remove(FailingHouseholds.collection, this.keyOf(householdId));
      this.failing.delete(householdId);
      this.log.info('a household is projected again', { household: householdId });
    } catch (error) {
      const latest = isUnavailable(error) ? failure.error : sentenceOf(error);
      this.keepTrying({ ...failure, error: latest }, Math.min(wait * 2, RETRY_MAX_MS));
    }
  }
}
