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

/** The collections of one generation of read models. A rebuild fills the next generation beside the live one. */
export interface ReadModels {
  readonly generation: number;
  readonly heads: Collection<HeadDocument>;
  readonly months: Collection<MonthDocument | RemovedMonthDocument>;
  readonly identities: Collection<IdentitiesDocument>;
  readonly untrackedCounts: Collection<UntrackedCountDocument>;
  readonly fundBalances: Collection<FundBalanceDocument>;
  readonly transactions: Collection<TransactionDocument>;
  readonly transactionChanges: Collection<TransactionChangeDocument>;
  readonly merchants: Collection<MerchantDocument>;
}

/** The generation that is served until a rebuild has made another. */
export const FIRST_GENERATION = 1;

const TRANSACTION_INDEXES: Collection<TransactionDocument>['indexes'] = [
  {
    name: 'by_view',
    equals: ['household', 'view'],
    sort: 'sort',
    sortUnique: true,
    covers: ['search', 'amount'],
  },
  {
    name: 'by_tag',
    equals: ['household', 'tags'],
    sort: 'sort',
    sortUnique: true,
    covers: ['search', 'amount'],
  },
];

export function readModelsOf(generation: number): ReadModels {
  const derived = <T extends Document>(
    name: string,
    indexes: Collection<T>['indexes'] = [],
  ): Collection<T> => ({
    name: `${name}_g${generation}`,
    durability: 'derived',
    indexes,
  });
  return {
    generation,
    heads: derived('heads'),
    months: derived('months'),
    identities: derived('identities'),
    untrackedCounts: derived('untracked_counts'),
    fundBalances: derived('fund_balances'),
    transactions: { ...derived('transactions', TRANSACTION_INDEXES), indexed: transactionIndexFields },
    transactionChanges: derived('transaction_changes'),
    merchants: derived('merchants'),
  };
}

export function collectionsOf(models: ReadModels): readonly Collection<Document>[] {
  const { generation: _, ...collections } = models;
  return Object.values(collections);
}

/** Writes what a run of events changed. Guarded by revision, so it may be repeated and may come late. */
export async function writeHouseholdDocuments(
  documents: Documents,
  models: ReadModels,
  changed: HouseholdDocuments,
): Promise<void> {
  const writes: Write[] = [];
  const add = <T extends Document>(collection: Collection<T>, list: readonly T[]): void => {
    if (list.length > 0) writes.push({ collection, documents: list });
  };
  add(models.months, changed.months);
  add(models.identities, changed.identities);
  add(models.untrackedCounts, changed.untrackedCounts);
  add(models.fundBalances, changed.fundBalances);
  add(models.transactions, changed.transactions);
  add(models.transactionChanges, changed.transactionChanges);
  add(models.merchants, changed.merchants);
  if (writes.length > 0) await documents.putAll(writes);
}
