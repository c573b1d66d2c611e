import { isDeepStrictEqual } from 'node:util';
import { MongoServerError, type Db, type IndexDescription, type IndexDescriptionInfo } from 'mongodb';
import { descriptionsOf, duplicateKey, isOurs, oursOf, type CollectionLayout } from './collection-layout.js';
import { duplicatedIndex, WriteFailed } from './failures.js';
import { INDEX_DEADLINE_MS, WRITE_CONCERN, type Attempt, type MongoConnection } from './mongo-connection.js';
import { documentOf, type StoredDocument } from './stored-document.js';

/** How often indexes are compared again because another process changed them at the same time. */
const ROUNDS_MAX = 10;
/** Documents that one step takes. */
const DOCUMENTS_PER_STEP = 500;
const NAMESPACE_NOT_FOUND = 26;
/** Codes of a server on which another process changes the same indexes. */
const CHANGED_BY_OTHERS: ReadonlySet<unknown> = new Set([
  NAMESPACE_NOT_FOUND,
  27, // IndexNotFound
  48, // NamespaceExists
  85, // IndexOptionsConflict
  86, // IndexKeySpecsConflict
  276, // IndexBuildAborted
  12_587, // BackgroundOperationInProgressForNamespace
]);

/**
 * Brings the indexes of a collection in line with its definition, creating the collection where it is missing.
 * @throws DuplicateKey where documents do not suit a new unique index, DocumentsUnavailable
 */
export async function ensureIndexes(connection: MongoConnection, layout: CollectionLayout): Promise<void> {
  for (let round = 1; ; round += 1) {
    try {
      await reshape(connection, layout);
      return;
    } catch (error) {
      if (round === ROUNDS_MAX || !(error instanceof RoundLost)) throw error;
    }
  }
}

/** The indexes could not be made now; after looking again they may be. */
class RoundLost extends Error {
  override readonly name = 'RoundLost';
}

async function reshape(connection: MongoConnection, layout: CollectionLayout): Promise<void> {
  const wanted = descriptionsOf(layout);
  const found = await connection.run(async () => indexesOf(connection.db, layout.name));
  const missing = wanted.filter(description => !found.some(index => isSame(index, description)));
  const surplus = found.filter(
    index => isOurs(index.name) && !wanted.some(description => isSame(index, description)),
  );
  for (const { name } of surplus) {
    await connection.run(async () => roundOf(layout, connection.db.collection(layout.name).dropIndex(name)));
  }
  if (missing.length === 0) return;
  await fillOurFields(connection, layout);
  await connection.run(
    async () => roundOf(layout, connection.db.collection(layout.name).createIndexes(missing)),
    INDEX_DEADLINE_MS,
  );
}

/**
 * Gives former documents the fields of ours by which new indexes will find them. Documents that are written
 * meanwhile get them from their writers.
 * @throws DocumentsUnavailable
 */
async function fillOurFields(connection: MongoConnection, layout: CollectionLayout): Promise<void> {
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

async function indexesOf(db: Db, name: string): Promise<(IndexDescriptionInfo & { name: string })[]> {
  try {
    const found = await db.collection(name).listIndexes().toArray();
    return found.map((index: IndexDescriptionInfo) => ({ ...index, name: String(index.name) }));
  } catch (error) {
    if (error instanceof MongoServerError && error.code === NAMESPACE_NOT_FOUND) return [];
    throw error;
  }
}

/** @throws RoundLost instead of the server's error where another round may succeed, DuplicateKey */
async function roundOf(layout: CollectionLayout, work: Promise<unknown>): Promise<void> {
  try {
    await work;
  } catch (error) {
    if (!(error instanceof MongoServerError)) throw error;
    const duplicated = duplicatedIndex(error);
    if (duplicated !== null) throw duplicateKey(layout, duplicated);
    throw CHANGED_BY_OTHERS.has(error.code) ? new RoundLost() : error;
  }
}

function isSame(found: IndexDescriptionInfo, wanted: IndexDescription): boolean {
  return isDeepStrictEqual(meaningOf(found), meaningOf(wanted));
}

/** The order of the fields matters in a key, and in nothing else. */
function meaningOf(index: IndexDescription | IndexDescriptionInfo): unknown {
  return {
    name: index.name,
    key: Object.entries(index.key),
    unique: index.unique ?? false,
    sparse: index.sparse ?? false,
    expireAfterSeconds: index.expireAfterSeconds ?? null,
    partialFilterExpression: index.partialFilterExpression ?? null,
  };
}
