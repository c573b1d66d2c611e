import { randomBytes } from 'node:crypto';
import { MongoServerError, type Collection } from 'mongodb';
import { DocumentsUnavailable, type Document } from '../documents/documents.js';
import {
  duplicateKey,
  expiredInPlace,
  unexpired,
  writingOf,
  type CollectionLayout,
} from './collection-layout.js';
import { duplicatedIndex, KEY_INDEX } from './failures.js';
import type { Attempt, MongoConnection } from './mongo-connection.js';
import type { StoredDocument } from './stored-document.js';

/** Where a conditional write goes to. */
export interface Target {
  readonly connection: MongoConnection;
  readonly layout: CollectionLayout;
  readonly now: () => number;
}

const MARK_BYTES = 12;

/** @throws DocumentsUnavailable, also where it stays unclear whether this call removed the document */
export async function removeDocument(
  { connection, layout, now }: Target,
  key: string,
  expected: number | undefined,
): Promise<boolean> {
  const revision = expected === undefined ? {} : { revision: expected };
  return connection.run(async ({ options, repeated }) => {
    const collection = connection.db.collection<StoredDocument>(layout.name);
    const { deletedCount } = await collection.deleteOne(
      { _id: key, ...revision, ...unexpired(now()) },
      options,
    );
    if (deletedCount === 0 && repeated) throw outcomeUnclear(connection);
    return deletedCount > 0;
  });
}

/**
 * A write that carries a mark of its own. When an attempt fails without telling its outcome, it is made again;
 * where that finds the way barred, the mark shows if the first one had come through.
 */
export class MarkedWrite {
  private readonly stored: StoredDocument;
  private readonly mark = randomBytes(MARK_BYTES).toString('base64url');

  constructor(
    private readonly target: Target,
    private readonly document: Document,
  ) {
    this.stored = { ...writingOf(target.layout, document).stored, _write: this.mark };
  }

  /** @throws DuplicateKey, DocumentsUnavailable */
  insert(): Promise<void> {
    return this.target.connection.run(async attempt => {
      const isInserted = await this.unlessDuplicate(this.upsert(attempt));
      if (isInserted || (await this.cameThroughBefore(attempt))) return;
      throw duplicateKey(this.target.layout, KEY_INDEX);
    });
  }

  /** @throws DuplicateKey, DocumentsUnavailable */
  replace(expected: number): Promise<boolean> {
    return this.target.connection.run(async attempt => {
      const filter = { _id: this.document.key, revision: expected, ...unexpired(this.target.now()) };
      const written = this.collection().replaceOne(filter, this.stored, attempt.options);
      const isReplaced = await this.unlessDuplicate(written.then(({ matchedCount }) => matchedCount > 0));
      return isReplaced || this.cameThroughBefore(attempt);
    });
  }

  /** Decided by the server in one step; an expired document counts for none. */
  private async upsert({ options }: Attempt): Promise<boolean> {
    const isVacant = {
      $or: [{ $eq: [{ $type: '$revision' }, 'missing'] }, expiredInPlace(this.target.now())],
    };
    const written = await this.collection().updateOne(
      { _id: this.document.key },
      [{ $replaceWith: { $cond: [isVacant, { $literal: this.stored }, '$$ROOT'] } }],
      { ...options, upsert: true },
    );
    return written.upsertedCount + written.modifiedCount > 0;
  }

  /** False also where another document of the key was made at the same time. @throws DuplicateKey of a declared index */
  private async unlessDuplicate(write: Promise<boolean>): Promise<boolean> {
    try {
      return await write;
    } catch (error) {
      const index = error instanceof MongoServerError ? duplicatedIndex(error) : null;
      if (index === null) throw error;
      if (index === KEY_INDEX) return false;
      throw duplicateKey(this.target.layout, index);
    }
  }

  /**
   * Whether an earlier attempt of this write had succeeded, and a majority has it.
   * @throws DocumentsUnavailable where it may have, and another write came after it
   */
  private async cameThroughBefore({ options, repeated }: Attempt): Promise<boolean> {
    if (!repeated) return false;
    const filter = { _id: this.document.key, _write: this.mark };
    // A write that changes nothing, since a read could not wait for the majority.
    const { matchedCount } = await this.collection().updateOne(
      filter,
      { $set: { _write: this.mark } },
      options,
    );
    if (matchedCount === 0) throw outcomeUnclear(this.target.connection);
    return true;
  }

  private collection(): Collection<StoredDocument> {
    return this.target.connection.db.collection<StoredDocument>(this.target.layout.name);
  }
}

function outcomeUnclear({ where }: MongoConnection): DocumentsUnavailable {
  return new DocumentsUnavailable(`MongoDB at ${where} did not confirm whether it carried out a write.`);
}
