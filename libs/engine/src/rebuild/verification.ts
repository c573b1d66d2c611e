import { Erasures } from '#storage/documents/erasures';
import { behindKey, EVERY_KEY } from '#storage/documents/declared';
import type { Documents } from '#storage/documents/documents';
import { pagesOf } from '#storage/documents/pages';
import type { EventStore } from '#storage/event-store/event-store';
import { BESIDE_FAILURES } from '../versions/active-version.js';
import type { HouseholdStreams } from '../households/household-streams.js';
import { StoredFailures } from '../projector/failing-households.js';
import { HouseholdComparison, type Difference } from '../verify/household-comparison.js';
import type { Replay } from './replay.js';
import { isStoreDown, kindOf } from '../households/store-failures.js';

/** Households that are listed at once. */
const PAGE_HOUSEHOLDS = 200;

/** The new read models are not what the events say. */
export class VerificationFailed extends Error {
  override readonly name = 'VerificationFailed';
}

interface VerificationOptions {
  readonly store: EventStore;
  readonly documents: Documents;
  /** Made the read models that are verified; its heads list the households. */
  readonly builder: HouseholdStreams;
  readonly replay: Replay;
  /** Called after each household, with the count so far. Throws to stop. */
  readonly advanced: (households: number) => Promise<void>;
}

/**
 * Compares every household's documents with a fold of its events, and goes on where an interrupted verification ended.
 * @throws VerificationFailed, EventStoreUnavailable, DocumentsUnavailable
 */
export async function verifyHouseholds(options: VerificationOptions): Promise<void> {
  const { documents, builder, replay, advanced } = options;
  for (;;) {
    const { verified, verifiedCount } = await replay.stored();
    const range = {
      ...EVERY_KEY,
      ...(verified !== null && { from: behindKey(verified) }),
      limit: PAGE_HOUSEHOLDS,
    };
    const page = await documents.range(builder.models.heads, range);
    let count = verifiedCount;
    for (const { key, revision } of page) {
      if (!(await replay.isAsBuilt(key, revision))) await verifyHousehold(options, key, revision);
      await advanced(++count);
    }
    const last = page.at(-1);
    if (last) {
      await replay.advance({ verified: last.key, verifiedCount: count });
      await advanced(count);
    }
    if (page.length < PAGE_HOUSEHOLDS) break;
  }
  await verifyFailed(options);
}

/** Households that could not be written at some time: they are brought up to date, or nothing is switched. */
async function verifyFailed(options: VerificationOptions): Promise<void> {
  const { documents } = options;
  for await (const page of pagesOf(documents, BESIDE_FAILURES, EVERY_KEY, PAGE_HOUSEHOLDS)) {
    for (const { key, revision } of page) {
      await verifyHousehold(options, key);
      await documents.remove(BESIDE_FAILURES, key, revision);
    }
  }
}

/** @param built the revision that its documents reflect; without it they are brought up to date first */
async function verifyHousehold(
  { store, documents, builder }: VerificationOptions,
  householdId: string,
  built?: number,
): Promise<void> {
  const trouble = async (what: string, cause?: unknown): Promise<void> => {
    // What stopped in the active version too may stop in the new one.
    if (await documents.get(StoredFailures.collection, StoredFailures.keyOf(householdId))) return;
    if (await new Erasures(documents).find(householdId)) return;
    throw new VerificationFailed(`The new read models of household ${householdId} ${what}.`, { cause });
  };
  try {
    if (built === undefined) builder.forget(householdId);
    const reflected = built ?? (await builder.catchUp(householdId)).revision;
    const comparison = new HouseholdComparison(store, documents, builder.models, householdId, { reflected });
    let first: Difference | null = null;
    let count = 0;
    for await (const difference of comparison.differences()) {
      first ??= difference;
      count++;
    }
    if (first === null) return;
    const { collection, key, kind } = first;
    const what = `${key} in ${collection} ${kind === 'differs' ? 'differs' : `is ${kind}`}`;
    await trouble(`do not match its events: ${count} document(s), the first: ${what}`);
  } catch (error) {
    if (error instanceof VerificationFailed || isStoreDown(error)) throw error;
    await trouble(`cannot be built: ${kindOf(error)}`, error);
  }
}
