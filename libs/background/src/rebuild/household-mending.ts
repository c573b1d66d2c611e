import type { Documents } from '#documents/documents';
import type { EventStore } from '#event-store/event-store';
import { streamOf } from '#streams/event-chain';
import type { ReadModels } from '#streams/read-models';
import { compareWithFold } from './fold-comparison.js';

/** A comparison that still found wrong documents is made again at most so often. */
const PASSES_MAX = 10;

/**
 * Makes a household's documents what its events say, where they are: wrong ones are replaced, also at an equal or
 * greater revision, and those that should not be there are removed. To be called while nobody reads the household
 * there and every command goes on writing it there: between the two steps of a replacement a document is missing.
 * @throws EventStoreUnavailable, DocumentsUnavailable, and what folding throws
 */
export async function mendHousehold(
  store: EventStore,
  documents: Documents,
  models: ReadModels,
  householdId: string,
): Promise<void> {
  const first = await lastRevisionOf(store, householdId);
  for (let pass = 0; pass < PASSES_MAX; pass++) {
    const revision = await lastRevisionOf(store, householdId);
    const { mismatched } = await compareWithFold(store, documents, models, householdId, {
      revision,
      found: async (collection, stored, expected) => {
        const { key } = (stored ?? expected)!;
        // Written after the comparison began, unless its revision is none of the stream.
        if (stored && stored.revision > revision) {
          if (stored.revision <= (await lastRevisionOf(store, householdId))) return false;
        }
        if (stored) await documents.remove(collection, key, stored.revision);
        if (expected) await documents.put(collection, [expected]);
        // A command that is under way writes this too.
        return !(expected && expected.revision > first && (stored?.revision ?? -1) < expected.revision);
      },
    });
    if (mismatched === 0) return;
  }
  throw new Error(`the documents of household ${householdId} keep being wrong`);
}

async function lastRevisionOf(store: EventStore, householdId: string): Promise<number> {
  const range = { direction: 'backwards', limit: 1 } as const;
  for await (const [last] of store.readStream(streamOf(householdId), range)) return last?.revision ?? -1;
  return -1;
}
