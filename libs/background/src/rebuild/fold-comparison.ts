import type { Collection, Document, Documents, DocumentText } from '#documents/documents';
import { pagesOf } from '#documents/pages';
import type { EventStore } from '#event-store/event-store';
import { DOCUMENT_NAMES, type DocumentName, type ReadModels } from '#streams/read-models';
import { fnv1a } from '../fnv-1a.js';
import { requestsFirst } from '#concurrency/requests-first';
import { FoldTooLarge, HouseholdFold } from '#streams/household-fold';
import { householdRange } from '#streams/household-making';

/**
 * The documents of about this many events of a household are the most that are held at once. A longer history is read
 * once for each such share of its documents.
 */
const SLICE_EVENTS = 100_000;
/**
 * Where the first share is larger than this many documents for each of its events, shares are halved: one event may
 * touch 20,000 transactions.
 */
const DOCUMENTS_PER_EVENT = 2;
/** Shares are not made smaller than this part of a household. */
const SLICES_MAX = 65_536;
/** At most this many stored documents are compared at once. */
const PAGE_DOCUMENTS = 500;

/** A document that is not what the events say. */
interface Mismatch {
  readonly collection: string;
  readonly key: string;
  readonly kind: 'missing' | 'unexpected' | 'differs';
}

/** There are as many of these as events; the others are made of the household's state, which is held anyway. */
const SLICED_NAMES: readonly DocumentName[] = ['transactions', 'transactionChanges', 'merchants'];

interface ComparisonOptions {
  /** The last revision that the documents surely reflect: younger ones are not compared; `found` is told of them all. */
  readonly revision: number;
  /** Which collections; all of `DOCUMENT_NAMES` by default. */
  readonly names?: readonly DocumentName[];
  /**
   * Told of each mismatch, with what is stored and what should be.
   * @returns false to take it for none
   */
  readonly found?: (
    collection: Collection<Document>,
    stored: Document | null,
    expected: Document | null,
  ) => Promise<boolean>;
  /** As `SLICE_EVENTS`. */
  readonly sliceEvents?: number;
  /** Mismatches that are answered; all are counted. */
  readonly mismatchesMax?: number;
}

export interface Comparison {
  readonly documents: number;
  readonly mismatched: number;
  /** The first ones. */
  readonly mismatches: readonly Mismatch[];
}

const MISMATCHES_MAX = 20;

/**
 * Compares a household's documents with a fold of its events from the very first one, text for text. Nothing but
 * the events is trusted: no snapshot, no document.
 * @throws EventStoreUnavailable, DocumentsUnavailable, UnknownEvent and whatever folding throws
 */
export async function compareWithFold(
  store: EventStore,
  documents: Documents,
  models: ReadModels,
  householdId: string,
  options: ComparisonOptions,
): Promise<Comparison> {
  const sliceEvents = options.sliceEvents ?? SLICE_EVENTS;
  const total = { documents: 0, mismatched: 0, mismatches: [] as Mismatch[] };
  const foldShare = (slice: number, slices: number, documentsMax?: number): Promise<HouseholdFold> =>
    HouseholdFold.of(store, householdId, options.revision, {
      includes: text => isInSlice(text, slice, slices),
      withState: slice === 0,
      ...(documentsMax !== undefined && { documentsMax }),
    });
  const slicesLeast = Math.max(1, Math.ceil((options.revision + 1) / sliceEvents));
  const first = await firstShare(foldShare, slicesLeast, DOCUMENTS_PER_EVENT * sliceEvents);
  const { slices } = first;
  for (let slice = 0; slice < slices; slice++) {
    const fold = slice === 0 ? first.fold : await foldShare(slice, slices);
    for (const name of options.names ?? DOCUMENT_NAMES) {
      const sliced = SLICED_NAMES.includes(name);
      if (!sliced && slice > 0) continue;
      const belongs = (key: string): boolean =>
        !sliced || isInSlice(name === 'merchants' ? key : transactionIdIn(key), slice, slices);
      const expected = new Map(fold.texts(name).map(made => [made.key, made]));
      await compareCollection(documents, models[name], householdId, expected, belongs, options, total);
    }
  }
  return total;
}

/**
 * The first share, one of as many as keep it from being too large. It tells how large the others are: transactions are
 * spread evenly.
 */
async function firstShare(
  foldShare: (slice: number, slices: number, documentsMax?: number) => Promise<HouseholdFold>,
  slicesLeast: number,
  documentsMax: number,
): Promise<{ readonly fold: HouseholdFold; readonly slices: number }> {
  for (let slices = slicesLeast; ; slices *= 2) {
    try {
      const isBounded = slices < SLICES_MAX;
      return { slices, fold: await foldShare(0, slices, isBounded ? documentsMax : undefined) };
    } catch (error) {
      if (!(error instanceof FoldTooLarge)) throw error;
    }
  }
}

async function compareCollection(
  documents: Documents,
  collection: Collection<Document>,
  householdId: string,
  expected: Map<string, DocumentText>,
  belongs: (key: string) => boolean,
  options: ComparisonOptions,
  total: { documents: number; mismatched: number; mismatches: Mismatch[] },
): Promise<void> {
  const note = async (kind: Mismatch['kind'], stored: Document | null, wanted: Document | null) => {
    if (options.found && !(await options.found(collection, stored, wanted))) return;
    total.mismatched++;
    if (total.mismatches.length >= (options.mismatchesMax ?? MISMATCHES_MAX)) return;
    total.mismatches.push({ collection: collection.name, key: (stored ?? wanted)!.key, kind });
  };
  await requestsFirst();
  for await (const page of pagesOf(documents, collection, householdRange(householdId), PAGE_DOCUMENTS)) {
    for (const stored of page) {
      const wanted = expected.get(stored.key);
      if (!wanted && !belongs(stored.key)) continue;
      total.documents++;
      expected.delete(stored.key);
      if (stored.revision > options.revision) {
        if (options.found) await note('differs', stored, wanted ? parsed(wanted) : null);
      } else if (!wanted) {
        await note('unexpected', stored, null);
      } else if (JSON.stringify(stored) !== wanted.text) {
        await note('differs', stored, parsed(wanted));
      }
    }
    await requestsFirst();
  }
  for (const wanted of expected.values()) await note('missing', null, parsed(wanted));
}

function parsed({ text }: DocumentText): Document {
  const document: Document = JSON.parse(text);
  return document;
}

/** Of the key of a transaction's document, or of one of its changes. */
function transactionIdIn(key: string): string {
  return key.split('|', 2)[1] ?? '';
}

function isInSlice(text: string, slice: number, slices: number): boolean {
  return slices === 1 || fnv1a(text) % slices === slice;
}
