import { setTimeout as pause } from 'node:timers/promises';
import type { Collection, Document, Documents } from '#documents/documents';
import type { EventStore } from '#event-store/event-store';
import { recordOf, transactionDocument, type TransactionDocument } from '#projections/transaction-document';
import { lastEventOf } from '#streams/household-stream';
import type { ReadModels } from '#streams/read-models';
import { haveSameText } from '../same-text.js';
import { compareWithFold } from './fold-comparison.js';
import { StreamTail } from './stream-tail.js';

/** How often, at most, a comparison is made that still finds wrong documents. */
const PASSES_MAX = 10;
/** How long one pass waits, at most, for commands that are under way. */
const UNDER_WAY_MS = 2_000;
/** How often it looks meanwhile whether they have written. */
const UNDER_WAY_POLL_MS = 20;

/** What is mended. */
interface Mended {
  readonly store: EventStore;
  readonly documents: Documents;
  readonly models: ReadModels;
  readonly householdId: string;
}

/**
 * Makes a household's documents what its events say, where they are: wrong ones are replaced, also at an equal or
 * greater revision, and those that should not be there are removed. To be called while nobody reads the household
 * there and every command goes on writing it there: between the two steps of a replacement a document is missing.
 *
 * Whatever was mended is compared once more, at a revision that was read afterwards. A command that had read the wrong
 * document before had recorded its events by then, so that the comparison, or the revision of what it finds right,
 * covers what that command writes.
 * @throws EventStoreUnavailable, DocumentsUnavailable, and what folding throws
 */
export async function mendHousehold(
  store: EventStore,
  documents: Documents,
  models: ReadModels,
  householdId: string,
): Promise<void> {
  const mended = { store, documents, models, householdId };
  const first = await lastRevisionOf(mended);
  for (let pass = 0; pass < PASSES_MAX; pass++) {
    const revision = await lastRevisionOf(mended);
    if ((await new MendingPass(mended, first, revision).run()) === 0) return;
  }
  throw new Error(`the documents of household ${householdId} could not be repaired`);
}

/** One comparison with the events up to a revision, and beyond it with those that have come since. */
class MendingPass {
  private readonly tail: StreamTail;
  private readonly waitsUntil = performance.now() + UNDER_WAY_MS;

  constructor(
    private readonly mended: Mended,
    /** The last one before anything was mended: what came later may be under way. */
    private readonly first: number,
    private readonly revision: number,
  ) {
    this.tail = new StreamTail(mended.store, mended.householdId, revision);
  }

  /** @returns how many documents were wrong, or could not be told to be right */
  async run(): Promise<number> {
    const { store, documents, models, householdId } = this.mended;
    const { mismatched } = await compareWithFold(store, documents, models, householdId, {
      revision: this.revision,
      found: (collection, stored, expected) => this.mend(collection, stored, expected),
    });
    return mismatched;
  }

  /** @returns whether there was something wrong */
  private async mend(
    collection: Collection<Document>,
    found: Document | null,
    expected: Document | null,
  ): Promise<boolean> {
    const { documents } = this.mended;
    const stored = await this.underWayOver(collection, found, expected);
    const right = await this.rightAt(collection, stored, expected);
    if (right === 'unknown') return true;
    if (stored === null ? right === null : haveSameText(stored, right)) return false;
    if (stored) await documents.remove(collection, stored.key, stored.revision);
    if (right) await documents.put(collection, [right]);
    return true;
  }

  /** The document once a command that is under way has written it, where that may be what it waits for. */
  private async underWayOver(
    collection: Collection<Document>,
    found: Document | null,
    expected: Document | null,
  ): Promise<Document | null> {
    let stored = found;
    if (!expected || expected.revision <= this.first) return stored;
    while ((stored?.revision ?? -1) < expected.revision && performance.now() < this.waitsUntil) {
      await pause(UNDER_WAY_POLL_MS);
      stored = await this.mended.documents.get(collection, expected.key);
    }
    return stored;
  }

  /**
   * What should be stored instead of a document.
   * @returns 'unknown' where more has come since the pass began than it remembers
   */
  private async rightAt(
    collection: Collection<Document>,
    stored: Document | null,
    expected: Document | null,
  ): Promise<Document | null | 'unknown'> {
    if (!stored || stored.revision <= this.revision) return expected;
    const reached = await this.tail.reach(stored.revision);
    if (reached === 'too long') return 'unknown';
    // A revision that the stream does not have.
    if (reached === 'past the end') return expected;
    const { models, householdId } = this.mended;
    // The others are made of the events and of what these make of the household, never of other documents. One that was
    // ahead of a stream which has grown as far meanwhile is taken for written by a command.
    if (collection.name !== models.transactions.name) return stored;
    const record = this.tail.fold(
      stored.key,
      expected && recordOf(expected as TransactionDocument),
      stored.revision,
    );
    return record && transactionDocument(householdId, record);
  }
}

async function lastRevisionOf({ store, householdId }: Mended): Promise<number> {
  return (await lastEventOf(store, householdId))?.revision ?? -1;
}
