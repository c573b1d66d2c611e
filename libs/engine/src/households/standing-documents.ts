import { repeatedly } from '#concurrency/repeatedly';
import { Turns } from '#concurrency/turns';
import type { Collection, Document, Documents } from '#storage/documents/documents';
import { insertIfAbsent } from '#storage/documents/insert-if-absent';

/** Tells which documents of others stand still: those at the same revision for long enough, by this process's own clock. */
export class StandingDocuments {
  private seen = new Map<string, { readonly revision: number; readonly at: number }>();

  /**
   * @param lapsesMs a document that did not move for longer than this, in milliseconds, stands still
   * @param now milliseconds of this process's own time
   */
  constructor(
    private readonly lapsesMs: number,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** Those that stand still. @param documents all that are watched: others are forgotten */
  stale<T extends Document>(documents: readonly T[]): Set<T> {
    const now = this.now();
    const former = this.seen;
    this.seen = new Map();
    const stale = new Set<T>();
    for (const document of documents) {
      const { key, revision } = document;
      const known = former.get(key);
      const at = known?.revision === revision ? known.at : now;
      this.seen.set(key, { revision, at });
      if (now - at > this.lapsesMs) stale.add(document);
    }
    return stale;
  }
}

/** How often a process moves a document that it holds. */
const RENEW_MS = 1_000;
/** A process that could not move it for this long stops, by its own clock: before another one takes over. */
const HELD_MS = 3_000;
/** A document that stood still for this long is taken over, by the watcher's own clock. */
export const TAKEN_OVER_MS = 6_000;

/** A document that this process moves while it works on something. It only says who works: writes must be guarded as well. */
export class HeldDocument<T extends Document> {
  private readonly endRenewals: () => void;
  private readonly renewals = new Turns();
  private renewedAt = performance.now();
  private lost = false;

  private constructor(
    private readonly documents: Documents,
    private readonly collection: Collection<T>,
    private held: T,
    private readonly stamp: () => Partial<T>,
  ) {
    this.endRenewals = repeatedly(() => this.renew(), RENEW_MS);
  }

  /**
   * Takes a document over from the process that held it before.
   * @param former as it was read; null where there was none
   * @param stamp what each renewal sets
   * @returns null when another process was faster
   * @throws DocumentsUnavailable
   */
  static async take<T extends Document>(
    documents: Documents,
    collection: Collection<T>,
    former: T | null,
    mine: T,
    stamp: () => Partial<T> = () => ({}),
  ): Promise<HeldDocument<T> | null> {
    const taken = former
      ? await documents.replace(collection, mine, former.revision)
      : await insertIfAbsent(documents, collection, mine);
    return taken ? new HeldDocument(documents, collection, mine, stamp) : null;
  }

  get current(): T {
    return this.held;
  }

  /** Whether no other process can have taken it over. */
  isHeld(): boolean {
    return !this.lost && performance.now() - this.renewedAt <= HELD_MS;
  }

  /** Changes what the next renewal writes. */
  advance(change: Partial<T>): void {
    this.held = { ...this.held, ...change };
  }

  /** Writes it for the last time. @returns false where another process has taken it over. @throws DocumentsUnavailable */
  async end(change: Partial<T>): Promise<boolean> {
    this.advance(change);
    await this.stop();
    return this.renew();
  }

  /** Stops without a last word: another process can go on. */
  async stop(): Promise<void> {
    this.endRenewals();
    await this.renewals.ended();
  }

  private renew(): Promise<boolean> {
    return this.renewals.take(async () => {
      if (this.lost) return false;
      const begun = performance.now();
      const { revision } = this.held;
      const moved = { ...this.stamp(), revision: revision + 1 };
      this.lost = !(await this.documents.replace(this.collection, { ...this.held, ...moved }, revision));
      // What was changed meanwhile is for the next renewal.
      this.held = { ...this.held, ...moved };
      this.renewedAt = begun;
      return !this.lost;
    });
  }
}
