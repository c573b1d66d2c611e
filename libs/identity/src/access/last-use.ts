import { Injectable, type BeforeApplicationShutdown } from '@nestjs/common';
import { Documents, type Collection, type Document } from '#storage/documents/documents';
import { LAST_USE_WRITTEN_EVERY_MS } from '../sessions/sessions.js';

/** The most records whose last use waits to be written; over it, a later request writes it. */
export const LAST_USES_WAITING_MAX = 10_000;
/** How many of them are written at once. */
const WRITES_AT_ONCE = 4;

/**
 * Writes down when sessions and tokens were last used, behind the requests: no request waits for it, a record is
 * written at most once a minute, and a store that is slow or away loses last uses, never requests.
 */
@Injectable()
export class LastUse implements BeforeApplicationShutdown {
  /** Writes that nobody has begun, by record. */
  private readonly waiting = new Map<string, () => Promise<unknown>>();
  /** Records whose write is under way. */
  private readonly writing = new Set<string>();
  private readonly writers = new Set<Promise<void>>();

  constructor(private readonly documents: Documents) {}

  /**
   * @param record as authentication read it
   * @param lastUsedAt when it was last used by what it says itself; null for never
   * @param used the record as this use leaves it
   */
  note<T extends Document>(
    collection: Collection<T>,
    record: T,
    lastUsedAt: number | null,
    now: number,
    used: (record: T) => T,
  ): void {
    // In either direction: a clock that was set back must not keep a time of the future.
    if (lastUsedAt !== null && Math.abs(now - lastUsedAt) < LAST_USE_WRITTEN_EVERY_MS) return;
    const key = `${collection.name}|${record.key}`;
    if (this.waiting.has(key) || this.writing.has(key) || this.waiting.size >= LAST_USES_WAITING_MAX) return;
    // At the revision that was read: a record that was removed or changed meanwhile stays as it is.
    this.waiting.set(key, () => this.documents.replace(collection, used(record), record.revision));
    if (this.writers.size < WRITES_AT_ONCE) this.startWriter();
  }

  /** Resolves when nothing waits. */
  async flush(): Promise<void> {
    while (this.writers.size > 0) await Promise.all(this.writers);
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.flush();
  }

  private startWriter(): void {
    const writer = this.writeAll().finally(() => this.writers.delete(writer));
    this.writers.add(writer);
  }

  private async writeAll(): Promise<void> {
    for (const [key, write] of this.waiting) {
      this.waiting.delete(key);
      this.writing.add(key);
      // Lost when the store is away; the next use writes a later time anyway.
      await write().catch(() => undefined);
      this.writing.delete(key);
    }
  }
}
