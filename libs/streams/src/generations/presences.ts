import { EVERY_KEY } from '#documents/declared';
import type { Collection, Document, Documents } from '#documents/documents';
import { StandingDocuments } from '../standing-documents.js';

/** A process that acts by the pointer. Renewed with every look at it. */
export interface PresenceDocument extends Document {
  /** Unique to the process. */
  readonly key: string;
  /** The revision of the pointer that it acts by; -1 before the first look. */
  readonly pointer: number;
}

/** How often every process looks at the pointer and says that it is there. */
export const PRESENCE_MS = 1_000;

/**
 * A process that could not look for this long, by its own clock, serves no household until it has looked again. Less
 * than `PRESENCE_LAPSES_MS`, so that it stops before anybody goes on without it; and long enough that a busy machine
 * or a slow store makes nobody stop.
 */
export const UNCONFIRMED_MS = 10_000;

/** A process whose presence stood still for this long, by the watcher's own clock, is not waited for any more. */
export const PRESENCE_LAPSES_MS = 15_000;

/** The most processes that act on one set of stores. */
const PRESENCES_MAX = 10_000;

export const PRESENCES: Collection<PresenceDocument> = {
  name: 'read_model_presences',
  durability: 'derived',
  indexes: [],
};

/** Sees which processes are there, by whether their presence moves; no clock of another machine is looked at. */
export class PresenceObserver {
  private readonly presences = new StandingDocuments(PRESENCE_LAPSES_MS);

  constructor(
    private readonly documents: Documents,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /**
   * The processes that are there, as far as is known, and act by an older pointer. Those whose presence lapsed
   * are taken off the list.
   * @throws DocumentsUnavailable
   */
  async behind(pointer: number): Promise<readonly string[]> {
    const found = await this.documents.range(PRESENCES, { ...EVERY_KEY, limit: PRESENCES_MAX });
    const older = found.filter(presence => presence.pointer < pointer);
    const stale = this.presences.stale(older, this.now());
    for (const { key, revision } of stale) await this.documents.remove(PRESENCES, key, revision);
    return older.filter(presence => !stale.has(presence)).map(({ key }) => key);
  }
}
