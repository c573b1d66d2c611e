import type { Db } from 'mongodb';
import { duplicateKey, expiredInPlace, type CollectionLayout, type Writing } from './collection-layout.js';
import { duplicatedIndex, KEY_INDEX, WriteFailed } from './failures.js';
import { WRITE_CONCERN, type Attempt, type MongoConnection } from './mongo-connection.js';

/** The most that one command writes. */
export const DOCUMENTS_PER_COMMAND = 1_000;
const BYTES_PER_COMMAND = 8 * 1_024 * 1_024;
/**
 * From this many documents on, a batch asks first which of them are there: those that are not can be inserted at a
 * fraction of what a guarded write costs the server. Smaller ones make do with one round trip.
 */
export const SORTED_DOCUMENTS_MIN = 48;

/**
 * Writes each document unless the stored one has the same or a greater revision, and is not expired. May be
 * repeated, and may come late.
 * @throws DuplicateKey, DocumentsUnavailable
 */
export async function putDocuments(
  connection: MongoConnection,
  layout: CollectionLayout,
  writings: readonly Writing[],
  now: () => number,
  deadlineMs?: number,
): Promise<void> {
  for (const batch of batches(newestOfEach(writings))) {
    await connection.run(
      attempt => putBatch(new Batch(connection.db, layout, attempt, now), batch),
      deadlineMs,
    );
  }
}

/** Of several documents of one key the one of the greatest revision; the first where several have that. */
function newestOfEach(writings: readonly Writing[]): Writing[] {
  const newest = new Map<string, Writing>();
  for (const writing of writings) {
    const other = newest.get(writing.document.key);
    if (other === undefined || other.document.revision < writing.document.revision) {
      newest.set(writing.document.key, writing);
    }
  }
  return [...newest.values()];
}

function* batches(writings: readonly Writing[]): Generator<Writing[]> {
  let batch: Writing[] = [];
  let bytes = 0;
  for (const writing of writings) {
    if (
      batch.length === DOCUMENTS_PER_COMMAND ||
      (batch.length > 0 && bytes + writing.bytes > BYTES_PER_COMMAND)
    ) {
      yield batch;
      batch = [];
      bytes = 0;
    }
    batch.push(writing);
    bytes += writing.bytes;
  }
  if (batch.length > 0) yield batch;
}

async function putBatch(batch: Batch, writings: readonly Writing[]): Promise<void> {
  let left = writings;
  if (writings.length >= SORTED_DOCUMENTS_MIN) {
    const known = await batch.keysThatExist(writings);
    const [older, fresh] = [true, false].map(isKnown =>
      writings.filter(({ document }) => known.has(document.key) === isKnown),
    );
    const collided = await Promise.all([batch.insert(fresh ?? []), batch.replaceOlder(older ?? [])]);
    left = collided.flat();
  }
  while (left.length > 0) left = await batch.replaceOlder(left);
}

/** The commands of one attempt to put documents. */
class Batch {
  constructor(
    private readonly db: Db,
    private readonly layout: CollectionLayout,
    private readonly attempt: Attempt,
    private readonly now: () => number,
  ) {}

  async keysThatExist(writings: readonly Writing[]): Promise<Set<string>> {
    const found = await this.db
      .collection<{ _id: string }>(this.layout.name)
      .find(
        { _id: { $in: writings.map(({ document }) => document.key) } },
        { projection: { _id: 1 }, batchSize: writings.length + 1, ...this.attempt.options },
      )
      .toArray();
    return new Set(found.map(({ _id }) => _id));
  }

  /** @returns those that were not inserted */
  async insert(writings: readonly Writing[]): Promise<Writing[]> {
    if (writings.length === 0) return [];
    const documents = writings.map(({ stored }) => stored);
    return this.send(writings, { insert: this.layout.name, documents });
  }

  /**
   * One round trip. Decided by the server for each document where it stands, so that neither a race nor a
   * repetition can bring an older one back; a document that is not there is made.
   * @returns those that have to be written again
   */
  async replaceOlder(writings: readonly Writing[]): Promise<Writing[]> {
    if (writings.length === 0) return [];
    const now = this.now();
    const updates = writings.map(({ document: { key, revision }, stored }) => ({
      q: { _id: key },
      u: [{ $replaceWith: { $cond: [isOlderThan(revision, now), { $literal: stored }, '$$ROOT'] } }],
      upsert: true,
    }));
    return this.send(writings, { update: this.layout.name, updates });
  }

  private async send(
    writings: readonly Writing[],
    command: Readonly<Record<string, unknown>>,
  ): Promise<Writing[]> {
    const answer: WriteAnswer = await this.db.command(
      { ...command, ordered: false, writeConcern: WRITE_CONCERN },
      { ...this.attempt.options, ignoreUndefined: true },
    );
    const collided: Writing[] = [];
    for (const { index, code, errmsg } of answer.writeErrors ?? []) {
      const duplicated = duplicatedIndex({ code, message: errmsg });
      if (duplicated === null) throw new WriteFailed(code);
      // Where the document itself is there by now, another process was quicker, and the revisions decide.
      if (duplicated !== KEY_INDEX) throw duplicateKey(this.layout, duplicated);
      collided.push(writings[index]!);
    }
    if (answer.writeConcernError !== undefined) throw new WriteFailed(answer.writeConcernError.code);
    return collided;
  }
}

interface WriteAnswer {
  readonly writeErrors?: readonly {
    readonly index: number;
    readonly code: number;
    readonly errmsg: string;
  }[];
  readonly writeConcernError?: { readonly code: number };
}

/** Of the stored document; true if there is none, since what is absent comes before every number. */
function isOlderThan(revision: number, now: number): object {
  return { $or: [{ $lt: ['$revision', revision] }, expiredInPlace(now)] };
}
