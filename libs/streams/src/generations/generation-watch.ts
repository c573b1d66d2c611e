import type { Documents } from '#documents/documents';
import { Turns } from '#concurrency/turns';
import { collectionsOf, readModelsOf, type Generations } from '../read-models.js';
import { snapshotCollections, type SnapshotCollections } from '../snapshots.js';
import { readPointer, type GenerationPointer, type WrittenBeside } from './generation-pointer.js';
import { PRESENCE_MS, PRESENCES, UNCONFIRMED_MS } from './presences.js';
import { repeatedly } from '../repeatedly.js';
import { loggedOf } from '../store-failures.js';

/** This process does not know for sure which read models are live: it must not answer from any. */
export class ReadModelsUnconfirmed extends Error {
  override readonly name = 'ReadModelsUnconfirmed';
  /** Read by the HTTP layer: this failure answers `503 unavailable`. */
  readonly unavailable = true;
}

interface WatchLog {
  info(message: string, fields: object): void;
  error(message: string, fields: object): void;
}

interface WatchOptions {
  /** Unique to this process. */
  readonly owner: string;
  /** Whether other processes work on the same documents. If not, whoever changes the pointer calls `look`. */
  readonly shared: boolean;
  readonly log: WatchLog;
  readonly now?: () => number;
}

/**
 * Knows the pointer by which this process acts, and tells the others by which one that is. A process that could
 * not look for `UNCONFIRMED_MS` serves nothing until it has: by then the others may have gone on without it.
 */
export class GenerationWatch {
  private pointer: GenerationPointer | null = null;
  private confirmedAt = -Infinity;
  private heartbeat = 0;
  private endLooks: (() => void) | null = null;
  private readonly looks = new Turns();
  private failing = false;
  private readonly now: () => number;
  private oldestPointer: () => number | null = () => null;

  constructor(
    private readonly documents: Documents,
    private readonly options: WatchOptions,
  ) {
    this.now = options.now ?? (() => performance.now());
  }

  /**
   * Looks for the first time; from then on by itself.
   * @param oldestPointer the oldest pointer that work under way began by; null for none
   * @throws DocumentsUnavailable
   */
  async start(oldestPointer: () => number | null): Promise<void> {
    this.oldestPointer = oldestPointer;
    await this.look();
    if (this.options.shared) this.endLooks ??= repeatedly(() => this.lookAgain(), PRESENCE_MS);
  }

  /** Ends looking, and says that this process is not there any more. */
  async stop(): Promise<void> {
    this.endLooks?.();
    this.endLooks = null;
    await this.looks.ended();
    if (this.options.shared) {
      await this.documents.remove(PRESENCES, this.options.owner).catch(() => undefined);
    }
  }

  /** What this process acts by. @throws ReadModelsUnconfirmed */
  current(): GenerationPointer {
    if (this.pointer === null || this.unconfirmedMs() > UNCONFIRMED_MS) {
      throw new ReadModelsUnconfirmed('This process does not know which read models are live.');
    }
    return this.pointer;
  }

  /** The oldest pointer that anything in this process still acts by; -1 before the first. */
  actedRevision(): number {
    const present = this.pointer?.revision ?? -1;
    return Math.min(present, this.oldestPointer() ?? present);
  }

  /** How long ago this process last made sure of the pointer, in milliseconds. */
  unconfirmedMs(): number {
    if (this.pointer === null) return Infinity;
    return this.options.shared ? this.now() - this.confirmedAt : 0;
  }

  /**
   * Whether what was read by an earlier pointer is still what was answered to everybody: the sets that it read
   * are written up to now.
   * @throws ReadModelsUnconfirmed
   */
  confirm(earlier: GenerationPointer): void {
    const present = this.current();
    if (present === earlier) return;
    const written = setsOf(present);
    if (present.beside?.complete) written.push(present.beside.generations);
    const keys = new Set(written.map(signatureOf));
    if (setsOf(earlier).every(set => keys.has(signatureOf(set)))) return;
    throw new ReadModelsUnconfirmed('The read models were replaced during the request.');
  }

  /** Looks at the pointer now and acts by it. @throws DocumentsUnavailable */
  look(): Promise<void> {
    return this.looks.take(() => this.lookNow());
  }

  private async lookAgain(): Promise<void> {
    try {
      await this.look();
      this.failing = false;
    } catch (error) {
      if (this.failing) return;
      this.failing = true;
      this.options.log.error('cannot determine which read models are live', {
        error: loggedOf(error),
      });
    }
  }

  private async lookNow(): Promise<void> {
    const begun = this.now();
    const known = this.pointer?.revision ?? -1;
    // Before the look: whoever changes the pointer afterwards sees that this process is there.
    await this.tell();
    const found = await readPointer(this.documents);
    if (found.revision !== known) {
      await this.documents.ensure(collectionsActedOn(found));
    }
    if (found.revision !== known) {
      if (known >= 0) this.options.log.info('using other read models', { pointer: found.revision });
      this.pointer = found;
      await this.tell();
    }
    this.confirmedAt = begun;
  }

  private async tell(): Promise<void> {
    if (!this.options.shared) return;
    this.heartbeat = Math.max(this.heartbeat + 1, Date.now());
    const presence = { key: this.options.owner, revision: this.heartbeat, pointer: this.actedRevision() };
    await this.documents.put(PRESENCES, [presence]);
  }
}

/** The sets that queries read. */
function setsOf({ live, diverted }: GenerationPointer): Generations[] {
  return diverted ? [live, diverted.generations] : [live];
}

/** One text for equal sets. */
function signatureOf(generations: Generations): string {
  return JSON.stringify(generations);
}

/** Where the snapshots are that a set is made with. */
export function snapshotsOf({
  snapshots,
}: Pick<WrittenBeside, 'snapshots'>): SnapshotCollections | undefined {
  return snapshots === null ? undefined : snapshotCollections(`_g${snapshots}`);
}

function collectionsActedOn(pointer: GenerationPointer) {
  const sets = setsOf(pointer);
  if (pointer.beside) sets.push(pointer.beside.generations);
  const unique = new Map(
    sets.flatMap(set => collectionsOf(readModelsOf(set))).map(collection => [collection.name, collection]),
  );
  const snapshots = pointer.beside ? snapshotsOf(pointer.beside) : undefined;
  for (const collection of Object.values(snapshots ?? {})) unique.set(collection.name, collection);
  return [...unique.values()];
}
