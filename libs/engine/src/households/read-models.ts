import type { Collection, Document } from '#storage/documents/documents';
import type { HouseholdDocuments } from '#projections/household-documents';
import { transactionIndexFields, type TransactionDocument } from '#projections/transaction-document';

/** The documents that events make; heads, which hold how far that has come, may lag behind. */
export type DocumentName = keyof HouseholdDocuments;

/** Up to which revision a household's documents surely reflect its stream. It may lag behind what they reflect. */
interface HeadDocument extends Document {
  /** The household. */
  readonly key: string;
}

/** The collections of one version of the read models. A rebuild builds another version beside the active one. */
export type ReadModelCollections = { readonly heads: Collection<HeadDocument> } & {
  readonly [name in DocumentName]: Collection<HouseholdDocuments[name][number]>;
};

type ReadModelName = keyof ReadModelCollections;

export type ReadModels = ReadModelCollections & {
  /** A number that no other version ever gets. */
  readonly version: number;
};

/** A collection that the events make again, without indexes. */
export function derived<T extends Document>(name: string): Collection<T> {
  return { name, durability: 'derived', indexes: [] };
}

/** The version that is served until a rebuild has built another. */
export const FIRST_VERSION = 1;

const TRANSACTION_INDEXES: Collection<TransactionDocument>['indexes'] = [
  {
    name: 'by_view',
    equals: ['household', 'view'],
    sort: 'sort',
    sortUnique: true,
    covers: ['merchant_folded', 'amount'],
  },
  {
    // A transaction that becomes tracked keeps its place here, so a page of both views misses none.
    name: 'by_date',
    equals: ['household', 'live'],
    sort: 'sort',
    sortUnique: true,
    covers: ['merchant_folded', 'amount'],
  },
  {
    name: 'by_tag',
    equals: ['household', 'view', 'tags'],
    list: 'tags',
    sort: 'sort',
    sortUnique: true,
    // Without `covers`, since a transaction has several tags: their entries are half as long.
  },
];

/** How each collection is called, before the number of its version. */
const COLLECTION_NAMES: Readonly<Record<ReadModelName, string>> = {
  heads: 'heads',
  months: 'months',
  identities: 'identities',
  untrackedCounts: 'untracked_counts',
  fundBalances: 'fund_balances',
  transactions: 'transactions',
  transactionChanges: 'transaction_changes',
  merchants: 'merchant_items',
};

const READ_MODEL_NAMES = Object.keys(COLLECTION_NAMES) as readonly ReadModelName[];

export const DOCUMENT_NAMES: readonly DocumentName[] = READ_MODEL_NAMES.filter(name => name !== 'heads');

export function readModelsOf(version: number): ReadModels {
  const named = READ_MODEL_NAMES.map(name => [name, derived(`${COLLECTION_NAMES[name]}_g${version}`)]);
  const collections = Object.fromEntries(named) as ReadModelCollections;
  const indexed = { indexes: TRANSACTION_INDEXES, indexed: transactionIndexFields };
  return { version, ...collections, transactions: { ...collections.transactions, ...indexed } };
}

/** All collections of a version, heads included. */
export function collectionsOf(models: ReadModels): readonly Collection<Document>[] {
  return READ_MODEL_NAMES.map(name => models[name]);
}
