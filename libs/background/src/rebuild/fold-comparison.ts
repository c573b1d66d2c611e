import type { Collection, Document, Documents } from '#documents/documents';
import type { EventStore } from '#event-store/event-store';
import { decodeEvent, type DecodedEvent } from '#ledger/event-codec';
import { evolve } from '#ledger/evolve';
import { NO_HOUSEHOLD } from '#ledger/household';
import { evolveTransaction, touchedTransactions, type TransactionRecord } from '#ledger/transaction-record';
import { paddedRevision, projectHousehold } from '#projections/household-documents';
import { merchantDocuments } from '#projections/merchant-document';
import { transactionDocument } from '#projections/transaction-document';
import { streamOf } from '#streams/event-chain';
import { READ_MODEL_NAMES, type ReadModelName, type ReadModels } from '#streams/read-models';
import { householdPages } from '../household-pages.js';
import { haveSameText } from '../same-text.js';

/**
 * About so many events of a household, at most, are held as the documents that they make. A longer history is read
 * once for each such share of its documents.
 */
const SLICE_EVENTS = 100_000;
/** So many stored documents are compared at once. */
const PAGE_DOCUMENTS = 500;

/** A document that is not what the events say. */
export interface Mismatch {
  readonly collection: string;
  readonly key: string;
  readonly kind: 'missing' | 'extra' | 'differs';
}

/** Every document that can be compared: heads may lag behind. */
export const COMPARED_NAMES: readonly ReadModelName[] = READ_MODEL_NAMES.filter(name => name !== 'heads');

/** There are as many of these as events; the others are made of the household's state, which is held anyway. */
const SLICED_NAMES: readonly ReadModelName[] = ['transactions', 'transactionChanges', 'merchants'];

export interface ComparisonOptions {
  /** The last revision that the documents surely reflect: younger ones are not compared; `found` is told of them all. */
  readonly revision: number;
  /** Which collections; all of `COMPARED_NAMES` by default. */
  readonly names?: readonly ReadModelName[];
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
  const slices = Math.max(1, Math.ceil((options.revision + 1) / (options.sliceEvents ?? SLICE_EVENTS)));
  const total = { documents: 0, mismatched: 0, mismatches: [] as Mismatch[] };
  for (let slice = 0; slice < slices; slice++) {
    const inSlice = (text: string): boolean => slices === 1 || sliceOf(text, slices) === slice;
    const expected = await foldedDocuments(store, householdId, options.revision, inSlice, slice === 0);
    for (const name of options.names ?? COMPARED_NAMES) {
      const sliced = SLICED_NAMES.includes(name);
      if (!sliced && slice > 0) continue;
      const belongs = (key: string): boolean =>
        !sliced || inSlice(name === 'transactionChanges' ? transactionKeyOf(key) : key);
      await compareCollection(
        documents,
        models[name],
        householdId,
        expected.get(name)!,
        belongs,
        options,
        total,
      );
    }
  }
  return total;
}

type Expected = Map<ReadModelName, Map<string, Document>>;

/** @param withState whether the documents of the household's state, which are few, belong to the slice */
async function foldedDocuments(
  store: EventStore,
  householdId: string,
  revision: number,
  inSlice: (key: string) => boolean,
  withState: boolean,
): Promise<Expected> {
  const expected: Expected = new Map(COMPARED_NAMES.map(name => [name, new Map()]));
  const records = new Map<string, TransactionRecord>();
  const add = (name: ReadModelName, document: Document): void => {
    expected.get(name)!.set(document.key, document);
  };
  let household = NO_HOUSEHOLD;
  if (revision < 0) return expected;
  for await (const page of store.readStream(streamOf(householdId), { from: 0, limit: revision + 1 })) {
    await requestsFirst();
    const events = page.map(decodeEvent);
    if (withState) household = evolve(household, events);
    for (const event of events) {
      foldTransactions(householdId, event, records, inSlice, document => add('transactionChanges', document));
    }
    for (const merchant of merchantDocuments(householdId, events)) {
      if (inSlice(merchant.key)) add('merchants', merchant);
    }
  }
  for (const record of records.values()) add('transactions', transactionDocument(householdId, record));
  if (withState) {
    const state = projectHousehold(householdId, NO_HOUSEHOLD, household, [], new Map());
    for (const name of ['months', 'identities', 'untrackedCounts', 'fundBalances'] as const) {
      for (const document of state[name]) add(name, document);
    }
  }
  return expected;
}

function foldTransactions(
  householdId: string,
  event: DecodedEvent,
  records: Map<string, TransactionRecord>,
  inSlice: (key: string) => boolean,
  addChange: (document: Document) => void,
): void {
  for (const id of touchedTransactions(event)) {
    if (!inSlice(`${householdId}|${id}`)) continue;
    records.set(id, evolveTransaction(records.get(id) ?? null, event));
    if (event.type === 'TransactionCreated') continue;
    addChange({
      key: `${householdId}|${id}|${paddedRevision(event.revision)}`,
      revision: event.revision,
    });
  }
}

async function compareCollection(
  documents: Documents,
  collection: Collection<Document>,
  householdId: string,
  expected: Map<string, Document>,
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
  for await (const page of householdPages(documents, collection, householdId, PAGE_DOCUMENTS)) {
    for (const stored of page) {
      const wanted = expected.get(stored.key);
      if (!wanted && !belongs(stored.key)) continue;
      total.documents++;
      expected.delete(stored.key);
      if (stored.revision > options.revision) {
        if (options.found) await note('differs', stored, wanted ?? null);
      } else if (!wanted) {
        await note('extra', stored, null);
      } else if (!haveSameText(stored, wanted)) {
        await note('differs', stored, wanted);
      }
    }
    await requestsFirst();
  }
  for (const wanted of expected.values()) await note('missing', null, wanted);
}

/** `HOUSEHOLD|TRANSACTION` of the key of one of its changes. */
function transactionKeyOf(key: string): string {
  return key.slice(0, key.lastIndexOf('|'));
}

/** FNV-1a, modulo the number of slices. */
function sliceOf(text: string, slices: number): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return (hash >>> 0) % slices;
}

/** Embedded stores answer at once: without this, requests of the same process would wait for the whole. */
function requestsFirst(): Promise<void> {
  return new Promise(resolve => setImmediate(resolve));
}
