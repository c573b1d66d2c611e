import { EVERY_KEY } from '#storage/documents/declared';
import type { Collection, Document, Documents } from '#storage/documents/documents';
import { StandingDocuments } from '../households/standing-documents.js';

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

/** Sees which processes are alive, by whether their heartbeats move; it reads no clock of another machine. */
export class HeartbeatObserver {
  private readonly standing = new StandingDocuments(HEARTBEAT_LAPSES_MS);

  constructor(
    private readonly documents: Documents,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /**
   * The living processes that act by an older revision. Heartbeats that lapsed are removed.
   * @throws DocumentsUnavailable
   */
  async behind(revision: number): Promise<readonly string[]> {
    const found = await this.documents.range(HEARTBEATS, { ...EVERY_KEY, limit: PROCESSES_MAX });
    const older = found.filter(heartbeat => heartbeat.actsBy < revision);
    const stale = this.standing.stale(older, this.now());
    for (const { key, revision: beat } of stale) await this.documents.remove(HEARTBEATS, key, beat);
    return older.filter(heartbeat => !stale.has(heartbeat)).map(({ key }) => key);
  }
}
