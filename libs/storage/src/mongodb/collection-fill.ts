import { oursOf, type CollectionLayout } from './collection-layout.js';
import { WriteFailed } from './failures.js';
import { INDEX_DEADLINE_MS, WRITE_CONCERN, type Attempt, type MongoConnection } from './mongo-connection.js';
import { documentOf, type StoredDocument } from './stored-document.js';

/** Documents that one step takes. */
const DOCUMENTS_PER_STEP = 500;

/**
 * Gives former documents the fields of ours by which new indexes will find them. Documents that are written
 * meanwhile get them from their writers.
 * @throws DocumentsUnavailable
 */
export async function fillOurFields(connection: MongoConnection, layout: CollectionLayout): Promise<void> {
  if (layout.ours.length === 0) return;
  let last: string | undefined;
  do {
    const after = last;
    last = await connection.run(attempt => fillSome(connection, layout, after, attempt), INDEX_DEADLINE_MS);
  } while (last !== undefined);
}

/** @returns the key of the last document of the step, undefined when none was left */
async function fillSome(
  { db }: MongoConnection,
  layout: CollectionLayout,
  after: string | undefined,
  { options }: Attempt,
): Promise<string | undefined> {
  const isUnfilled = { $or: layout.ours.map(field => ({ [field]: { $exists: false } })) };
  const found = await db
    .collection<StoredDocument>(layout.name)
    .find(
      { ...isUnfilled, ...(after === undefined ? {} : { _id: { $gt: after } }) },
      { ...options, sort: { _id: 1 }, limit: DOCUMENTS_PER_STEP },
    )
    .toArray();
  if (found.length === 0) return undefined;
  const updates = found.map(stored => ({
    q: { _id: stored._id, revision: stored['revision'], ...isUnfilled },
    u: { $set: oursOf(layout, documentOf(stored)) },
  }));
  const answer = await db.command(
    { update: layout.name, updates, ordered: false, writeConcern: WRITE_CONCERN },
    { ...options, ignoreUndefined: true },
  );
  const failed: { readonly code: number } | undefined =
    answer['writeErrors']?.[0] ?? answer['writeConcernError'];
  if (failed !== undefined) throw new WriteFailed(failed.code);
  return found.at(-1)?._id;
}
