import type { Collection, Document } from '#storage/documents/documents';
import type {
  FundBalanceDocument,
  HouseholdDocuments,
  TransactionChangeDocument,
  UntrackedCountDocument,
  MerchantDocument,
} from '#projections/household-documents';
import type { IdentitiesDocument, MonthDocument, RemovedMonthDocument } from '#projections/month-document';
import { transactionIndexFields, type TransactionDocument } from '#projections/transaction-document';

/** Up to which revision a household's documents surely reflect its stream. It may lag behind what they reflect. */
interface HeadDocument extends Document {
  /** The household. */
  readonly key: string;
}

/** The collections of one version of the read models. A rebuild builds another version beside the active one. */
export interface ReadModelCollections {
  readonly heads: Collection<HeadDocument>;
  readonly months: Collection<MonthDocument | RemovedMonthDocument>;
  readonly identities: Collection<IdentitiesDocument>;
  readonly untrackedCounts: Collection<UntrackedCountDocument>;
  readonly fundBalances: Collection<FundBalanceDocument>;
  readonly transactions: Collection<TransactionDocument>;
  readonly transactionChanges: Collection<TransactionChangeDocument>;
  readonly merchants: Collection<MerchantDocument>;
}

type ReadModelName = keyof ReadModelCollections;

export interface ReadModels extends ReadModelCollections {
  /** A number that no other version ever gets. */
  readonly version: number;
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

export function readModelsOf(version: number): ReadModels {
  const derived = <T extends Document>(
    name: ReadModelName,
    indexes: Collection<T>['indexes'] = [],
  ): Collection<T> => ({ name: `${COLLECTION_NAMES[name]}_g${version}`, durability: 'derived', indexes });
  return {
    version,
    heads: derived('heads'),
    months: derived('months'),
    identities: derived('identities'),
    untrackedCounts: derived('untrackedCounts'),
    fundBalances: derived('fundBalances'),
    transactions: { ...derived('transactions', TRANSACTION_INDEXES), indexed: transactionIndexFields },
    transactionChanges: derived('transactionChanges'),
    merchants: derived('merchants'),
  };
}

/** All collections of a version, heads included. */
export function collectionsOf(models: ReadModels): readonly Collection<Document>[] {
  return READ_MODEL_NAMES.map(name => models[name]);
}

/** The documents that events make; heads, which hold how far that has come, may lag behind. */
export type DocumentName = keyof HouseholdDocuments;

export const DOCUMENT_NAMES: readonly DocumentName[] = READ_MODEL_NAMES.filter(name => name !== 'heads');
