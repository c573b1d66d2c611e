import type { Document } from '#storage/documents/documents';

/**
 * Tells by their revisions which documents of others do not move any more. No clock of another machine is looked at:
 * a document stands still when this process has seen it at the same revision for long enough.
 */
export class StandingDocuments {
  private seen = new Map<string, { readonly revision: number; readonly at: number }>();

  /** @param lapsesMs a document that did not move for longer than this, in milliseconds, stands still */
  constructor(private readonly lapsesMs: number) {}

  /**
   * @param documents all that are watched: others are forgotten
   * @param now milliseconds of this process's own time
   * @returns those that stand still since they were first seen so
   */
  stale<T extends Document>(documents: readonly T[], now: number): Set<T> {
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
