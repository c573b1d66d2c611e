import type { Collection, Document, Documents, Write } from '#documents/documents';
import type {
  FundBalanceDocument,
  HouseholdDocuments,
  TransactionChangeDocument,
  UntrackedCountDocument,
} from '#projections/household-documents';
import type { IdentitiesDocument } from '#projections/identities-document';
import type { MerchantDocument } from '#projections/merchant-document';
import type { MonthDocument, RemovedMonthDocument } from '#projections/month-document';
import { transactionIndexFields, type TransactionDocument } from '#projections/transaction-document';

/** Up to which revision a household's documents surely reflect its stream. It may lag behind what they reflect. */
export interface HeadDocument extends Document {
  /** The household. */
  readonly key: string;
}

/** The collections of one set of read models. A rebuild fills another set beside the live one. */
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

export type ReadModelName = keyof ReadModelCollections;

/** Which generation of each collection belongs to a set. Generations are numbered for ever, never twice. */
export type Generations = Readonly<Record<ReadModelName, number>>;

export interface ReadModels extends ReadModelCollections {
  readonly generations: Generations;
  /** The only ones of the set that are written; all of them where it is null. */
  readonly written: readonly ReadModelName[] | null;
}

/** The generation that is served until a rebuild has made another. */
export const FIRST_GENERATION = 1;

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
    sort: 'sort',
    sortUnique: true,
    // A transaction has several tags: without them their entries are half as long.
    coveredBy: 'by_view',
  },
];

/** How each collection is called, before the number of its generation. */
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

/** All collections of one generation. */
export function generationsOf(generation: number): Generations {
  return Object.fromEntries(READ_MODEL_NAMES.map(name => [name, generation])) as Record<
    ReadModelName,
    number
  >;
}

/**
 * @param generations one number stands for all collections
 * @param written as `ReadModels.written`
 */
export function readModelsOf(
  generations: Generations | number,
  written: readonly ReadModelName[] | null = null,
): ReadModels {
  const numbers = typeof generations === 'number' ? generationsOf(generations) : generations;
  const derived = <T extends Document>(
    name: ReadModelName,
    indexes: Collection<T>['indexes'] = [],
  ): Collection<T> => ({ name: collectionName(name, numbers[name]), durability: 'derived', indexes });
  return {
    generations: numbers,
    written,
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

/** The number of the youngest collection of a set. */
export function latestGeneration({ generations }: Pick<ReadModels, 'generations'>): number {
  return Math.max(...Object.values(generations));
}

/** The `indexed` of a collection of any generation, by its name: for a thread, to which no function can be sent. */
export function indexedOf(collection: string): Collection<Document>['indexed'] {
  const isTransactions = collection.startsWith(`${COLLECTION_NAMES.transactions}_g`);
  return isTransactions ? transactionIndexFields : undefined;
}

function collectionName(name: ReadModelName, generation: number): string {
  return `${COLLECTION_NAMES[name]}_g${generation}`;
}

/** All collections of a set, heads included, also those that are not written. */
export function collectionsOf(models: ReadModels): readonly Collection<Document>[] {
  return READ_MODEL_NAMES.map(name => models[name]);
}

/** The collections of a first set that a second one does not have. */
export function collectionsOnlyIn(first: Generations, second: Generations): readonly string[] {
  return READ_MODEL_NAMES.filter(name => first[name] !== second[name]).map(name =>
    collectionName(name, first[name]),
  );
}

/** What events make; heads, which tell how far that has come, may lag behind. */
export type DocumentName = keyof HouseholdDocuments;

export const DOCUMENT_NAMES: readonly DocumentName[] = READ_MODEL_NAMES.filter(name => name !== 'heads');

/** Writes what a run of events changed. Guarded by revision, so it may be repeated and may come late. */
export async function writeHouseholdDocuments(
  documents: Documents,
  models: ReadModels,
  changed: HouseholdDocuments,
): Promise<void> {
  const writes: Write[] = [];
  for (const name of DOCUMENT_NAMES) {
    const list: readonly Document[] = changed[name];
    if (list.length === 0 || models.written?.includes(name) === false) continue;
    writes.push({ collection: models[name], documents: list });
  }
  if (writes.length > 0) await documents.putAll(writes);
}
