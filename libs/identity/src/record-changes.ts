import { Injectable } from '@nestjs/common';
import { KeyedQueue } from '#concurrency/turns';
import { Documents, type Collection, type Document } from '#storage/documents/documents';
import { insertIfAbsent } from '#storage/documents/insert-if-absent';
import { ApiError } from '#http/api-error';

/** What becomes of a record, and what the caller gets. */
interface Change<T extends Document, R> {
  /** The content to store, its revision being set here. Absent: the record stays as it is. */
  readonly next?: T;
  readonly result: R;
}

/** How often a change is decided again after other instances were faster. */
export const CHANGE_ATTEMPTS_MAX = 8;

/** Conditional updates of single records. Those of one record wait for each other, so only other instances race. */
@Injectable()
export class RecordChanges {
  private readonly queue = new KeyedQueue((_error): _error is Error => false);

  constructor(private readonly documents: Documents) {}

  /**
   * @param decide may be called several times; gets the present record, or null if it does not exist
   * @throws ApiError `conflict` after `CHANGE_ATTEMPTS_MAX` lost races, DuplicateKey for a unique index,
   *   DocumentsUnavailable, and whatever `decide` throws
   */
  async change<T extends Document, R>(
    collection: Collection<T>,
    key: string,
    decide: (current: T | null) => Change<T, R> | Promise<Change<T, R>>,
  ): Promise<R> {
    return this.inTurn(`${collection.name}|${key}`, async () => {
      for (let attempt = 1; attempt <= CHANGE_ATTEMPTS_MAX; attempt += 1) {
        const current = await this.documents.get(collection, key);
        const { next, result } = await decide(current);
        if (next === undefined || (await this.write(collection, current, next))) return result;
      }
      throw new ApiError('conflict');
    });
  }

  /** Does work when all work of that key before has ended in this process. @throws what the work throws */
  inTurn<R>(key: string, work: () => Promise<R>): Promise<R> {
    return this.queue.run(key, work);
  }

  /** @returns false after a lost race */
  private write<T extends Document>(collection: Collection<T>, current: T | null, next: T): Promise<boolean> {
    const document = { ...next, revision: (current?.revision ?? 0) + 1 };
    if (current === null) return insertIfAbsent(this.documents, collection, document);
    return this.documents.replace(collection, document, current.revision);
  }
}

/** How many documents are looked for at once. */
const REMOVED_AT_ONCE = 500;

/** Removes every document that an index finds. May be repeated. @throws DocumentsUnavailable */
export async function removeFound<T extends Document>(
  documents: Documents,
  collection: Collection<T>,
  index: string,
  equals: Readonly<Record<string, string>>,
): Promise<void> {
  for (;;) {
    const found = await documents.query(collection, { index, equals, limit: REMOVED_AT_ONCE });
    if (found.length === 0) return;
    await Promise.all(found.map(({ key }) => documents.remove(collection, key)));
  }
}
