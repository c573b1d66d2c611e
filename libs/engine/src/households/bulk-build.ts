import { keysUnder } from '#storage/documents/declared';
import type { Collection, Document, Documents, DocumentText, KeyRange } from '#storage/documents/documents';
import type { IdempotencyKeys } from '#storage/documents/idempotency-keys';
import { TextDigest } from '#storage/documents/text-digest';
import type { EventStore } from '#storage/event-store/event-store';
import type { StateAlong } from './snapshots.js';
import { lastEventOf, settledKeys } from './household-stream.js';
import { requestsFirst, Turns } from '#concurrency/turns';
import { HouseholdFold } from './household-fold.js';
import { DOCUMENT_NAMES, type ReadModels } from './read-models.js';
import { isStoreDown } from './store-failures.js';

/** Transactions, changes and merchants together, for each event that a household may have. */
const DOCUMENTS_PER_EVENT = 2;
const PUT_DOCUMENTS = 2_048;

export interface BulkBuildOptions {
  /** The revision of an event that is surely recorded. */
  readonly from: number;
  /** A household of more events, or of twice as many documents, is not built in bulk: all are in memory at once. */
  readonly eventsMax: number;
  /** Asked now and then; true abandons the build. */
  readonly isStopped: () => boolean;
}

interface BuiltHousehold {
  /** As `HouseholdFold.states`. */
  readonly states: readonly StateAlong[];
  /** As `digestOfHousehold` gives it while the documents are what was built. */
  readonly digest: string;
}

/**
 * Builds all documents of a household in bulk (ADR 21), if there are none yet: each document is put once, as JSON, in the
 * order of the keys. One household is folded and one is put at a time, so that neither processor nor store waits.
 */
export class BulkBuild {
  private readonly folding = new Turns();
  private readonly putting = new Turns();

  constructor(
    private readonly store: EventStore,
    private readonly documents: Documents,
    private readonly models: ReadModels,
    private readonly idempotencyKeys: IdempotencyKeys,
  ) {}

  /**
   * @returns null where something is there already, there are more events or documents than may be held, the events cannot
   *   all be folded, or it was stopped
   * @throws EventStoreUnavailable, DocumentsUnavailable
   */
  async build(householdId: string, options: BulkBuildOptions): Promise<BuiltHousehold | null> {
    if (await this.documents.get(this.models.heads, householdId)) return null;
    const revision = (await lastEventOf(this.store, householdId))?.revision ?? -1;
    if (revision < options.from || revision >= options.eventsMax) return null;
    try {
      const fold = await this.folding.take(() => this.fold(householdId, revision, options));
      // A server may tell of an event before its stream can be read up to there.
      if (fold.revision !== revision) return null;
      return await this.putting.take(() => this.putAll(householdId, fold, options));
    } catch (error) {
      if (isStoreDown(error)) throw error;
      return null;
    }
  }

  private async fold(
    householdId: string,
    revision: number,
    { eventsMax, isStopped }: BulkBuildOptions,
  ): Promise<HouseholdFold> {
    const fold = new HouseholdFold(this.store, householdId, {
      documentsMax: DOCUMENTS_PER_EVENT * eventsMax,
      withStatesAlong: true,
      onPage: async events => {
        if (isStopped()) throw new Error('the build was stopped');
        const settled = settledKeys(this.idempotencyKeys, householdId, events);
        if (settled.length > 0) await this.documents.putAll(settled);
      },
    });
    await fold.foldOn(revision);
    return fold;
  }

  private async putAll(
    householdId: string,
    fold: HouseholdFold,
    { isStopped }: BulkBuildOptions,
  ): Promise<BuiltHousehold> {
    const digests: string[] = [];
    for (const name of DOCUMENT_NAMES) {
      digests.push(await this.put(this.models[name], inKeyOrder(fold.texts(name)), isStopped));
    }
    await this.documents.put(this.models.heads, [{ key: householdId, revision: fold.revision }]);
    return { states: fold.states, digest: digestOf(digests) };
  }

  /** @returns the digest of what is put */
  private async put(
    collection: Collection<Document>,
    inOrder: readonly DocumentText[],
    isStopped: () => boolean,
  ): Promise<string> {
    const digest = new TextDigest();
    for (let at = 0; at < inOrder.length; at += PUT_DOCUMENTS) {
      await requestsFirst();
      if (isStopped()) throw new Error('the build was stopped');
      const some = inOrder.slice(at, at + PUT_DOCUMENTS);
      digest.add(some.map(({ text }) => text));
      await this.documents.putTexts(collection, some);
    }
    return digest.end();
  }
}

/** Where the documents of a household are in every collection of read models. */
export function householdRange(householdId: string): Pick<KeyRange, 'from' | 'before'> {
  // Keys are the household, or begin with it and `|`.
  return { ...keysUnder(householdId), from: householdId };
}

/** The digest of all documents of a household in one version, heads left out. @throws DocumentsUnavailable */
export async function digestOfHousehold(
  documents: Documents,
  models: ReadModels,
  householdId: string,
): Promise<string> {
  const digests: string[] = [];
  for (const name of DOCUMENT_NAMES) {
    digests.push(await documents.digest<Document>(models[name], householdRange(householdId)));
  }
  return digestOf(digests);
}

function digestOf(digests: readonly string[]): string {
  const all = new TextDigest();
  all.add(digests);
  return all.end();
}

/** In the order of the keys' bytes: that of their 16-bit units unless a character needs two of these. */
function inKeyOrder(texts: readonly DocumentText[]): readonly DocumentText[] {
  return texts.toSorted(texts.some(({ key }) => SURROGATE.test(key)) ? byBytes : byUnits);
}

const SURROGATE = /[\ud800-\udfff]/;

function byUnits({ key: a }: DocumentText, { key: b }: DocumentText): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

function byBytes({ key: a }: DocumentText, { key: b }: DocumentText): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}
